// bench_denoise.c - the effect "denoise": its filters and rules beside a copy
// SPDX-License-Identifier: MIT
#include "baselines/atrous_permuted.h"
#include "baselines/copy_pair.h"
#include "baselines/denoise_ways.h"
#include "bench.h"
#include "cli/report.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

static const copy_pair frame = {"denoise", "rgba16f to rgba16f", GL_RGBA16F, GL_RGBA16F, 8, 8};

// `given` leaves the statistics out, so the difference is their price.
static const struct {
    const char *variant, *settings[PASS_MAX_SETTINGS];
} cases[] = {
    {.variant = "haar", .settings = {"filter=haar"}},
    {.variant = "haar, 5 levels", .settings = {"filter=haar", "levels=5"}},
    {.variant = "haar, 6 levels", .settings = {"filter=haar", "levels=6"}},
    {.variant = "haar, bayes_local", .settings = {"filter=haar", "rule=bayes_local"}},
    {.variant = "haar, given", .settings = {"filter=haar", "rule=given", "sigma=0.05"}},
    {.variant = "haar, exact", .settings = {"filter=haar", "exact=on"}},
    {.variant = "ti_haar", .settings = {NULL}},
    {.variant = "ti_haar, 2 levels", .settings = {"levels=2"}},
    {.variant = "ti_haar, hard, given",
     .settings = {"threshold=hard", "rule=given", "sigma=0.05", "strength=3"}},
    {.variant = "ti_haar, bayes_local", .settings = {"rule=bayes_local"}},
    {.variant = "ti_haar, 6 levels", .settings = {"levels=6"}},
    {.variant = "ti_haar, group", .settings = {"threshold=group"}},
    {.variant = "ti_haar, log", .settings = {"space=log"}},
    {.variant = "dwt, cdf97", .settings = {"filter=dwt"}},
    {.variant = "dwt, cdf97, given", .settings = {"filter=dwt", "rule=given", "sigma=0.05"}},
    {.variant = "dwt, db2", .settings = {"filter=dwt", "wavelet=db2"}},
    {.variant = "atrous, 5 levels", .settings = {"filter=atrous", "levels=5", "sigma=0.05"}},
    {.variant = "atrous, 1 level", .settings = {"filter=atrous", "levels=1", "sigma=0.05"}},
    {.variant = "atrous, 5 levels, estimated", .settings = {"filter=atrous", "levels=5"}},
};

// Noise of sigma 0.05, as a sum of uniform numbers.
static void add_noise(picture *scene)
{
    uint32_t random = 1;
    for (int i = 0; scene->texels && i < 4 * scene->width * scene->height; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            random = random * 1664525u + 1013904223u;
            sum += (float)(random >> 8) / 16777216 - 0.5f;
        }
        scene->texels[i] += 0.05f * sum * sqrtf(3);
    }
}

static int measure_size(bench *owner, bench_size size)
{
    picture scene = picture_scene(size.width, size.height);
    add_noise(&scene);
    int status = scene.texels ? copy_pair_bench(owner, &scene, &frame) : fail_memory();
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == STATUS_OK; i++) {
        pass_case timed = {.effect = "denoise",
                           .source = &scene,
                           .source_format = GL_RGBA16F,
                           .target_format = GL_RGBA16F,
                           .target_width = size.width,
                           .target_height = size.height};
        for (int k = 0; k < PASS_MAX_SETTINGS; k++)
            timed.settings[k] = cases[i].settings[k];
        const pass_expected unchecked = {0}; // tests/denoise checks results
        report_row row = {.effect = "denoise",
                          .subject = "afterglow",
                          .width = size.width,
                          .height = size.height};
        snprintf(row.variant, sizeof row.variant, "%s", cases[i].variant);
        status = pass_bench(owner, &timed, &unchecked, &row);
    }
    picture_free(&scene);
    // a plain library takes even sizes
    scene = picture_scene(size.width / 8 * 8, size.height / 8 * 8);
    if (status == STATUS_OK)
        status = scene.texels ? denoise_way_bench(owner, &scene) : fail_memory();
    picture_free(&scene);
    // blocks of five levels are halved four times
    scene = picture_scene(size.width / 32 * 32, size.height / 32 * 32);
    add_noise(&scene);
    if (status == STATUS_OK)
        status = scene.texels ? atrous_permuted_bench(owner, &scene) : fail_memory();
    picture_free(&scene);
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i]);
    return status;
}

const bench_effect bench_denoise = {"denoise", run, false};
