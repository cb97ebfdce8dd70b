// mipchain_values.c - what levels cover by their alphas
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
