// fft_run.c - measures the effect "fft" once, and its reference
// SPDX-License-Identifier: MIT
#include "fft_run.h"

#include <math.h>
#include <stdio.h>

int fft_measure(bench *owner, const picture *source, const fft_run *run, double *time)
{
    char method[40], direction[40];
    snprintf(method, sizeof method, "method=%s", run->method);
    snprintf(direction, sizeof direction, "direction=%s", run->direction);
    const pass_case timed = {.effect = "fft",
                             .settings = {method, direction,
                                          run->packed ? "packing=rgba_rg" : NULL},
                             .tuning = run->tuning,
                             .source = source,
                             .source_format = run->source_format ? run->source_format : GL_RGBA32F,
                             .source_plane = run->complex_in ? "src_imag" : NULL,
                             .target_format = run->picture ? run->picture : GL_RGBA32F,
                             .target_plane = run->picture ? NULL : "dst_imag",
                             .target_plane_format = run->packed ? GL_RG32F : GL_RGBA32F,
                             .target_width = source->width,
                             .target_height = source->height};
    const pass_expected unchecked = {0};
    report_row row = {.subject = "afterglow", .width = source->width, .height = source->height};
    snprintf(row.effect, sizeof row.effect, "%s", run->effect);
    snprintf(row.variant, sizeof row.variant, "%s %s%s%s%s", run->method, run->direction,
             run->complex_in ? " complex" : "", run->variant ? ", " : "",
             run->variant ? run->variant : "");
    int status = pass_bench(owner, &timed, run->right ? run->right : &unchecked, &row);
    *time = row.times.hot.median;
    return status;
}

pass_expected fft_expected(const picture *source, bool complex_in)
{
    pass_expected right = {.expected = reference_transform(source, complex_in), .scale = 1};
    size_t count = 3 * (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; right.expected && i < count; i++)
        right.scale = fmax(right.scale, fabs(right.expected[i]));
    return right;
}
