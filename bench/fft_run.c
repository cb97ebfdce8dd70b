// fft_run.c - measures the effect "fft" once, and its reference
// SPDX-License-Identifier: MIT
#include "fft_run.h"

#include <math.h>
#include <stdio.h>

int fft_measure(bench *owner, int width, int height, const fft_run *run, double *time)
{
    char settings[192];
    GLenum from = run->source_format ? run->source_format : GL_RGBA32F;
    pass_case timed = {.effect = run->ladder ? "fft_ladder" : "fft",
                       .ladder = run->ladder,
                       .settings = settings,
                       .tuning = run->tuning,
                       .width = width,
                       .height = height,
                       .slots = {{"src", from, .make = picture_scene},
                                 {"dst", .format = run->picture ? run->picture : GL_RGBA32F}}};
    pass_slot *more = &timed.slots[2];
    report_row row = {.subject = "afterglow"};
    if (run->complex_in)
        *more++ = (pass_slot){"src_imag", from, .make = picture_scene};
    if (!run->picture)
        *more = (pass_slot){"dst_imag", .format = run->packed ? GL_RG32F : GL_RGBA32F};
    snprintf(settings, sizeof settings, "method=%s direction=%s%s%s%s", run->method, run->direction,
             run->packed ? " packing=rgba_rg" : "", run->settings ? " " : "",
             run->settings ? run->settings : "");
    snprintf(row.effect, sizeof row.effect, "%s", run->effect);
    snprintf(row.variant, sizeof row.variant, "%s %s%s%s%s", run->method, run->direction,
             run->complex_in ? " complex" : "", run->variant ? ", " : "",
             run->variant ? run->variant : "");
    int status = pass_bench(owner, &timed, run->right, &row);
    *time = row.times.hot.median;
    return status;
}

pass_expected fft_expected(const picture *source, bool complex_in)
{
    pass_expected right = {.values = reference_transform(source, complex_in), .scale = 1};
    size_t count = 3 * (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; right.values && i < count; i++)
        right.scale = fmax(right.scale, fabs(right.values[i]));
    return right;
}
