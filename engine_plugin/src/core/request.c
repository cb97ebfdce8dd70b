// request.c - turns a host's job into a request that is checked, by itself and against GL
// SPDX-License-Identifier: MIT
#include "core/request.h"
#include "base/abi.h"
#include "base/log.h"
#include "gl/host_texture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

// Shaders do not include public headers: they take the numbers from interface.h.
_Static_assert(AG_OUTSIDE_ZERO == (int)AG_BORDER_ZERO && AG_OUTSIDE_CLAMP == (int)AG_BORDER_CLAMP &&
                   AG_OUTSIDE_MIRROR == (int)AG_BORDER_MIRROR &&
                   AG_OUTSIDE_WRAP == (int)AG_BORDER_WRAP &&
                   AG_OUTSIDE_NORMALIZE == (int)AG_BORDER_NORMALIZE,
               "borders have one set of numbers");

void ag_settings_default(const ag_effect_info *info, void *settings, uint32_t size)
{
    const uint32_t head[2] = {size, info->settings_tag};
    memset(settings, 0, size);
    memcpy(settings, head, sizeof head);
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *s = &info->settings[i];
        for (uint32_t k = 0; k < s->count; ++k) {
            uint32_t at = s->offset + 4 * k;
            float real = (float)s->initial[k];
            int32_t whole = (int32_t)s->initial[k];
            if (at + 4 <= size)
                memcpy((char *)settings + at, s->type == AG_FLOAT ? (void *)&real : (void *)&whole,
                       4);
        }
    }
}

// For an enum: lists the valid names.
static ag_status fail_choice(const ag_host *host, const ag_effect_info *info,
                             const ag_setting_info *s, double value)
{
    char list[256] = "";
    for (uint32_t i = 0; i < s->name_count; ++i) {
        size_t used = strlen(list);
        if (s->names[i])
            snprintf(list + used, sizeof list - used, "%s%u (%s)", used ? ", " : "", i,
                     s->names[i]);
    }
    return ag_fail(host, AG_E_ARG, "%s: setting %s is %g; the valid values are %s", info->id,
                   s->name, value, list);
}

static ag_status check_settings(const ag_host *host, const ag_effect_info *info,
                                const ag_request *request)
{
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *s = &info->settings[i];
        for (uint32_t k = 0; k < s->count; ++k) {
            uint32_t word = s->offset / 4 + k;
            double value = s->type == AG_FLOAT ? (double)request->settings.floats[word]
                                               : (double)request->settings.words[word];
            bool real = s->type == AG_FLOAT; // of a limit of 0.1, too, whose float is larger
            bool within = value >= (real ? (double)(float)s->min : s->min) && // NaN is not
                          value <= (real ? (double)(float)s->max : s->max);
            if (s->type == AG_ENUM && (!within || !s->names[(uint32_t)value]))
                return fail_choice(host, info, s, value);
            if (!within)
                return ag_fail(host, AG_E_ARG, "%s: setting %s is %g; its range is %g .. %g",
                               info->id, s->name, value, s->min, s->max);
        }
    }
    return AG_OK;
}

// The tag is another effect's, or was never set.
static ag_status fail_tag(const ag_host *host, const ag_effect_info *info, uint32_t tag)
{
    uint32_t count = 0;
    const ag_effect_info *const *all = ag_effects(&count);
    char upper[32] = "";
    for (uint32_t i = 0; info->id[i] && i + 1 < sizeof upper; ++i)
        upper[i] = (char)toupper((unsigned char)info->id[i]);
    for (uint32_t i = 0; i < count; ++i)
        if (all[i]->settings_tag == tag)
            return ag_fail(host, AG_E_ARG,
                           "%s: settings are those of \"%s\"; start from AG_%s_DEFAULTS or "
                           "ag_%s_params()",
                           info->id, all[i]->id, upper, info->id);
    if (!ag_effect_find(info->id))
        return ag_fail(host, AG_E_ARG,
                       "%s: settings.tag is 0x%08X, and that of its description 0x%08X: get it "
                       "by pass_load, and start from effect_defaults",
                       info->id, tag, info->settings_tag);
    return ag_fail(host, AG_E_ARG,
                   "%s: settings.tag is 0x%08X; it must be AG_%s_TAG = 0x%08X: start from "
                   "AG_%s_DEFAULTS or ag_%s_params()",
                   info->id, tag, upper, info->settings_tag, upper, info->id);
}

static ag_status read_settings(const ag_host *host, const ag_effect_info *info, const ag_job *job,
                               ag_request *request)
{
    ag_settings_default(info, &request->settings, info->settings_size);
    if (!job->settings)
        return AG_OK;
    uint32_t size = 0, tag = 0;
    ag_status status = ag_struct_size(host, "job.settings", job->settings, &size);
    if (status < 0)
        return status;
    memcpy(&tag, (const char *)job->settings + sizeof size, sizeof tag);
    if (tag != info->settings_tag)
        return fail_tag(host, info, tag);
    if (!ag_tail_is_zero(job->settings, info->settings_size, size))
        return ag_fail(host, AG_E_ABI,
                       "%s: the settings set members that this module does not know", info->id);
    memcpy(&request->settings, job->settings,
           size < info->settings_size ? size : info->settings_size);
    request->settings.words[0] = (int32_t)info->settings_size;
    return check_settings(host, info, request);
}

// ---- textures ----------------------------------------------------------------------------------

static ag_status fail_format(const ag_host *host, const ag_effect_info *info,
                             const ag_slot_info *slot, uint32_t format)
{
    char list[256] = "";
    for (uint32_t i = 0; i < slot->format_count; ++i) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, " %s", ag_format_find(slot->formats[i])->text);
    }
    char words[AG_FORMAT_WORDS];
    return ag_fail(host, AG_E_FORMAT, "%s: slot %s has format %s. It takes%s", info->id, slot->name,
                   ag_format_words(format, words), list);
}

static ag_status check_rectangle(const ag_host *host, const ag_effect_info *info, const char *slot,
                                 ag_texture *t)
{
    if (t->width < 1 || t->height < 1)
        return ag_fail(host, AG_E_ARG,
                       "%s: slot %s has width x height %dx%d; both must be 1 or more", info->id,
                       slot, t->width, t->height);
    if (t->width > 65536 || t->height > 65536)
        return ag_fail(host, AG_E_SIZE, "%s: slot %s has width x height %dx%d; the limit is 65536",
                       info->id, slot, t->width, t->height);
    if (t->level < 0 || t->level > 31)
        return ag_fail(host, AG_E_ARG, "%s: slot %s has level %d; the range is 0 .. 31", info->id,
                       slot, t->level);
    if (t->rect_x < 0 || t->rect_y < 0 || t->rect_x >= t->width || t->rect_y >= t->height)
        return ag_fail(host, AG_E_ARG,
                       "%s: slot %s has rect_x, rect_y = %d, %d, outside its %dx%d texels",
                       info->id, slot, t->rect_x, t->rect_y, t->width, t->height);
    if (!t->rect_width && !t->rect_height) {
        t->rect_width = t->width - t->rect_x;
        t->rect_height = t->height - t->rect_y;
    }
    if (t->rect_width < 1 || t->rect_height < 1 || t->rect_x > t->width - t->rect_width ||
        t->rect_y > t->height - t->rect_height)
        return ag_fail(
            host, AG_E_ARG,
            "%s: slot %s has rect_x, rect_y, rect_width, rect_height = %d, %d, %d, %d, not within "
            "its %dx%d texels",
            info->id, slot, t->rect_x, t->rect_y, t->rect_width, t->rect_height, t->width,
            t->height);
    return AG_OK;
}

static ag_status check_texture(const ag_host *host, const ag_effect_info *info,
                               const ag_slot_info *slot, ag_texture *t, const ag_format **format,
                               bool names_matter)
{
    const ag_format *any = ag_format_find(t->format);
    bool samples =
        t->target == GL_TEXTURE_2D_MULTISAMPLE || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    if (t->target != GL_TEXTURE_2D && t->target != GL_TEXTURE_2D_ARRAY &&
        !(samples && any && any->depth))
        return ag_fail(
            host, AG_E_ARG,
            "%s: slot %s has target 0x%04X; it takes GL_TEXTURE_2D and GL_TEXTURE_2D_ARRAY",
            info->id, slot->name, t->target);
    *format = NULL;
    for (uint32_t i = 0; i < slot->format_count; ++i)
        if (slot->formats[i] == t->format)
            *format = ag_format_find(t->format);
    if (!*format)
        return fail_format(host, info, slot, t->format);
    if (t->layers == 0)
        t->layers = 1;
    if (t->first_layer < 0 || t->layers < 1 || t->layers > 2048 || t->first_layer > 2048 ||
        ((t->target == GL_TEXTURE_2D || t->target == GL_TEXTURE_2D_MULTISAMPLE) &&
         (t->first_layer != 0 || t->layers != 1)))
        return ag_fail(host, AG_E_ARG,
                       "%s: slot %s has first_layer %d, layers %d; a 2D texture has layer 0 only, "
                       "an array up to 2048 layers",
                       info->id, slot->name, t->first_layer, t->layers);
    if (t->reserved)
        return ag_fail(host, AG_E_ARG, "%s: slot %s has reserved %u; it must be 0", info->id,
                       slot->name, t->reserved);
    if (names_matter && !t->name)
        return ag_fail(host, AG_E_ARG, "%s: slot %s has name 0; it needs a GL texture", info->id,
                       slot->name);
    return check_rectangle(host, info, slot->name, t);
}

// slot_size is called before outputs exist.
static bool may_be_empty(const ag_slot_info *slot, ag_job_kind kind)
{
    return (slot->access & AG_OPTIONAL) ||
           (kind == AG_JOB_INPUTS && (slot->access & AG_WRITE) &&
            (!(slot->access & AG_READ) || (slot->access & AG_STATE)));
}

static ag_status read_slots(const ag_host *host, const ag_effect_info *info, const ag_job *job,
                            ag_job_kind kind, ag_request *request)
{
    if (job->slot_count > info->slot_count)
        return ag_fail(host, AG_E_ARG, "%s: slot_count is %u; the effect has %u slots", info->id,
                       job->slot_count, info->slot_count);
    if (job->slot_count && !job->slots)
        return ag_fail(host, AG_E_ARG, "%s: slots is NULL", info->id);
    uint32_t stride = job->slot_count ? job->slots[0].struct_size : 0;
    if (stride % 8 || stride > 65536)
        return ag_fail(host, AG_E_ABI,
                       "%s: slots[0].struct_size is %u; set it to sizeof(ag_texture)", info->id,
                       stride);
    for (uint32_t i = 0; i < info->slot_count; ++i) {
        const ag_slot_info *slot = &info->slots[i];
        ag_texture *t = &request->slots[i];
        if (i < job->slot_count) {
            // An array of the host's structs: its own size is the stride.
            const char *row = (const char *)job->slots + (size_t)i * stride;
            uint32_t size;
            memcpy(&size, row, sizeof size);
            if (!size && may_be_empty(slot, kind)) // an all-zero row leaves its slot empty
                continue;
            char what[64];
            snprintf(what, sizeof what, "%s: slot %s", info->id, slot->name);
            // Before the row is read: a size of its own could reach beyond the array.
            if (size && size != stride)
                return ag_fail(host, AG_E_ABI,
                               "%s.struct_size is %u, the first slot's %u; they must be equal",
                               what, size, stride);
            ag_status status = ag_read_struct(host, what, t, sizeof *t, row);
            if (status < 0)
                return status;
        }
        if (t->format == 0 && t->name == 0) {
            if (!may_be_empty(slot, kind))
                return ag_fail(host, AG_E_ARG,
                               "%s: slot %s is required, but it is empty; slot_count is %u",
                               info->id, slot->name, job->slot_count);
            continue;
        }
        ag_status status =
            check_texture(host, info, slot, t, &request->formats[i], kind == AG_JOB_NAMED);
        if (status < 0)
            return status;
    }
    return AG_OK;
}

// A texture that is both an input and an output would be read while it is written. One in two
// versions could be prepared, but each slot would forget what the other one needs.
static ag_status check_aliasing(const ag_host *host, const ag_effect *effect,
                                const ag_request *request)
{
    const ag_effect_info *info = &effect->info;
    for (uint32_t i = 0; i < info->slot_count; ++i)
        for (uint32_t k = 0; k < info->slot_count; ++k) {
            const ag_texture *a = &request->slots[i], *b = &request->slots[k];
            bool same = i != k && request->formats[i] && request->formats[k] && a->name &&
                        a->name == b->name;
            if (same && a->version != b->version)
                return ag_fail(host, AG_E_ARG,
                               "%s: slots %s and %s name texture %u in versions %llu and %llu; a "
                               "texture has one version at a time",
                               info->id, info->slots[i].name, info->slots[k].name, a->name,
                               (unsigned long long)a->version, (unsigned long long)b->version);
            if (effect->in_place && i + k == 1)
                continue;
            if (same && (info->slots[i].access & AG_WRITE) && a->level == b->level)
                return ag_fail(host, AG_E_ARG,
                               "%s: slots %s and %s are the same level of texture %u", info->id,
                               info->slots[i].name, info->slots[k].name, a->name);
        }
    return AG_OK;
}

// ---- the whole job -----------------------------------------------------------------------------

// What may change from one execute to the next without another plan.
static ag_status read_head(const ag_host *host, const ag_job *mine, ag_request *request)
{
    const uint32_t known_flags =
        AG_JOB_RESTORE | AG_JOB_TIME_STEPS | AG_JOB_UNTIMED | AG_JOB_BACKGROUND | AG_JOB_RESET;
    const uint32_t known_uses =
        AG_USE_PASS | AG_USE_SAMPLE | AG_USE_IMAGE | AG_USE_FRAMEBUFFER | AG_USE_COPY;
    if (mine->flags & ~known_flags)
        return ag_fail(host, AG_E_ARG, "job.flags is 0x%X; the known bits are 0x%X", mine->flags,
                       known_flags);
    if (mine->next_use & ~known_uses)
        return ag_fail(host, AG_E_ARG, "job.next_use is 0x%X; the known bits are 0x%X",
                       mine->next_use, known_uses);
    if (mine->reserved)
        return ag_fail(host, AG_E_ARG, "job.reserved is %u; it must be 0", mine->reserved);
    if (!(mine->dt >= 0) || !isfinite(mine->dt)) // NaN fails too
        return ag_fail(host, AG_E_ARG,
                       "job.dt is %g; it must be a finite time in seconds, 0 or more",
                       (double)mine->dt);
    if (mine->plan_width < 0 || mine->plan_width > 65536 || mine->plan_height < 0 ||
        mine->plan_height > 65536 || !mine->plan_width != !mine->plan_height)
        return ag_fail(
            host, AG_E_ARG,
            "job.plan_width x plan_height is %dx%d; set both to 1 .. 65536, or both to 0",
            mine->plan_width, mine->plan_height);
    request->plan_width = mine->plan_width;
    request->plan_height = mine->plan_height;
    request->flags = mine->flags;
    request->next_use = mine->next_use;
    request->frame = mine->frame;
    request->dt = mine->dt;
    request->lent.name = 0;
    request->has_restore = false;
    if (mine->scratch.name) {
        // Its size is frozen: more than it, of the host's, would be other members of the job.
        if (mine->scratch.struct_size > sizeof mine->scratch)
            return ag_fail(host, AG_E_ABI, "job.scratch.struct_size is %u; set it to %u",
                           mine->scratch.struct_size, (uint32_t)sizeof mine->scratch);
        ag_status status = ag_read_struct(host, "job.scratch", &request->lent, sizeof request->lent,
                                          &mine->scratch);
        if (status < 0)
            return status;
    }
    if (mine->restore) {
        ag_status status = ag_read_struct(host, "job.restore", &request->restore,
                                          sizeof request->restore, mine->restore);
        if (status < 0)
            return status;
        for (uint32_t i = 0; i < 8; ++i)
            if (request->restore.ssbos[i].reserved || request->restore.textures[i].reserved)
                return ag_fail(host, AG_E_ARG,
                               "job.restore: reserved of ssbos[%u] is %u, of textures[%u] %u; "
                               "both must be 0",
                               i, request->restore.ssbos[i].reserved, i,
                               request->restore.textures[i].reserved);
        request->has_restore = true;
    }
    return AG_OK;
}

ag_status ag_request_read(const ag_host *host, const ag_effect *effect, const ag_job *job,
                          ag_job_kind kind, ag_request *request)
{
    const ag_effect_info *info = &effect->info;
    memset(request, 0, sizeof *request);
    request->info = info;
    ag_job mine;
    ag_status status = ag_read_struct(host, "job", &mine, sizeof mine, job);
    if (status >= 0)
        status = read_head(host, &mine, request);
    if (status >= 0)
        status = read_slots(host, info, &mine, kind, request);
    if (status >= 0)
        status = check_aliasing(host, effect, request);
    if (status >= 0)
        status = read_settings(host, info, &mine, request);
    return status;
}

// ---- a job that comes again --------------------------------------------------------------------

// Whether its structs are of this version, so that their bytes can be compared.
static bool comparable(const ag_effect_info *info, const ag_job *job)
{
    if (!job || job->struct_size != sizeof *job || !job->slot_count ||
        job->slot_count > info->slot_count || !job->slots ||
        job->slots[0].struct_size != sizeof(ag_texture))
        return false;
    uint32_t size = info->settings_size;
    if (job->settings)
        memcpy(&size, job->settings, sizeof size);
    return size == info->settings_size;
}

void ag_request_keep(const ag_job *job, const ag_request *request, ag_kept_request *kept)
{
    kept->request = *request;
    kept->valid = comparable(request->info, job);
    if (!kept->valid)
        return;
    kept->slot_count = job->slot_count;
    kept->has_settings = job->settings != NULL;
    memcpy(kept->slots, job->slots, job->slot_count * sizeof *job->slots);
    if (job->settings)
        memcpy(kept->settings, job->settings, request->info->settings_size);
}

bool ag_request_again(const ag_host *host, const ag_job *job, ag_kept_request *kept,
                      ag_status *status)
{
    const ag_request *had = &kept->request;
    if (!kept->valid || !comparable(had->info, job) || job->slot_count != kept->slot_count ||
        kept->has_settings != (job->settings != NULL) || job->plan_width != had->plan_width ||
        job->plan_height != had->plan_height ||
        memcmp(job->slots, kept->slots, job->slot_count * sizeof *job->slots) != 0 ||
        (job->settings && memcmp(job->settings, kept->settings, had->info->settings_size) != 0))
        return false;
    *status = read_head(host, job, &kept->request);
    return true;
}

GLbitfield ag_closing_bits(uint32_t next_use)
{
    GLbitfield bits = 0;
    if (next_use == AG_USE_UNKNOWN)
        next_use = AG_USE_PASS | AG_USE_FRAMEBUFFER | AG_USE_COPY;
    // Which of these two a pass reads a slot by depends on its format and the effect.
    if (next_use & (AG_USE_PASS | AG_USE_SAMPLE))
        bits |= GL_TEXTURE_FETCH_BARRIER_BIT;
    if (next_use & (AG_USE_PASS | AG_USE_IMAGE))
        bits |= GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    if (next_use & AG_USE_FRAMEBUFFER)
        bits |= GL_FRAMEBUFFER_BARRIER_BIT;
    if (next_use & AG_USE_COPY)
        bits |= GL_TEXTURE_UPDATE_BARRIER_BIT;
    return bits;
}

// ---- its objects in GL -------------------------------------------------------------------------

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
static bool samples(const ag_request *request, uint32_t slot)
{
    return !(request->tuning.without & AG_WITHOUT_TEXTURE_UNITS) &&
           (request->samples >> slot & 1) && request->formats[slot];
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
                                    .sampled = samples(request, i),
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

void ag_objects_access(const ag_gpu *gpu, const ag_effect *effect, ag_request *request)
{
    // What is written while it is read: a texture unit's cache may miss that.
    const bool in_place = effect->in_place && request->slots[0].name == request->slots[1].name;
    uint32_t sampled = 0;
    for (uint32_t i = 0; i < effect->info.slot_count; ++i) {
        const ag_known *known =
            request->formats[i] ? ag_texture_find(gpu, &request->slots[i]) : NULL;
        sampled |= (uint32_t)(known && known->texels && samples(request, i)) << i;
    }
    request->sampled = sampled & ~(uint32_t)in_place;
}

bool ag_objects_same_access(const ag_request *a, const ag_request *b)
{
    return a->sampled == b->sampled;
}

void ag_objects_settle(ag_gpu *gpu, const ag_effect *effect, const ag_request *request)
{
    for (uint32_t i = 0; i < effect->info.slot_count; ++i)
        if (request->formats[i])
            ag_texture_settle(gpu, &request->slots[i]);
}
