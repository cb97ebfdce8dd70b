// bloom_band.c - band-limited kernels: results stay exact, whatever the length of a column
// SPDX-License-Identifier: MIT
//
// fft_plan's test_band holds that no column within the band is left out.
#include "test_bloom.h"

// Scenes in which an error in the highest frequencies is largest: a chess board, columns, noise.
// Also frames that are narrower than one half of their kernel: if the taps beyond the width were
// left out, the rest of a Gaussian would not be band-limited.
void test_bloom_band_error(void **state)
{
    enum { NARROW = 20, HIGH = 120 };
    static const char *const names[] = {"chess board", "columns", "noise", "narrow"};
    static const float sizes[] = {0.7f, 1.1f, 1.5f, 2.0f};       // sigma 3 to 9 texels
    static const float heights[] = {0.3f, 1.0f / 3, 0.6f, 2.0f}; // 18 to 120 taps on either side
    fixture *f = *state;
    rng r = rng_start("band", 51);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("band error", 13);
    for (int i = 0; i < 16; ++i) {
        int kind = i % 4, w = kind == 3 ? NARROW : W, h = kind == 3 ? HIGH : H;
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, "rgba32f", w, h, 0.01, 1000);
        for (int k = 0; k < 4 * w * h && kind < 2; ++k)
            src[k] = (k / 4 % w + (kind ? 0 : k / 4 / w)) % 2 ? 60000 : kind;
        ag_bloom_settings s;
        trial t = blooming_of(f, names[kind], w, h, src, &s);
        s.size = kind == 3 ? heights[i / 4] : sizes[i / 4];
        good = bloom_check(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every first radix and every number of stages of a column, and lengths that are too long for the
// shader that transforms a column in place.
void test_bloom_band_lengths(void **state)
{
    enum { WIDE = 25 };
    static const int lengths[] = {64,   80,   96,   112,  128,  144,  160,  192, 256,
                                  320,  384,  448,  512,  576,  640,  768,  800, 1024,
                                  1152, 1280, 1536, 1792, 2048, 2304, 2560, 3072};
    fixture *f = *state;
    rng r = rng_start("band lengths", 57);
    sweep *share = sweep_start("band lengths", 26);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    for (size_t i = 0; i < COUNT(lengths); ++i) {
        int height = lengths[i] * 100 / 137; // the kernel reaches 0.35 of the height
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, "rgba32f", WIDE, height, 0.01, 1000);
        ag_bloom_settings s;
        trial t = blooming_of(f, "band lengths", WIDE, height, src, &s);
        s.size = 0.7f;
        good = bloom_check(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
