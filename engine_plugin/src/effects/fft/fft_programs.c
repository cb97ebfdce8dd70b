// fft_programs.c - the programs and constants of an FFT convolution, by their defines
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_steps.h"

#include <afterglow/convolve.h>
#include <stdio.h>

void ag_line_defines(const ag_fft_line *line, ag_defines *defines)
{
    ag_define(defines, "N", line->length);
    for (int32_t order = 0; order < 2; ++order) {
        char letter = order ? 'Q' : 'R', name[16];
        for (int32_t s = 0; s < AG_FFT_MAX_STAGES; ++s) {
            int32_t at = order ? line->stages - 1 - s : s;
            snprintf(name, sizeof name, "%c%d", letter, s);
            ag_define(defines, name, s < line->stages ? line->radix[at] : 1);
            if (s == AG_FFT_MAX_STAGES - 1)
                continue;
            bool exchange = s < line->stages - 1;
            snprintf(name, sizeof name, "%c_BLOCK%d", letter, s);
            ag_define(defines, name, exchange ? line->block[order][s] : 1);
            snprintf(name, sizeof name, "%c_PAD%d", letter, s);
            ag_define(defines, name, exchange ? line->pad[order][s] : 0);
        }
    }
    ag_define(defines, "LAST", line->radix[line->stages - 1]);
    ag_define(defines, "BACK", ag_fft_twiddle_count(line, false));
    ag_define(defines, "THREADS", line->threads);
    ag_define(defines, "ELEMENTS", line->elements);
    ag_define(defines, "LINES", line->lines);
    ag_define(defines, "GROUP", line->threads * line->lines);
    ag_define(defines, "STRIDE", line->stride);
    ag_define(defines, "SPLIT", line->split);
    ag_define(defines, "TILE", AG_FFT_TILE);
}

// What fft/spectrum.glsl wants to know. A kernel's own rows are always full.
static void add_storage(ag_defines *defines, const ag_fft_plan *plan, bool kernel)
{
    ag_define(defines, "COMPACT", !kernel && plan->request.storage == AG_STORAGE_COMPACT);
    ag_define(defines, "SHARE", plan->share);
    ag_define(defines, "EXACT", AG_FFT_EXACT);
}

// Whether places of a padded line hold anything but the image in order, then zeros.
static bool bordered(const ag_fft_axis *axis, int32_t border)
{
    return !axis->periodic && border != AG_BORDER_ZERO;
}

// Measured: docs/rejected.md.
static int32_t counting(const ag_fft_plan *plan)
{
    bool padded = plan->x.line.length != plan->request.width;
    return !padded && plan->x.line.elements <= 16 ? AG_COUNT_BITS : AG_COUNT_AGAIN;
}

bool ag_hands_alpha_on(const ag_fft_plan *plan)
{
    return plan->alpha_bytes > 0 && !plan->spread;
}

ag_status ag_rows_program(const ag_preparation *prep, const ag_fft_plan *plan,
                          const ag_format *format, ag_reading reading, ag_rows_kind kind,
                          const ag_program **program)
{
    ag_defines defines = {0};
    bool kernel = kind == AG_ROWS_KERNEL;
    ag_line_defines(&plan->x.line, &defines);
    ag_source_defines(format, reading, &defines);
    ag_define(&defines, "CHANNELS",
              kernel         ? plan->request.kernel_channels
              : plan->spread ? 1
                             : plan->request.channels);
    ag_define(&defines, "SPREAD", !kernel && plan->spread);
    ag_define(&defines, "BORDERED", kernel || bordered(&plan->x, plan->request.border));
    // With a border every place is asked for its texel: one program for all widths.
    ag_define(&defines, "PADDED",
              kernel || bordered(&plan->x, plan->request.border) ||
                  plan->x.line.length != plan->request.width);
    ag_define(&defines, "KERNEL", kernel);
    ag_define(&defines, "FILTERED", kind == AG_ROWS_FILTERED);
    ag_define(&defines, "WINDOWED", 0);
    ag_define(&defines, "ALPHA", kind == AG_ROWS_PLAIN && ag_hands_alpha_on(plan));
    ag_define(&defines, "BANDED", !kernel && plan->kept < plan->columns);
    ag_define(&defines, "COUNTING", counting(plan));
    add_storage(&defines, plan, kernel);
    return ag_program_get(prep, "fft/rows_forward.comp", &defines, program);
}

ag_status ag_columns_program(const ag_preparation *prep, const ag_fft_plan *plan, bool kernel,
                             const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&plan->y.line, &defines);
    ag_define(&defines, "MODE", kernel ? AG_COLUMNS_KERNEL : AG_COLUMNS_CONVOLVE);
    ag_define(&defines, "BORDERED", kernel || bordered(&plan->y, plan->request.border));
    ag_define(&defines, "PADDED", kernel || 2 * plan->pairs != plan->y.line.length);
    add_storage(&defines, plan, kernel);
    return ag_program_get(prep, "fft/columns.comp", &defines, program);
}

ag_status ag_back_program(const ag_preparation *prep, const ag_fft_plan *plan,
                          const ag_fft_steps_io *io, ag_back_kind kind, const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&plan->rows_back, &defines);
    bool alone = kind == AG_BACK_ALONE;
    ag_source_defines(io->src, alone ? AG_BY_IMAGE : io->reading, &defines);
    ag_define(&defines, "CHANNELS", plan->request.channels);
    ag_define(&defines, "ALONE", alone);
    ag_define(&defines, "FILTERED", kind == AG_BACK_FILTERED);
    ag_define(&defines, "SPREAD", plan->spread);
    ag_define(&defines, "BANDED", plan->kept < plan->columns);
    ag_define(&defines, "STORE", io->dst->store);
    add_storage(&defines, plan, false);
    return ag_program_get(prep, "fft/rows_back.comp", &defines, program);
}

bool ag_fft_steps_samples(const ag_format *src)
{
    return src->words == AG_WORDS_16_16 && src->channels == 4;
}

ag_fft_steps_io ag_fft_steps_io_of(const ag_request *request, int src, int dst)
{
    return (ag_fft_steps_io){request->formats[src], request->formats[dst],
                             ag_reading_of(request, src)};
}

ag_status ag_frame_programs(const ag_preparation *prep, const ag_fft_plan *plan,
                            const ag_fft_steps_io *io, bool filters, ag_fft_steps *made)
{
#define PLACE(member) (made ? &made->member : NULL)
    ag_status status =
        ag_rows_program(prep, plan, io->src, io->reading, AG_ROWS_PLAIN, PLACE(rows));
    if (status >= 0 && filters)
        status = ag_rows_program(prep, plan, io->src, io->reading, AG_ROWS_FILTERED,
                                 PLACE(rows_filtered));
    if (status >= 0)
        status = ag_columns_program(prep, plan, false, PLACE(columns));
    if (status >= 0)
        status = ag_back_program(prep, plan, io, AG_BACK_PLAIN, PLACE(back));
    if (status >= 0 && filters)
        status = ag_back_program(prep, plan, io, AG_BACK_FILTERED, PLACE(back_filtered));
    if (status >= 0 && ag_hands_alpha_on(plan))
        status = ag_back_program(prep, plan, io, AG_BACK_ALONE, PLACE(back_alone));
#undef PLACE
    return status;
}

ag_status ag_fft_steps_programs(const ag_preparation *prep, const ag_fft_plan *plan,
                                const ag_fft_steps_io *io, const ag_format *kernel, bool filters)
{
    ag_status status = ag_frame_programs(prep, plan, io, filters, NULL);
    if (status < 0 || !kernel)
        return status;
    status = ag_rows_program(prep, plan, kernel, AG_BY_IMAGE, AG_ROWS_KERNEL, NULL);
    if (status >= 0)
        status = ag_columns_program(prep, plan, true, NULL);
    if (status >= 0)
        status = ag_kernel_sum_program(prep, kernel, NULL);
    return status < 0 ? status : ag_kernel_shape_program(prep, kernel, NULL);
}

static void fill_table(const void *line, float *table)
{
    ag_fft_twiddles(line, table);
}

ag_status ag_line_twiddles(ag_gpu *gpu, const ag_fft_line *line, const ag_memory **memory)
{
    int32_t key[8] = {line->length};
    for (int i = 0; i < AG_FFT_MAX_STAGES; ++i)
        key[1 + i] = line->radix[i];
    return ag_gpu_constants(gpu, "afterglow twiddles", key,
                            4 * (size_t)ag_fft_twiddle_count(line, true), fill_table, line, memory);
}
