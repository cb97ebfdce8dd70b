// pass.c - one configured effect: its plans, its state, its times
// SPDX-License-Identifier: MIT
#include "core/pass.h"
#include "base/abi.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "core/device.h"
#include "core/request.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- life --------------------------------------------------------------------------------------

ag_status ag_pass_create(ag_device *device, const char *id, ag_pass **out)
{
    const ag_host *host = &device->host;
    const ag_effect *effect = id ? ag_effect_find(id) : NULL;
    if (!effect) {
        char list[128] = "";
        uint32_t count;
        const ag_effect_info *const *all = ag_effects(&count);
        for (uint32_t i = 0; i < count; ++i)
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", all[i]->id);
        return ag_fail(host, AG_E_ARG, "effect is \"%s\"; this module has%s", id ? id : "(NULL)",
                       list);
    }
    ag_pass *pass = ag_alloc(host, sizeof *pass);
    if (!pass)
        return AG_E_MEMORY;
    pass->device = device;
    pass->effect = effect;
    pass->declared_detail = ag_alloc(host, effect->detail_bytes);
    pass->detail = pass->declared_detail ? ag_alloc(host, effect->detail_bytes) : NULL;
    pass->state = pass->detail ? ag_alloc(host, effect->state_bytes) : NULL;
    ag_status status = pass->state ? ag_gpu_buffer(device, "afterglow mailbox", AG_READBACK, 16,
                                                   NULL, &pass->mailbox)
                                   : AG_E_MEMORY;
    if (status < 0) {
        ag_pass_free(pass, true);
        return status;
    }
    pass->next = device->passes;
    device->passes = pass;
    *out = pass;
    return AG_OK;
}

void ag_pass_free(ag_pass *pass, bool with_gl)
{
    ag_device *device = pass->device;
    const ag_effect *effect = pass->effect;
    if (pass->state)
        effect->free_state(device, pass->state, with_gl);
    ag_programs_release(device, &pass->programs);
    if (pass->in_transit && with_gl)
        device->gl.DeleteSync(pass->in_transit);
    if (pass->mailbox.name)
        ag_gpu_free_buffer(device, &pass->mailbox, with_gl);
    ag_timer_forget_pass(device, pass);
    device->scrubbed += pass->scrubbed;
    ag_free(&device->host, pass->declared_detail, effect->detail_bytes);
    ag_free(&device->host, pass->detail, effect->detail_bytes);
    ag_free(&device->host, pass->state, effect->state_bytes);
    ag_free(&device->host, pass, sizeof *pass);
}

void ag_pass_destroy(ag_pass *pass)
{
    if (!pass)
        return;
    ag_pass **link = &pass->device->passes;
    while (*link != pass)
        link = &(*link)->next;
    *link = pass->next;
    ag_pass_free(pass, ag_device_check(pass->device) >= 0);
}

// ---- plans -------------------------------------------------------------------------------------

static GLbitfield closing_bits(uint32_t next_use)
{
    GLbitfield bits = 0;
    if (next_use == AG_USE_UNKNOWN)
        next_use = AG_USE_SAMPLE | AG_USE_IMAGE | AG_USE_FRAMEBUFFER | AG_USE_COPY;
    if (next_use & AG_USE_SAMPLE)
        bits |= GL_TEXTURE_FETCH_BARRIER_BIT;
    if (next_use & AG_USE_IMAGE)
        bits |= GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    if (next_use & AG_USE_FRAMEBUFFER)
        bits |= GL_FRAMEBUFFER_BARRIER_BIT;
    if (next_use & AG_USE_COPY)
        bits |= GL_TEXTURE_UPDATE_BARRIER_BIT;
    return bits;
}

static ag_status make_plan(const ag_pass *pass, const ag_request *request, const ag_shape *shape,
                           void *detail, ag_pass_plan *plan)
{
    const ag_device *device = pass->device;
    memset(plan, 0, sizeof *plan);
    ag_status status = pass->effect->plan(&device->host, &device->gl, request, detail, plan);
    if (status < 0)
        return status;
    plan->head.struct_size = sizeof plan->head;
    plan->head.step_stride = sizeof(ag_step);
    plan->head.resource_stride = sizeof(ag_resource);
    plan->head.barriers_before = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    plan->head.barriers_after = closing_bits(request->next_use);
    plan->head.scratch_alignment = (uint64_t)device->gl.ssbo_alignment;
    // All of the plan follows from the shape, but for the bits.
    plan->head.key = ag_hash(shape, sizeof *shape) ^ (uint64_t)plan->head.barriers_after << 32;
    return AG_OK;
}

// Before the textures are known: wherever the effect would.
static void assume_handles(const ag_device *device, ag_request *request)
{
    if (!device->gl.has_bindless)
        request->handles = 0;
}

ag_status ag_pass_declare(ag_pass *pass, const ag_job *job, const ag_plan **out)
{
    ag_request request;
    ag_shape shape = {0};
    const ag_host *host = &pass->device->host;
    if (!out)
        return ag_fail(host, AG_E_ARG, "declare: plan is NULL");
    ag_status status = ag_request_read(host, pass->effect, job, false, &request);
    request.live = pass->device->watch != NULL;
    if (status >= 0)
        status = pass->effect->check(host, &request, &shape);
    assume_handles(pass->device, &request);
    ag_pass_plan plan;
    if (status >= 0)
        status = make_plan(pass, &request, &shape, pass->declared_detail, &plan);
    if (status < 0)
        return status;
    pass->declared = plan;
    pass->declared.head.steps = pass->declared.steps;
    pass->declared.head.resources = pass->declared.resources;
    *out = &pass->declared.head;
    return AG_OK;
}

const char *ag_pass_step_name(const ag_pass *pass, uint32_t step)
{
    return step < pass->plan.head.step_count ? pass->plan.steps[step].name : "";
}

static ag_status check_scratch(const ag_host *host, const ag_request *request, const ag_plan *plan)
{
    const ag_buffer *scratch = &request->scratch;
    if (!scratch->name)
        return AG_OK;
    if (scratch->offset % plan->scratch_alignment)
        return ag_fail(host, AG_E_ARG, "job.scratch.offset is %llu; it must be a multiple of %llu",
                       (unsigned long long)scratch->offset,
                       (unsigned long long)plan->scratch_alignment);
    if (scratch->offset > INT64_MAX || scratch->bytes > INT64_MAX - scratch->offset)
        return ag_fail(host, AG_E_ARG,
                       "job.scratch.offset is %llu and bytes %llu: no buffer is that long",
                       (unsigned long long)scratch->offset, (unsigned long long)scratch->bytes);
    if (scratch->bytes < plan->scratch_bytes)
        return ag_fail(host, AG_E_SIZE, "job.scratch.bytes is %llu; the plan needs %llu",
                       (unsigned long long)scratch->bytes, (unsigned long long)plan->scratch_bytes);
    return AG_OK;
}

// Whether a texture unit should read a slot.
static bool samples(const ag_effect *effect, const ag_request *request, uint32_t slot)
{
    return (effect->samples >> slot & 1) && request->formats[slot] &&
           (!effect->samples_format || effect->samples_format(request->formats[slot]));
}

// What only GL knows of the host's objects: asked once for each.
static ag_status check_objects(ag_device *device, const ag_effect *effect,
                               const ag_request *request)
{
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if (request->formats[i]) {
            ag_texture_uses uses = {.read = effect->info.slots[i].access & AG_READ,
                                    .sampled = samples(effect, request, i),
                                    .handles = request->handles >> i & 1,
                                    .more_levels = request->more_levels[i]};
            ag_status status =
                ag_texture_check(device, effect->info.slots[i].name, &uses, &request->slots[i]);
            if (status < 0)
                return status;
        }
    const ag_buffer *scratch = &request->scratch;
    if (!scratch->name)
        return AG_OK;
    int64_t bytes =
        device->gl.IsBuffer(scratch->name) ? ag_gpu_buffer_bytes(device, scratch->name) : -1;
    if (bytes < 0)
        return ag_fail(&device->host, AG_E_ARG, "job.scratch.name %u is no buffer in this context",
                       scratch->name);
    if (scratch->offset > (uint64_t)bytes || scratch->bytes > (uint64_t)bytes - scratch->offset)
        return ag_fail(&device->host, AG_E_ARG,
                       "job.scratch: offset %llu + bytes %llu is beyond buffer %u of %lld bytes",
                       (unsigned long long)scratch->offset, (unsigned long long)scratch->bytes,
                       scratch->name, (long long)bytes);
    return AG_OK;
}

// How the slots' textures, which are known by now, can be accessed.
static void find_ways(const ag_device *device, const ag_effect *effect, ag_request *request)
{
    uint32_t sampled = 0, handles = 0;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_known *known =
            request->formats[i] ? ag_texture_find(device, &request->slots[i]) : NULL;
        sampled |= (uint32_t)(known && known->texels && samples(effect, request, i)) << i;
        handles |= (uint32_t)(known && known->handles.name) << i;
    }
    request->sampled = sampled;
    request->handles &= handles;
}

static bool same_ways(const ag_request *a, const ag_request *b)
{
    return a->sampled == b->sampled && a->handles == b->handles;
}

static void settle_textures(ag_device *device, const ag_effect *effect, const ag_request *request)
{
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if (request->formats[i])
            ag_texture_settle(device, &request->slots[i]);
}

// Programs and state, all from one origin.
static ag_status make_state(ag_device *device, const ag_pass *pass, const ag_request *request,
                            const void *detail, const ag_pass_plan *plan, ag_origin origin,
                            ag_program_set *programs, void *state)
{
    const ag_effect *effect = pass->effect;
    // With a folder now, in a prepare, rather than in the frame that reloads first.
    if (device->watch || (request->flags & AG_JOB_BACKGROUND))
        ag_builds_use_threads(device);
    ag_programs_begin(device, programs, origin);
    ag_status status = effect->programs ? effect->programs(device, request, detail) : AG_OK;
    if (status >= 0 && (request->flags & AG_JOB_BACKGROUND) && !ag_programs_done(device)) {
        ag_programs_release(device, programs);
        ag_programs_leave(device);
        return AG_PENDING;
    }
    if (status >= 0)
        status = ag_programs_wait(device);
    if (status >= 0)
        status = effect->prepare(device, request, detail, plan, pass->state, state);
    if (status < 0)
        ag_programs_release(device, programs);
    ag_programs_end(device);
    return status;
}

// The folder as it is; if that does not work, as it was when it did; else the embedded shaders.
static ag_status make_from_any(ag_device *device, const ag_pass *pass, const ag_request *request,
                               const void *detail, const ag_pass_plan *plan,
                               ag_program_set *programs, void *state)
{
    bool refused = false;
    for (int origin = AG_ORIGIN_FOLDER; origin <= AG_ORIGIN_BUILT_IN; ++origin) {
        if ((origin == AG_ORIGIN_FOLDER && !device->watch) ||
            (origin == AG_ORIGIN_GOOD && !(device->watch && ag_watch_has_good(device->watch))))
            continue;
        ag_status status =
            make_state(device, pass, request, detail, plan, (ag_origin)origin, programs, state);
        refused = refused || status == AG_E_SHADER;
        if (status != AG_E_SHADER || origin == AG_ORIGIN_BUILT_IN) {
            if (refused)
                ag_reload_tell(device);
            return status;
        }
    }
    return AG_E_SHADER; // not reached: the last origin returns
}

// AG_FALLBACK when the pass runs on other shaders than shader_dir has.
static ag_status prepared_status(const ag_pass *pass)
{
    bool behind = pass->device->watch && pass->programs.origin != AG_ORIGIN_FOLDER;
    return behind ? AG_FALLBACK : AG_OK;
}

// The job is as the prepared one but for its textures, if these can be read in the same way.
static ag_status prepare_again(ag_pass *pass, ag_request *request, bool *same)
{
    ag_device *device = pass->device;
    ag_status status = check_objects(device, pass->effect, request);
    if (status >= 0)
        status = check_scratch(&device->host, request, &pass->plan.head);
    find_ways(device, pass->effect, request);
    *same = status < 0 || same_ways(request, &pass->request);
    if (status < 0 || !*same)
        return status;
    settle_textures(device, pass->effect, request);
    pass->request = *request;
    return prepared_status(pass);
}

static void adopt(ag_pass *pass, const ag_request *request, const ag_shape *shape,
                  const ag_pass_plan *plan, const ag_program_set *programs)
{
    ag_device *device = pass->device;
    if (memcmp(pass->shape.plan, shape->plan, sizeof shape->plan) != 0 ||
        !same_ways(&pass->request, request)) {
        // Times of another plan would pass for times of this one.
        memset(pass->history, 0, sizeof pass->history);
        ag_timer_forget_pass(device, pass);
    }
    pass->shape = *shape;
    pass->plan = *plan;
    pass->plan.head.steps = pass->plan.steps;
    pass->plan.head.resources = pass->plan.resources;
    ag_programs_release(device, &pass->programs);
    pass->programs = *programs;
    pass->request = *request;
    pass->prepared = true;
    pass->stale = false;
    settle_textures(device, pass->effect, request);
    ag_reload_prepared(device);
}

static void exchange(void **a, void **b)
{
    void *c = *a;
    *a = *b;
    *b = c;
}

ag_status ag_pass_prepare(ag_pass *pass, const ag_job *job)
{
    ag_device *device = pass->device;
    const ag_effect *effect = pass->effect;
    ag_status status = ag_device_check(device);
    ag_request request;
    ag_shape shape = {0};
    if (status >= 0)
        status = ag_request_read(&device->host, effect, job, true, &request);
    request.live = device->watch != NULL;
    if (status >= 0)
        status = effect->check(&device->host, &request, &shape);
    if (status < 0)
        return status;
    assume_handles(device, &request);
    if (pass->prepared && !pass->stale && !memcmp(&shape, &pass->shape, sizeof shape)) {
        bool same = false;
        status = prepare_again(pass, &request, &same);
        if (same)
            return status;
    }
    uint64_t start = ag_now(&device->host);

    ag_pass_plan plan;
    ag_program_set programs = {0};
    void *detail = ag_alloc(&device->host, effect->detail_bytes);
    void *state = detail ? ag_alloc(&device->host, effect->state_bytes) : NULL;
    uint32_t assumed = request.handles;
    status = state ? make_plan(pass, &request, &shape, detail, &plan) : AG_E_MEMORY;
    if (status >= 0)
        status = check_objects(device, effect, &request);
    find_ways(device, effect, &request);
    if (status >= 0 && request.handles != assumed) // a texture that cannot be viewed
        status = make_plan(pass, &request, &shape, detail, &plan);
    if (status >= 0)
        status = check_scratch(&device->host, &request, &plan.head);
    if (status >= 0)
        status = make_from_any(device, pass, &request, detail, &plan, &programs, state);
    if (status >= 0 && status != AG_PENDING) {
        effect->free_state(device, pass->state, true);
        exchange(&pass->detail, &detail);
        exchange(&pass->state, &state);
        adopt(pass, &request, &shape, &plan, &programs);
        pass->prepare_ns = ag_now(&device->host) - start;
        status = prepared_status(pass);
    }
    ag_free(&device->host, detail, effect->detail_bytes);
    ag_free(&device->host, state, effect->state_bytes);
    return status;
}

static bool uses(const ag_pass *pass, GLuint texture)
{
    return pass->effect->uses && pass->effect->uses(pass->state, texture);
}

ag_status ag_pass_remake(ag_pass *pass)
{
    ag_device *device = pass->device;
    const ag_effect *effect = pass->effect;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_texture *texture = &pass->request.slots[i];
        if (!pass->request.formats[i] || !uses(pass, texture->name))
            continue;
        if (ag_texture_find(device, texture) && device->gl.IsTexture(texture->name))
            continue;
        pass->stale = true;
        return AG_OK;
    }
    void *state = ag_alloc(&device->host, effect->state_bytes);
    if (!state)
        return AG_E_MEMORY;
    device->filling = &pass->programs;
    device->remaking = true;
    ag_status status =
        effect->prepare(device, &pass->request, pass->detail, &pass->plan, pass->state, state);
    device->remaking = false;
    device->filling = NULL;
    if (status >= 0) {
        effect->free_state(device, pass->state, true);
        exchange(&pass->state, &state);
    }
    ag_free(&device->host, state, effect->state_bytes);
    return status;
}

// ---- execute -----------------------------------------------------------------------------------

static ag_status check_prepared(const ag_pass *pass, const ag_request *request,
                                const ag_shape *shape)
{
    const ag_host *host = &pass->device->host;
    const char *id = pass->effect->info.id;
    if (!pass->prepared)
        return ag_fail(host, AG_E_STATE, "%s: nothing is prepared yet; call prepare with this job",
                       id);
    if (memcmp(shape->plan, pass->shape.plan, sizeof shape->plan) != 0)
        return ag_fail(
            host, AG_E_STATE,
            "%s: sizes, formats or structural settings differ from the prepared ones; call "
            "prepare with this job",
            id);
    if (memcmp(shape->kernel, pass->shape.kernel, sizeof shape->kernel) != 0)
        return ag_fail(
            host, AG_E_STATE,
            "%s: the kernel (its texture, version or settings) differs from the prepared one; "
            "call prepare with this job",
            id);
    return check_scratch(host, request, &pass->plan.head);
}

ag_status ag_pass_execute(ag_pass *pass, const ag_job *job, uint32_t *barriers)
{
    ag_device *device = pass->device;
    ag_status status = ag_device_check(device);
    ag_request request;
    ag_shape shape = {0};
    if (status >= 0)
        status = ag_request_read(&device->host, pass->effect, job, true, &request);
    if (status < 0)
        return status;
    // The clock is read as early as it is known that it may be.
    bool timed = device->timer.available && !(request.flags & AG_JOB_UNTIMED);
    uint64_t enter = timed ? ag_now(&device->host) : 0;
    status = pass->effect->check(&device->host, &request, &shape);
    if (status >= 0)
        status = check_prepared(pass, &request, &shape);
    for (uint32_t i = 0; status >= 0 && i < pass->effect->info.slot_count; ++i)
        if (request.formats[i] && !ag_texture_find(device, &request.slots[i]))
            status = ag_fail(
                &device->host, AG_E_STATE,
                "%s: texture %u (version %llu) of slot %s was not prepared as it is now; call "
                "prepare with this job",
                pass->effect->info.id, request.slots[i].name,
                (unsigned long long)request.slots[i].version, pass->effect->info.slots[i].name);
    if (status < 0)
        return status;
    find_ways(device, pass->effect, &request);
    if (!same_ways(&request, &pass->request))
        return ag_fail(
            &device->host, AG_E_STATE,
            "%s: these textures cannot be read and written as the prepared ones are: some were made by "
            "glTexImage, or never prepared for this effect; call prepare with this job",
            pass->effect->info.id);

    bool by_step = (request.flags & AG_JOB_TIME_STEPS) && pass->plan.head.step_count > 1;
    ag_sample *sample = NULL;
    if (timed)
        sample = ag_timer_begin(device, pass, request.frame,
                                by_step ? pass->plan.head.step_count : 1, by_step, enter);
    GLbitfield bits = closing_bits(request.next_use);
    ag_recording recording;
    ag_record_begin(
        &recording, device, pass->effect->info.id,
        ag_image_units(&device->gl, device->desc.image_unit_base, pass->effect->image_units),
        request.sampled ? GL_TEXTURE_FETCH_BARRIER_BIT : 0, request.flags & AG_JOB_RESTORE,
        request.has_restore ? &request.restore : NULL, sample);
    pass->effect->execute(&recording, &request, pass->state);
    ag_record_end(&recording, barriers ? 0 : bits);
    if (barriers)
        *barriers = bits;
    return AG_OK;
}

// ---- afterwards --------------------------------------------------------------------------------

static uint64_t bytes_of(const ag_pass *pass, uint32_t step)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; pass->prepared && i < pass->plan.head.step_count; ++i)
        if (step == AG_WHOLE_PASS || step == i)
            bytes += pass->plan.steps[i].bytes;
    return bytes;
}

ag_status ag_pass_stats(const ag_pass *pass, uint32_t step, ag_stats *stats)
{
    const ag_host *host = &pass->device->host;
    uint32_t steps = pass->prepared ? pass->plan.head.step_count : 0;
    if (step != AG_WHOLE_PASS && step >= steps)
        return ag_fail(host, AG_E_ARG, "stats: step is %u; the prepared plan has %u", step, steps);
    ag_stats mine = {.struct_size = sizeof mine,
                     .dropped = pass->dropped,
                     .cpu_prepare = (double)pass->prepare_ns,
                     .bytes = bytes_of(pass, step)};
    const ag_history *history = &pass->history[step == AG_WHOLE_PASS ? 0 : step + 1];
    if (step == 0 && steps == 1) // no stamps between steps: its step is the pass
        history = &pass->history[0];
    ag_history_stats(history, &mine);
    if (mine.gpu_median > 0)
        mine.gb_per_s = (double)mine.bytes / mine.gpu_median;
    if (pass->device->desc.copy_speed)
        mine.copy_ratio = mine.gb_per_s * 1000 / pass->device->desc.copy_speed;
    return ag_write_struct(host, "stats", stats, &mine, sizeof mine);
}

void ag_pass_poll(ag_pass *pass)
{
    ag_device *device = pass->device;
    const ag_gl *gl = &device->gl;
    const ag_state *state = pass->state;
    if (!state->info.name)
        return;
    if (pass->in_transit) {
        GLenum answer = gl->ClientWaitSync(pass->in_transit, 0, 0);
        if (answer != GL_ALREADY_SIGNALED && answer != GL_CONDITION_SATISFIED)
            return;
        gl->DeleteSync(pass->in_transit);
        pass->in_transit = NULL;
        uint32_t count = 0;
        ag_gpu_read_mailbox(device, &pass->mailbox, sizeof count, &count);
        pass->scrubbed += count - pass->scrubbed_seen; // modulo 2^32, as the counter is
        pass->scrubbed_seen = count;
    }
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    ag_gpu_copy(device, &state->info, AG_INFO_SCRUBBED, &pass->mailbox, 0, sizeof(uint32_t));
    pass->in_transit = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void ag_pass_forget(ag_pass *pass, uint32_t texture)
{
    if (!pass->prepared || !uses(pass, texture))
        return;
    // All goes but the counter, which the next state takes over.
    ag_state *state = pass->state;
    ag_memory info = state->info;
    state->info = (ag_memory){0};
    pass->effect->free_state(pass->device, state, true);
    memset(state, 0, pass->effect->state_bytes);
    state->info = info;
    pass->prepared = false;
}
