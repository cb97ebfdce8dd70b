// fft_shaders.c - the shaders and the constants of lines, and what effects tell of them
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_shaders.h"

#include <stdio.h>

bool ag_fft_samples(const ag_format *src)
{
    return src->words == AG_PACKING_16_16 && src->channels == 4;
}

void ag_composite_defines(const ag_format *dst, ag_defines *defines)
{
    ag_define(defines, "STORE", dst->store);
    // Only 16-bit floats are packed by channels: other formats share programs.
    ag_define(defines, "DST_CHANNELS", dst->store == AG_STORE_16F ? dst->channels : 4);
    ag_define(defines, "COMPRESSES", dst->expands);
}

// ---- lines -------------------------------------------------------------------------------------

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

static void line_defines(const ag_fft_line *line, ag_direction direction, ag_defines *defines)
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
}

ag_shader *ag_line_shader(ag_frame *f, const char *path, const ag_fft_line *line,
                          ag_direction direction)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        line_defines(line, direction, defines);
    return shader;
}

static void fill_table(const void *line, float *table)
{
    ag_fft_twiddles(line, table);
}

ag_handle ag_frame_twiddles(ag_frame *f, const ag_fft_line *line)
{
    int32_t key[8] = {line->length};
    for (int i = 0; i < AG_FFT_MAX_STAGES; ++i)
        key[1 + i] = line->radix[i];
    return ag_shared_constants(f, "afterglow twiddles", key,
                               4 * (size_t)ag_fft_twiddle_count(line, true), fill_table, line);
}

void ag_lines_say(ag_frame *f, const ag_fft_line *rows, const ag_fft_line *columns)
{
    char x[128], y[128];
    if (!ag_frame_is_planned(f))
        return;
    ag_fft_describe(rows, x, sizeof x);
    ag_fft_describe(columns, y, sizeof y);
    ag_frame_text(f, "; rows %s; columns %s", x, y);
}
