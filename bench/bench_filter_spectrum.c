// bench_filter_spectrum.c - the effect "filter_spectrum" on whole frames
// SPDX-License-Identifier: MIT
//
// A lowpass, which has one real weight a frequency, on the image's own period and with mirrored
// borders; beside a copy of the frame.
#include "baselines/copy_pair.h"
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <stdio.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

static const copy_pair frame = {
    "filter_spectrum", "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F, 8, 8};

static int measure_one(bench *owner, const picture *source, const char *border)
{
    const pass_case timed = {.effect = "filter_spectrum",
                             .settings = {border},
                             .source = source,
                             .source_format = GL_RGBA16F,
                             .target_format = GL_RGBA16F,
                             .target_width = source->width,
                             .target_height = source->height};
    const pass_expected unchecked = {0}; // tests/fft/test_filter_spectrum.c checks results
    report_row row = {.effect = "filter_spectrum",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    snprintf(row.variant, sizeof row.variant, "lowpass, %s", border);
    return pass_bench(owner, &timed, &unchecked, &row);
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        picture scene = picture_scene(chosen[i].width, chosen[i].height);
        status = scene.texels ? copy_pair_bench(self, &scene, &frame) : fail_memory();
        if (status == STATUS_OK)
            status = measure_one(self, &scene, "border=wrap");
        if (status == STATUS_OK)
            status = measure_one(self, &scene, "border=mirror");
        picture_free(&scene);
    }
    return status;
}

const bench_effect bench_filter_spectrum = {"filter_spectrum", run, false};
