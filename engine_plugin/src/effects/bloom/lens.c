// lens.c - bloom's lens: a dirt mask, ghosts, an exposure from a texture, output added to a target
// SPDX-License-Identifier: MIT
#include "effects/bloom/lens.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/bloom/bloom_light.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface_lens.h"

#include <string.h>

enum { SRC = AG_BLOOM_SRC, DST = AG_BLOOM_DST, DIRT = AG_BLOOM_DIRT, EXPOSURE = AG_BLOOM_EXPOSURE };

// ---- the job -----------------------------------------------------------------------------------

bool ag_lens_needed(const ag_request *request, const ag_bloom_settings *s)
{
    return s->output == AG_BLOOM_ADD || s->ghosts > 0 || request->formats[DIRT];
}

const ag_format *ag_lens_glow(const ag_request *request)
{
    int32_t store = request->formats[DST]->store; // what is finer than a half float
    bool exact = store == AG_STORE_32F || store == AG_STORE_UNORM16 || store == AG_STORE_SRGB16;
    return ag_format_find(exact ? GL_RGBA32F : GL_RGBA16F);
}

ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *s,
                        int32_t *plan, int32_t *state)
{
    const ag_texture *dirt = &request->slots[DIRT], *exposure = &request->slots[EXPOSURE];
    bool filters = s->threshold > 0 || s->clamp > 0;
    if (!filters) { // nothing is measured in it
        request->slots[EXPOSURE] = (ag_texture){0};
        request->formats[EXPOSURE] = NULL;
    }
    if (request->formats[EXPOSURE] &&
        (exposure->rect_width != 1 || exposure->rect_height != 1 || exposure->layers != 1))
        return ag_fail(host, AG_E_SIZE,
                       "bloom: exposure's rectangle is %dx%d with %d layers; it must be one texel",
                       exposure->rect_width, exposure->rect_height, exposure->layers);
    if (request->formats[DIRT] && (dirt->layers != 1 || request->formats[DIRT]->channels == 2))
        return ag_fail(host, AG_E_ARG, "bloom: dirt must have one layer, and 1, 3 or 4 channels");
    bool needed = ag_lens_needed(request, s);
    if (needed && request->slots[SRC].layers != 1)
        return ag_fail(
            host, AG_E_ARG,
            "bloom: src has %d layers; with dirt, ghosts or output = add it must have one",
            request->slots[SRC].layers);
    if (s->output == AG_BLOOM_ADD && request->formats[DST]->read != request->formats[DST]->image)
        return ag_fail(host, AG_E_FORMAT,
                       "bloom: output = add reads dst, which it cannot in format %s",
                       request->formats[DST]->text);
    bool has_dirt = request->formats[DIRT] != NULL;
    int32_t of_plan[] = {needed, s->output == AG_BLOOM_ADD, has_dirt ? (int32_t)dirt->format : 0,
                         request->formats[EXPOSURE] ? (int32_t)exposure->format : 0};
    memcpy(plan, of_plan, sizeof of_plan);
    if (has_dirt) {
        int32_t of_state[] = {
            (int32_t)dirt->name, (int32_t)dirt->version, (int32_t)(dirt->version >> 32),
            dirt->level,         dirt->first_layer,      dirt->rect_x,
            dirt->rect_y,        dirt->rect_width,       dirt->rect_height};
        memcpy(state, of_state, sizeof of_state);
    }
    return AG_OK;
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

// ---- the mask, in a prepare --------------------------------------------------------------------

static ag_handle dirt_memory(ag_frame *f)
{
    return ag_own_memory(f, &(ag_own){.name = "dirt", .bytes = dirt_bytes(ag_frame_request(f))});
}

ag_shader *ag_lens_dirt_shader(ag_frame *f)
{
    const ag_format *format = ag_frame_request(f)->formats[DIRT];
    return format ? ag_picture_shader(f, "fft/lens_dirt.comp", format) : NULL;
}

void ag_lens_dirt_make(ag_frame *f, ag_shader *shader, ag_handle info)
{
    if (!shader)
        return;
    ag_picture mask = ag_slot_picture(f, DIRT);
    ag_handle dirt = dirt_memory(f);
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

void ag_lens_begin(ag_frame *f, const ag_bloom_settings *s, ag_lens *lens)
{
    const ag_request *request = ag_frame_request(f);
    *lens =
        (ag_lens){.on = ag_lens_needed(request, s), .exposes = request->formats[EXPOSURE] != NULL};
    if (lens->on) {
        int base = s->output == AG_BLOOM_ADD ? DST : SRC;
        lens->composite = ag_picture_shader(f, "fft/lens.comp", request->formats[base]);
        ag_defines *defines = ag_shader_defines(lens->composite);
        if (defines) {
            ag_define(defines, "FILTERABLE", 1);
            ag_composite_defines(request->formats[DST], defines);
            ag_defines_add(defines, "#define GLOW_FORMAT %s\n", ag_lens_glow(request)->glsl);
        }
    }
    if (lens->exposes)
        lens->expose = ag_picture_shader(f, "fft/lens_exposure.comp", request->formats[EXPOSURE]);
}

void ag_lens_memory(ag_frame *f, ag_handle info, ag_lens *lens)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC];
    lens->info = info;
    if (!lens->on)
        return;
    int32_t w = src->rect_width, h = src->rect_height;
    lens->shape =
        (ag_texture){.target = GL_TEXTURE_2D, .layers = 1, .rect_width = w, .rect_height = h};
    lens->glow.shape = &lens->shape;
    lens->glow.format = ag_lens_glow(request);
    lens->glow.of =
        ag_own_memory(f, &(ag_own){.name = "glow",
                                   .format = lens->glow.format->name,
                                   .width = request->plan_width > w ? request->plan_width : w,
                                   .height = request->plan_height > h ? request->plan_height : h,
                                   .layers = 1});
    if (request->formats[DIRT])
        lens->dirt = dirt_memory(f);
}

void ag_lens_expose(ag_frame *f, const ag_lens *lens)
{
    if (!lens->exposes)
        return;
    ag_picture texel = ag_slot_picture(f, EXPOSURE);
    ag_uniform uniforms[2];
    ag_read_uniforms(uniforms, &texel, texel.format->channels, false, 0);
    ag_frame_dispatch(f, &(ag_dispatch){.shader = lens->expose,
                                        .images[AG_IMAGE_SRC] = ag_picture_view(&texel, AG_READ, 0),
                                        .ranges[AG_SSBO_INFO] = ag_all(lens->info, AG_WRITE),
                                        .uniforms = uniforms,
                                        .uniform_count = 2,
                                        .groups = {1, 1, 1}});
}

void ag_lens_step(ag_frame *f, const ag_lens *lens, const ag_bloom_settings *s, const ag_mix *mix)
{
    const ag_request *request = ag_frame_request(f);
    bool adds = s->output == AG_BLOOM_ADD, dirty = request->formats[DIRT] != NULL;
    ag_picture base = ag_slot_picture(f, adds ? DST : SRC), dst = ag_slot_picture(f, DST);
    base.highlights = ag_bloom_highlights(s);
    const ag_texture *src = &request->slots[SRC], *mask = &request->slots[DIRT];
    int32_t w = src->rect_width, h = src->rect_height;
    const float *filter = mix->filter, *g = mix->gain;
    ag_uniform uniforms[] = {
        {0}, // of the source
        {0},
        AG_INTS(AG_LOC_DST_RECT, dst.shape->rect_x, dst.shape->rect_y, w, h),
        AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
        AG_FLOATS(AG_LOC_GAIN, g[0], g[1], g[2], s->dirt_intensity),
        AG_FLOATS(AG_LOC_SELF, mix->self[0], mix->self[1], mix->self[2], 0),
        AG_FLOATS(AG_LOC_KEEP, mix->keep[0], mix->keep[1], mix->keep[2], 1),
        AG_INTS(AG_LOC_LENS, w, h, s->ghosts, dirty),
        AG_INTS(AG_LOC_DIRT, mask->rect_width, mask->rect_height, 0, 0),
        AG_FLOATS(AG_LOC_GHOSTS, s->ghost_intensity, 0, 0, 0),
    };
    ag_read_uniforms(uniforms, &base, base.format->channels, s->scrub, 0);
    ag_frame_step(f, "lens");
    ag_frame_dispatch(f, &(ag_dispatch){.shader = lens->composite,
                                        .images[AG_IMAGE_SRC] = ag_packed_view(&base, AG_READ, 0),
                                        .images[AG_IMAGE_DST] = ag_packed_view(&dst, AG_WRITE, 0),
                                        .images[AG_IMAGE_GLOW] =
                                            ag_picture_view(&lens->glow, AG_READ, 0),
                                        .ranges[AG_SSBO_INFO] = ag_all(lens->info, AG_ADD),
                                        .ranges[AG_SSBO_DIRT] = dirty ? ag_all(lens->dirt, AG_READ)
                                                                      : ag_all(lens->info, 0),
                                        .uniforms = uniforms,
                                        .uniform_count = AG_COUNT_OF(uniforms),
                                        .groups = {ag_groups(w, 8), ag_groups(h, 8), 1}});
}
