// downsample.c - the effect "downsample": an image at another size
// SPDX-License-Identifier: MIT
#include "effects/downsample/downsample.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/kit/units.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DOWNSAMPLE_SRC, DST = AG_DOWNSAMPLE_DST0, SLOTS = AG_DOWNSAMPLE_DST3 + 1 };

static const ag_slot_info slots[SLOTS] = {
    AG_COLOUR_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("dst0", "src at this texture's size", AG_WRITE),
    AG_COLOUR_SLOT("dst1", "and at this one's, of dst0's format", AG_WRITE | AG_OPTIONAL),
    AG_COLOUR_SLOT("dst2", "and at this one's", AG_WRITE | AG_OPTIONAL),
    AG_COLOUR_SLOT("dst3", "and at this one's", AG_WRITE | AG_OPTIONAL),
};

static const char *const filters[] = {"area", "nearest", "bilinear", "bicubic", "lanczos"};
static const char *const weights[] = {"none", "karis", "alpha"};
static const char *const methods[] = {
    "auto", "tile", "columns", "partial_sums", "register_columns", "blocks"};

#define SETTINGS ag_downsample_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(filter, "what becomes of the texels that an output covers", filters, AG_PREPARE_PLAN),
    AG_CHOICE(weight, "of area: equal, against fireflies, or colour by alpha", weights,
              AG_PREPARE_PLAN),
    AG_CHOICE(method, "of area: how it is computed", methods, AG_PREPARE_PLAN),
    AG_WHOLE(radius, "lobes", "of lanczos, stretched by the ratio", 2, 3, 3, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

AG_SETTINGS_OF(ag_downsample_settings)

// ---- check -------------------------------------------------------------------------------------

static ag_status check_target(const ag_host *host, const ag_request *request, int slot)
{
    const ag_downsample_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[slot];
    const char *name = slots[slot].name;
    ag_status status = ag_check_same_layers(host, request, slot, SRC);
    if (status < 0)
        return status;
    if (request->formats[slot] != request->formats[DST])
        return ag_fail(host, AG_E_FORMAT,
                       "downsample: %s is %s, dst0 %s; targets have one and the same format", name,
                       request->formats[slot]->text, request->formats[DST]->text);
    if (dst->rect_width > AG_DOWN_MAX_SIZE || dst->rect_height > AG_DOWN_MAX_SIZE)
        return ag_fail(host, AG_E_SIZE, "downsample: %s is %dx%d; the limit is %d", name,
                       dst->rect_width, dst->rect_height, AG_DOWN_MAX_SIZE);
    bool enlarges = dst->rect_width > src->rect_width || dst->rect_height > src->rect_height;
    if (s.filter == AG_DOWN_AREA && enlarges)
        return ag_fail(
            host, AG_E_ARG,
            "downsample: %s is %dx%d, src %dx%d; area only makes images smaller: for larger "
            "ones take bilinear, bicubic or lanczos",
            name, dst->rect_width, dst->rect_height, src->rect_width, src->rect_height);
    if (s.filter == AG_DOWN_LANCZOS &&
        ((int64_t)dst->rect_width * AG_DOWN_MAX_LANCZOS < src->rect_width ||
         (int64_t)dst->rect_height * AG_DOWN_MAX_LANCZOS < src->rect_height))
        return ag_fail(host, AG_E_ARG,
                       "downsample: %s is %dx%d, src %dx%d; lanczos takes ratios up to %d", name,
                       dst->rect_width, dst->rect_height, src->rect_width, src->rect_height,
                       AG_DOWN_MAX_LANCZOS);
    // A thread would read a cell of thousands of texels all alone.
    if (s.method == AG_DOWN_TILE &&
        ((int64_t)dst->rect_width * AG_DOWN_MAX_TILE < src->rect_width ||
         (int64_t)dst->rect_height * AG_DOWN_MAX_TILE < src->rect_height))
        return ag_fail(
            host, AG_E_ARG,
            "downsample: %s is %dx%d, src %dx%d; tile takes ratios up to %d, columns and "
            "partial_sums any",
            name, dst->rect_width, dst->rect_height, src->rect_width, src->rect_height,
            AG_DOWN_MAX_TILE);
    if (s.method != AG_DOWN_REGISTER_COLUMNS)
        return AG_OK;
    ag_down_axis x = ag_down_axis_of(src->rect_width, dst->rect_width);
    ag_down_axis y = ag_down_axis_of(src->rect_height, dst->rect_height);
    if (!ag_down_is_register(&x) || !ag_down_is_register(&y))
        return ag_fail(
            host, AG_E_ARG,
            "downsample: %s is %dx%d, src %dx%d; register_columns takes ratios of 1, 2, 4, 8, "
            "16 and 32",
            name, dst->rect_width, dst->rect_height, src->rect_width, src->rect_height);
    return AG_OK;
}

// Of all targets together: a block has whole cells of each.
static ag_status check_blocks(const ag_host *host, const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    ag_down_axis axes[AG_DOWN_TARGETS][2];
    ag_down_blocks blocks;
    int32_t count = 0;
    for (int slot = DST; slot < SLOTS; ++slot) {
        const ag_texture *dst = &request->slots[slot];
        if (!request->formats[slot])
            continue;
        axes[count][0] = ag_down_axis_of(src->rect_width, dst->rect_width);
        axes[count++][1] = ag_down_axis_of(src->rect_height, dst->rect_height);
    }
    if (!ag_down_blocks_of((const ag_down_axis(*)[2])axes, count, &blocks))
        return ag_fail(
            host, AG_E_ARG,
            "downsample: src is %dx%d; blocks takes targets whose sizes divide it, whose "
            "ratios have a common multiple of 64 at most, and of whose common divisor "
            "each way a block has 64 to 256; auto and partial_sums take any",
            src->rect_width, src->rect_height);
    return AG_OK;
}

static ag_status check_settings(const ag_host *host, const ag_request *request)
{
    const ag_downsample_settings s = settings_of(request);
    if (s.filter != AG_DOWN_AREA && s.weight != AG_DOWN_WEIGHT_NONE)
        return ag_fail(host, AG_E_ARG, "downsample: weight is %s with filter %s; it needs area",
                       weights[s.weight], filters[s.filter]);
    if (s.filter != AG_DOWN_AREA && s.method != AG_DOWN_AUTO)
        return ag_fail(host, AG_E_ARG, "downsample: method is %s with filter %s; it needs area",
                       methods[s.method], filters[s.filter]);
    if (s.weight == AG_DOWN_WEIGHT_ALPHA && request->formats[SRC]->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "downsample: weight is alpha and src %s; it takes RGBA8 SRGB8_ALPHA8 "
                       "RGB10_A2 RGBA16F RGBA32F",
                       request->formats[SRC]->text);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_downsample_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    ag_status status = check_settings(host, request);
    if (status >= 0 && (src->rect_width > AG_DOWN_MAX_SIZE || src->rect_height > AG_DOWN_MAX_SIZE))
        status = ag_fail(host, AG_E_SIZE, "downsample: src is %dx%d; the limit is %d",
                         src->rect_width, src->rect_height, AG_DOWN_MAX_SIZE);
    int32_t plan[] = {(int32_t)src->format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      (int32_t)src->target,
                      (int32_t)request->slots[DST].format,
                      s.filter,
                      s.weight,
                      s.method,
                      s.radius};
    memcpy(shape->plan, plan, sizeof plan);
    for (int slot = DST; slot < SLOTS && status >= 0; ++slot) {
        if (!request->formats[slot])
            continue;
        status = check_target(host, request, slot);
        shape->plan[AG_COUNT_OF(plan) + 2 * (size_t)(slot - DST)] = request->slots[slot].rect_width;
        shape->plan[AG_COUNT_OF(plan) + 2 * (size_t)(slot - DST) + 1] =
            request->slots[slot].rect_height;
    }
    if (status >= 0 && s.method == AG_DOWN_BLOCKS)
        status = check_blocks(host, request);
    return status;
}

// Any size will do.
static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    (void)slot;
    size[2] = request->slots[SRC].layers;
}

// ---- plan --------------------------------------------------------------------------------------

static bool by_sums(const ag_down_detail *d)
{
    return d->settings.filter == AG_DOWN_AREA && d->plan.method == AG_DOWN_PARTIAL_SUMS;
}

static bool by_blocks(const ag_down_detail *d)
{
    return d->settings.filter == AG_DOWN_AREA && d->plan.method == AG_DOWN_BLOCKS;
}

// One dispatch reads the source for all targets.
static bool at_once(const ag_down_detail *d)
{
    return by_sums(d) || by_blocks(d);
}

static bool finishes(const ag_down_detail *d)
{
    bool any = false;
    for (int32_t i = 0; i < d->plan.count; ++i)
        any = any || d->plan.targets[i].finishes;
    return by_sums(d) && any;
}

const char *ag_down_step_name(const ag_down_detail *d, int32_t step)
{
    if (d->settings.filter == AG_DOWN_LANCZOS)
        return step ? "columns" : "rows";
    if (d->settings.filter != AG_DOWN_AREA)
        return step ? NULL : filters[d->settings.filter];
    if (d->plan.method == AG_DOWN_PARTIAL_SUMS)
        return !step ? "sums" : finishes(d) ? "finish" : NULL;
    return step ? NULL : methods[d->plan.method];
}

static int32_t parts_of(const ag_down_detail *d)
{
    return d->settings.weight != AG_DOWN_WEIGHT_NONE ? 2 : 1;
}

// What a step must read of the source: taps read what they use, at most all.
static uint64_t source_bytes(const ag_request *request, const ag_down_detail *d)
{
    static const uint64_t taps[] = {
        [AG_DOWN_NEAREST] = 1, [AG_DOWN_BILINEAR] = 4, [AG_DOWN_BICUBIC] = 16};
    uint64_t all = ag_slot_texels(request, SRC), texels = 0;
    bool samples = d->settings.filter != AG_DOWN_AREA && d->settings.filter != AG_DOWN_LANCZOS;
    for (int32_t i = 0; i < d->plan.count; ++i) {
        uint64_t used =
            samples ? taps[d->settings.filter] * ag_slot_texels(request, d->slots[i]) : all;
        texels += used < all ? used : all;
    }
    if (at_once(d))
        texels = all; // one read
    return texels * (uint64_t)request->formats[SRC]->bytes;
}

static void groups_of(const ag_down_detail *d, uint32_t groups[3])
{
    const ag_down_target *t = &d->plan.targets[0];
    const ag_down_axis *axes = d->axes[0];
    groups[0] = ag_groups(axes[0].outputs, AG_DOWN_TILE_WIDTH);
    groups[1] = ag_groups(axes[1].outputs, AG_DOWN_TILE_HEIGHT);
    groups[2] = 1;
    if (d->settings.filter == AG_DOWN_LANCZOS) {
        groups[0] = ag_groups(axes[0].outputs, 32);
        groups[1] = ag_groups(axes[1].size, 4);
    } else if (by_sums(d)) {
        groups[0] = (uint32_t)d->plan.tiles[0];
        groups[1] = (uint32_t)d->plan.tiles[1];
    } else if (by_blocks(d)) {
        groups[0] = (uint32_t)d->plan.blocks.groups[0];
        groups[1] = (uint32_t)d->plan.blocks.groups[1];
    } else if (d->plan.method == AG_DOWN_COLUMNS) {
        groups[0] = (uint32_t)t->columns.groups[0];
        groups[1] = (uint32_t)t->columns.groups[1];
    } else if (d->plan.method == AG_DOWN_REGISTER_COLUMNS) {
        groups[0] = ag_groups(axes[0].size, AG_DOWN_BLOCK);
        groups[1] = ag_groups(axes[1].size, AG_DOWN_BLOCK);
    }
}

static uint32_t shared_bytes(const ag_down_detail *d)
{
    uint32_t parts = (uint32_t)parts_of(d);
    if (d->settings.filter != AG_DOWN_AREA)
        return 0;
    if (d->plan.method == AG_DOWN_REGISTER_COLUMNS)
        return parts * 16 * AG_DOWN_BLOCK * AG_DOWN_BLOCK;
    return d->plan.method == AG_DOWN_TILE ? 0 : parts * (by_blocks(d) ? 4 : 2) * 16 * 256;
}

static void say(const ag_request *request, const ag_down_detail *d, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    char *text = plan->head.text;
    size_t size = sizeof plan->head.text;
    snprintf(text, size, "downsample: %s, %dx%d to", filters[d->settings.filter], src->rect_width,
             src->rect_height);
    for (int32_t i = 0; i < d->plan.count; ++i) {
        size_t used = strlen(text);
        const ag_texture *dst = &request->slots[d->slots[i]];
        snprintf(text + used, size - used, " %dx%d", dst->rect_width, dst->rect_height);
    }
    size_t used = strlen(text);
    if (by_sums(d))
        snprintf(text + used, size - used, "; partial_sums of %dx%d tiles of %dx%d",
                 d->plan.tiles[0], d->plan.tiles[1], AG_DOWN_SUMS_WIDTH, d->plan.rows);
    else if (by_blocks(d))
        snprintf(text + used, size - used, "; blocks of %dx%d cells of %dx%d",
                 d->plan.blocks.cells[0], d->plan.blocks.cells[1], d->plan.blocks.first[0],
                 d->plan.blocks.first[1]);
    else if (d->settings.filter == AG_DOWN_AREA && d->plan.method == AG_DOWN_COLUMNS)
        snprintf(text + used, size - used, "; columns, %dx%d outputs a group",
                 d->plan.targets[0].columns.outputs, 4 / d->plan.targets[0].columns.sharing);
    else if (d->settings.filter == AG_DOWN_AREA)
        snprintf(text + used, size - used, "; %s", methods[d->plan.method]);
}

static void describe(const ag_request *request, const ag_down_detail *d, uint64_t scratch,
                     ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    bool two = ag_down_step_name(d, 1) != NULL, lanczos = d->settings.filter == AG_DOWN_LANCZOS;
    uint64_t written = 0, channels = 4;
    for (int32_t i = 0; i < d->plan.count; ++i)
        written += ag_slot_bytes(request, d->slots[i]);
    uint64_t read = source_bytes(request, d);
    uint32_t dispatches = (uint32_t)(src->layers * (at_once(d) ? 1 : d->plan.count));
    plan->steps[0] = (ag_step){.name = ag_down_step_name(d, 0),
                               .dispatches = dispatches,
                               .shared_bytes = shared_bytes(d),
                               .bytes = read + (lanczos ? scratch : written),
                               .instructions = ag_slot_texels(request, SRC) * channels * 10};
    groups_of(d, plan->steps[0].groups);
    plan->head.step_count = two ? 2 : 1;
    if (two) {
        const ag_down_target *t = &d->plan.targets[0];
        plan->steps[1] = (ag_step){.name = ag_down_step_name(d, 1),
                                   .dispatches = (uint32_t)(src->layers * d->plan.count),
                                   .groups = {ag_groups(d->axes[0][0].outputs, 32),
                                              ag_groups(d->axes[0][1].outputs, 4), 1},
                                   .bytes = scratch + (lanczos ? written : 0),
                                   .instructions = scratch};
        if (!lanczos) {
            plan->steps[1].groups[0] =
                ag_groups(t->axes[0].outputs, AG_DOWN_LANES / t->finish_lanes);
            plan->steps[1].groups[1] = (uint32_t)t->axes[1].outputs;
            plan->steps[1].shared_bytes = shared_bytes(d);
        }
    }
    if (scratch)
        ag_plan_scratch(plan, scratch, two);
    ag_plan_slot(plan, request, SRC, 0, 0);
    for (int32_t i = 0; i < d->plan.count; ++i)
        ag_plan_slot(plan, request, d->slots[i], lanczos, two);
    plan->head.persistent_bytes = AG_INFO_BYTES;
    for (int32_t i = 0; lanczos && i < d->plan.count; ++i)
        for (int axis = 0; axis < 2; ++axis)
            plan->head.persistent_bytes +=
                4 * (uint64_t)d->axes[i][axis].to *
                (uint64_t)ag_down_lanczos_taps(&d->axes[i][axis], d->settings.radius);
    say(request, d, plan);
}

// Bytes of scratch; `largest`: of what one dispatch binds.
static int64_t plan_scratch(const ag_gl *gl, const ag_request *request, ag_down_detail *d,
                            int64_t *largest)
{
    int64_t layers = request->slots[SRC].layers, bytes = 0;
    *largest = 0;
    if (by_sums(d)) {
        bytes = 32 * parts_of(d) * d->plan.entries * layers;
        *largest = bytes = bytes ? bytes : 16; // something is bound
    }
    for (int32_t i = 0; d->settings.filter == AG_DOWN_LANCZOS && i < d->plan.count; ++i) {
        int64_t mine = 16 * (int64_t)d->axes[i][0].outputs * d->axes[i][1].size * layers;
        d->begin[i] = bytes = ag_align_up(bytes, gl->ssbo_alignment);
        bytes += mine;
        *largest = mine > *largest ? mine : *largest;
    }
    return bytes;
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    ag_down_detail *d = out;
    *d = (ag_down_detail){.settings = settings_of(request)};
    int32_t count = 0, sizes[AG_DOWN_TARGETS][2];
    const int32_t source[2] = {src->rect_width, src->rect_height};
    for (int slot = DST; slot < SLOTS; ++slot) {
        if (!request->formats[slot])
            continue;
        sizes[count][0] = request->slots[slot].rect_width;
        sizes[count][1] = request->slots[slot].rect_height;
        for (int axis = 0; axis < 2; ++axis)
            d->axes[count][axis] = ag_down_axis_of(source[axis], sizes[count][axis]);
        d->slots[count++] = slot;
    }
    d->plan.count = count;
    if (d->settings.filter == AG_DOWN_AREA)
        ag_down_plan_make(source, count, (const int32_t(*)[2])sizes, d->settings.method, &d->plan);
    GLuint units = AG_IMAGE_TARGET + (at_once(d) ? (GLuint)count : 1);
    if (ag_units_check(host, gl, units > AG_IMAGE_COUNT ? units : AG_IMAGE_COUNT, "downsample",
                       "this many targets") < 0)
        return AG_E_ARG;
    int64_t largest, scratch = plan_scratch(gl, request, d, &largest);
    if (largest > gl->max_ssbo_bytes || largest / 16 > INT32_MAX)
        return ag_fail(host, AG_E_SIZE,
                       "downsample: %dx%d with %d layers needs %lld bytes between its steps; this "
                       "context's storage blocks hold %lld",
                       src->rect_width, src->rect_height, src->layers, (long long)largest,
                       (long long)gl->max_ssbo_bytes);
    describe(request, d, (uint64_t)scratch, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static bool has_infinity(const ag_format *f)
{
    return f->store == AG_STORE_32F || f->store == AG_STORE_16F || f->store == AG_STORE_11_11_10F;
}

static ag_status get(const ag_preparation *prep, const ag_request *request, const ag_down_detail *d,
                     const char *path, const char *number, int32_t value,
                     const ag_program **program)
{
    const ag_format *in = request->formats[SRC];
    ag_defines defines = {0};
    ag_source_defines(in, ag_reading_of(request, SRC), &defines);
    ag_define(&defines, "SRC_STORE", in->store);
    ag_define(&defines, "COUNTS", has_infinity(in));
    ag_define(&defines, "STORE", request->formats[DST]->store);
    if (d->settings.filter == AG_DOWN_AREA)
        ag_define(&defines, "WEIGHTED", d->settings.weight != AG_DOWN_WEIGHT_NONE);
    if (number)
        ag_define(&defines, number, value);
    if (by_blocks(d)) {
        ag_define(&defines, "FIRST_X", d->plan.blocks.first[0]);
        ag_define(&defines, "FIRST_Y", d->plan.blocks.first[1]);
    }
    return ag_program_get(prep, path, &defines, program);
}

// The program of a target, or of all.
static ag_status get_first(const ag_preparation *prep, const ag_request *request,
                           const ag_down_detail *d, int32_t target, const ag_program **program)
{
    static const int32_t taps[] = {
        [AG_DOWN_NEAREST] = 1, [AG_DOWN_BILINEAR] = 2, [AG_DOWN_BICUBIC] = 4};
    if (d->settings.filter == AG_DOWN_LANCZOS)
        return get(prep, request, d, "downsample/lanczos_rows.comp", NULL, 0, program);
    if (d->settings.filter != AG_DOWN_AREA)
        return get(prep, request, d, "downsample/taps.comp", "TAPS", taps[d->settings.filter],
                   program);
    switch (d->plan.method) {
    case AG_DOWN_COLUMNS: return get(prep, request, d, "downsample/columns.comp", NULL, 0, program);
    case AG_DOWN_PARTIAL_SUMS:
        return get(prep, request, d, "downsample/sums.comp", "TARGETS", d->plan.count, program);
    case AG_DOWN_BLOCKS:
        return get(prep, request, d, "downsample/blocks.comp", "TARGETS", d->plan.count, program);
    case AG_DOWN_REGISTER_COLUMNS:
        return get(prep, request, d, "downsample/register_columns.comp", NULL, 0, program);
    default:
        return get(prep, request, d, "downsample/tile.comp", "TAPS", d->plan.targets[target].taps,
                   program);
    }
}

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_down_detail *d, ag_down_state *state)
{
    ag_status status = AG_OK;
    bool one = at_once(d) || d->settings.filter == AG_DOWN_LANCZOS;
    for (int32_t i = 0; i < (one ? 1 : d->plan.count) && status >= 0; ++i)
        status = get_first(prep, request, d, i, state ? &state->programs[i] : NULL);
    if (status >= 0 && ag_down_step_name(d, 1))
        status = get(prep, request, d,
                     d->settings.filter == AG_DOWN_LANCZOS ? "downsample/lanczos_columns.comp"
                                                           : "downsample/finish.comp",
                     NULL, 0, state ? &state->second : NULL);
    return status;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    return get_programs(prep, request, detail, NULL);
}

typedef struct taps_context {
    ag_down_axis axis;
    int32_t radius;
} taps_context;

static void fill_taps(const void *context, float *values)
{
    const taps_context *c = context;
    ag_down_lanczos_weights(&c->axis, c->radius, values);
}

// Weights are the same for all passes of a ratio.
static ag_status make_taps(ag_gpu *gpu, ag_down_state *state)
{
    const ag_down_detail *d = &state->detail;
    ag_status status = AG_OK;
    for (int32_t i = 0; d->settings.filter == AG_DOWN_LANCZOS && i < d->plan.count; ++i)
        for (int axis = 0; axis < 2 && status >= 0; ++axis) {
            taps_context c = {d->axes[i][axis], d->settings.radius};
            int32_t taps = ag_down_lanczos_taps(&c.axis, c.radius);
            const int32_t key[8] = {0x4c414e43 /* LANC */, c.axis.from, c.axis.to, c.radius};
            status =
                ag_gpu_constants(gpu, "afterglow lanczos", key, (size_t)c.axis.to * (size_t)taps,
                                 fill_taps, &c, &state->taps[i][axis]);
        }
    return status;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    ag_down_state *state = out;
    (void)plan;
    *state = (ag_down_state){.detail = *(const ag_down_detail *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, &state->detail, state);
    if (status >= 0)
        status = make_taps(prep->gpu, state);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    ag_down_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
}

static void execute(ag_recording *recording, const ag_request *request, void *state)
{
    ag_down_record(recording, request, state);
}

const ag_effect ag_effect_downsample = {
    .info =
        AG_EFFECT_INFO("downsample",
                       "an image at a smaller size: exact area averages, or a sampler's filters",
                       AG_DOWN_IMAGES, 1),
    .state_bytes = sizeof(ag_down_state),
    .detail_bytes = sizeof(ag_down_detail),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
