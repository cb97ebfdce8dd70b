// mipchain.c - the effect "mipchain": the levels of a texture below its first, in place
// SPDX-License-Identifier: MIT
#include "../device.h"
#include "../log.h"
#include "../memory.h"
#include "../mip_plan.h"
#include "mip_more.h"

#include <afterglow/mipchain.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

static const ag_slot_info slots[] = {
    {"texture", "its first level is read, the levels below it are written", AG_READ | AG_WRITE,
     AG_COLOUR_FORMATS, ag_colour_formats},
};

static const char *const reductions[] = {"mean", "min", "max", "minmax", "first"};
static const char *const weights[] = {"none", "karis", "alpha", "coverage"};
static const char *const exactnesses[] = {"recursive", "direct"};

#define SETTINGS ag_mipchain_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(reduce, "what becomes of the texels of a box", reductions),
    AG_CHOICE(weight,
              "of mean: equal, against fireflies, by alpha, or by alpha and with its coverage",
              weights),
    AG_WHOLE(levels, "", "levels to make, 0 for all down to 1x1", 0, 16, 0),
    AG_CHOICE(exactness, "each level from the one above, or as the mean of level 0", exactnesses),
    AG_REAL(reference, "", "that alpha is tested against, for coverage", 0.004, 1, 0.5),
    AG_SWITCH(scrub, "count non-finite texels as 0", 1),
};

enum {
    REGION = 1536 // texels of level 1 that a group may hold, in fp32: 24 KiB of four channels
};

typedef struct mip_state {
    ag_state base;
    ag_mip_detail detail;
    const ag_program *programs[AG_MIP_DISPATCHES];
    ag_mip_more more;
    ag_memory counters, scratch; // scratch: when the host gives none
} mip_state;

static ag_mipchain_settings settings_of(const ag_request *request)
{
    ag_mipchain_settings s;
    memcpy(&s, &request->settings, sizeof s);
    return s;
}

static int32_t levels_of(const ag_request *request)
{
    const ag_texture *t = &request->slots[0];
    int32_t full = ag_mip_full(t->w, t->h), wanted = settings_of(request).levels;
    return wanted && wanted < full ? wanted : full;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_mipchain_settings s = settings_of(request);
    const ag_format *format = request->formats[0];
    const ag_texture *t = &request->slots[0];
    if (s.weight != AG_MIP_WEIGHT_NONE && s.reduce != AG_MIP_MEAN)
        return ag_fail(host, AG_E_ARG, "mipchain: weight is %s with reduce %s; it needs mean",
                       weights[s.weight], reductions[s.reduce]);
    if (s.weight >= AG_MIP_WEIGHT_ALPHA && format->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: weight is %s and the texture %s; it takes RGBA8 SRGB8_ALPHA8 "
                       "RGB10_A2 RGBA16F RGBA32F",
                       weights[s.weight], format->text);
    if (s.exactness == AG_MIP_DIRECT && (s.reduce != AG_MIP_MEAN || s.weight != AG_MIP_WEIGHT_NONE))
        return ag_fail(
            host, AG_E_ARG,
            "mipchain: exactness is direct with reduce %s, weight %s; it needs mean, none",
            reductions[s.reduce], weights[s.weight]);
    if (s.reduce == AG_MIP_MINMAX && format->channels != 2)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: reduce is minmax and the texture %s; it takes RG8 RG16F RG32F",
                       format->text);
    request->more_levels[0] = levels_of(request);
    int32_t plan[] = {
        (int32_t)t->format, t->w,     t->h,     t->layers,   (int32_t)t->target,
        levels_of(request), s.reduce, s.weight, s.exactness, request->scratch.name != 0};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static int32_t held_channels(const ag_format *format)
{
    return format->channels == 3 ? 4 : format->channels;
}

// Formats without NaN and Inf need not count them.
static bool counts(const ag_format *format)
{
    return format->store == AG_STORE_32F || format->store == AG_STORE_16F ||
           format->store == AG_STORE_11_11_10F;
}

static int32_t written(const ag_mip_dispatch *d)
{
    return d->first.levels + d->second.levels;
}

static uint64_t level_bytes(const ag_request *request, int32_t level, int32_t texel)
{
    const ag_texture *t = &request->slots[0];
    return (uint64_t)ag_mip_size(t->w, level) * (uint64_t)ag_mip_size(t->h, level) *
           (uint64_t)t->layers * (uint64_t)texel;
}

static uint64_t handover_bytes(const ag_request *request, const ag_mip_plan *p)
{
    int32_t texel = 4 * held_channels(request->formats[0]);
    uint64_t bytes = (uint64_t)p->handover * (uint64_t)texel * (uint64_t)request->slots[0].layers;
    return bytes ? bytes : 16; // a chain of one stage leaves nothing, and binds something
}

static uint64_t counter_bytes(const ag_request *request, const ag_mip_plan *p)
{
    return 4 * (uint64_t)p->counters * (uint64_t)request->slots[0].layers;
}

// Level 0, or what the dispatch before left; what it stores; and what a second stage reads.
static uint64_t dispatch_bytes(const ag_request *request, const ag_mip_dispatch *d)
{
    int32_t texel = request->formats[0]->bytes, held = 4 * held_channels(request->formats[0]);
    uint64_t bytes = level_bytes(request, d->first.source, d->from < 0 ? texel : held);
    for (int32_t i = 1; i <= written(d); ++i)
        bytes += level_bytes(request, d->first.source + i, texel);
    if (d->first_at >= 0)
        bytes += level_bytes(request, d->first.source + d->first.levels, held) *
                 (d->second.levels ? 2 : 1);
    if (d->second_at >= 0)
        bytes += level_bytes(request, d->second.source + d->second.levels, held);
    return bytes;
}

static const char *const step_names[AG_MAX_STEPS] = {"tiles", "tail", "tail 2", "tail 3"};

// One more step, or more of the last one when there are too many.
static ag_step *next_step(ag_pass_plan *plan, const char *name)
{
    if (plan->head.step_count < AG_MAX_STEPS)
        plan->steps[plan->head.step_count++].name = name;
    return &plan->steps[plan->head.step_count - 1];
}

static void describe_direct(const ag_request *request, const ag_mip_detail *d, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    int32_t texel = request->formats[0]->bytes, level = d->chain.request.levels + 1;
    int32_t more = d->levels - d->chain.request.levels;
    uint64_t held = 4 * (uint64_t)held_channels(request->formats[0]) * (uint64_t)t->layers;
    uint64_t read = (uint64_t)t->w * (uint64_t)t->h * (uint64_t)more;
    size_t used = strlen(plan->head.text);
    for (int i = 0; i < 2; ++i) {
        ag_step *step = next_step(plan, i ? "columns" : "rows");
        if (!step->dispatches) {
            step->groups[0] = ((uint32_t)ag_mip_size(t->w, level) + 63) / 64;
            step->groups[1] = ((uint32_t)(i ? ag_mip_size(t->h, level) : t->h) + 3) / 4;
            step->groups[2] = (uint32_t)t->layers;
        }
        step->dispatches += (uint32_t)more;
        step->bytes += (uint64_t)d->rows * held;
        step->instructions += (i ? (uint64_t)d->rows : read) * 20;
        for (int32_t k = level; i && k <= d->levels; ++k)
            step->bytes += level_bytes(request, k, texel);
        step->bytes += i ? 0 : level_bytes(request, 0, texel);
    }
    snprintf(plan->head.text + used, sizeof plan->head.text - used, "; %d levels from level 0",
             more);
}

static void describe_coverage(const ag_request *request, const ag_mip_detail *d, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    size_t used = strlen(plan->head.text);
    ag_step *step = next_step(plan, "coverage");
    if (!step->dispatches) {
        step->groups[0] = (uint32_t)(t->w + 15) / 16;
        step->groups[1] = (uint32_t)(t->h + 15) / 16;
        step->groups[2] = (uint32_t)t->layers;
    }
    step->dispatches += 2 * (uint32_t)d->levels + 2;
    for (int32_t k = 0; k <= d->levels; ++k)
        step->bytes += level_bytes(request, k, request->formats[0]->bytes) * (k ? 3 : 1);
    step->instructions += step->bytes;
    snprintf(plan->head.text + used, sizeof plan->head.text - used, "; coverage");
}

static void describe(const ag_request *request, const ag_mip_detail *detail, ag_pass_plan *plan)
{
    const ag_mip_plan *p = &detail->chain;
    const ag_texture *t = &request->slots[0];
    uint64_t stored = 0;
    size_t used = 0;
    char *text = plan->head.text;
    for (int32_t i = 0; i < p->count; ++i) {
        const ag_mip_dispatch *d = &p->dispatches[i];
        uint64_t outputs = 0;
        for (int32_t k = 1; k <= written(d); ++k)
            outputs += level_bytes(request, d->first.source + k, 1);
        stored += outputs * (uint64_t)request->formats[0]->bytes;
        int32_t region = d->first.region[0] * d->first.region[1];
        ag_step *step = next_step(plan, step_names[i < AG_MAX_STEPS ? i : 0]);
        if (!step->dispatches++) {
            step->groups[0] = (uint32_t)d->first.tiles[0];
            step->groups[1] = (uint32_t)d->first.tiles[1];
            step->groups[2] = (uint32_t)t->layers;
            step->shared_bytes = (uint32_t)(4 * held_channels(request->formats[0]) * region);
        }
        step->bytes += dispatch_bytes(request, d);
        step->instructions += outputs * 60;
        if (used < sizeof plan->head.text)
            used += (size_t)snprintf(text + used, sizeof plan->head.text - used,
                                     "%s%d levels by %dx%d tiles", i ? "; " : "", d->first.levels,
                                     d->first.tiles[0], d->first.tiles[1]);
        if (used < sizeof plan->head.text && d->second.levels)
            used += (size_t)snprintf(text + used, sizeof plan->head.text - used,
                                     ", %d more by the last of %dx%d", d->second.levels,
                                     d->second.tiles[0], d->second.tiles[1]);
    }
    if (detail->direct)
        describe_direct(request, detail, plan);
    if (detail->coverage)
        describe_coverage(request, detail, plan);
    for (int32_t k = p->request.levels + 1; k <= detail->levels; ++k)
        stored += level_bytes(request, k, request->formats[0]->bytes);
    uint32_t last = plan->head.step_count ? plan->head.step_count - 1 : 0;
    plan->resources[0] = (ag_resource){.name = "scratch",
                                       .access = AG_READ | AG_WRITE,
                                       .last_step = last,
                                       .bytes = detail->scratch};
    plan->resources[1] =
        (ag_resource){.name = slots[0].name,
                      .access = slots[0].access,
                      .last_step = last,
                      .bytes = stored + level_bytes(request, 0, request->formats[0]->bytes)};
    plan->head.resource_count = 2;
    plan->head.scratch_bytes = detail->scratch;
    plan->head.persistent_bytes =
        AG_INFO_BYTES + counter_bytes(request, p) + ag_mip_histogram_bytes(request, detail);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    ag_mipchain_settings s = settings_of(request);
    ag_mip_detail *d = out;
    int32_t levels = levels_of(request), same = ag_mip_same_levels(t->w, t->h, levels);
    *d = (ag_mip_detail){.levels = levels,
                         .direct = s.exactness == AG_MIP_DIRECT && same < levels,
                         .coverage = s.weight == AG_MIP_WEIGHT_COVERAGE && levels > 0};
    int32_t units = (int32_t)ag_image_units(gl, gl->image_unit_base, AG_IMAGE_MOST);
    // Beside images a program has the hand-over and the counters, and the first one the info.
    int32_t first = gl->max_outputs - 2 - counts(request->formats[0]), other = gl->max_outputs - 2;
    ag_mip_request r = {.width = t->w,
                        .height = t->h,
                        .levels = d->direct ? same : levels,
                        .units = other < units ? other : units,
                        .units_first = first < units ? first : units,
                        .shared = REGION};
    if (!ag_mip_plan_make(&r, &d->chain))
        return ag_fail(host, AG_E_SIZE, "mipchain: %d levels of %dx%d need more than %d dispatches",
                       r.levels, t->w, t->h, AG_MIP_DISPATCHES);
    uint64_t alignment = (uint64_t)gl->ssbo_alignment, rows = 0;
    for (int32_t k = r.levels + 1; d->direct && k <= levels; ++k)
        rows += (uint64_t)ag_mip_size(t->w, k) * (uint64_t)t->h;
    d->handover = handover_bytes(request, &d->chain);
    d->rows_bytes = 4 * (uint64_t)held_channels(request->formats[0]) * rows * (uint64_t)t->layers;
    d->scratch = d->handover;
    if (rows)
        d->scratch = (d->handover + alignment - 1) / alignment * alignment + d->rows_bytes;
    uint64_t largest = d->handover > d->rows_bytes ? d->handover : d->rows_bytes;
    if (largest > (uint64_t)gl->max_ssbo_bytes || rows > INT32_MAX)
        return ag_fail(host, AG_E_SIZE,
                       "mipchain: %dx%d, %d layers, hand over %llu bytes; this context's storage "
                       "blocks hold %lld",
                       t->w, t->h, t->layers, (unsigned long long)largest,
                       (long long)gl->max_ssbo_bytes);
    d->rows = (int32_t)rows;
    describe(request, d, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static int32_t largest_region(const ag_mip_dispatch *d)
{
    int32_t first = d->first.region[0] * d->first.region[1];
    int32_t second = d->second.levels ? d->second.region[0] * d->second.region[1] : 0;
    return first > second ? first : second;
}

static int32_t is_odd(int32_t size)
{
    return size > 1 && size % 2;
}

static ag_status get_program(ag_device *device, const ag_request *request, const ag_mip_plan *p,
                             int32_t index, const ag_program **program)
{
    ag_mipchain_settings s = settings_of(request);
    const ag_format *format = request->formats[0];
    const ag_texture *t = &request->slots[0];
    const ag_mip_dispatch *d = &p->dispatches[index];
    bool image = d->from < 0;
    int32_t odd_x = is_odd(ag_mip_size(t->w, d->first.source));
    int32_t odd_y = is_odd(ag_mip_size(t->h, d->first.source));
    // In steps, so that sizes share programs; even tiles have exactly 32 x 32.
    int32_t region = (largest_region(d) + 255) / 256 * 256;
    bool deep = !odd_x && !odd_y && d->first.region[1] <= AG_MIP_TILE / 2;
    char defines[640];
    snprintf(defines, sizeof defines,
             "#define FROM_IMAGE %d\n#define LEVELS %d\n#define ODD_X %d\n#define ODD_Y %d\n"
             "#define SECOND %d\n#define COUNTS %d\n#define CHANNELS %d\n#define REGION %d\n"
             "#define BATCH_Y %d\n#define ARRAY %d\n#define STORE %d\n#define EXACT %d\n"
             "#define REDUCE %d\n#define WEIGHT %d\n",
             image, written(d), odd_x, odd_y, d->second.levels > 0, image && counts(format),
             held_channels(format), region, deep ? 2 : 1, t->target == GL_TEXTURE_2D_ARRAY,
             format->store, s.reduce != AG_MIP_MEAN, s.reduce, s.weight);
    size_t used = strlen(defines);
    if (image)
        snprintf(defines + used, sizeof defines - used,
                 "#define SRC_FORMAT %s\n#define SRC_CODES %d\n", format->glsl,
                 format->read == GL_R32UI);
    return ag_program_get(device, "mipchain/chain.comp", defines, program);
}

static ag_status programs(ag_device *device, const ag_request *request, const void *detail)
{
    const ag_mip_detail *d = detail;
    ag_status status = AG_OK;
    for (int32_t i = 0; i < d->chain.count && status >= 0; ++i)
        status = get_program(device, request, &d->chain, i, NULL);
    return status < 0 ? status : ag_mip_more_programs(device, request, d, NULL);
}

// Arrivals and histograms are counted from 0, and leave 0 behind.
static ag_status make_zeros(ag_device *device, const char *label, uint64_t bytes, ag_memory *memory)
{
    if (!bytes)
        return AG_OK;
    void *zeros = ag_alloc(&device->host, bytes);
    if (!zeros)
        return AG_E_MEMORY;
    ag_status status = ag_gpu_buffer(device, label, AG_ON_GPU, bytes, zeros, memory);
    ag_free(&device->host, zeros, bytes);
    return status;
}

static void free_memory(ag_device *device, mip_state *state, bool with_gl)
{
    ag_gpu_free_buffer(device, &state->counters, with_gl);
    ag_gpu_free_buffer(device, &state->more.histograms, with_gl);
    ag_gpu_free_buffer(device, &state->scratch, with_gl);
}

static ag_status prepare(ag_device *device, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old_state, void *out)
{
    mip_state *state = out, *old = old_state;
    *state = (mip_state){.detail = *(const ag_mip_detail *)detail};
    const ag_mip_plan *chain = &state->detail.chain;
    ag_status status = AG_OK;
    for (int32_t i = 0; i < chain->count && status >= 0; ++i)
        status = get_program(device, request, chain, i, &state->programs[i]);
    if (status >= 0)
        status = ag_mip_more_programs(device, request, &state->detail, &state->more);
    if (status >= 0)
        status = ag_make_info(device, &old->base, &state->base);
    if (status >= 0)
        status = make_zeros(device, "afterglow counters", counter_bytes(request, chain),
                            &state->counters);
    if (status >= 0)
        status =
            make_zeros(device, "afterglow histograms",
                       ag_mip_histogram_bytes(request, &state->detail), &state->more.histograms);
    if (status >= 0 && !request->scratch.name) {
        // Scratch holds nothing between executes, so the former plan's serves if it fits.
        status = ag_gpu_buffer_again(device, "afterglow scratch", plan->head.scratch_bytes,
                                     &old->scratch, &state->scratch);
        if (status >= 0 && state->scratch.name == old->scratch.name)
            old->scratch = (ag_memory){0};
    }
    if (status < 0) {
        ag_info_abandon(device, &old->base, &state->base);
        free_memory(device, state, true);
    } else {
        ag_info_commit(&old->base, &state->base);
    }
    return status;
}

static void free_state(ag_device *device, void *out, bool with_gl)
{
    mip_state *state = out;
    ag_info_free(device, &state->base, with_gl);
    free_memory(device, state, with_gl);
}

static bool uses(const void *state, GLuint texture)
{
    (void)state;
    (void)texture;
    return false;
}

// ---- execute -----------------------------------------------------------------------------------

static ag_range scratch_range(const ag_request *request, const mip_state *state, uint64_t from,
                              uint64_t bytes)
{
    bool given = request->scratch.name != 0;
    return (ag_range){given ? request->scratch.name : state->scratch.name,
                      (given ? request->scratch.offset : 0) + from, bytes};
}

static void record_dispatch(ag_recording *recording, const ag_request *request,
                            const mip_state *state, int32_t index)
{
    ag_source_texture source = ag_source_of(recording->device, request, 0);
    const ag_mip_dispatch *m = &state->detail.chain.dispatches[index];
    const ag_texture *t = source.texture;
    bool image = m->from < 0;
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SRC_RECT, t->x, t->y, t->w, t->h),
        AG_INTS(AG_LOC_TEXTURE, t->width, t->height, t->first_layer, 0),
        AG_INTS(AG_LOC_STAGE, m->first.source, m->first.levels, m->second.levels,
                settings_of(request).scrub),
        AG_INTS(AG_LOC_HANDOVER, m->from, m->first_at, m->second_at, state->detail.chain.handover),
        AG_INTS(AG_LOC_SECOND, m->second.tiles[0], m->second.tiles[1], m->second.halo[0],
                m->second.halo[1]),
    };
    ag_dispatch d = {.program = state->programs[index],
                     .uniforms = uniforms,
                     .uniform_count = sizeof uniforms / sizeof *uniforms,
                     .groups = {(uint32_t)m->first.tiles[0], (uint32_t)m->first.tiles[1],
                                (uint32_t)t->layers}};
    if (image)
        d.images[AG_IMAGE_SRC] = ag_mip_image(&source, 0, true);
    for (int32_t i = 0; i < written(m); ++i)
        d.images[image + i] = ag_mip_image(&source, m->first.source + i + 1, false);
    d.ranges[AG_SSBO_HANDOVER] = scratch_range(request, state, 0, state->detail.handover);
    if (m->second.levels)
        d.ranges[AG_SSBO_COUNTERS] = (ag_range){state->counters.name, 0, state->counters.bytes};
    if (image && counts(source.format))
        d.ranges[AG_SSBO_INFO] = (ag_range){state->base.info.name, 0, state->base.info.bytes};
    ag_record(recording, &d);
}

// A step of its own, or with so few image units that there are too many, more of the last.
static void begin_step(ag_recording *recording, uint32_t *count, const char *name, bool waits)
{
    if (*count < AG_MAX_STEPS)
        ag_record_step(recording, *count, name, waits);
    else if (waits)
        ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    ++*count;
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const mip_state *state = out;
    const ag_mip_detail *d = &state->detail;
    ag_mipchain_settings s = settings_of(request);
    uint32_t steps = 0;
    for (int32_t i = 0; i < d->chain.count; ++i) {
        begin_step(recording, &steps, step_names[i < AG_MAX_STEPS ? i : 0], i > 0);
        record_dispatch(recording, request, state, i);
    }
    if (d->direct) {
        ag_range rows = scratch_range(request, state, d->scratch - d->rows_bytes, d->rows_bytes);
        begin_step(recording, &steps, "rows", false);
        ag_mip_record_rows(recording, request, d, &state->more, rows, &state->base.info, s.scrub);
        begin_step(recording, &steps, "columns", true);
        ag_mip_record_columns(recording, request, d, &state->more, rows);
    }
    if (d->coverage) {
        begin_step(recording, &steps, "coverage", false);
        ag_mip_record_coverage(recording, request, d, &state->more, s.reference);
    }
}

const ag_effect ag_effect_mipchain = {
    .info = {.struct_size = sizeof(ag_effect_info),
             .settings_size = sizeof(ag_mipchain_settings),
             .id = "mipchain",
             .help = "the mipmap levels of a texture, exact at every size",
             .slots = slots,
             .slot_count = 1,
             .slot_stride = sizeof *slots,
             .settings = settings,
             .setting_count = sizeof settings / sizeof *settings,
             .setting_stride = sizeof *settings},
    .state_bytes = sizeof(mip_state),
    .detail_bytes = sizeof(ag_mip_detail),
    .image_units = AG_IMAGE_MOST,
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
    .uses = uses,
};
