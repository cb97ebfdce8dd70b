// wiener.c - deconvolution: the spectrum of Wiener's filter in place of a kernel's
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "shaders/fft/interface_filter.h"

#include <math.h>

// ---- on a canvas that has an FFT ---------------------------------------------------------------

ag_status ag_wiener_program(const ag_preparation *prep, const ag_program **program)
{
    ag_defines none = {0};
    return ag_program_get(prep, "fft/wiener.comp", &none, program);
}

void ag_wiener_spectrum(const ag_preparation *prep, const ag_fft_steps *c,
                        const ag_program *program, double noise)
{
    const ag_fft_plan *p = &c->plan;
    // What the column pass multiplies by is half of the filter over the two lengths: unpacking
    // doubles the scene, and each inverse transform multiplies by its length.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    int64_t values = p->kernel_channel_bytes / (p->kernel_form == AG_KERNEL_COMPLEX ? 8 : 4);
    int64_t groups = (values + 255) / 256, across = groups < 1024 ? groups : 1024;
    ag_uniform uniforms[] = {AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, 0),
                             AG_FLOATS(AG_LOC_WIENER, (float)scale, (float)noise, 0, 0),
                             AG_INTS(AG_LOC_POINTS, p->x.line.length, p->y.line.length, 0, 0),
                             AG_INTS(AG_LOC_VALUES, (int32_t)values, p->y.line.lines, 0, 0)};
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow Wiener filter");
    ag_record_step(&recording, 0, "filter", true);
    for (int32_t i = 0; i < p->request.kernel_channels; ++i) {
        ag_range spectrum = {c->kernel.name, (uint64_t)(p->kernel_channel_bytes * i),
                             (uint64_t)p->kernel_channel_bytes};
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = program,
                                    .ranges[AG_SSBO_KERNEL] = spectrum,
                                    .ranges[AG_SSBO_KERNEL_REAL] = spectrum,
                                    .uniforms = uniforms,
                                    .uniform_count = sizeof uniforms / sizeof *uniforms,
                                    .groups = {(uint32_t)across,
                                               (uint32_t)((groups + across - 1) / across), 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

// ---- on a canvas of any size -------------------------------------------------------------------

ag_status ag_wiener_taps_program(const ag_preparation *prep, const ag_format *kernel,
                                 const ag_program **program)
{
    ag_defines defines = {0};
    ag_source_defines(kernel, AG_BY_IMAGE, &defines);
    return ag_program_get(prep, "fft/wiener_taps.comp", &defines, program);
}

static void fill_turns(const void *context, float *values)
{
    const int32_t *size = context;
    const double pi = 3.14159265358979323846;
    for (int axis = 0; axis < 2; ++axis)
        for (int32_t m = 0; m < size[axis]; ++m) {
            *values++ = (float)cos(2 * pi * m / size[axis]);
            *values++ = (float)sin(2 * pi * m / size[axis]);
        }
}

static ag_status turns_of(ag_gpu *gpu, const int32_t size[2], const ag_memory **memory)
{
    // No other constants have such a key: their second word is -2, -1 or a radix.
    int32_t key[8] = {size[0], -3, size[1]};
    return ag_gpu_constants(gpu, "afterglow turns", key, 2 * ((size_t)size[0] + (size_t)size[1]),
                            fill_turns, size, memory);
}

// A dispatch has at most so many products, because drivers end those that take seconds.
enum { PRODUCTS = 1 << 29 };

enum { PARTS = AG_TAPS_ROWS_BACK + 1 };

typedef struct part_lines { // of a part of wiener_taps.comp
    int32_t columns, lines, summands;
} part_lines;

static void record_part(ag_recording *recording, const part_lines *p, ag_gl_dispatch *d,
                        ag_uniform *part)
{
    int64_t a_line = (int64_t)p->columns * p->summands;
    int32_t most = a_line < PRODUCTS ? (int32_t)(PRODUCTS / a_line) : 1;
    for (int32_t line = 0; line < p->lines; line += most) {
        int32_t lines = p->lines - line < most ? p->lines - line : most;
        part->value.i[2] = line;
        d->groups[0] = ag_groups(p->columns, 64);
        d->groups[1] = (uint32_t)lines;
        d->groups[2] = 1;
        ag_record(recording, d);
    }
}

ag_texture ag_wiener_taps_shape(const ag_wiener_canvas *canvas, const ag_memory *taps)
{
    return (ag_texture){.name = taps->name,
                        .format = GL_RGBA32F,
                        .target = GL_TEXTURE_2D,
                        .layers = 1,
                        .rect_width = canvas->size[0],
                        .rect_height = canvas->size[1]};
}

static void record_taps(const ag_preparation *prep, const ag_source_texture *kernel,
                        const ag_wiener_canvas *c, const ag_program *program,
                        const ag_memory lines[2], const ag_memory *turns, const ag_memory *info,
                        const ag_source_texture *taps)
{
    const ag_texture *k = kernel->texture;
    int32_t w = c->size[0], h = c->size[1], columns = w / 2 + 1;
    part_lines parts[PARTS] = {[AG_TAPS_ROWS] = {columns, k->rect_height, k->rect_width},
                               [AG_TAPS_COLUMNS] = {columns, h, k->rect_height},
                               [AG_TAPS_COLUMNS_BACK] = {columns, h, h},
                               [AG_TAPS_ROWS_BACK] = {w, h, columns}};
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_PART, 0, 0, 0, 0),
        AG_INTS(AG_LOC_KERNEL, k->rect_width / 2, k->rect_height / 2, 0, 0),
        AG_FLOATS(AG_LOC_WIENER, (float)(1 / ((double)w * h)), (float)c->noise, 0, 0),
        AG_INTS(AG_LOC_POINTS, w, h, 0, 0),
    };
    ag_source_uniforms(uniforms, kernel, c->channels, c->scrub, 0);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow Wiener taps");
    for (int32_t channel = 0; channel < c->channels; ++channel)
        for (int32_t i = 0; i < PARTS; ++i) {
            ag_gl_dispatch d = {.program = program,
                                .images[AG_IMAGE_SRC] = ag_read_packed(kernel, 0),
                                .images[AG_IMAGE_DST] = ag_write_image(taps, 0),
                                .ranges[AG_SSBO_LINES_IN] = ag_whole(&lines[(i + 1) % 2]),
                                .ranges[AG_SSBO_LINES_OUT] = ag_whole(&lines[i % 2]),
                                .ranges[AG_SSBO_TURNS] = ag_whole(turns),
                                .ranges[AG_SSBO_INFO] = ag_whole(info),
                                .uniforms = uniforms,
                                .uniform_count = sizeof uniforms / sizeof *uniforms};
            d.images[AG_IMAGE_DST].access = GL_READ_WRITE;
            uniforms[2] = (ag_uniform)AG_INTS(AG_LOC_PART, i, channel, 0, 0);
            ag_record_step(&recording, (uint32_t)i, "Wiener taps", channel + i > 0);
            if (channel > 0 && i == AG_TAPS_ROWS_BACK) // which keeps the channels before
                ag_record_wait(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
            record_part(&recording, &parts[i], &d, &uniforms[2]);
        }
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

ag_status ag_wiener_taps(const ag_preparation *prep, const ag_source_texture *kernel,
                         const ag_wiener_canvas *canvas, const ag_program *program,
                         const ag_memory *info, ag_memory *taps)
{
    int32_t w = canvas->size[0], h = canvas->size[1];
    uint64_t bytes = ((uint64_t)w / 2 + 1) * (uint64_t)h * 8;
    ag_memory lines[2] = {{0}};
    const ag_memory *turns;
    ag_status status = turns_of(prep->gpu, canvas->size, &turns);
    for (int i = 0; i < 2 && status >= 0; ++i)
        status =
            ag_gpu_buffer(prep->gpu, "afterglow Wiener lines", AG_ON_GPU, bytes, NULL, &lines[i]);
    if (status >= 0)
        status = ag_gpu_texture(prep->gpu, "afterglow Wiener taps", w, h, taps);
    if (status >= 0) {
        ag_texture shape = ag_wiener_taps_shape(canvas, taps);
        ag_source_texture to = ag_own_texture(taps, ag_format_find(GL_RGBA32F), &shape);
        record_taps(prep, kernel, canvas, program, lines, turns, info, &to);
    }
    for (int i = 0; i < 2; ++i)
        ag_gpu_free_buffer(prep->gpu, &lines[i], true);
    return status;
}
