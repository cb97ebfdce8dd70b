// fft_shaders.c - the shaders and constants of an FFT convolution, by their defines
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_shaders.h"

#include <afterglow/convolve.h>
#include <stdio.h>

// The radices in an order, and what their stages need (shaders/fft/line.glsl).
static void add_order(const ag_fft_line *line, int32_t order, char letter, ag_defines *defines)
{
    char name[16];
    for (int32_t s = 0; s < AG_FFT_MAX_STAGES; ++s) {
        snprintf(name, sizeof name, "%c%d", letter, s);
        ag_define(defines, name,
                  s >= line->stages ? 1 : line->radix[order ? line->stages - 1 - s : s]);
    }
    // Of each stage: the product of the former radices, where its twiddles begin, and the padding
    // of the exchange behind it.
    int32_t before = 1, row = order ? ag_fft_twiddle_count(line, false) : 0;
    ag_defines_add(defines, "#define %c_STAGES int[%d](", letter, 4 * AG_FFT_MAX_STAGES);
    for (int32_t s = 0; s < AG_FFT_MAX_STAGES; ++s) {
        bool exchanges = s < line->stages - 1, last = s == AG_FFT_MAX_STAGES - 1;
        int32_t radix = s < line->stages ? line->radix[order ? line->stages - 1 - s : s] : 1;
        ag_defines_add(defines, "%d, %d, %d, %d%s", before, row,
                       exchanges ? line->block[order][s] : 1, exchanges ? line->pad[order][s] : 0,
                       last ? ")\n" : ", ");
        row += s && s < line->stages ? before * (radix > 4 ? 2 : 1) : 0;
        before *= radix;
    }
}

void ag_line_defines(const ag_fft_line *line, ag_direction direction, ag_defines *defines)
{
    bool inverse = direction == AG_LINE_INVERSE;
    ag_define(defines, "N", line->length);
    add_order(line, inverse, 'R', defines);
    ag_define(defines, "LAST", line->radix[inverse ? 0 : line->stages - 1]);
    if (direction == AG_LINE_FORWARD_AND_INVERSE)
        add_order(line, 1, 'Q', defines);
    ag_define(defines, "THREADS", line->threads);
    ag_define(defines, "ELEMENTS", line->elements);
    ag_define(defines, "LINES", line->lines);
    ag_define(defines, "GROUP", line->threads * line->lines);
    ag_define(defines, "STRIDE", line->stride);
    ag_define(defines, "SPLIT", line->split);
    ag_define(defines, "TILE", AG_FFT_TILE);
}

// What fft/compact.glsl wants to know.
static void add_storage(ag_defines *defines, const ag_fft_plan *plan)
{
    if (plan->request.storage != AG_STORAGE_COMPACT)
        return;
    ag_define(defines, "SHARE", plan->share);
    ag_define(defines, "EXACT", AG_FFT_EXACT);
}

// BORDERED of shaders/fft/columns_load.glsl: places of a padded line hold 0: the image in order,
// then zeros; 1: what a border repeats; 2: a ramp behind the image.
static int32_t bordered(const ag_fft_axis *axis, int32_t border)
{
    if (axis->periodic || border == AG_BORDER_ZERO)
        return 0;
    return border == AG_OUTSIDE_RAMP ? 2 : 1;
}

bool ag_fft_stores_alpha(const ag_fft_plan *plan)
{
    return plan->alpha_bytes > 0 && !plan->per_channel;
}

// What fft/rows_store.glsl and rows_load.glsl want to know.
static void add_band(ag_defines *defines, const ag_fft_plan *plan, bool kernel)
{
    ag_define(defines, "BAND_LIMITED", !kernel && plan->kept < plan->columns);
    ag_define(defines, "NARROW", !kernel && plan->narrow);
}

static void rows_defines(const ag_fft_plan *plan, const ag_fft_io *io, ag_defines *defines)
{
    int32_t borders = bordered(&plan->x, plan->request.border);
    ag_line_defines(&plan->x.line, AG_LINE_FORWARD, defines);
    ag_source_defines(io->src, io->reading, defines);
    ag_define(defines, "CHANNELS", plan->per_channel ? 1 : plan->request.channels);
    ag_define(defines, "PER_CHANNEL", plan->per_channel);
    if (!io->filterable) // of bloom, nothing lies beyond the image
        ag_define(defines, "BORDERED", borders);
    // With a border every place is mapped to a texel: one program for all widths.
    ag_define(defines, "PADDED", borders || plan->x.line.length != plan->request.width);
    ag_define(defines, "ALPHA", ag_fft_stores_alpha(plan));
    add_band(defines, plan, false);
    add_storage(defines, plan);
}

static void columns_defines(const ag_fft_plan *plan, ag_defines *defines)
{
    const ag_fft_line *line = &plan->y.line;
    if (line->in_place) {
        ag_define(defines, "N", line->length);
        ag_define(defines, "HEAD", line->radix[0]);
        ag_define(defines, "FOURS", line->stages - 1);
        ag_define(defines, "LINES", line->lines);
        ag_define(defines, "GROUP", line->threads * line->lines);
        ag_define(defines, "TILE", AG_FFT_TILE);
    } else {
        ag_line_defines(line, AG_LINE_FORWARD_AND_INVERSE, defines);
        ag_define(defines, "PADDED", 2 * plan->pairs != line->length);
    }
    ag_define(defines, "BORDERED", bordered(&plan->y, plan->request.border));
    add_storage(defines, plan);
}

void ag_composite_defines(const ag_format *dst, ag_defines *defines)
{
    ag_define(defines, "STORE", dst->store);
    ag_define(defines, "DST_CHANNELS", dst->channels);
    ag_define(defines, "COMPRESSES", dst->expands);
}

static void rows_c2r_defines(const ag_fft_plan *plan, const ag_fft_io *io, ag_defines *defines)
{
    ag_line_defines(&plan->rows_c2r, AG_LINE_INVERSE, defines);
    ag_source_defines(io->src, io->reading, defines);
    ag_define(defines, "CHANNELS", plan->request.channels);
    ag_define(defines, "PER_CHANNEL", plan->per_channel);
    ag_define(defines, "FILTERABLE", io->filterable);
    ag_composite_defines(io->dst, defines);
    add_band(defines, plan, false);
    add_storage(defines, plan);
}

static void rows_c2r_plain_defines(const ag_fft_plan *plan, ag_defines *defines)
{
    ag_line_defines(&plan->rows_c2r, AG_LINE_INVERSE, defines);
    ag_define(defines, "PER_CHANNEL", 0);
    add_band(defines, plan, false);
    add_storage(defines, plan);
}

static void kernel_rows_defines(const ag_fft_plan *plan, const ag_format *format,
                                ag_defines *defines)
{
    ag_line_defines(&plan->x.line, AG_LINE_FORWARD, defines);
    ag_source_defines(format, AG_BY_IMAGE, defines);
    ag_define(defines, "CHANNELS", plan->request.kernel_channels);
    add_band(defines, plan, true);
}

static void kernel_columns_defines(const ag_fft_plan *plan, ag_defines *defines)
{
    ag_line_defines(&plan->y.line, AG_LINE_FORWARD, defines);
    ag_define(defines, "BORDERED", 1);
    ag_define(defines, "PADDED", 1);
}

static void fill_table(const void *line, float *table)
{
    ag_fft_twiddles(line, table);
}

// ---- shaders -----------------------------------------------------------------------------------

// A shader by the storage of its spectra: NAME.comp or NAME_compact.comp.
static const char *by_storage(const ag_fft_plan *plan, const char *full, const char *compact)
{
    return plan->request.storage == AG_STORAGE_COMPACT ? compact : full;
}
#define BY_STORAGE(plan, name) by_storage(plan, "fft/" name ".comp", "fft/" name "_compact.comp")

ag_shader *ag_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io)
{
    ag_shader *shader = ag_frame_shader(f, io->filterable ? BY_STORAGE(plan, "bloom_rows_r2c")
                                                          : BY_STORAGE(plan, "rows_r2c"));
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        rows_defines(plan, io, defines);
    return shader;
}

ag_shader *ag_columns_shader(ag_frame *f, const ag_fft_plan *plan)
{
    ag_shader *shader =
        ag_frame_shader(f, plan->y.line.in_place ? BY_STORAGE(plan, "columns_band_limited")
                                                 : BY_STORAGE(plan, "columns"));
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        columns_defines(plan, defines);
    return shader;
}

ag_shader *ag_rows_c2r_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io)
{
    ag_shader *shader =
        ag_frame_shader(f, plan->per_channel ? BY_STORAGE(plan, "rows_c2r_per_channel")
                                             : BY_STORAGE(plan, "rows_c2r"));
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        rows_c2r_defines(plan, io, defines);
    return shader;
}

ag_shader *ag_rows_c2r_plain_shader(ag_frame *f, const ag_fft_plan *plan)
{
    ag_shader *shader = ag_frame_shader(f, BY_STORAGE(plan, "rows_c2r_plain"));
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        rows_c2r_plain_defines(plan, defines);
    return shader;
}

ag_shader *ag_kernel_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_format *format)
{
    ag_shader *shader = ag_frame_shader(f, "fft/kernel_rows.comp");
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        kernel_rows_defines(plan, format, defines);
    return shader;
}

ag_shader *ag_kernel_columns_shader(ag_frame *f, const ag_fft_plan *plan)
{
    ag_shader *shader = ag_frame_shader(f, "fft/kernel_columns.comp");
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        kernel_columns_defines(plan, defines);
    return shader;
}

ag_handle ag_frame_twiddles(ag_frame *f, const ag_fft_line *line)
{
    int32_t key[8] = {line->length};
    for (int i = 0; i < AG_FFT_MAX_STAGES; ++i)
        key[1 + i] = line->radix[i];
    return ag_shared_constants(f, "afterglow twiddles", key,
                               4 * (size_t)ag_fft_twiddle_count(line, true), fill_table, line);
}

ag_shader *ag_line_shader(ag_frame *f, const char *path, const ag_fft_line *line,
                          ag_direction direction)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_line_defines(line, direction, defines);
    return shader;
}

bool ag_fft_samples(const ag_format *src)
{
    return src->words == AG_PACKING_16_16 && src->channels == 4;
}

ag_fft_io ag_fft_io_of(const ag_request *request, int src, int dst, bool filterable)
{
    return (ag_fft_io){request->formats[src], request->formats[dst], ag_reading_of(request, src),
                       filterable};
}
