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
    double *values = values_hdr(r, format, width, height, 0.01, 100, false);
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
    static const char *const formats[] = {"rgba8", "srgb8", "rgba16f", "rgb10a2", "rgba32f"};
    fixture *f = *state;
    rng r = rng_start("coverage", 79);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *part = sweep_start("coverage", 4);
    for (int i = 0; i < 10; ++i) {
        if (!sweep_takes(part))
            continue;
        chain c = {formats[i % 5], i % 2 ? 93 : 128, i % 2 ? 50 : 64, .weight = 0};
        double *values = leaves(&r, c.format, c.width, c.height), worst_off = 0, large_off = 0;
        ag_mipchain_settings settings[2];
        chain_level levels[2];
        trial t[2];
        double reference = (double)(float)(i < 5 ? 0.5 : rng_uniform(&r, 0.1, 0.95));
        for (int k = 0; k < 2; ++k) {
            c.weight = k ? AG_MIP_WEIGHT_ALPHA : AG_MIP_WEIGHT_COVERAGE;
            t[k] = chain_of(f, pass, &c, values, &settings[k], &levels[k]);
            settings[k].reference = (float)reference;
            good = trial_check(&t[k]) && good;
            if (!k)
                trial_run(&t[k]); // histograms must be empty again
        }
        double wanted = share(values, (size_t)(c.width * c.height), reference);
        for (int level = 1; level < t[0].textures[0].levels; ++level) {
            double *got = texture_read(f, &t[0].textures[0], level);
            double *bare = texture_read(f, &t[1].textures[0], level);
            size_t count = texture_value_count(&t[0].textures[0], level) / 4;
            double off = fabs(share(got, count, reference) - wanted);
            double allowed = nearest_share(bare, count, wanted);
            // 32-bit alphas are sorted as 16-bit ones
            double slack = strcmp(c.format, "rgba32f") == 0 ? 1.0 / 255 : 1e-7;
            CHECK_F(off <= allowed + slack, "%s level %d: off by %g, possible %g", c.format, level,
                    off, allowed);
            worst_off = check_worse(worst_off, off - 0.5 / (double)count);
            // A level has alphas of 8 bits: where many are equal, no threshold comes nearer.
            if (count > 255 && strcmp(c.format, "rgb10a2") != 0)
                large_off = fmax(large_off, off - fmax(allowed - 1.0 / 255, 0));
            for (size_t k = 0; k < 4 * count; ++k)
                CHECK(k % 4 == 3 || got[k] == bare[k]);
            free(got);
            free(bare);
        }
        char name[96];
        snprintf(name, sizeof name, "%s: share %.3f at %.3f, levels of more than 255 texels off by",
                 c.format, wanted, reference);
        good = check_limit(name, large_off, 1.0 / 255 + 1e-9) && good;
        printf("        beyond half a texel, at any level: %.4f\n", worst_off);
        free(values);
        for (int k = 0; k < 2; ++k)
            chain_free(&t[k]);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// One value everywhere stays itself at every level: no border takes in zeros, nothing overflows.
void test_constants(void **state)
{
    static const struct {
        const char *format;
        double value[4];
    } cases[] = {{"rgba8", {1, 0, 0, 1}},
                 {"srgb8", {1, 0, 0, 1}},
                 {"rgb10a2", {1, 0, 0, 1}},
                 {"rgba16f", {65504, 0, -65504, 1}},
                 {"r11g11b10f", {65024, 0, 64512, 1}},
                 {"rgba32f", {1e30, 0, -1e30, 1}}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *part = sweep_start("constants", 3);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(part))
            continue;
        const chain c = {cases[i].format, 129, 71, .weight = 0};
        ag_mipchain_settings s;
        chain_level l;
        double *values = values_even(c.format, c.width, c.height, 0);
        int channels = format_named(c.format)->channels;
        for (int k = 0; k < c.width * c.height * channels; ++k)
            values[k] = cases[i].value[k % channels];
        trial t = chain_of(f, pass, &c, values, &s, &l);
        t.name = "a constant";
        good = trial_check(&t) && good;
        chain_free(&t);
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A checker of black and white is 188 in sRGB at every level.
void test_checker(void **state)
{
    const chain c = {"srgb8", 64, 64, .weight = 0};
    fixture *f = *state;
    ag_mipchain_settings s;
    chain_level l;
    double values[64 * 64 * 4];
    for (int i = 0; i < 64 * 64 * 4; ++i)
        values[i] = i % 4 == 3 ? 1 : (i / 4 + i / 256) % 2;
    trial t = chain_of(f, NULL, &c, values, &s, &l);
    trial_run(&t);
    for (int level = 1; level < t.textures[0].levels; ++level) {
        uint8_t *codes = texture_read_bytes(f, &t.textures[0], level);
        for (size_t i = 0; i < texture_byte_count(&t.textures[0], level); ++i)
            CHECK_EQ(codes[i], i % 4 == 3 ? 255 : 188);
        free(codes);
    }
    chain_free(&t);
}

// NaN and Inf: 0 in means, and counted once each; min, max and minmax skip NaN and keep Inf.
void test_scrub(void **state)
{
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f"};
    fixture *f = *state;
    rng r = rng_start("scrub", 75);
    bool good = true;
    sweep *part = sweep_start("scrub", 5);
    for (int i = 0; i < 3 * 4 * 2; ++i) {
        if (!sweep_takes(part))
            continue;
        chain c = {formats[i % 3], i % 2 ? 37 : 64, i % 2 ? 1 + i : 64, .weight = 0};
        if (i >= 3 * 4) { // of several tiles, and odd in y, too
            c.width = i % 2 ? 135 : 66;
            c.height = i % 4 < 2 ? 71 : 133;
        }
        int row = i / 3 % 4, channels = format_named(c.format)->channels;
        c.reduce = row == 3 ? AG_MIP_FIRST : row;
        double *values = chain_noise(&r, &c);
        uint64_t bad = values_spoil(&r, values, (size_t)(c.width * c.height), channels, 6);
        for (int k = 0; k < c.width * c.height * channels; ++k) // one bad channel a texel
            bad -= c.reduce != AG_MIP_MEAN && isinf(values[k]);
        ag_mipchain_settings s;
        chain_level l;
        trial t = chain_of(f, NULL, &c, values, &s, &l);
        t.name = "bad texels";
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, bad);
        chain_free(&t);
        free(values);
    }
    CHECK(good);
}
