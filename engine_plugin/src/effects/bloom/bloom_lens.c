// bloom_lens.c - bloom's lens: a dirt mask, ghosts, an exposure from a texture, output = add
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/bloom/bloom.h"
#include "effects/kit/tables.h"

#include <string.h>

enum { SRC = AG_BLOOM_SRC, DST = AG_BLOOM_DST, DIRT = AG_BLOOM_DIRT, EXPOSURE = AG_BLOOM_EXPOSURE };

// ---- the job -----------------------------------------------------------------------------------

static bool is_needed(const ag_request *request, const ag_bloom_settings *s)
{
    return s->output == AG_BLOOM_ADD || s->ghosts > 0 || request->formats[DIRT];
}

const ag_format *ag_lens_output(const ag_request *request, const ag_bloom_settings *s)
{
    const ag_format *dst = request->formats[DST];
    // What is finer than a half float.
    bool exact = dst->store == AG_STORE_32F || dst->store == AG_STORE_UNORM16 ||
                 dst->store == AG_STORE_SRGB16;
    return is_needed(request, s) ? ag_format_find(exact ? GL_RGBA32F : GL_RGBA16F) : dst;
}

ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *s)
{
    const ag_texture *dirt = &request->slots[DIRT], *exposure = &request->slots[EXPOSURE];
    const ag_format **formats = request->formats;
    if (!(s->threshold > 0 || s->clamp > 0)) { // nothing is measured in it
        request->slots[EXPOSURE] = (ag_texture){0};
        formats[EXPOSURE] = NULL;
    }
    if (formats[EXPOSURE] &&
        (exposure->rect_width != 1 || exposure->rect_height != 1 || exposure->layers != 1))
        return ag_fail(host, AG_E_SIZE,
                       "bloom: exposure's rectangle is %dx%d with %d layers; it must be one texel",
                       exposure->rect_width, exposure->rect_height, exposure->layers);
    if (formats[DIRT] && (dirt->layers != 1 || formats[DIRT]->channels == 2))
        return ag_fail(host, AG_E_ARG, "bloom: dirt must have one layer, and 1, 3 or 4 channels");
    if (is_needed(request, s) && request->slots[SRC].layers != 1)
        return ag_fail(
            host, AG_E_ARG,
            "bloom: src has %d layers; with dirt, ghosts or output = add it must have one",
            request->slots[SRC].layers);
    if (s->output == AG_BLOOM_ADD && formats[DST]->read != formats[DST]->image)
        return ag_fail(host, AG_E_FORMAT,
                       "bloom: output = add reads dst, which it cannot in format %s",
                       formats[DST]->text);
    return AG_OK;
}

void ag_lens_shape(const ag_request *request, const ag_bloom_settings *s, int32_t *plan,
                   int32_t *state)
{
    const ag_texture *dirt = &request->slots[DIRT], *exposure = &request->slots[EXPOSURE];
    const int32_t of_plan[] = {is_needed(request, s), s->output == AG_BLOOM_ADD,
                               request->formats[DIRT] ? (int32_t)dirt->format : 0,
                               request->formats[EXPOSURE] ? (int32_t)exposure->format : 0,
                               s->ghosts > 0};
    memcpy(plan, of_plan, sizeof of_plan);
    if (request->formats[DIRT])
        ag_bloom_texel_words(dirt, state);
}

static uint64_t dirt_bytes(const ag_request *request)
{
    const ag_texture *t = &request->slots[DIRT];
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * 8;
}

ag_status ag_lens_fits(const ag_host *host, const ag_gl *gl, const ag_request *request)
{
    if (!request->formats[DIRT] || (int64_t)dirt_bytes(request) <= gl->max_ssbo_bytes)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "bloom: dirt needs %llu bytes; this context's storage blocks hold %lld",
                   (unsigned long long)dirt_bytes(request), (long long)gl->max_ssbo_bytes);
}

static ag_shader *lens_shader(ag_frame *f, int32_t part, const ag_picture *reads)
{
    ag_shader *shader = ag_frame_shader(f, "bloom/lens.comp");
    if (part == AG_LENS_COMPOSITE)
        ag_shader_reads_packed(shader, reads);
    else
        ag_shader_reads_picture(shader, reads);
    ag_shader_define(shader, "PART", part);
    return shader;
}

// ---- the mask, in a prepare --------------------------------------------------------------------

static ag_handle dirt_memory(ag_frame *f)
{
    return ag_own_memory(f, &(ag_own){.name = "dirt", .bytes = dirt_bytes(ag_frame_request(f))});
}

void ag_lens_dirt(ag_frame *f)
{
    ag_picture mask = ag_slot_picture(f, DIRT);
    ag_shader *shader = mask.format ? lens_shader(f, AG_LENS_DIRT, &mask) : NULL;
    if (!shader || ag_frame_goes_on(f))
        return;
    ag_handle info = ag_frame_info(f), dirt = dirt_memory(f);
    ag_uniform uniforms[2];
    ag_read_uniforms(uniforms, &mask, mask.format->channels, true, 0);
    ag_frame_step(f, "dirt");
    ag_frame_dispatch(f, &(ag_dispatch){.shader = shader,
                                        .images[AG_IMAGE_SRC] = ag_picture_view(&mask, AG_READ, 0),
                                        .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                                        .ranges[AG_SSBO_DIRT] = ag_all(dirt, AG_WRITE),
                                        .uniforms = uniforms,
                                        .uniform_count = 2,
                                        .groups = {ag_groups(mask.shape->rect_width, 8),
                                                   ag_groups(mask.shape->rect_height, 8), 1}});
}

// ---- every frame -------------------------------------------------------------------------------

static void read_exposure(ag_frame *f)
{
    ag_picture texel = ag_slot_picture(f, EXPOSURE);
    ag_shader *shader = lens_shader(f, AG_LENS_EXPOSURE, &texel);
    ag_uniform uniforms[2];
    ag_read_uniforms(uniforms, &texel, texel.format->channels, false, 0);
    ag_frame_dispatch(f, &(ag_dispatch){.shader = shader,
                                        .images[AG_IMAGE_SRC] = ag_picture_view(&texel, AG_READ, 0),
                                        .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_WRITE),
                                        .uniforms = uniforms,
                                        .uniform_count = 2,
                                        .groups = {1, 1, 1}});
}

static const float DEGREE = 3.14159265f / 180;

// For every size planned for, because the longer side decides about cells.
static uint64_t ghost_bytes(const ag_request *request)
{
    enum { MORE = 2 * AG_GHOST_REACH, CELL_BYTES = 16 };
    const ag_texture *src = &request->slots[SRC];
    int32_t w = ag_max(request->plan_width, src->rect_width);
    int32_t h = ag_max(request->plan_height, src->rect_height);
    return (uint64_t)(ag_min(w, AG_GHOST_CELLS) + MORE) *
           (uint64_t)(ag_min(h, AG_GHOST_CELLS) + MORE) * CELL_BYTES;
}

// Of cells of the glow out of focus: texels of a side; their numbers across and down.
static void ghost_cells(const ag_picture *glow, int32_t cells[3])
{
    int32_t w = glow->shape->rect_width, h = glow->shape->rect_height;
    cells[0] = ag_div_up(ag_max(w, h), AG_GHOST_CELLS);
    cells[1] = ag_div_up(w, cells[0]) + 2 * AG_GHOST_REACH;
    cells[2] = ag_div_up(h, cells[0]) + 2 * AG_GHOST_REACH;
}

// After the convolution: each point of the glow becomes an image of the iris, or of a circle where
// the kernel has no iris.
static void defocus(ag_frame *f, const ag_lens *lens, const ag_bloom_settings *s)
{
    const ag_picture *glow = &lens->glow.picture;
    bool iris = s->shape == AG_BLOOM_APERTURE || s->shape == AG_BLOOM_ANAMORPHIC;
    ag_shader *shader = ag_frame_shader(f, "bloom/lens.comp");
    ag_shader_define(shader, "PART", AG_LENS_GHOSTS);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_defines_add(defines, "#define GLOW_FORMAT %s\n", glow->format->glsl);
    int32_t cells[3];
    ghost_cells(glow, cells);
    const ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_LENS, glow->shape->rect_width, glow->shape->rect_height, 0, 0),
        AG_FLOATS(AG_LOC_GHOSTS, 0, s->rotation * DEGREE, iris ? s->roundness : 1, 0),
        AG_INTS(AG_LOC_GHOST_CELLS, cells[0], cells[1], cells[2], s->blades),
    };
    ag_frame_step(f, "ghosts");
    ag_frame_dispatch(f, &(ag_dispatch){.shader = shader,
                                        .images[AG_IMAGE_GLOW] = ag_picture_view(glow, AG_READ, 0),
                                        .ranges[AG_SSBO_GHOSTS] = ag_all(lens->ghosts, AG_WRITE),
                                        .uniforms = uniforms,
                                        .uniform_count = AG_COUNT_OF(uniforms),
                                        .groups = {ag_groups(cells[1], 16), ag_groups(cells[2], 16),
                                                   1}});
}

void ag_lens_begin(ag_frame *f, const ag_bloom_settings *s, ag_lens *lens)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC];
    *lens = (ag_lens){.on = is_needed(request, s), .exposes = request->formats[EXPOSURE] != NULL};
    if (lens->on)
        ag_bloom_own_image(f,
                           &(ag_own){.name = "glow",
                                     .format = ag_lens_output(request, s)->name,
                                     .width = request->plan_width,
                                     .height = request->plan_height,
                                     .layers = 1},
                           src->rect_width, src->rect_height, &lens->glow);
    if (s->ghosts > 0)
        lens->ghosts = ag_scratch(f, "ghosts", ghost_bytes(request));
    if (request->formats[DIRT])
        lens->dirt = dirt_memory(f);
    if (lens->exposes)
        read_exposure(f);
}

void ag_lens_step(ag_frame *f, const ag_lens *lens, const ag_bloom_settings *s,
                  const ag_picture *src, const ag_mix *mix)
{
    const ag_request *request = ag_frame_request(f);
    bool dirty = request->formats[DIRT] != NULL;
    int32_t w = src->shape->rect_width, h = src->shape->rect_height;
    int32_t cells[3];
    ghost_cells(&lens->glow.picture, cells);
    if (s->ghosts > 0)
        defocus(f, lens, s);
    ag_picture dst = ag_slot_picture(f, DST), base = s->output == AG_BLOOM_ADD ? dst : *src;
    base.highlights = src->highlights;
    ag_shader *shader = lens_shader(f, AG_LENS_COMPOSITE, &base);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines) {
        ag_define(defines, "FILTERABLE", 1);
        ag_composite_defines(dst.format, defines);
        ag_defines_add(defines, "#define GLOW_FORMAT %s\n", lens->glow.picture.format->glsl);
    }
    const ag_texture *mask = &request->slots[DIRT];
    const float *filter = mix->filter, *g = mix->gain;
    ag_handle info = ag_frame_info(f);
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, dst.shape->rect_x, dst.shape->rect_y, w, h),
        AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
        AG_FLOATS(AG_LOC_GAIN, g[0], g[1], g[2], s->dirt_intensity),
        AG_FLOATS(AG_LOC_SELF, mix->self[0], mix->self[1], mix->self[2], 0),
        AG_FLOATS(AG_LOC_KEEP, mix->keep[0], mix->keep[1], mix->keep[2], 1),
        AG_INTS(AG_LOC_LENS, w, h, s->ghosts, dirty),
        AG_INTS(AG_LOC_DIRT, mask->rect_width, mask->rect_height, 0, 0),
        AG_FLOATS(AG_LOC_GHOSTS, s->ghost_intensity, 0, 0, 0),
        AG_INTS(AG_LOC_GHOST_CELLS, cells[0], cells[1], cells[2], 0),
    };
    ag_read_uniforms(uniforms, &base, base.format->channels, s->scrub, 0);
    ag_frame_step(f, "lens");
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = shader,
                          .images[AG_IMAGE_SRC] = ag_packed_view(&base, AG_READ, 0),
                          .images[AG_IMAGE_DST] = ag_packed_view(&dst, AG_WRITE, 0),
                          .images[AG_IMAGE_GLOW] = ag_picture_view(&lens->glow.picture, AG_READ, 0),
                          .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                          .ranges[AG_SSBO_DIRT] =
                              dirty ? ag_all(lens->dirt, AG_READ) : ag_all(info, 0),
                          .ranges[AG_SSBO_GHOSTS] =
                              s->ghosts > 0 ? ag_all(lens->ghosts, AG_READ) : ag_all(info, 0),
                          .uniforms = uniforms,
                          .uniform_count = AG_COUNT_OF(uniforms),
                          .groups = {ag_groups(w, 8), ag_groups(h, 8), 1}});
}
