// atrous.c - the filter "atrous" of "denoise": edge-avoiding a-trous wavelets
// SPDX-License-Identifier: MIT
#include "effects/denoise/atrous.h"
#include "base/rounding.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_atrous.h"
#include "shaders/denoise/interface_counts.h"

#include <math.h>

enum {
    SRC = AG_DENOISE_SRC,
    DST = AG_DENOISE_DST,
    ALBEDO = AG_DENOISE_ALBEDO,
    NORMAL = AG_DENOISE_NORMAL,
    DEPTH = AG_DENOISE_DEPTH
};
enum { GUIDE_BYTES = 8 };

AG_SETTINGS_OF(ag_denoise_settings)

// ---- plan --------------------------------------------------------------------------------------

bool ag_atrous_guided(const ag_request *request)
{
    return request->formats[NORMAL] || request->formats[DEPTH];
}

// Halves are as exact as the formats that need no more, but for logarithms.
static const ag_format *format_of(const ag_request *request)
{
    bool wide = request->formats[SRC]->store == AG_STORE_32F ||
                request->formats[DST]->store == AG_STORE_32F ||
                settings_of(request).space == AG_DENOISE_LOG;
    return ag_format_find(wide ? GL_RGBA32F : GL_RGBA16F);
}

static uint64_t texels_of(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    return (uint64_t)src->rect_width * (uint64_t)src->rect_height;
}

static int32_t colours_of(const ag_request *request)
{
    int32_t levels = settings_of(request).levels;
    return levels < 3 ? levels : 3;
}

uint64_t ag_atrous_bytes(const ag_request *request)
{
    return texels_of(request) * ((uint64_t)(colours_of(request) * format_of(request)->bytes) +
                                 (ag_atrous_guided(request) ? GUIDE_BYTES : 0));
}

uint64_t ag_atrous_step_bytes(const ag_request *request)
{
    uint64_t colour = (uint64_t)format_of(request)->bytes, levels = 1;
    uint64_t guide = ag_atrous_guided(request) ? GUIDE_BYTES : 0;
    levels = (uint64_t)settings_of(request).levels;
    uint64_t a_texel = colour + guide +            // begin
                       levels * (colour + guide) + // read
                       (levels - 1) * colour;      // written
    return ag_slot_texels(request, SRC) * a_texel + ag_slot_bytes(request, SRC) +
           ag_slot_bytes(request, DST) + 2 * ag_slot_bytes(request, ALBEDO) +
           ag_slot_bytes(request, NORMAL) + ag_slot_bytes(request, DEPTH);
}

// Tiles of the largest phase, which is the first, for each phase (in x: for each run of phases).
void ag_atrous_groups(const ag_request *request, int32_t level, uint32_t groups[3])
{
    const ag_texture *src = &request->slots[SRC];
    int32_t run = level < AG_ATROUS_MAX_RUN ? level : AG_ATROUS_MAX_RUN;
    int32_t wide = AG_ATROUS_TILE_X << (level - run), high = AG_ATROUS_TILE_Y << level;
    groups[0] = (uint32_t)(ag_div_up(src->rect_width, wide) << (level - run));
    groups[1] = (uint32_t)(ag_div_up(src->rect_height, high) << level);
    groups[2] = 1;
}

// ---- prepare -----------------------------------------------------------------------------------

void ag_denoise_component_defines(const ag_request *request, int32_t space, int32_t components,
                                  ag_defines *defines)
{
    int32_t channels = request->formats[SRC]->channels;
    ag_define(defines, "SPACE", space);
    ag_define(defines, "COLOUR", channels > 2);
    ag_define(defines, "COMPONENTS", components);
    ag_define(defines, "CHANNELS", channels);
}

uint32_t ag_denoise_target(const ag_request *request)
{
    bool array = ag_reading_of(request, SRC) == AG_BY_TEXTURE_ARRAY;
    return array ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

static void format_define(const ag_request *request, int slot, const char *name,
                          ag_defines *defines)
{
    if (request->formats[slot])
        ag_defines_add(defines, "#define %s %s\n", name, request->formats[slot]->glsl);
}

static ag_status begin_program(const ag_preparation *prep, const ag_request *request,
                               const ag_format *src, const ag_program **program)
{
    ag_defines defines = {0};
    ag_source_defines(src, ag_reading_of(request, SRC), &defines);
    ag_denoise_component_defines(request, settings_of(request).space, 3, &defines);
    ag_define(&defines, "STORE", format_of(request)->store);
    ag_define(&defines, "GUIDES", ag_atrous_guided(request));
    format_define(request, ALBEDO, "ALBEDO_FORMAT", &defines);
    format_define(request, NORMAL, "NORMAL_FORMAT", &defines);
    format_define(request, DEPTH, "DEPTH_FORMAT", &defines);
    return ag_program_get(prep, "denoise/begin.comp", &defines, program);
}

// Sigma of what begin stored, which is in the chosen scale already.
static ag_status counter_program(const ag_preparation *prep, const ag_request *request,
                                 const ag_program **program)
{
    ag_defines defines = {0};
    int32_t channels = request->formats[SRC]->channels;
    ag_source_defines(format_of(request), ag_reading_of(request, SRC), &defines);
    ag_denoise_component_defines(request, AG_DENOISE_LINEAR, channels < 3 ? channels : 3, &defines);
    ag_define(&defines, "LEVELS", 1);
    ag_define(&defines, "TILE", AG_DENOISE_TILE);
    ag_define(&defines, "STATISTICS", AG_DENOISE_HISTOGRAM);
    ag_define(&defines, "THRESHOLD", AG_DENOISE_SHRINK_SOFT);
    return ag_program_get(prep, "denoise/statistics.comp", &defines, program);
}

static ag_status level_program(const ag_preparation *prep, const ag_request *request, bool last,
                               const ag_program **program)
{
    ag_defines defines = {0};
    const ag_format *format = format_of(request);
    ag_source_defines(format, ag_reading_of(request, SRC), &defines);
    ag_denoise_component_defines(request, settings_of(request).space, 3, &defines);
    ag_define(&defines, "STORE", last ? request->formats[DST]->store : format->store);
    ag_define(&defines, "LAST", last);
    ag_define(&defines, "GUIDES", ag_atrous_guided(request));
    ag_define(&defines, "HAS_NORMAL", request->formats[NORMAL] != NULL);
    ag_define(&defines, "HAS_DEPTH", request->formats[DEPTH] != NULL);
    if (last) {
        ag_defines_add(&defines, "#define FIRST_FORMAT %s\n", format->glsl);
        format_define(request, ALBEDO, "ALBEDO_FORMAT", &defines);
    }
    return ag_program_get(prep, "denoise/atrous.comp", &defines, program);
}

ag_status ag_atrous_programs(const ag_preparation *prep, const ag_request *request,
                             const ag_format *src, ag_atrous *a)
{
    const ag_denoise_settings s = settings_of(request);
    ag_status status = begin_program(prep, request, src, a ? &a->begin : NULL);
    if (status >= 0 && !(s.sigma > 0))
        status = counter_program(prep, request, a ? &a->counter : NULL);
    if (status >= 0 && s.levels > 1)
        status = level_program(prep, request, false, a ? &a->level : NULL);
    if (status >= 0)
        status = level_program(prep, request, true, a ? &a->last : NULL);
    return status;
}

ag_status ag_atrous_prepare(const ag_preparation *prep, const ag_request *request,
                            const ag_format *src, ag_atrous *a)
{
    const ag_texture *t = &request->slots[SRC];
    const ag_format *format = format_of(request);
    a->shape = (ag_texture){.rect_width = t->rect_width,
                            .rect_height = t->rect_height,
                            .width = t->rect_width,
                            .height = t->rect_height,
                            .target = ag_denoise_target(request),
                            .layers = 1};
    ag_status status = ag_atrous_programs(prep, request, src, a);
    for (int32_t i = 0; i < colours_of(request) && status >= 0; ++i) {
        status = ag_gpu_texture_of(prep->gpu, "afterglow a-trous", format->name, format->bytes,
                                   t->rect_width, t->rect_height, &a->colours[i]);
        if (status >= 0)
            status = ag_gpu_view(prep->gpu, "afterglow a-trous", a->shape.target, format->texture,
                                 &a->colours[i], &a->views[i]);
    }
    if (status >= 0 && ag_atrous_guided(request))
        status = ag_gpu_texture_of(prep->gpu, "afterglow guides", GL_RG32UI, GUIDE_BYTES,
                                   t->rect_width, t->rect_height, &a->guides);
    return status;
}

void ag_atrous_free(ag_gpu *gpu, ag_atrous *a, bool with_gl)
{
    for (int i = 0; i < 3; ++i) {
        ag_gpu_free_texture(gpu, &a->views[i], with_gl);
        ag_gpu_free_texture(gpu, &a->colours[i], with_gl);
    }
    ag_gpu_free_texture(gpu, &a->guides, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

enum { WAIT = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT };

static ag_image_binding binding(const ag_memory *texture, GLenum access, GLenum format)
{
    return (ag_image_binding){texture->name, 0, 0, access, format, false};
}

static ag_source_texture colour(const ag_request *request, const ag_atrous *a, int i)
{
    ag_source_texture own = ag_own_texture(&a->colours[i], format_of(request), &a->shape);
    own.texels = a->views[i].name;
    return own;
}

ag_uniform ag_denoise_space(const ag_denoise_settings *s)
{
    return (ag_uniform)AG_FLOATS(AG_LOC_DENOISE_SPACE, s->amount, s->gain,
                                 0.375f * s->gain * s->gain + s->offset, 1 / s->gain);
}

static ag_uniform corner_of(const ag_request *request, int32_t location, int first, int second)
{
    const ag_texture *a = &request->slots[first], *b = &request->slots[second];
    return (ag_uniform)AG_INTS(location, a->rect_x, a->rect_y, b->rect_x, b->rect_y);
}

static void bind_guide(ag_recording *recording, const ag_request *request, int slot, GLuint unit,
                       int32_t layer, ag_gl_dispatch *d)
{
    if (request->formats[slot]) {
        ag_source_texture guide = ag_source_of(recording->gpu, request, slot);
        d->images[unit] = ag_read_image(&guide, layer);
    }
}

static void record_begin(ag_recording *recording, const ag_request *request, const ag_atrous *a,
                         const ag_denoise_input *input, int32_t layer)
{
    const ag_denoise_settings s = settings_of(request);
    ag_uniform uniforms[7] = {[2] = AG_INTS(AG_LOC_DST_RECT, 0, 0, a->shape.rect_width,
                                            a->shape.rect_height),
                              [3] = corner_of(request, AG_LOC_DENOISE_PLACES, NORMAL, DEPTH),
                              [4] = ag_denoise_space(&s),
                              [5] = corner_of(request, AG_LOC_DENOISE_ALBEDO, ALBEDO, ALBEDO),
                              [6] = AG_FLOATS(AG_LOC_DENOISE_FIREFLY, s.firefly, 0, 0, 0)};
    ag_source_uniforms(uniforms, &input->src, input->src.format->channels, s.scrub, layer);
    ag_gl_dispatch d = {.program = a->begin,
                        .ranges[AG_SSBO_INFO] = ag_whole(input->info),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms),
                        .groups = {(uint32_t)ag_div_up(a->shape.rect_width, 16),
                                   (uint32_t)ag_div_up(a->shape.rect_height, 16), 1}};
    ag_bind_source(&d, request, SRC, &input->src, layer);
    d.images[AG_IMAGE_DST] = binding(&a->colours[0], GL_WRITE_ONLY, format_of(request)->image);
    if (ag_atrous_guided(request))
        d.images[AG_IMAGE_GUIDE] = binding(&a->guides, GL_WRITE_ONLY, GL_RG32UI);
    bind_guide(recording, request, ALBEDO, AG_IMAGE_ALBEDO, layer, &d);
    bind_guide(recording, request, NORMAL, AG_IMAGE_NORMAL, layer, &d);
    bind_guide(recording, request, DEPTH, AG_IMAGE_DEPTH, layer, &d);
    ag_record(recording, &d);
}

static void record_counter(ag_recording *recording, const ag_request *request, const ag_atrous *a,
                           const ag_denoise_input *input)
{
    ag_source_texture src = colour(request, a, 0);
    uint32_t groups[3] = {(uint32_t)ag_div_up(a->shape.rect_width, AG_DENOISE_TILE),
                          (uint32_t)ag_div_up(a->shape.rect_height, AG_DENOISE_TILE), 1};
    ag_uniform uniforms[5] = {[2] = AG_FLOATS(AG_LOC_DENOISE_RULE, 1, 1, 1, 0),
                              [3] = AG_FLOATS(AG_LOC_DENOISE_STATISTICS, 1,
                                              (float)(groups[0] * groups[1]), 0, 1),
                              [4] = AG_INTS(AG_LOC_DENOISE_SETS, 0, 0, 0, 0)};
    ag_source_uniforms(uniforms, &src, src.format->channels, false, 0);
    ag_gl_dispatch d = {.program = a->counter,
                        .ranges[AG_SSBO_DENOISE] = ag_whole(input->statistics),
                        .ranges[AG_SSBO_INFO] = ag_whole(input->info),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms),
                        .groups = {groups[0], groups[1], 1}};
    ag_bind_source(&d, request, SRC, &src, 0);
    ag_record(recording, &d);
}

static void record_level(ag_recording *recording, const ag_request *request, const ag_atrous *a,
                         const ag_denoise_input *input, int32_t layer, int32_t level)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *to = input->dst.texture;
    bool last = level == s.levels - 1, guided = ag_atrous_guided(request);
    int32_t stride = 1 << level;
    int32_t run = level < AG_ATROUS_MAX_RUN ? level : AG_ATROUS_MAX_RUN;
    int from = level == 0 ? 0 : 2 - level % 2, next = 2 - (level + 1) % 2;
    ag_source_texture src = colour(request, a, from);
    float strength = s.strength > 1e-6f ? s.strength : 1e-6f;
    ag_uniform uniforms[7] = {[2] = AG_INTS(AG_LOC_DST_RECT, to->rect_x, to->rect_y, to->rect_width,
                                            to->rect_height),
                              [3] = AG_INTS(AG_LOC_DENOISE_STRIDE, level, run, 0, 0),
                              [4] = AG_FLOATS(AG_LOC_DENOISE_EDGES, (float)stride / strength,
                                              s.sigma, s.edge_normal, 1 / s.edge_depth),
                              [5] = ag_denoise_space(&s),
                              [6] = corner_of(request, AG_LOC_DENOISE_ALBEDO, ALBEDO, ALBEDO)};
    ag_source_uniforms(uniforms, &src, src.format->channels, false, 0);
    ag_gl_dispatch d = {.program = last ? a->last : a->level,
                        .ranges[AG_SSBO_DENOISE] = ag_whole(input->statistics),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms)};
    ag_atrous_groups(request, level, d.groups);
    ag_bind_source(&d, request, SRC, &src, 0);
    if (guided)
        d.images[AG_IMAGE_GUIDE] = binding(&a->guides, GL_READ_ONLY, GL_RG32UI);
    if (last) {
        d.images[AG_IMAGE_DST] = ag_write_image(&input->dst, layer);
        d.images[AG_IMAGE_FIRST] = binding(&a->colours[0], GL_READ_ONLY, src.format->read);
        bind_guide(recording, request, ALBEDO, AG_IMAGE_ALBEDO, layer, &d);
    } else {
        d.images[AG_IMAGE_DST] = binding(&a->colours[next], GL_WRITE_ONLY, src.format->image);
    }
    ag_record(recording, &d);
}

void ag_atrous_record(ag_recording *recording, const ag_request *request, const ag_atrous *a,
                      const ag_denoise_input *input)
{
    const ag_denoise_settings s = settings_of(request);
    for (int32_t layer = 0; layer < request->slots[SRC].layers; ++layer) {
        ag_record_wait(recording, WAIT); // the textures may still be read, by the last layer, too
        record_begin(recording, request, a, input, layer);
        ag_record_wait(recording, WAIT);
        if (!(s.sigma > 0)) {
            record_counter(recording, request, a, input);
            ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
        }
        for (int32_t level = 0; level < s.levels; ++level) {
            if (level)
                ag_record_wait(recording, WAIT);
            record_level(recording, request, a, input, layer, level);
        }
    }
}
