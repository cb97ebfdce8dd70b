// box_blur.c - the effect "box_blur": the mean of a box of any size around every texel
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/sat/blur_parts.h"
#include "effects/sat/box_old.h"

#include <afterglow/box_blur.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_BOX_BLUR_SRC,
    RADIUS = AG_BOX_BLUR_RADIUS,
    TABLE = AG_BOX_BLUR_TABLE,
    DST = AG_BOX_BLUR_DST,
    SLOTS
};
enum { MAX_ITERATIONS = 4 };

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [RADIUS] =
        AG_COLOUR_SLOT("radius", "radius of each texel, in units of the setting (first channel)",
                       AG_READ | AG_OPTIONAL),
    [TABLE] = AG_SLOT("table", "src's table, ready made by the effect sat (float32 or uint32)",
                      AG_READ | AG_OPTIONAL, ag_table_formats),
    [DST] = AG_COLOUR_SLOT("dst", "src, blurred", AG_WRITE),
};

static const char *const borders[] = {[AG_BORDER_ZERO] = "zero",
                                      [AG_BORDER_CLAMP] = "clamp",
                                      [AG_BORDER_MIRROR] = "mirror",
                                      [AG_BORDER_NORMALIZE] = "normalize"};
static const char *const storages[] = {"auto", "float32", "double_float"};

#define SETTINGS ag_box_blur_settings
static const ag_setting_info settings[] = {
    AG_REAL(radius, "texels", "half the box less half a texel; any real number", 0, 16384, 8),
    AG_WHOLE(iterations, "", "one after the other; 3 look like a Gaussian", 1, MAX_ITERATIONS, 1,
             AG_PREPARE_PLAN),
    AG_CHOICE_FROM(border, "what lies outside the image", borders, AG_BORDER_CLAMP,
                   AG_PREPARE_PLAN),
    AG_CHOICE(storage, "precision of the table that is made here", storages, AG_PREPARE_PLAN),
    AG_WHOLE(fraction_bits, "bits", "of a ready uint32 table; -1: it counts 8-bit codes", -1, 24,
             -1),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

typedef struct blur_plan {
    bool ready;               // the first iteration reads the host's table
    ag_sat_plan first, later; // of the first iteration, unless ready; of the others, if any
    int32_t iterations;
    int64_t scratch_bytes;
} blur_plan;

typedef struct blur_state {
    ag_state base;
    blur_plan plan;
    ag_box_table first, later;
    const ag_program *blur[MAX_ITERATIONS][AG_BLUR_PARTS]; // those of ag_blur_parts_ever
    ag_memory left;       // with the slot radius: see shaders/sat/blur_blocks.glsl
    ag_memory between[2]; // results of iterations: RGBA32F, layers below each other
    ag_texture between_shape;
} blur_state;

AG_SETTINGS_OF(ag_box_blur_settings)

// ---- check -------------------------------------------------------------------------------------

static bool is_integer(const ag_format *f)
{
    return f->store == AG_STORE_32UI;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_box_blur_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    ag_status status = AG_OK;
    for (int i = RADIUS; i < SLOTS && status >= 0; ++i) {
        bool one_for_all = i == RADIUS && request->slots[i].layers == 1;
        status = one_for_all ? ag_check_same_rect(host, request, i, SRC)
                             : ag_check_same_size(host, request, i, SRC);
    }
    if (status >= 0)
        status = ag_box_check_size(host, request);
    if (status < 0)
        return status;
    int32_t channels = request->formats[SRC]->channels;
    if (request->formats[TABLE] &&
        request->formats[TABLE]->channels != (channels == 3 ? 4 : channels))
        return ag_fail(host, AG_E_FORMAT, "box_blur: table is %s, src %s: channels differ",
                       request->formats[TABLE]->text, request->formats[SRC]->text);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)request->slots[RADIUS].format,
                      (int32_t)request->slots[TABLE].format,
                      (int32_t)request->slots[DST].format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      s.iterations,
                      s.border,
                      s.storage,
                      (int32_t)src->target,
                      (int32_t)request->slots[TABLE].target};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// Integers are exact for 8-bit images as long as the whole image stays below 2^32.
static int32_t storage_of(const ag_request *request, const ag_box_blur_settings *s)
{
    const ag_texture *src = &request->slots[SRC];
    bool codes = request->formats[SRC]->store == AG_STORE_UNORM8;
    if (s->storage == AG_BOX_STORAGE_DOUBLE_FLOAT)
        return AG_TABLE_DOUBLE;
    if (s->storage == AG_BOX_STORAGE_AUTO && codes &&
        (int64_t)src->rect_width * src->rect_height * 255 < INT64_C(1) << 32)
        return AG_TABLE_UINT32;
    return AG_TABLE_FLOAT32;
}

// The query of iteration `index`. That of a ready table is known when its texture is.
static int32_t query_of(const ag_request *request, const blur_plan *p, int32_t index)
{
    if (index || !p->ready)
        return (index ? &p->later : &p->first)->request.query;
    bool viewed =
        request->sampled >> TABLE & 1 && request->slots[TABLE].target == request->slots[SRC].target;
    return ag_sat_query_ready(request->tuning.tables, viewed);
}

static ag_blur_boxes boxes_of(const ag_request *request, const blur_plan *p, int32_t iteration)
{
    const ag_texture *src = &request->slots[SRC];
    return (ag_blur_boxes){src->rect_width, src->rect_height, request->formats[RADIUS] != NULL,
                           (double)settings_of(request).radius,
                           ag_box_group_of(query_of(request, p, iteration))};
}

// Two marks a block and layer, of the iteration with the most blocks.
static uint64_t left_bytes(const ag_request *request, const blur_plan *p)
{
    int32_t most = 0;
    for (int32_t i = 0; i < p->iterations && i < 2; ++i) { // later ones are like the second
        ag_blur_boxes boxes = boxes_of(request, p, i);
        int32_t blocks = ag_blur_blocks(&boxes);
        most = blocks > most ? blocks : most;
    }
    return request->formats[RADIUS] ? 8 * (uint64_t)most * (uint64_t)request->slots[SRC].layers : 0;
}

static ag_step blur_step(const ag_request *request, const blur_plan *p, int32_t index,
                         const char *name)
{
    const ag_texture *src = &request->slots[SRC];
    uint64_t texels = ag_slot_texels(request, SRC);
    uint64_t channels = (uint64_t)request->formats[SRC]->channels;
    channels = channels == 3 ? 4 : channels;
    uint64_t radius = request->formats[RADIUS] ? (uint64_t)request->formats[RADIUS]->bytes : 0;
    // the maximum: the radius may change later
    int32_t dispatches = request->formats[RADIUS] ? 3 : 2;
    ag_step step = {.name = name,
                    .dispatches = (uint32_t)(src->layers * dispatches),
                    .bytes =
                        texels * (4 * channels + radius + (uint64_t)request->formats[DST]->bytes),
                    .instructions = texels * (100 + 35 * channels)};
    ag_box_groups(query_of(request, p, index), src->rect_width, src->rect_height, step.groups);
    return step;
}

static void describe_steps(const ag_request *request, const blur_plan *p, ag_pass_plan *plan)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    if (p->iterations == 1) {
        uint32_t count = p->ready ? 0 : (uint32_t)p->first.steps;
        if (count)
            ag_sat_table_steps(&p->first, 0, plan);
        plan->steps[count] = blur_step(request, p, 0, "blur");
        plan->head.step_count = count + 1;
        return;
    }
    for (int32_t i = 0; i < p->iterations; ++i) { // an iteration is a step, with its table
        const ag_sat_plan *table = i ? &p->later : &p->first;
        ag_step all = blur_step(request, p, i, names[i]);
        for (int32_t k = 0; k < table->steps && !(i == 0 && p->ready); ++k) {
            ag_sat_step step = ag_sat_step_of(table, k);
            all.dispatches += (uint32_t)table->request.layers;
            all.bytes += (uint64_t)step.bytes;
            all.instructions += (uint64_t)step.instructions;
            all.shared_bytes = (uint32_t)step.shared_bytes > all.shared_bytes
                                   ? (uint32_t)step.shared_bytes
                                   : all.shared_bytes;
        }
        plan->steps[i] = all;
    }
    plan->head.step_count = (uint32_t)p->iterations;
}

static void describe(const ag_request *request, const blur_plan *p, ag_pass_plan *plan)
{
    static const char *const stored[] = {"float32 less the mean", "", "double_float", "uint32"};
    const ag_texture *src = &request->slots[SRC];
    describe_steps(request, p, plan);
    uint32_t last = plan->head.step_count - 1;
    ag_plan_scratch(plan, (uint64_t)p->scratch_bytes, last);
    for (int i = 0; i < SLOTS; ++i) {
        bool first_only = (i == TABLE || i == SRC) && p->iterations > 1;
        ag_plan_slot(plan, request, i, i == DST ? last : 0, first_only ? 0 : last);
    }
    plan->head.persistent_bytes = AG_INFO_BYTES + left_bytes(request, p);
    if (!p->ready)
        plan->head.persistent_bytes += ag_box_table_bytes(&p->first);
    if (p->iterations > 1)
        plan->head.persistent_bytes +=
            ag_box_table_bytes(&p->later) +
            16 * ag_slot_texels(request, SRC) * (p->iterations > 2 ? 2 : 1);
    char how[128] = "";
    const char *first = "ready made", *later = "";
    if (!p->ready) {
        first = ag_sat_query_text(&p->first.request, p->first.request.query);
        ag_sat_plan_describe(&p->first, how, sizeof how);
    }
    if (p->iterations > 1)
        later = ag_sat_query_text(&p->later.request, p->later.request.query);
    bool differ = *later && strcmp(first, later) != 0;
    snprintf(plan->head.text, sizeof plan->head.text,
             "box_blur: %dx%d, %d iterations; table %s%s%s%s%s%s%s", src->rect_width,
             src->rect_height, p->iterations, p->ready ? "" : stored[p->first.request.storage],
             p->ready ? "" : ", by ", how, p->ready ? "" : "; query by ", first,
             differ ? ", later ones by " : "", differ ? later : "");
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_box_blur_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    blur_plan *p = out;
    memset(p, 0, sizeof *p);
    p->ready = request->formats[TABLE] != NULL;
    p->iterations = s.iterations;
    int32_t storage = storage_of(request, &s);
    int32_t later = storage == AG_TABLE_DOUBLE ? storage : AG_TABLE_FLOAT32;
    bool fits = p->ready || ag_box_table_plan(gl, src, request->formats[SRC], storage, false,
                                              &request->tuning, &p->first);
    if (ag_units_check(host, gl, AG_IMAGE_TABLES, "box_blur", "tables") < 0)
        return AG_E_ARG;
    if (fits && p->iterations > 1)
        fits = ag_box_table_plan(gl, src, ag_format_find(GL_RGBA32F), later, false,
                                 &request->tuning, &p->later);
    if (!fits || src->rect_height * src->layers > gl->max_texture_size)
        return ag_box_too_large(host, gl, request);
    p->scratch_bytes = p->first.scratch_bytes > p->later.scratch_bytes ? p->first.scratch_bytes
                                                                       : p->later.scratch_bytes;
    describe(request, p, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static const char *blur_shader(int32_t part, int32_t border)
{
    if (part == AG_BLUR_SMALL)
        return "sat/blur_small.comp";
    if (part == AG_BLUR_BEYOND)
        return border == AG_BORDER_MIRROR ? "sat/blur_mirror.comp" : "sat/blur_edges.comp";
    return "sat/blur_inside.comp";
}

static ag_status blur_program(const ag_preparation *prep, const ag_request *request,
                              const blur_plan *p, int32_t iteration, int32_t part,
                              const ag_program **program)
{
    const ag_format *floats = ag_format_find(GL_RGBA32F), *radius = request->formats[RADIUS];
    const ag_format *ready = request->formats[TABLE];
    bool last = iteration == p->iterations - 1, first = iteration == 0;
    int32_t border = settings_of(request).border;
    ag_defines defines = {0};
    GLenum target = request->slots[SRC].target;
    ag_box_query table_query = {.target = target};
    if (first && p->ready) {
        table_query.storage = is_integer(ready) ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32;
        table_query.query = query_of(request, p, 0);
        table_query.format = ready;
    } else {
        table_query = ag_box_query_of(first ? &p->first : &p->later, target);
    }
    // A program gets only the defines that it depends on, so that programs are shared.
    if (part == AG_BLUR_SMALL)
        ag_source_defines(first ? request->formats[SRC] : floats, AG_BY_IMAGE, &defines);
    else
        ag_box_defines(&table_query, &defines);
    if (part == AG_BLUR_WHOLE || part == AG_BLUR_CUT)
        ag_define(&defines, "EDGES_WHOLE", part == AG_BLUR_WHOLE);
    else if (part == AG_BLUR_SMALL || border != AG_BORDER_MIRROR)
        ag_define(&defines, "BORDER", border);
    ag_box_group_defines(&table_query, &defines);
    ag_defines_add(&defines,
                   "#define STORE %d\n#define RADIUS %d\n#define RADIUS_FORMAT %s\n"
                   "#define RADIUS_CODES %d\n",
                   last ? request->formats[DST]->store : AG_STORE_32F, radius != NULL,
                   radius ? radius->glsl : "r32f", radius && radius->read == GL_R32UI);
    return ag_program_get(prep, blur_shader(part, border), &defines, program);
}

static ag_status blur_programs(const ag_preparation *prep, const ag_request *request,
                               const blur_plan *p, const ag_program *programs[][AG_BLUR_PARTS])
{
    ag_status status = AG_OK;
    for (int32_t i = 0; i < p->iterations; ++i)
        for (int32_t part = 0; part < AG_BLUR_PARTS && status >= 0; ++part)
            if (ag_blur_parts_ever(request->formats[RADIUS] != NULL) >> part & 1)
                status =
                    blur_program(prep, request, p, i, part, programs ? &programs[i][part] : NULL);
    return status;
}

// The source of an iteration after the first: a texture of ours, by an image unit.
static ag_sat_table_source between(void)
{
    return (ag_sat_table_source){.format = ag_format_find(GL_RGBA32F)};
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const blur_plan *p = detail;
    ag_sat_table_source first = ag_sat_table_source_of(request), later = between();
    ag_status status = AG_OK;
    if (!p->ready)
        status = ag_sat_table_programs(prep, &p->first, &first, NULL);
    if (status >= 0 && p->iterations > 1)
        status = ag_sat_table_programs(prep, &p->later, &later, NULL);
    return status < 0 ? status : blur_programs(prep, request, p, NULL);
}

static ag_status make_memory(const ag_preparation *prep, const ag_request *request,
                             blur_state *state)
{
    const blur_plan *p = &state->plan;
    const ag_texture *src = &request->slots[SRC];
    ag_sat_table_source first = ag_sat_table_source_of(request), later = between();
    ag_status status = AG_OK;
    if (!p->ready)
        status = ag_box_table_prepare(prep, &p->first, &first, src->target, &state->first);
    if (status >= 0 && p->iterations > 1)
        status = ag_box_table_prepare(prep, &p->later, &later, src->target, &state->later);
    state->between_shape = (ag_texture){.rect_width = src->rect_width,
                                        .rect_height = src->rect_height,
                                        .layers = src->layers};
    for (int32_t i = 0; i < 2 && i < p->iterations - 1 && status >= 0; ++i)
        status = ag_gpu_texture(prep->gpu, "afterglow blur", src->rect_width,
                                src->rect_height * src->layers, &state->between[i]);
    if (status >= 0)
        status =
            ag_gpu_zeros(prep->gpu, "afterglow blur left", left_bytes(request, p), &state->left);
    return status;
}

static void free_memory(ag_gpu *gpu, blur_state *state, bool with_gl)
{
    ag_box_table_free(gpu, &state->first, with_gl);
    ag_box_table_free(gpu, &state->later, with_gl);
    for (int i = 0; i < 2; ++i)
        ag_gpu_free_texture(gpu, &state->between[i], with_gl);
    ag_gpu_free_buffer(gpu, &state->left, with_gl);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    blur_state *state = out;
    (void)plan;
    *state = (blur_state){.plan = *(const blur_plan *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = blur_programs(prep, request, &state->plan, state->blur);
    if (status >= 0)
        status = make_memory(prep, request, state);
    if (status < 0)
        free_memory(prep->gpu, state, true);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    blur_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    free_memory(gpu, state, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

// An iteration's input or output: the host's texture or one of ours.
static ag_source_texture image_of(const ag_recording *recording, const ag_request *request,
                                  const blur_state *state, int32_t iteration, bool output)
{
    if (output ? iteration == state->plan.iterations - 1 : iteration == 0)
        return ag_source_of(recording->gpu, request, output ? DST : SRC);
    return ag_own_texture(&state->between[(output ? iteration : iteration - 1) % 2],
                          ag_format_find(GL_RGBA32F), &state->between_shape);
}

static void record_blur(ag_recording *recording, const ag_request *request, const blur_state *state,
                        int32_t iteration, int32_t part)
{
    const ag_box_blur_settings s = settings_of(request);
    const blur_plan *p = &state->plan;
    bool first = iteration == 0, last = iteration == p->iterations - 1, ready = first && p->ready;
    ag_source_texture src = image_of(recording, request, state, iteration, false);
    ag_source_texture dst = image_of(recording, request, state, iteration, true);
    ag_source_texture radius = ag_source_of(recording->gpu, request, RADIUS);
    ag_source_texture table = ag_source_of(recording->gpu, request, TABLE);
    int32_t query = query_of(request, p, iteration);
    ag_blur_boxes boxes = boxes_of(request, p, iteration);
    ag_blur_area b = ag_blur_inside(&boxes);
    float units = s.fraction_bits < 0 || !ready ? 255.0f : ldexpf(1, s.fraction_bits);
    for (int32_t layer = 0; layer < src.texture->layers; ++layer) {
        int32_t w = src.texture->rect_width, h = src.texture->rect_height, down = layer * h;
        ag_gl_dispatch d = {.program = state->blur[iteration][part],
                            .images[AG_IMAGE_SRC] = ag_read_image(&src, first ? layer : 0),
                            .images[AG_IMAGE_DST] = ag_write_image(&dst, last ? layer : 0)};
        int32_t x = 0, y = 0, z = 0; // of the table
        if (!ready) {
            y = ag_box_table_bind(first ? &state->first : &state->later, layer, &d);
        } else {
            x = table.texture->rect_x;
            y = table.texture->rect_y;
            z = table.texture->first_layer + layer;
            if (query == AG_QUERY_TEXTURE) {
                d.textures[0].texture = table.texels;
                d.textures[0].target = table.texture->target;
            } else {
                d.images[AG_IMAGE_TABLE] = ag_read_image(&table, layer);
            }
        }
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_SRC_RECT, src.texture->rect_x, src.texture->rect_y + (first ? 0 : down),
                    w, h),
            AG_INTS(AG_LOC_SRC_MODE, 4, 0, s.scrub, 0),
            AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y + (last ? 0 : down),
                    w, h),
            AG_INTS(AG_LOC_BOX_TABLE, x, y, layer, z),
            AG_INTS(AG_LOC_BOX_SIZE, w, h, 2 * layer * ag_blur_blocks(&boxes), 0),
            AG_FLOATS(AG_LOC_BOX_UNITS, units, units * units, 0, 0),
            AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            AG_INTS(AG_LOC_BOX_RADIUS, radius.texture->rect_x, radius.texture->rect_y, 0, 0),
            AG_INTS(AG_LOC_BOX_INSIDE, b.x0, b.y0, b.x1, b.y1),
        };
        d.uniforms = uniforms;
        d.uniform_count = AG_COUNT_OF(uniforms);
        ag_blur_groups(&boxes, part, d.groups);
        if (state->left.name)
            d.ranges[AG_SSBO_LEFT] = ag_whole(&state->left);
        if (request->formats[RADIUS])
            d.images[AG_IMAGE_RADIUS] =
                ag_read_image(&radius, radius.texture->layers > 1 ? layer : 0);
        ag_record(recording, &d);
    }
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    static const char *const names[] = {"first", "second", "third", "fourth"};
    const blur_state *state = out;
    const blur_plan *p = &state->plan;
    bool scrub = settings_of(request).scrub, single = p->iterations == 1;
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT |
                                  // the last execute may still read the table that this one writes
                                  GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    for (int32_t i = 0; i < p->iterations; ++i) {
        bool ready = i == 0 && p->ready;
        ag_source_texture src = image_of(recording, request, state, i, false);
        if (!single) {
            ag_record_step(recording, (uint32_t)i, names[i], i > 0);
            if (i > 0)
                ag_record_wait(recording,
                               GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        }
        if (!ready)
            ag_box_table_record(recording, request, i ? &state->later : &state->first, &src, i > 0,
                                &state->base.info, scrub, single ? 0 : AG_TABLE_NO_STEP, false);
        if (single)
            ag_record_step(recording, ready ? 0 : (uint32_t)p->first.steps, "blur", !ready);
        if (!ready)
            ag_record_wait(recording, ag_box_table_bits(query_of(request, p, i)));
        ag_blur_boxes boxes = boxes_of(request, p, i);
        for (int32_t part = 0; part < AG_BLUR_PARTS; ++part) {
            if (part == AG_BLUR_BEYOND && state->left.name) // the marks of blocks
                ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
            if (ag_blur_parts(&boxes) >> part & 1)
                record_blur(recording, request, state, i, part);
        }
    }
}

const ag_effect ag_effect_box_blur = {
    .info =
        AG_EFFECT_INFO("box_blur", "mean of a box around every texel; any radius, also one a texel",
                       AG_IMAGE_TABLES, 1),
    .state_bytes = sizeof(blur_state),
    .detail_bytes = sizeof(blur_plan),
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .samples = 1u << SRC | 1u << TABLE,
    .execute = execute,
    .free_state = free_state,
};
