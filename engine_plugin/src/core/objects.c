// objects.c - checks of a request's textures and scratch against GL
// SPDX-License-Identifier: MIT
#include "core/objects.h"
#include "base/log.h"
#include "gl/host_texture.h"

ag_status ag_objects_scratch(const ag_host *host, const ag_request *request, const ag_plan *plan)
{
    const ag_buffer *scratch = &request->lent;
    if (!scratch->name)
        return AG_OK;
    if (scratch->offset % plan->scratch_alignment)
        return ag_fail(host, AG_E_ARG, "job.scratch.offset is %llu; it must be a multiple of %llu",
                       (unsigned long long)scratch->offset,
                       (unsigned long long)plan->scratch_alignment);
    if (scratch->offset > INT64_MAX || scratch->bytes > INT64_MAX - scratch->offset)
        return ag_fail(host, AG_E_ARG,
                       "job.scratch.offset is %llu and bytes is %llu; their sum must be below 2^63",
                       (unsigned long long)scratch->offset, (unsigned long long)scratch->bytes);
    if (scratch->bytes < plan->scratch_bytes)
        return ag_fail(host, AG_E_SIZE, "job.scratch.bytes is %llu; the plan needs %llu",
                       (unsigned long long)scratch->bytes, (unsigned long long)plan->scratch_bytes);
    return AG_OK;
}

// Whether a texture unit should read a slot of colours. (Depth has no choice: only texture units
// read it.)
static bool samples(const ag_effect *effect, const ag_request *request, uint32_t slot)
{
    return !(request->tuning.without & AG_WITHOUT_TEXTURE_UNITS) && (effect->samples >> slot & 1) &&
           request->formats[slot] &&
           (!effect->samples_format || effect->samples_format(request->formats[slot]));
}

static ag_status check_buffer(ag_gpu *gpu, const ag_buffer *scratch)
{
    if (!scratch->name)
        return AG_OK;
    int64_t bytes = gpu->gl.IsBuffer(scratch->name) ? ag_gpu_buffer_bytes(gpu, scratch->name) : -1;
    if (bytes < 0)
        return ag_fail(&gpu->host, AG_E_ARG,
                       "job.scratch.name is %u, which is no buffer in this context", scratch->name);
    if (scratch->offset > (uint64_t)bytes || scratch->bytes > (uint64_t)bytes - scratch->offset)
        return ag_fail(
            &gpu->host, AG_E_ARG,
            "job.scratch: offset %llu + bytes %llu is beyond the end of buffer %u, %lld bytes",
            (unsigned long long)scratch->offset, (unsigned long long)scratch->bytes, scratch->name,
            (long long)bytes);
    return AG_OK;
}

ag_status ag_objects_check(ag_gpu *gpu, const ag_effect *effect, const ag_request *request)
{
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if (request->formats[i]) {
            ag_texture_uses uses = {.read = effect->info.slots[i].access & AG_READ,
                                    .sampled = samples(effect, request, i),
                                    .more_levels = request->more_levels[i]};
            ag_status status =
                ag_texture_check(gpu, effect->info.slots[i].name, &uses, &request->slots[i]);
            if (status < 0)
                return status;
        }
    return check_buffer(gpu, &request->lent);
}

ag_status ag_objects_validate(ag_gpu *gpu, const ag_effect *effect, const ag_request *request)
{
    ag_status status = check_buffer(gpu, &request->lent);
    for (uint32_t i = 0; status >= 0 && i < effect->info.slot_count; ++i)
        if (request->formats[i])
            status =
                ag_texture_validate(gpu, effect->info.slots[i].name,
                                    effect->info.slots[i].access & AG_READ, &request->slots[i]);
    return status;
}

void ag_objects_ways(const ag_gpu *gpu, const ag_effect *effect, ag_request *request)
{
    // What is written while it is read: a texture unit's cache may miss that.
    const bool in_place = effect->in_place && request->slots[0].name == request->slots[1].name;
    uint32_t sampled = 0;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_known *known =
            request->formats[i] ? ag_texture_find(gpu, &request->slots[i]) : NULL;
        sampled |= (uint32_t)(known && known->texels && samples(effect, request, i)) << i;
    }
    request->sampled = sampled & ~(uint32_t)in_place;
}

bool ag_objects_same_ways(const ag_request *a, const ag_request *b)
{
    return a->sampled == b->sampled;
}

void ag_objects_settle(ag_gpu *gpu, const ag_effect *effect, const ag_request *request)
{
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if (request->formats[i])
            ag_texture_settle(gpu, &request->slots[i]);
}
