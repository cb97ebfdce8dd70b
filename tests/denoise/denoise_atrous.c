// denoise_atrous.c - guides for the filter "atrous" of "denoise", and what they are worth
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const denoise_guide_formats[3] = {"rgba16f", "rgba32f", "r32f"};

// Whether rounding a normal to 10 bits an axis is nearly a tie, which floats may decide otherwise.
static bool ties(const double *n)
{
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3 && size > 0; ++c)
        if (fabs(fabs(fmod(n[c] / size * 511, 1)) - 0.5) < 1e-3)
            return true;
    return false;
}

double *denoise_guide(rng *r, int k, int width, int height)
{
    int channels = k == 2 ? 1 : 4;
    double *values = check_doubles((size_t)(width * height * channels));
    for (int i = 0; i < width * height * channels; ++i) {
        int x = i / channels % width, y = i / channels / width, c = i % channels;
        bool left = 3 * x + y < 2 * width;
        if (k == 0)
            values[i] = (x / 5 + y / 4) % 2 ? 0.9 - 0.2 * c : c == 1 ? 0 : 0.15;
        else if (k == 1)
            values[i] = (left ? (c == 0) : (c == 2)) * 3 + 0.3 * rng_uniform(r, -1, 1);
        else
            values[i] = left ? 5 + 0.03 * x + 0.01 * y : 8 - 0.02 * y;
        if (k == 1 && y < 3)
            values[i] = 0; // a sky
    }
    texture_quantise(denoise_guide_formats[k], values, (size_t)(width * height));
    for (int i = 0; i < width * height && k == 1; ++i)
        while (ties(values + 4 * i))
            values[4 * i] = (double)(float)(values[4 * i] + 0.01);
    return values;
}

// Light on a checked albedo, of two planes: guides keep what colours alone would lose.
void test_atrous_quality(void **state)
{
    enum { W = 256, H = 192, VALUES = W * H * 4 };
    rng r = rng_start("atrous quality", 943);
    double *guides[3], *values = check_doubles(VALUES), *clean = check_doubles(VALUES);
    double results[2], before = 0;
    for (int k = 0; k < 3; ++k)
        guides[k] = denoise_guide(&r, k, W, H);
    for (int i = 0; i < VALUES; ++i) {
        int x = i / 4 % W, y = i / 4 / W;
        double light = 3 * x + y < 2 * W ? 0.6 + 0.2 * sin(x / 30.0) : 0.3;
        double a = guides[0][i] > 1e-3 ? guides[0][i] : 1;
        clean[i] = i % 4 == 3 ? 1 : light * a;
        values[i] = i % 4 == 3 ? 1 : clean[i] + a * 0.2 * light * rng_normal(&r);
    }
    before = check_psnr(values, clean, VALUES, 1);
    for (int guided = 0; guided < 2; ++guided) {
        ag_denoise_settings s;
        trial t = denoise_of(*state, "quality", "rgba16f", W, H, values, &s);
        s.filter = AG_DENOISE_ATROUS;
        s.levels = 5;
        s.sigma = 0; // estimated
        for (int k = 0; k < 3 && guided; ++k)
            t.slots[ALBEDO + k] = trial_image(denoise_guide_formats[k], W, H, guides[k]);
        double *got = trial_take(&t, DST);
        results[guided] = check_psnr(got, clean, VALUES, 1);
        free(got);
    }
    printf("  %.2f dB; without guides %.2f, with guides %.2f\n", before, results[0], results[1]);
    CHECK_LIMIT("with guides 10 dB over the noisy image: lacks", before + 10 - results[1], 0);
    CHECK_LIMIT("and 5 dB over no guides: lacks", results[0] + 5 - results[1], 0);
    for (int k = 0; k < 3; ++k)
        free(guides[k]);
    free(values);
    free(clean);
}
