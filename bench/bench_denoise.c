// bench_denoise.c - the effect "denoise": its filters and rules beside a copy
// SPDX-License-Identifier: MIT
//
// "given" leaves the statistics out, so the difference is their price. tests/denoise checks
// results.
#include "baselines/denoise_ways.h"
#include "effects.h"

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};

static const effect_case cases[] = {
    {"haar", .settings = "filter=haar"},
    {"haar, 5 levels", .settings = "filter=haar levels=5"},
    {"haar, 6 levels", .settings = "filter=haar levels=6"},
    {"haar, bayes_local", .settings = "filter=haar rule=bayes_local"},
    {"haar, given", .settings = "filter=haar rule=given sigma=0.05"},
    {"haar, exact", .settings = "filter=haar exact=on"},
    {"ti_haar", .settings = NULL},
    {"ti_haar, 2 levels", .settings = "levels=2"},
    {"ti_haar, hard, given", .settings = "threshold=hard rule=given sigma=0.05 strength=3"},
    {"ti_haar, bayes_local", .settings = "rule=bayes_local"},
    {"ti_haar, 6 levels", .settings = "levels=6"},
    {"ti_haar, group", .settings = "threshold=group"},
    {"ti_haar, log", .settings = "space=log"},
    {"dwt, cdf97", .settings = "filter=dwt"},
    {"dwt, cdf97, given", .settings = "filter=dwt rule=given sigma=0.05"},
    {"dwt, db2", .settings = "filter=dwt wavelet=db2"},
    {"atrous, 5 levels", .settings = "filter=atrous levels=5 sigma=0.05"},
    {"atrous, 1 level", .settings = "filter=atrous levels=1 sigma=0.05"},
    {"atrous, 5 levels, estimated", .settings = "filter=atrous levels=5"},
};

// A plain library takes even sizes; blocks of five levels are halved four times.
static int measure_baselines(bench *self, int width, int height)
{
    int status = denoise_way_bench(self, width / 8 * 8, height / 8 * 8);
    return status == 0 ? atrous_permuted_bench(self, width / 32 * 32, height / 32 * 32) : status;
}

const bench_effect bench_denoise = {"denoise",
                                    .cases = cases,
                                    .case_count = COUNT(cases),
                                    .sizes = sizes,
                                    .size_count = COUNT(sizes),
                                    .quick_count = 1,
                                    .source = picture_noisy,
                                    .frame = true,
                                    .after = measure_baselines};
