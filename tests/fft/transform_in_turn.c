// transform_in_turn.c - method tiled with the channels of a line in turn, and at once
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "test_transform.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// At sizes where the effect transforms them at once by itself.
void test_in_turn(void **state)
{
    static const int sizes[][2] = {{64, 48}, {12, 512}, {60, 7}, {9, 2}, {500, 3}};
    fixture *f = *state;
    rng r = rng_start("in turn", 96);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("in turn", 5);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 4; ++k)
            for (int at_once = 0; at_once < 2; ++at_once) {
                fft_case c =
                    fft_case_of(f, at_once ? "at once" : "in turn", sizes[i][0], sizes[i][1]);
                c.settings.method = AG_FFT_TILED;
                c.settings.direction = k % 2;
                c.settings.spectrum = k == 3;
                c.settings.packing = k == 2;
                c.settings.origin = (int)i % 2;
                c.complex_in = k == 1;
                c.complex_out = k != 3;
                c.imag_format = k == 2 ? "rg32f" : NULL;
                ag_device_tuning(f->device)->spread_points = at_once ? 0 : -1;
                if (sweep_takes(share))
                    good = fft_check(f, pass, &r, &c) && good;
            }
    ag_device_tuning(f->device)->spread_points = 0;
    f->ag->pass_destroy(pass);
    CHECK(good);
}
