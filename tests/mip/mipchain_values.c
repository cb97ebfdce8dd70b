// mipchain_values.c - values of levels: coverage, single texels, constants, NaN and Inf
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Alpha like that of leaves: blobs with soft edges, on transparent ground.
static double *leaves(rng *r, const char *format, int width, int height)
{
    double *values = chain_noise(r, format, (size_t)(width * height));
    double at[40][3];
    for (int i = 0; i < 40; ++i) {
        at[i][0] = rng_uniform(r, 0, width);
        at[i][1] = rng_uniform(r, 0, height);
        at[i][2] = rng_uniform(r, 1, 6);
    }
    for (int i = 0; i < width * height; ++i) {
        double alpha = 0;
        for (int k = 0; k < 40; ++k)
            alpha =
                fmax(alpha, at[k][2] - hypot(i % width - at[k][0], (double)i / width - at[k][1]));
        values[4 * i + 3] = fmin(fmax(alpha + rng_uniform(r, -0.2, 0.2), 0), 1);
        for (int k = 0; k < 3; ++k)
            values[4 * i + k] = fabs(values[4 * i + k]);
    }
    texture_quantise(format, values, (size_t)(width * height));
    return values;
}

static double share(const double *texels, size_t count, double reference)
{
    size_t covered = 0;
    for (size_t i = 0; i < count; ++i)
        covered += texels[4 * i + 3] >= reference;
    return (double)covered / (double)count;
}

// The nearest share to `wanted` that any threshold on these alphas has.
static double nearest_share(const double *texels, size_t count, double wanted)
{
    double best = fabs(0 - wanted);
    for (size_t i = 0; i < count; ++i)
        best = fmin(best, fabs(share(texels, count, fmin(texels[4 * i + 3], 1)) - wanted));
    return best;
}

// Each level covers what level 0 does, as nearly as its alphas allow; colours are those of weight
// alpha.
void test_coverage(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba8", "srgb8", "rgba16f", "rgb10a2", "rgba32f"};
    rng r = rng_start("coverage", 79);
    ag_pass *pass = fixture_pass(f, "mipchain"), *plain = fixture_pass(f, "mipchain");
    sweep *part = sweep_start("coverage", 4);
    for (int i = 0; i < 10; ++i) {
        if (!sweep_takes(part))
            continue;
        const char *format = formats[i % 5];
        int width = i % 2 ? 93 : 128, height = i % 2 ? 50 : 64;
        double *values = leaves(&r, format, width, height), worst_off = 0, large_off = 0;
        chain c = {format, width, height, chain_defaults(f), values};
        c.settings.reference = (float)(i < 5 ? 0.5 : rng_uniform(&r, 0.1, 0.95));
        double reference = (double)c.settings.reference;
        double wanted = share(values, (size_t)(width * height), reference);
        texture t[2];
        for (int k = 0; k < 2; ++k) {
            t[k] = chain_texture(f, &c);
            c.settings.weight = k ? AG_MIP_WEIGHT_ALPHA : AG_MIP_WEIGHT_COVERAGE;
            ag_texture slot = texture_view(&t[k]);
            ag_job job = chain_job(&slot, &c.settings);
            fixture_run(f, k ? plain : pass, &job);
            fixture_run(f, k ? plain : pass, &job); // histograms must be empty again
        }
        for (int level = 1; level < t[0].levels; ++level) {
            double *got = texture_read(f, &t[0], level), *bare = texture_read(f, &t[1], level);
            size_t count = texture_value_count(&t[0], level) / 4;
            double off = fabs(share(got, count, reference) - wanted);
            double allowed = nearest_share(bare, count, wanted);
            // 32-bit alphas are sorted as 16-bit ones
            double slack = strcmp(format, "rgba32f") == 0 ? 1.0 / 255 : 1e-7;
            CHECK_F(off <= allowed + slack, "%s level %d: off by %g, possible %g", format, level,
                    off, allowed);
            worst_off = check_worse(worst_off, off - 0.5 / (double)count);
            // A level has alphas of 8 bits: where many are equal, no threshold comes nearer.
            if (count > 255 && strcmp(format, "rgb10a2") != 0)
                large_off = fmax(large_off, off - fmax(allowed - 1.0 / 255, 0));
            for (size_t k = 0; k < 4 * count; ++k)
                CHECK(k % 4 == 3 || got[k] == bare[k]);
            free(got);
            free(bare);
        }
        char name[96];
        snprintf(name, sizeof name, "%s: share %.3f at %.3f, levels of more than 255 texels off by",
                 format, wanted, reference);
        CHECK_LIMIT(name, large_off, 1.0 / 255 + 1e-9);
        printf("        beyond half a texel, at any level: %.4f\n", worst_off);
        free(values);
        for (int k = 0; k < 2; ++k) {
            f->ag->forget(f->device, t[k].name);
            texture_destroy(f, &t[k]);
        }
    }
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(plain);
}

// A texel of 1 among zeros, at each place: its value at every level is its weight.
void test_impulses(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{2, 2}, {3, 3}, {5, 4}, {7, 5}, {9, 1}};
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    double largest = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int texels = sizes[s][0] * sizes[s][1];
        double *values = check_doubles((size_t)texels);
        chain c = {"r32f", sizes[s][0], sizes[s][1], chain_defaults(f), values};
        texture t = chain_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = chain_job(&slot, &c.settings);
        for (int i = 0; i < texels; ++i) {
            for (int k = 0; k < texels; ++k)
                values[k] = k == i;
            texture_upload(f, &t, 0, values);
            fixture_run(f, pass, &job);
            double w = 0;
            good &= chain_levels_right(f, &c, &t, &w);
            double *last = texture_read(f, &t, t.levels - 1);
            largest = check_worse(largest, fabs(*last * texels - 1)); // every texel counts alike
            free(last);
        }
        free(values);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
    CHECK_LIMIT("weights of single texels in the last level of 1 x 1", largest, 1e-6);
}

// One value everywhere stays itself at every level: no border takes in zeros, nothing overflows.
void test_constants(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *format;
        double value[4];
    } cases[] = {{"rgba8", {1, 0, 0, 1}},
                 {"srgb8", {1, 0, 0, 1}},
                 {"rgb10a2", {1, 0, 0, 1}},
                 {"rgba16f", {65504, 0, -65504, 1}},
                 {"r11g11b10f", {65024, 0, 64512, 1}},
                 {"rgba32f", {1e30, 0, -1e30, 1}}};
    ag_pass *pass = fixture_pass(f, "mipchain");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int channels = format_named(cases[i].format)->channels, width = 129, height = 71;
        double *values = check_doubles((size_t)(width * height * channels));
        for (int k = 0; k < width * height * channels; ++k)
            values[k] = cases[i].value[k % channels];
        chain c = {cases[i].format, width, height, chain_defaults(f), values};
        texture t = chain_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = chain_job(&slot, &c.settings);
        fixture_run(f, pass, &job);
        double off = 0;
        for (int level = 1; level < t.levels; ++level) {
            double *got = texture_read(f, &t, level);
            for (size_t k = 0; k < texture_value_count(&t, level); ++k) {
                double want = cases[i].value[k % (size_t)channels];
                double e = fabs(got[k] - want) / fmax(fabs(want), 1);
                off = !(e <= off) ? e : off;
            }
            free(got);
        }
        CHECK_LIMIT(cases[i].format, off,
                    strcmp(cases[i].format, "rgba32f") ? 0 : 8 * ldexp(1, -24));
        free(values);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    f->ag->pass_destroy(pass);
}

// A checker of black and white is 188 in sRGB at every level.
void test_checker(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "mipchain");
    double values[64 * 64 * 4];
    for (int i = 0; i < 64 * 64 * 4; ++i)
        values[i] = i % 4 == 3 ? 1 : (i / 4 + i / 256) % 2;
    chain c = {"srgb8", 64, 64, chain_defaults(f), values};
    texture t = chain_texture(f, &c);
    ag_texture slot = texture_view(&t);
    ag_job job = chain_job(&slot, &c.settings);
    fixture_run(f, pass, &job);
    for (int level = 1; level < t.levels; ++level) {
        uint8_t *codes = texture_read_bytes(f, &t, level);
        for (size_t i = 0; i < texture_byte_count(&t, level); ++i)
            CHECK_EQ(codes[i], i % 4 == 3 ? 255 : 188);
        free(codes);
    }
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    f->ag->pass_destroy(pass);
}

// NaN and Inf: 0 in means, and counted once each; min, max and minmax skip NaN and keep Inf.
void test_scrub(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f"};
    rng r = rng_start("scrub", 75);
    sweep *share = sweep_start("scrub", 4);
    for (int i = 0; i < 3 * 4 * 2; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *format = formats[i % 3];
        int width = i % 2 ? 37 : 64, height = i % 2 ? 1 + i : 64;
        if (i >= 3 * 4) { // of several tiles, and odd in y, too
            width = i % 2 ? 135 : 66;
            height = i % 4 < 2 ? 71 : 133;
        }
        int channels = format_named(format)->channels;
        int row = i / 3 % 4, reduce = row == 3 ? AG_MIP_FIRST : row;
        ag_pass *pass = fixture_pass(f, "mipchain");
        double *values = chain_noise(&r, format, (size_t)(width * height));
        chain c = {format, width, height, chain_defaults(f), values};
        c.settings.reduce = reduce;
        uint64_t before = fixture_scrubbed(f), bad = 0;
        for (int k = 0; k < width * height; ++k) {
            if (rng_int(&r, 0, 5))
                continue;
            bool nan = rng_int(&r, 0, 1);
            values[k * channels + rng_int(&r, 0, channels - 1)] = nan ? (double)NAN
                                                                  : rng_int(&r, 0, 1)
                                                                      ? (double)INFINITY
                                                                      : -(double)INFINITY;
            bad += nan || reduce == AG_MIP_MEAN;
        }
        texture t = chain_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = chain_job(&slot, &c.settings);
        fixture_run(f, pass, &job);
        uint64_t after = fixture_scrubbed(f);
        if (reduce == AG_MIP_MEAN) // a mean takes them as 0
            for (int k = 0; k < width * height; ++k) {
                bool finite = true;
                for (int n = 0; n < channels; ++n)
                    finite &= isfinite(values[k * channels + n]) != 0;
                for (int n = 0; n < channels && !finite; ++n)
                    values[k * channels + n] = 0;
            }
        double w = 0;
        CHECK(chain_levels_right(f, &c, &t, &w));
        printf("  ok    %s %s: %u bad texels\n", format, chain_reduction(reduce), (unsigned)bad);
        CHECK_EQ(after - before, bad);
        free(values);
        f->ag->pass_destroy(pass);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
}
