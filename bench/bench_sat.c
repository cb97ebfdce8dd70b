// bench_sat.c - the effect "sat", and a copy between the same two textures
// SPDX-License-Identifier: MIT
//
// "sat" measures the plan that the effect chooses. "sat_variants" runs only when it is named. It
// measures every tile and number of threads, shared memory instead of subgroups, small tables whose
// last dispatch adds the block prefixes, and the other method: effects/sat/sat_plan.c chooses by
// these figures.
#include "baselines/copy_pair.h"
#include "effects.h"
#include "sat_expected.h"

#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {512, 512}, {4096, 4096}, {8192, 8192}};

static const copy_pair pairs[] = {
    {"sat", "rgba16f to rgba32f", GL_RGBA16F, GL_RGBA32F},
    {"sat", "r32f to r32f", GL_R32F, GL_R32F},
    {"sat", "r8 to r32f", GL_R8, GL_R32F},
};

static double *expected_channels(const picture *source, double *largest, size_t channels)
{
    size_t width = (size_t)source->width, texels = width * (size_t)source->height;
    bool checked = source->width <= 4096; // in double that is 24 bytes a texel
    double *out = checked ? calloc(3 * texels, sizeof *out) : NULL;
    *largest = 0;
    for (size_t c = 0; out && c < channels; c++)
        for (size_t i = 0; i < texels; i++) {
            double left = i % width ? out[3 * (i - 1) + c] : 0;
            double above = i >= width ? out[3 * (i - width) + c] : 0;
            double both = i % width && i >= width ? out[3 * (i - width - 1) + c] : 0;
            out[3 * i + c] = left + above - both + (double)source->texels[4 * i + c];
            *largest = out[3 * i + c] > *largest ? out[3 * i + c] : *largest;
        }
    return out;
}

double *sat_expected(const picture *source, double *largest)
{
    return expected_channels(source, largest, 3);
}

static double *expected_of_one(const picture *source, double *largest)
{
    return expected_channels(source, largest, 1);
}

// By a method and a tuning, both with a name in reports.
static int measure_by(bench *self, int width, int height, const copy_pair *pair, const char *name,
                      const char *setting, ag_tuning tuning)
{
    char settings[64], variant[REPORT_TEXT];
    snprintf(settings, sizeof settings, "storage=float32%s", setting);
    snprintf(variant, sizeof variant, "%s%s", pair->variant, name);
    effect_case by = {variant, settings, .from = pair->from, .to = pair->to, .tuning = tuning};
    // At ties GL lets the driver choose how values round to 8 bits.
    if (!*name && pair->from != GL_R8 && reference_name)
        by.expect = pair->from == GL_R32F ? expected_of_one : sat_expected;
    return effect_measure(self, &bench_sat, &by, width, height, NULL);
}

static int measure_variants(bench *self, int width, int height, const copy_pair *pair)
{
    static const char *const tiles[] = {
        [AG_TILE_32] = "32", [AG_TILE_64X32] = "64x32", [AG_TILE_64] = "64"};
    int status = 0;
    char name[64];
    for (int t = AG_TILE_32; t <= AG_TILE_64 && status == 0; t++) {
        ag_tuning tuning = {.tile = t, .carry = AG_CARRY_STEP};
        for (int n = 64; n <= 512 && status == 0; n *= 2) {
            snprintf(name, sizeof name, " carry=step tile=%s threads=%d", tiles[t], n);
            tuning.threads = n;
            status = measure_by(self, width, height, pair, name, "", tuning);
        }
        snprintf(name, sizeof name, " carry=folded tile=%s", tiles[t]);
        tuning = (ag_tuning){.tile = t, .carry = AG_CARRY_FOLDED};
        if (status == 0 && width < 4096)
            status = measure_by(self, width, height, pair, name, "", tuning);
    }
    return status == 0 ? measure_by(self, width, height, pair, " without subgroups", "",
                                    (ag_tuning){.without = AG_WITHOUT_SUBGROUPS})
                       : status;
}

static int measure_pairs(bench *self, int width, int height)
{
    int status = 0;
    for (int i = 0; i < COUNT(pairs) && status == 0; i++) {
        status = copy_pair_bench(self, width, height, &pairs[i]);
        if (status == 0)
            status = measure_by(self, width, height, &pairs[i], "", "", (ag_tuning){0});
    }
    return status;
}

static int measure_all_variants(bench *self, int width, int height)
{
    int status = 0;
    for (int i = 0; i < COUNT(pairs) && status == 0; i++) {
        status = copy_pair_bench(self, width, height, &pairs[i]);
        if (status == 0)
            status = measure_variants(self, width, height, &pairs[i]);
    }
    return status;
}

const bench_effect bench_sat = {"sat", .sizes = sizes, .size_count = COUNT(sizes), .quick_count = 2,
                                .after = measure_pairs};
const bench_effect bench_sat_variants = {"sat_variants",   .only_named = true,
                                         .sizes = sizes,   .size_count = COUNT(sizes),
                                         .quick_count = 2, .after = measure_all_variants};
