// wiener.c - deconvolution: the spectrum of Wiener's filter in place of a kernel's
// SPDX-License-Identifier: MIT
#include "effects/convolution/wiener.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface_filter.h"

#include <math.h>

// ---- on a canvas that has an FFT ---------------------------------------------------------------

ag_shader *ag_wiener_shader(ag_frame *f)
{
    return ag_frame_shader(f, "fft/wiener.comp");
}

void ag_wiener_make(ag_frame *f, ag_shader *shader, const ag_fft_plan *p, ag_handle spectrum,
                    double noise)
{
    // What the column pass multiplies by is half of the filter over the two lengths: unpacking
    // doubles the scene, and each inverse transform multiplies by its length.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    int64_t values = p->kernel_channel_bytes / (p->kernel_form == AG_KERNEL_COMPLEX ? 8 : 4);
    int64_t groups = (values + 255) / 256, across = groups < 1024 ? groups : 1024;
    ag_uniform uniforms[] = {AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, 0),
                             AG_FLOATS(AG_LOC_WIENER, (float)scale, (float)noise, 0, 0),
                             AG_INTS(AG_LOC_POINTS, p->x.line.length, p->y.line.length, 0, 0),
                             AG_INTS(AG_LOC_VALUES, (int32_t)values, p->y.line.lines, 0, 0)};
    uint64_t bytes = (uint64_t)p->kernel_channel_bytes;
    ag_frame_step(f, "filter");
    for (int32_t i = 0; i < p->request.kernel_channels; ++i)
        ag_frame_dispatch(
            f,
            &(ag_dispatch){
                .shader = shader,
                .ranges[AG_SSBO_KERNEL] =
                    ag_block_of(spectrum, AG_READ | AG_WRITE, (uint64_t)i * bytes, bytes),
                .ranges[AG_SSBO_KERNEL_REAL] = ag_block_of(spectrum, 0, (uint64_t)i * bytes, bytes),
                .uniforms = uniforms,
                .uniform_count = AG_COUNT_OF(uniforms),
                .groups = {(uint32_t)across, (uint32_t)((groups + across - 1) / across), 1}});
}

// ---- on a canvas of any size -------------------------------------------------------------------

ag_shader *ag_wiener_taps_shader(ag_frame *f, const ag_format *kernel)
{
    return ag_picture_shader(f, "fft/wiener_taps.comp", kernel);
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

// A dispatch has at most so many products, because drivers end those that take seconds.
enum { PRODUCTS = 1 << 29 };

enum { PARTS = AG_TAPS_ROWS_BACK + 1 };

typedef struct part_lines { // of a part of wiener_taps.comp
    int32_t columns, lines, summands;
} part_lines;

static void part_dispatches(ag_frame *f, const part_lines *p, ag_dispatch *d, ag_uniform *part)
{
    int64_t a_line = (int64_t)p->columns * p->summands;
    int32_t most = a_line < PRODUCTS ? (int32_t)(PRODUCTS / a_line) : 1;
    for (int32_t line = 0; line < p->lines; line += most) {
        int32_t lines = p->lines - line < most ? p->lines - line : most;
        part->value.i[2] = line;
        d->groups[0] = ag_groups(p->columns, 64);
        d->groups[1] = (uint32_t)lines;
        d->groups[2] = 1;
        ag_frame_dispatch(f, d);
    }
}

ag_picture ag_wiener_taps_make(ag_frame *f, ag_shader *shader, const ag_picture *kernel,
                               const ag_wiener_canvas *c, ag_handle info, ag_texture *shape)
{
    const ag_texture *k = kernel->shape;
    int32_t w = c->size[0], h = c->size[1], columns = w / 2 + 1;
    // No other constants have such a key: their second word is -2, -1 or a radix.
    int32_t key[8] = {w, -3, h};
    ag_handle turns = ag_shared_constants(f, "afterglow turns", key, 2 * ((size_t)w + (size_t)h),
                                          fill_turns, c->size);
    uint64_t bytes = (uint64_t)columns * (uint64_t)h * 8;
    ag_handle lines[2] = {ag_scratch(f, "Wiener lines 0", bytes),
                          ag_scratch(f, "Wiener lines 1", bytes)};
    ag_picture result = ag_own_picture(f,
                                       &(ag_own){.name = "Wiener taps",
                                                 .format = GL_RGBA32F,
                                                 .width = w,
                                                 .height = h,
                                                 .layers = 1,
                                                 .temporary = true},
                                       shape);
    part_lines parts[PARTS] = {[AG_TAPS_ROWS] = {columns, k->rect_height, k->rect_width},
                               [AG_TAPS_COLUMNS] = {columns, h, k->rect_height},
                               [AG_TAPS_COLUMNS_BACK] = {columns, h, h},
                               [AG_TAPS_ROWS_BACK] = {w, h, columns}};
    *shape = (ag_texture){.format = GL_RGBA32F,
                          .target = GL_TEXTURE_2D,
                          .layers = 1,
                          .rect_width = w,
                          .rect_height = h};
    for (int32_t channel = 0; channel < c->channels; ++channel)
        for (int32_t i = 0; i < PARTS; ++i) {
            ag_uniform uniforms[] = {
                [2] = AG_INTS(AG_LOC_PART, i, channel, 0, 0),
                AG_INTS(AG_LOC_KERNEL, k->rect_width / 2, k->rect_height / 2, 0, 0),
                AG_FLOATS(AG_LOC_WIENER, (float)(1 / ((double)w * h)), (float)c->noise, 0, 0),
                AG_INTS(AG_LOC_POINTS, w, h, 0, 0),
            };
            ag_read_uniforms(uniforms, kernel, c->channels, c->scrub, 0);
            // The last part keeps the channels before.
            ag_dispatch d = {.shader = shader,
                             .images[AG_IMAGE_SRC] = ag_packed_view(kernel, AG_READ, 0),
                             .images[AG_IMAGE_DST] = ag_picture_view(
                                 &result, i == AG_TAPS_ROWS_BACK ? AG_READ | AG_WRITE : 0, 0),
                             .ranges[AG_SSBO_LINES_IN] =
                                 ag_all(lines[(i + 1) % 2], i == AG_TAPS_ROWS ? 0 : AG_READ),
                             .ranges[AG_SSBO_LINES_OUT] =
                                 ag_all(lines[i % 2], i == AG_TAPS_ROWS_BACK ? 0 : AG_WRITE),
                             .ranges[AG_SSBO_TURNS] = ag_all(turns, AG_READ),
                             .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                             .uniforms = uniforms,
                             .uniform_count = AG_COUNT_OF(uniforms)};
            ag_frame_step(f, "Wiener taps");
            part_dispatches(f, &parts[i], &d, &uniforms[2]);
        }
    return result;
}
