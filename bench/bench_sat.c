// bench_sat.c - the effect "sat", and a copy between the same two textures
// SPDX-License-Identifier: MIT
//
// "sat" measures the plan that the effect chooses. "sat_variants" runs only when it is named. It
// measures every tile and number of threads, shared memory instead of subgroups, small tables whose
// last dispatch adds the block prefixes, and the other method: effects/sat/sat_plan.c chooses by
// these figures.
#include "baselines/copy_pair.h"
#include "bench.h"
#include "cli/report.h"
#include "cli/words.h"
#include "pass_bench.h"
#include "sat_expected.h"

#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {512, 512}, {4096, 4096}, {8192, 8192}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 2 };

static const copy_pair pairs[] = {
    {"sat", "rgba16f to rgba32f", GL_RGBA16F, GL_RGBA32F, 8, 16},
    {"sat", "r32f to r32f", GL_R32F, GL_R32F, 4, 4},
    {"sat", "r8 to r32f", GL_R8, GL_R32F, 1, 4},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

double *sat_expected(const picture *source, int channels, double *largest)
{
    size_t width = (size_t)source->width, texels = width * (size_t)source->height;
    double *out = calloc(3 * texels, sizeof *out);
    *largest = 0;
    for (size_t c = 0; out && c < (size_t)channels && c < 3; c++)
        for (size_t i = 0; i < texels; i++) {
            double left = i % width ? out[3 * (i - 1) + c] : 0;
            double above = i >= width ? out[3 * (i - width) + c] : 0;
            double both = i % width && i >= width ? out[3 * (i - width - 1) + c] : 0;
            out[3 * i + c] = left + above - both + (double)source->texels[4 * i + c];
            *largest = out[3 * i + c] > *largest ? out[3 * i + c] : *largest;
        }
    return out;
}

typedef struct way { // to make a table, and its name in reports
    const char *name, *setting;
    ag_tuning tuning;
} way;

static int measure_one(bench *owner, const picture *source, const copy_pair *pair, const way *by,
                       const pass_expected *right)
{
    const pass_case timed = {.effect = "sat",
                             .settings = {"storage=float32", by->setting},
                             .tuning = by->tuning,
                             .source = source,
                             .source_format = pair->from,
                             .target_format = pair->to,
                             .exact_format = pair->to,
                             .target_width = source->width,
                             .target_height = source->height};
    report_row row = {
        .effect = "sat", .subject = "afterglow", .width = source->width, .height = source->height};
    words variant = words_begin(row.variant, sizeof row.variant, " ");
    words_add(&variant, pair->variant);
    if (by->name)
        words_add(&variant, by->name);
    return pass_bench(owner, &timed, right, &row);
}

static int measure_variants(bench *owner, const picture *source, const copy_pair *pair)
{
    static const char *const tiles[] = {
        [AG_TILE_32] = "32", [AG_TILE_64X32] = "64x32", [AG_TILE_64] = "64"};
    const pass_expected unchecked = {0};
    int status = STATUS_OK;
    char name[64];
    for (int t = AG_TILE_32; t <= AG_TILE_64 && status == STATUS_OK; t++) {
        way by = {name, NULL, {.tile = t, .carry = AG_CARRY_STEP}};
        for (int n = 64; n <= 512 && status == STATUS_OK; n *= 2) {
            snprintf(name, sizeof name, "carry=step tile=%s threads=%d", tiles[t], n);
            by.tuning.threads = n;
            status = measure_one(owner, source, pair, &by, &unchecked);
        }
        snprintf(name, sizeof name, "carry=folded tile=%s", tiles[t]);
        by.tuning = (ag_tuning){.tile = t, .carry = AG_CARRY_FOLDED};
        if (status == STATUS_OK && source->width < 4096)
            status = measure_one(owner, source, pair, &by, &unchecked);
    }
    const way others[] = {{"without subgroups", NULL, {.without = AG_WITHOUT_SUBGROUPS}},
                          {"method=brlt_scanrow", "method=brlt_scanrow", {0}}};
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = measure_one(owner, source, pair, &others[i], &unchecked);
    return status;
}

static int measure_size(bench *owner, bench_size size, bool variants)
{
    int status = STATUS_OK;
    picture source = picture_scene(size.width, size.height);
    if (!source.texels)
        return fail_memory();
    for (int i = 0; i < PAIRS && status == STATUS_OK; i++) {
        double largest = 1;
        // At ties GL lets the driver choose how values round to 8 bits.
        bool checked = pairs[i].from != GL_R8 && reference_name && size.width <= 4096 && !variants;
        double *expected =
            checked ? sat_expected(&source, pairs[i].from == GL_R32F ? 1 : 3, &largest) : NULL;
        const pass_expected right = {expected, largest};
        status = copy_pair_bench(owner, &source, &pairs[i]);
        if (status == STATUS_OK && variants)
            status = measure_variants(owner, &source, &pairs[i]);
        else if (status == STATUS_OK)
            status = measure_one(owner, &source, &pairs[i], &(way){0}, &right);
        free(expected);
    }
    picture_free(&source);
    return status;
}

static int run_sizes(bench *self, bool variants)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i], variants);
    return status;
}

static int run(bench *self)
{
    return run_sizes(self, false);
}

static int run_variants(bench *self)
{
    return run_sizes(self, true);
}

const bench_effect bench_sat = {"sat", run, false};
const bench_effect bench_sat_variants = {"sat_variants", run_variants, true};
