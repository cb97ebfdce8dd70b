// bloom_small.c - bloom by the FFT of a smaller image: its programs, its memory, its dispatches
// SPDX-License-Identifier: MIT
#include "effects/fft/bloom_small.h"
#include "base/rounding.h"

#include <math.h>

// ---- programs ----------------------------------------------------------------------------------

ag_fft_steps_io ag_small_io(const ag_small_plan *p)
{
    return (ag_fft_steps_io){ag_small_format(p), ag_small_format(p), AG_BY_IMAGE, false};
}

// Those that make a drawn kernel's core and rest.
ag_status ag_small_kernel_programs(const ag_preparation *prep, const ag_small_plan *p,
                                   ag_small_state *state)
{
    ag_defines kernel = {0}, none = {0};
    ag_source_defines(ag_format_find(GL_RGBA32F), AG_BY_IMAGE, &kernel);
#define PLACE(member) (state ? &state->member : NULL)
    ag_status status = ag_program_get(prep, "fft/bloom_rest.comp", &kernel, PLACE(rest));
    if (status >= 0 && p->core)
        status = ag_program_get(prep, "fft/bloom_core.comp", &kernel, PLACE(core));
    if (status >= 0 && p->core)
        status = ag_program_get(prep, "fft/bloom_without_core.comp", &none, PLACE(without_core));
#undef PLACE
    return status;
}

ag_status ag_small_programs(const ag_preparation *prep, const ag_small_plan *p,
                            const ag_request *request, int src, const ag_format *dst, bool drawn,
                            ag_small_state *state)
{
    ag_defines down = {0}, up, fireflies;
#define PLACE(member) (state ? &state->member : NULL)
    ag_source_defines(request->formats[src], ag_reading_of(request, src), &down);
    ag_define(&down, "FILTERABLE", 1);
    ag_define(&down, "WIDE", p->wide);
    up = fireflies = down;
    if (p->fireflies) {
        down = (ag_defines){0};
        ag_source_defines(ag_small_format(p), AG_BY_IMAGE, &down);
        ag_define(&down, "FILTERABLE", 1);
        ag_define(&down, "WIDE", p->wide);
    }
    ag_defines *const both[] = {&down, &up};
    for (int i = 0; i < 2; ++i) {
        ag_define(both[i], "RATIO_X", p->ratio_x);
        ag_define(both[i], "RATIO_Y", p->ratio_y);
        ag_define(both[i], "VARIES", p->varies);
    }
    ag_define(&up, "CORE", p->core);
    ag_define(&up, "FIREFLIES", p->fireflies);
    ag_composite_defines(dst, &up);
    ag_status status = ag_program_get(prep, "fft/bloom_down.comp", &down, PLACE(down));
    if (status >= 0)
        status = ag_program_get(prep, "fft/bloom_up.comp", &up, PLACE(up));
    if (status >= 0 && p->fireflies)
        status = ag_program_get(prep, "fft/bloom_firefly.comp", &fireflies, PLACE(fireflies));
    if (status >= 0 && drawn)
        status = ag_small_kernel_programs(prep, p, state);
#undef PLACE
    return status;
}

// ---- memory ------------------------------------------------------------------------------------

static int32_t grown(int32_t had, int32_t needed, int32_t most)
{
    int32_t more = needed + needed / 8;
    return !had || had >= needed ? needed : more < most ? more : most;
}

// The former texture where it is large enough and not far too large. One that replaces a smaller
// one is an eighth larger than needed, so that a size that changes on every frame soon allocates
// nothing.
static ag_status texture_again(ag_gpu *gpu, const char *label, const ag_format *format,
                               int32_t width, int32_t height, int32_t layers,
                               const ag_small_texture *former, ag_small_texture *made)
{
    uint64_t texels = (uint64_t)width * (uint64_t)height * (uint64_t)layers;
    *made = *former;
    if (former->format == format && former->width >= width && former->height >= height &&
        former->layers == layers &&
        ag_memory_serves(&former->memory, texels * (uint64_t)format->bytes))
        return AG_OK;
    int32_t most = gpu->gl.max_texture_size;
    *made = (ag_small_texture){.format = format,
                               .width = grown(former->width, width, most),
                               .height = grown(former->height, height, most),
                               .layers = layers};
    return ag_gpu_texture_layers(gpu, label, format->name, format->bytes, made->width, made->height,
                                 layers, &made->memory);
}

enum kernel_textures { // those that a drawn kernel's rest needs
    NO_KERNEL,
    KEEP_KERNEL, // those of the former state, for the next time
    MAKE_KERNEL
};

ag_status ag_small_kernel_memory(ag_gpu *gpu, const ag_small_plan *p, const ag_small_state *former,
                                 ag_small_state *state)
{
    const ag_format *floats = ag_format_find(GL_RGBA32F);
    const ag_small_texture *had = former->textures;
    ag_small_texture *made = state->textures;
    ag_status status =
        texture_again(gpu, "afterglow bloom kernel lines", floats, p->kernel_width, p->rest_height,
                      1, had + AG_SMALL_LINES, made + AG_SMALL_LINES);
    if (status >= 0)
        status = texture_again(gpu, "afterglow bloom kernel rest", floats, p->rest_width,
                               p->rest_height, 1, had + AG_SMALL_REST, made + AG_SMALL_REST);
    const int32_t split[3] = {p->ratio_x, p->ratio_y, p->roll_off};
    const int32_t key[8] = {-1, split[0], split[1], split[2]}; // no line has -1 points
    if (status >= 0)
        status = ag_gpu_constants(gpu, "afterglow splines", key, (size_t)ag_spline_floats(split),
                                  ag_spline_table, split, &state->spline);
    return status;
}

static ag_status make_memory(ag_gpu *gpu, const ag_small_plan *p, int32_t layers,
                             enum kernel_textures how, const ag_small_state *former,
                             ag_small_state *state)
{
    const ag_format *format = ag_small_format(p);
    const ag_small_texture *had = former->textures;
    ag_small_texture *made = state->textures;
    bool kernel = how == MAKE_KERNEL;
    for (int i = AG_SMALL_LINES; i < AG_SMALL_TEXTURES && how == KEEP_KERNEL; ++i)
        made[i] = had[i];
    int32_t width = p->max_width > p->width ? p->max_width : p->width;
    int32_t height = p->max_height > p->height ? p->max_height : p->height;
    ag_status status = texture_again(gpu, "afterglow bloom light", format, width, height, layers,
                                     had + AG_SMALL_LIGHT, made + AG_SMALL_LIGHT);
    if (status >= 0)
        status = texture_again(gpu, "afterglow bloom", format, width, height, layers,
                               had + AG_SMALL_BLOOM, made + AG_SMALL_BLOOM);
    if (status >= 0 && p->fireflies)
        status =
            texture_again(gpu, "afterglow bloom fireflies", format, p->frame_width, p->frame_height,
                          layers, had + AG_SMALL_FIREFLIES, made + AG_SMALL_FIREFLIES);
    return status < 0 || !kernel ? status : ag_small_kernel_memory(gpu, p, former, state);
}

ag_status ag_small_prepare(const ag_preparation *prep, const ag_small_plan *p,
                           const ag_request *request, int src, const ag_format *dst, bool drawn,
                           ag_fft_steps *fft, const ag_small_state *former, ag_small_state *state)
{
    fft->first_step = p->fireflies ? 2 : 1;
    fft->centre_known = fft->small_centre = true; // no centre weight bypasses this FFT
    ag_status status = ag_small_programs(prep, p, request, src, dst, drawn, state);
    if (status >= 0)
        status = make_memory(prep->gpu, p, request->slots[src].layers,
                             !drawn               ? NO_KERNEL
                             : fft->spectrum_kept ? KEEP_KERNEL
                                                  : MAKE_KERNEL,
                             former, state);
    // The programs that made a kept kernel count as used by this plan too (keep_spectrum).
    const ag_program *const made[] = {state->rest, state->core, state->without_core};
    const ag_program *const had[] = {former->rest, former->core, former->without_core};
    for (int i = 0; i < 3 && status >= 0 && fft->spectrum_kept; ++i)
        if (made[i] && had[i])
            *made[i]->use = *had[i]->use;
    return status;
}

static void release_shared(ag_small_state *from, const ag_small_state *to)
{
    for (int i = 0; i < AG_SMALL_TEXTURES; ++i)
        if (from->textures[i].memory.name == to->textures[i].memory.name)
            from->textures[i] = (ag_small_texture){0};
}

void ag_small_commit(ag_small_state *former, ag_small_state *state)
{
    release_shared(former, state);
}

void ag_small_abandon(ag_gpu *gpu, const ag_small_state *former, ag_small_state *state)
{
    release_shared(state, former);
    ag_small_free(gpu, state, true);
}

void ag_small_free(ag_gpu *gpu, ag_small_state *state, bool with_gl)
{
    for (int i = 0; i < AG_SMALL_TEXTURES; ++i)
        ag_gpu_free_texture(gpu, &state->textures[i].memory, with_gl);
}

void ag_small_free_kernel(ag_gpu *gpu, ag_small_state *state)
{
    for (int i = AG_SMALL_LINES; i < AG_SMALL_TEXTURES; ++i) {
        ag_gpu_free_texture(gpu, &state->textures[i].memory, true);
        state->textures[i] = (ag_small_texture){0};
    }
}

static ag_texture shape_of(const ag_small_texture *t, const ag_format *format, int32_t width,
                           int32_t height)
{
    return (ag_texture){.name = t->memory.name,
                        .target = t->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                        .format = format->name,
                        .width = t->width,
                        .height = t->height,
                        .layers = t->layers,
                        .rect_width = width,
                        .rect_height = height};
}

// ---- the kernel --------------------------------------------------------------------------------

ag_source_texture ag_small_split(ag_gpu *gpu, const ag_small_plan *p, const ag_small_state *state,
                                 const ag_source_texture *kernel, const ag_memory *kernel_buffer,
                                 const ag_memory *info, ag_texture *shape)
{
    const ag_format *floats = ag_format_find(GL_RGBA32F);
    int32_t half_w = p->kernel_width / 2, half_h = p->kernel_height / 2;
    ag_texture lines_shape =
        shape_of(&state->textures[AG_SMALL_LINES], floats, p->kernel_width, p->rest_height);
    *shape = shape_of(&state->textures[AG_SMALL_REST], floats, p->rest_width, p->rest_height);
    ag_source_texture lines =
        ag_own_texture(&state->textures[AG_SMALL_LINES].memory, floats, &lines_shape);
    ag_source_texture rest = ag_own_texture(&state->textures[AG_SMALL_REST].memory, floats, shape);
    ag_image_binding small = ag_read_image(&rest, 0);
    ag_range core = {kernel_buffer->name, (uint64_t)p->core_offset, AG_CORE_BYTES};
    ag_range spline = ag_whole(state->spline);
    ag_recording recording;
    ag_record_begin_prepare(&recording, gpu, "afterglow bloom kernel split");
    for (int pass = 0; pass < 2; ++pass) {
        const ag_source_texture *in = pass ? &lines : kernel, *out = pass ? &rest : &lines;
        const ag_texture *t = out->texture;
        ag_uniform uniforms[] = {[2] =
                                     AG_INTS(AG_LOC_DST_RECT, 0, 0, t->rect_width, t->rect_height),
                                 AG_INTS(AG_LOC_REST, !pass, pass ? half_w : half_h,
                                         pass ? p->rest_width / 2 : p->rest_height / 2, 0),
                                 AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0)};
        ag_source_uniforms(uniforms, in, 4, true, 0);
        ag_record_wait(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        ag_record(&recording, &(ag_gl_dispatch){.program = state->rest,
                                                .images[AG_IMAGE_SRC] = ag_read_image(in, 0),
                                                .images[AG_IMAGE_DST] = ag_write_image(out, 0),
                                                .ranges[AG_SSBO_SPLINE] = spline,
                                                .ranges[AG_SSBO_INFO] = ag_whole(info),
                                                .uniforms = uniforms,
                                                .uniform_count = 5,
                                                .groups = {ag_groups(t->rect_width, 8),
                                                           ag_groups(t->rect_height, 8), 1}});
    }
    for (int pass = 0; pass < 2 && p->core; ++pass) {
        ag_uniform uniforms[4] = {AG_INTS(AG_LOC_SMALL, p->rest_width, p->rest_height, 0, 0),
                                  AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0)};
        ag_source_uniforms(uniforms + 2, kernel, 4, true, 0);
        small.access = pass ? GL_READ_WRITE : GL_READ_ONLY;
        ag_record_wait(&recording,
                       GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = pass ? state->without_core : state->core,
                                    .images[AG_IMAGE_SRC] =
                                        pass ? (ag_image_binding){0} : ag_read_image(kernel, 0),
                                    .images[AG_IMAGE_SMALL] = small,
                                    .ranges[AG_SSBO_SPLINE] = spline,
                                    .ranges[AG_SSBO_CORE] = core,
                                    .ranges[AG_SSBO_INFO] = pass ? (ag_range){0} : ag_whole(info),
                                    .uniforms = uniforms,
                                    .uniform_count = pass ? 2 : 4,
                                    .groups = {pass ? ag_groups(p->rest_width, 8) : 1,
                                               pass ? ag_groups(p->rest_height, 8) : 1, 1}});
    }
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    return rest;
}

// ---- every frame -------------------------------------------------------------------------------

static ag_image_binding packed(ag_image_binding image)
{
    if (image.format == GL_RGBA16F)
        image.format = GL_RG32UI;
    return image;
}

static void record_fireflies(ag_recording *recording, const ag_small_state *state,
                             const ag_source_texture *src, const ag_source_texture *light,
                             const ag_memory *info, bool scrub, const ag_mix *mix,
                             const float firefly[2])
{
    const float *f = mix->filter;
    const ag_texture *t = src->texture;
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]),
            AG_FLOATS(AG_LOC_FIREFLY, firefly[0], firefly[1], 0, 0),
        };
        ag_source_uniforms(uniforms, src, src->format->channels, scrub, layer);
        ag_record(recording,
                  &(ag_gl_dispatch){.program = state->fireflies,
                                    .images[AG_IMAGE_SRC] = ag_read_packed(src, layer),
                                    .images[AG_IMAGE_SMALL] = packed(ag_write_image(light, layer)),
                                    .ranges[AG_SSBO_INFO] = ag_whole(info),
                                    .uniforms = uniforms,
                                    .uniform_count = sizeof uniforms / sizeof *uniforms,
                                    .groups = {ag_groups(t->rect_width, 16),
                                               ag_groups(t->rect_height, 16), 1}});
    }
}

static void record_down(ag_recording *recording, const ag_small_plan *p,
                        const ag_small_state *state, const ag_source_texture *src,
                        const ag_source_texture *light, const ag_memory *info, bool scrub,
                        const ag_mix *mix)
{
    const float *f = mix->filter;
    for (int32_t layer = 0; layer < src->texture->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]),
            AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
        };
        ag_source_uniforms(uniforms, src, src->format->channels, scrub, layer);
        ag_record(recording,
                  &(ag_gl_dispatch){.program = state->down,
                                    .images[AG_IMAGE_SRC] = ag_read_packed(src, layer),
                                    .images[AG_IMAGE_SMALL] = packed(ag_write_image(light, layer)),
                                    .ranges[AG_SSBO_INFO] = ag_whole(info),
                                    .uniforms = uniforms,
                                    .uniform_count = sizeof uniforms / sizeof *uniforms,
                                    .groups = {ag_groups(p->width, ag_small_down_width(p)),
                                               ag_groups(p->height, 8), 1}});
    }
}

static void record_up(ag_recording *recording, const ag_small_plan *p, const ag_small_state *state,
                      const ag_source_texture *src, const ag_source_texture *bloom,
                      const ag_source_texture *dst, const ag_source_texture *light, ag_range core,
                      const ag_memory *info, bool scrub, const ag_mix *mix)
{
    const ag_texture *t = src->texture;
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
            [4] = {0},
            [5] = {0},
            [6] = {0},
            [7] = {0},
            [8] = {0},
            [9] = {0},
        };
        ag_source_uniforms(uniforms, src, src->format->channels, scrub, layer);
        ag_mix_uniforms(mix, dst, uniforms + 4);
        ag_gl_dispatch d = {.program = state->up,
                            .images[AG_IMAGE_SRC] = ag_read_packed(src, layer),
                            .images[AG_IMAGE_DST] = ag_write_packed(dst, layer),
                            .images[AG_IMAGE_SMALL] = packed(ag_read_image(bloom, layer)),
                            .ranges[AG_SSBO_INFO] = ag_whole(info),
                            .uniforms = uniforms,
                            .uniform_count = sizeof uniforms / sizeof *uniforms,
                            .groups = {ag_groups(t->rect_width, 32), ag_groups(t->rect_height, 16),
                                       1}};
        if (p->core)
            d.ranges[AG_SSBO_CORE] = core;
        if (p->core && p->fireflies)
            d.images[AG_IMAGE_LIGHT] = packed(ag_read_image(light, layer));
        ag_record(recording, &d);
    }
}

void ag_small_record(ag_recording *recording, const ag_request *request, const ag_small_plan *p,
                     const ag_small_state *state, const ag_fft_steps *fft,
                     const ag_source_texture *src, const ag_source_texture *dst,
                     const ag_memory *info, bool scrub, const ag_mix *mix, const float firefly[2])
{
    static const ag_mix plain = {.gain = {1, 1, 1, 1}, .filter = {0, 0, INFINITY, 0}};
    const ag_format *format = ag_small_format(p);
    const ag_small_texture *light = &state->textures[AG_SMALL_LIGHT];
    const ag_small_texture *bloom = &state->textures[AG_SMALL_BLOOM];
    ag_texture shapes[2] = {shape_of(light, format, p->width, p->height),
                            shape_of(bloom, format, p->width, p->height)};
    ag_source_texture from = ag_own_texture(&light->memory, format, &shapes[0]);
    ag_source_texture to = ag_own_texture(&bloom->memory, format, &shapes[1]);
    ag_fft_steps_io io = ag_small_io(p);
    ag_range core = {fft->kernel.name, (uint64_t)p->core_offset, AG_CORE_BYTES};
    const ag_small_texture *spread = &state->textures[AG_SMALL_FIREFLIES];
    ag_texture frame = shape_of(spread, format, p->frame_width, p->frame_height);
    ag_source_texture fireflies = ag_own_texture(&spread->memory, format, &frame);
    // The last execute may still read the smaller images: an image barrier orders both.
    uint32_t step = 0;
    if (p->fireflies) {
        ag_record_step(recording, step++, "fireflies", false);
        ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        record_fireflies(recording, state, src, &fireflies, info, scrub, mix, firefly);
    }
    ag_record_step(recording, step, "down", false);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    record_down(recording, p, state, p->fireflies ? &fireflies : src, &from, info,
                scrub && !p->fireflies, p->fireflies ? &plain : mix);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_fft_steps_record(recording, request, fft, &from, &to, &io, info, false, &plain);
    ag_record_step(recording, step + 4, "up", false);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    record_up(recording, p, state, src, &to, dst, &fireflies, core, info, scrub, mix);
}
