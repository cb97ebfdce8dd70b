// bloom_reduced.c - bloom by the FFT of a smaller image: the kernel's split, and the dispatches
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom_reduced.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"

#include <math.h>

static ag_texture shape_of(int32_t width, int32_t height, int32_t layers)
{
    return (ag_texture){.target = layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                        .layers = layers,
                        .rect_width = width,
                        .rect_height = height};
}

// ---- the kernel --------------------------------------------------------------------------------

void ag_split_begin(ag_frame *f, const ag_reduced *p, ag_split *split)
{
    const ag_format *floats = ag_format_find(GL_RGBA32F);
    *split = (ag_split){.plan = p};
    split->rest = ag_picture_shader(f, "fft/bloom_rest.comp", floats);
    if (!p->core)
        return;
    split->core = ag_picture_shader(f, "fft/bloom_core.comp", floats);
    split->without_core = ag_frame_shader(f, "fft/bloom_without_core.comp");
}

static ag_picture kernel_texture(ag_frame *f, const char *name, ag_texture *shape, int32_t width,
                                 int32_t height)
{
    *shape = shape_of(width, height, 1);
    ag_handle texture = ag_own_memory(f, &(ag_own){.name = name,
                                                   .format = GL_RGBA32F,
                                                   .width = width,
                                                   .height = height,
                                                   .layers = 1,
                                                   .temporary = true});
    return (ag_picture){.of = texture, .shape = shape, .format = ag_format_find(GL_RGBA32F)};
}

void ag_split_memory(ag_frame *f, ag_split *split)
{
    const ag_reduced *p = split->plan;
    bool half = p->ratio_x == 2;
    split->lines = kernel_texture(f, half ? "kernel lines, half" : "kernel lines, quarter",
                                  &split->shapes[0], p->kernel_width, p->rest_height);
    split->result = kernel_texture(f, half ? "kernel rest, half" : "kernel rest, quarter",
                                   &split->shapes[1], p->rest_width, p->rest_height);
    const int32_t ratios[3] = {p->ratio_x, p->ratio_y, p->roll_off};
    const int32_t key[8] = {-1, ratios[0], ratios[1], ratios[2]}; // no line has -1 points
    split->spline = ag_shared_constants(f, "afterglow splines", key,
                                        (size_t)ag_spline_floats(ratios), ag_spline_table, ratios);
}

void ag_split_make(ag_frame *f, const ag_split *split, const ag_picture *kernel, ag_block core,
                   ag_handle info)
{
    const ag_reduced *p = split->plan;
    const ag_block spline = ag_all(split->spline, AG_READ);
    int32_t half_w = p->kernel_width / 2, half_h = p->kernel_height / 2;
    ag_frame_step(f, "kernel split");
    for (int pass = 0; pass < 2; ++pass) {
        const ag_picture *in = pass ? &split->lines : kernel,
                         *out = pass ? &split->result : &split->lines;
        const ag_texture *t = out->shape;
        ag_uniform uniforms[] = {[2] =
                                     AG_INTS(AG_LOC_DST_RECT, 0, 0, t->rect_width, t->rect_height),
                                 AG_INTS(AG_LOC_REST, !pass, pass ? half_w : half_h,
                                         pass ? p->rest_width / 2 : p->rest_height / 2, 0),
                                 AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0)};
        ag_read_uniforms(uniforms, in, 4, true, 0);
        ag_frame_dispatch(f,
                          &(ag_dispatch){.shader = split->rest,
                                         .images[AG_IMAGE_SRC] = ag_picture_view(in, AG_READ, 0),
                                         .images[AG_IMAGE_DST] = ag_picture_view(out, AG_WRITE, 0),
                                         .ranges[AG_SSBO_SPLINE] = spline,
                                         .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                                         .uniforms = uniforms,
                                         .uniform_count = 5,
                                         .groups = {ag_groups(t->rect_width, 8),
                                                    ag_groups(t->rect_height, 8), 1}});
    }
    for (int pass = 0; pass < 2 && p->core; ++pass) {
        ag_uniform uniforms[4] = {AG_INTS(AG_LOC_SMALL, p->rest_width, p->rest_height, 0, 0),
                                  AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0)};
        ag_read_uniforms(uniforms + 2, kernel, 4, true, 0);
        core.access = pass ? AG_READ : AG_WRITE;
        ag_dispatch d = {.shader = pass ? split->without_core : split->core,
                         .images[AG_IMAGE_SMALL] = ag_picture_view(
                             &split->result, pass ? AG_READ | AG_WRITE : AG_READ, 0),
                         .ranges[AG_SSBO_SPLINE] = spline,
                         .ranges[AG_SSBO_CORE] = core,
                         .uniforms = uniforms,
                         .uniform_count = pass ? 2 : 4,
                         .groups = {pass ? ag_groups(p->rest_width, 8) : 1,
                                    pass ? ag_groups(p->rest_height, 8) : 1, 1}};
        if (!pass) {
            d.images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0);
            d.ranges[AG_SSBO_INFO] = ag_all(info, AG_READ);
        }
        ag_frame_dispatch(f, &d);
    }
}

// ---- every frame -------------------------------------------------------------------------------

const ag_mix ag_reduction_mix = {.gain = {1, 1, 1, 1}, .filter = {0, 0, INFINITY, 0}};

void ag_reduction_begin(ag_frame *f, const ag_reduced *p, int src_slot, const ag_picture *src,
                        const ag_picture *dst, ag_reduction *r)
{
    *r = (ag_reduction){.plan = p, .src = *src, .dst = *dst};
    r->down = ag_frame_shader(f, "fft/bloom_down.comp");
    ag_defines *down = ag_shader_defines(r->down);
    if (p->fireflies && down)
        ag_source_defines(ag_reduced_format(p), AG_BY_IMAGE, down);
    else
        ag_shader_reads(f, r->down, src_slot);
    ag_shader_define(r->down, "FILTERABLE", 1);
    ag_shader_define(r->down, "WIDE", p->wide);
    ag_shader_define(r->down, "RATIO_X", p->ratio_x);
    ag_shader_define(r->down, "RATIO_Y", p->ratio_y);
    ag_shader_define(r->down, "VARIES", p->varies);
    r->up = ag_frame_shader(f, "fft/bloom_up.comp");
    ag_shader_reads(f, r->up, src_slot);
    ag_shader_define(r->up, "FILTERABLE", 1);
    ag_shader_define(r->up, "WIDE", p->wide);
    ag_shader_define(r->up, "RATIO_X", p->ratio_x);
    ag_shader_define(r->up, "RATIO_Y", p->ratio_y);
    ag_shader_define(r->up, "VARIES", p->varies);
    ag_shader_define(r->up, "CORE", p->core);
    ag_shader_define(r->up, "FIREFLIES", p->fireflies);
    ag_defines *up = ag_shader_defines(r->up);
    if (up)
        ag_composite_defines(dst->format, up);
    if (!p->fireflies)
        return;
    r->fireflies = ag_frame_shader(f, "fft/bloom_firefly.comp");
    ag_shader_reads(f, r->fireflies, src_slot);
    ag_shader_define(r->fireflies, "FILTERABLE", 1);
    ag_shader_define(r->fireflies, "WIDE", p->wide);
}

static ag_picture image(ag_frame *f, const char *name, const ag_reduced *p, ag_texture *shape,
                        int32_t max_width, int32_t max_height)
{
    int32_t w = shape->rect_width, h = shape->rect_height;
    const ag_format *format = ag_reduced_format(p);
    ag_handle texture = ag_own_memory(f, &(ag_own){.name = name,
                                                   .format = format->name,
                                                   .width = max_width > w ? max_width : w,
                                                   .height = max_height > h ? max_height : h,
                                                   .layers = shape->layers});
    return (ag_picture){.of = texture, .shape = shape, .format = format};
}

void ag_reduction_memory(ag_frame *f, ag_handle info, ag_reduction *r)
{
    const ag_reduced *p = r->plan;
    int32_t layers = r->src.shape->layers;
    r->info = info;
    for (int i = 0; i < 2; ++i)
        r->shapes[i] = shape_of(p->width, p->height, layers);
    r->light = image(f, "light", p, &r->shapes[0], p->max_width, p->max_height);
    r->bloom = image(f, "bloom", p, &r->shapes[1], p->max_width, p->max_height);
    if (!p->fireflies)
        return;
    r->shapes[2] = shape_of(p->frame_width, p->frame_height, layers);
    r->spread = image(f, "fireflies", p, &r->shapes[2], 0, 0);
}

static ag_block counters(const ag_reduction *r)
{
    return ag_all(r->info, r->exposed ? AG_READ : AG_ADD);
}

static void fireflies(ag_frame *f, const ag_reduction *r, bool scrub, const ag_mix *mix,
                      const float firefly[2])
{
    const float *filter = mix->filter;
    const ag_texture *t = r->src.shape;
    ag_frame_step(f, "fireflies");
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_FIREFLY, firefly[0], firefly[1], 0, 0),
        };
        ag_read_uniforms(uniforms, &r->src, r->src.format->channels, scrub, layer);
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = r->fireflies,
                              .images[AG_IMAGE_SRC] = ag_packed_view(&r->src, AG_READ, layer),
                              .images[AG_IMAGE_SMALL] = ag_packed_view(&r->spread, AG_WRITE, layer),
                              .ranges[AG_SSBO_INFO] = counters(r),
                              .uniforms = uniforms,
                              .uniform_count = AG_COUNT_OF(uniforms),
                              .groups = {ag_groups(t->rect_width, 16),
                                         ag_groups(t->rect_height, 16), 1}});
    }
}

void ag_reduction_down(ag_frame *f, const ag_reduction *r, bool scrub, const ag_mix *mix,
                       const float firefly[2])
{
    const ag_reduced *p = r->plan;
    const ag_picture *from = p->fireflies ? &r->spread : &r->src;
    if (p->fireflies) {
        fireflies(f, r, scrub, mix, firefly);
        mix = &ag_reduction_mix;
        scrub = false;
    }
    const float *filter = mix->filter;
    ag_frame_step(f, "down");
    for (int32_t layer = 0; layer < from->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
        };
        ag_read_uniforms(uniforms, from, from->format->channels, scrub, layer);
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = r->down,
                              .images[AG_IMAGE_SRC] = ag_packed_view(from, AG_READ, layer),
                              .images[AG_IMAGE_SMALL] = ag_packed_view(&r->light, AG_WRITE, layer),
                              .ranges[AG_SSBO_INFO] = counters(r),
                              .uniforms = uniforms,
                              .uniform_count = AG_COUNT_OF(uniforms),
                              // texels along x that a group of bloom_down.comp makes
                              .groups = {ag_groups(p->width, p->ratio_x == 2 ? 60 : 28),
                                         ag_groups(p->height, 8), 1}});
    }
}

void ag_reduction_up(ag_frame *f, const ag_reduction *r, ag_handle kernel, bool scrub,
                     const ag_mix *mix)
{
    const ag_reduced *p = r->plan;
    const ag_texture *t = r->src.shape;
    ag_frame_step(f, "up");
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
            [3 + AG_MIX_UNIFORMS] = {0},
        };
        ag_read_uniforms(uniforms, &r->src, r->src.format->channels, scrub, layer);
        ag_mix_uniforms(mix, &r->dst, uniforms + 4);
        ag_dispatch d = {.shader = r->up,
                         .images[AG_IMAGE_SRC] = ag_packed_view(&r->src, AG_READ, layer),
                         .images[AG_IMAGE_DST] = ag_packed_view(&r->dst, AG_WRITE, layer),
                         .images[AG_IMAGE_SMALL] = ag_packed_view(&r->bloom, AG_READ, layer),
                         .ranges[AG_SSBO_INFO] = counters(r),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(t->rect_width, 32), ag_groups(t->rect_height, 16),
                                    1}};
        if (p->core)
            d.ranges[AG_SSBO_CORE] =
                ag_block_of(kernel, AG_READ, (uint64_t)p->core_offset, AG_CORE_BYTES);
        if (p->core && p->fireflies)
            d.images[AG_IMAGE_LIGHT] = ag_packed_view(&r->spread, AG_READ, layer);
        ag_frame_dispatch(f, &d);
    }
}
