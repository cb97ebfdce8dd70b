// transform_laws.c - laws that the effect "fft" keeps, and what it refuses
// SPDX-License-Identifier: MIT
#include "test_transform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double largest(const double *values, size_t count)
{
    double peak = 0;
    for (size_t i = 0; i < count; ++i)
        peak = fmax(peak, fabs(values[i]));
    return peak;
}

// inverse(forward(x)) = x within 1e-6 of max|x|, for every norm, packing and half of the spectrum.
void test_fft_round_trip(void **state)
{
    static const int sizes[][2] = {{64, 32}, {45, 35}, {37, 22}};
    fixture *f = *state;
    rng r = rng_start("round trip", 81);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("round trip", 12);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 4; ++k) {
            if (!sweep_takes(share))
                continue;
            fft_case c = fft_case_of(f, "forward", sizes[i][0], sizes[i][1]);
            c.settings.norm = k % 3;
            c.settings.origin = k % 2;
            c.settings.spectrum = k == 1 || k == 2;
            c.settings.packing = k >= 2;
            c.complex_in = k == 0;
            c.imag_format = k >= 2 ? "rg32f" : NULL;
            fft_planes x = fft_noise(&r, &c), between = fft_run(f, pass, &c, &x), back;
            fft_case d = c;
            d.settings.direction = AG_FFT_INVERSE;
            d.complex_in = true;
            d.complex_out = c.complex_in;
            back = fft_run(f, pass, &d, &between);
            size_t texels = (size_t)x.width * (size_t)x.height;
            double error = 0, peak = largest(x.real, 4 * texels);
            for (size_t t = 0; t < 4 * texels; ++t)
                if (k < 2 || t % 4 < 3)
                    error = check_worse(error, fabs(back.real[t] - x.real[t]));
            for (size_t t = 0; x.imag && t < 4 * texels; ++t)
                error = check_worse(error, fabs(back.imag[t] - x.imag[t]));
            char name[80];
            snprintf(name, sizeof name, "%dx%d there and back, norm %d%s%s", c.width, c.height,
                     c.settings.norm, c.settings.spectrum ? ", half" : "",
                     c.settings.packing ? ", packed" : "");
            double limit = fft_limit(&c) == 130 ? 1e-6 : 4e-6;
            good = check_limit(name, error / peak, limit) && good;
            fft_free(&x);
            fft_free(&between);
            fft_free(&back);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The spectrum of real data mirrors itself to the bit, in either direction.
void test_fft_hermitian(void **state)
{
    static const int sizes[][2] = {{32, 16}, {15, 9}, {37, 22}, {1, 8}, {8, 1}};
    fixture *f = *state;
    rng r = rng_start("hermitian", 82);
    ag_pass *pass = fixture_pass(f, "fft");
    sweep *share = sweep_start("hermitian", 30);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 6; ++k) {
            if (!sweep_takes(share))
                continue;
            fft_case c = fft_case_of(f, "real", sizes[i][0], sizes[i][1]);
            c.settings.direction = k % 2;
            c.settings.axes = k / 2;
            fft_planes x = fft_noise(&r, &c), got = fft_run(f, pass, &c, &x);
            int w = c.width, h = c.height, wrong = 0;
            for (int y = 0; y < h; ++y)
                for (int a = 0; a < w; ++a)
                    for (int b = 0; b < 4; ++b) {
                        int my = c.settings.axes == AG_FFT_X ? y : (h - y) % h;
                        int mx = c.settings.axes == AG_FFT_Y ? a : (w - a) % w;
                        int at = 4 * (y * w + a) + b, mirror = 4 * (my * w + mx) + b;
                        wrong +=
                            got.real[at] != got.real[mirror] || got.imag[at] != -got.imag[mirror];
                    }
            printf("  %dx%d, axes %d, direction %d: %d values differ from their mirror images\n", w,
                   h, c.settings.axes, c.settings.direction, wrong);
            CHECK_EQ(wrong, 0);
            fft_free(&x);
            fft_free(&got);
        }
    f->ag->pass_destroy(pass);
}

// Non-finite texels of either part count as 0, and are counted once; off, they spread.
void test_fft_not_finite(void **state)
{
    fixture *f = *state;
    rng r = rng_start("not finite", 84);
    ag_pass *pass = fixture_pass(f, "fft");
    sweep *share = sweep_start("not finite", 6);
    for (int k = 0; k < 6; ++k) {
        if (!sweep_takes(share))
            continue;
        fft_case c = fft_case_of(f, "not finite", k % 2 ? 37 : 40, 30);
        c.complex_in = true;
        c.settings.method = k == 4 ? AG_FFT_MULTIPASS : AG_FFT_AUTO;
        c.settings.direction = k >= 2 ? AG_FFT_INVERSE : AG_FFT_FORWARD;
        c.settings.spectrum = k == 3;
        c.complex_out = k != 3;
        fft_planes x = fft_noise(&r, &c);
        x.real[4 * 7] = (double)NAN;
        x.real[4 * 70 + 3] = (double)INFINITY;
        x.imag[4 * 71 + 1] = -(double)INFINITY;
        uint64_t before = fixture_scrubbed(f);
        fft_planes got = fft_run(f, pass, &c, &x);
        CHECK_EQ(fixture_scrubbed(f) - before, 3);
        for (int i = 0; i < 4; ++i)
            x.real[4 * 7 + i] = x.real[4 * 70 + i] = x.imag[4 * 71 + i] = 0;
        fft_planes want = fft_exact(&c, &x);
        CHECK_LIMIT("scrubbed: the limit over its dB", fft_limit(&c) / fft_snr(&got, &want), 1);
        fft_free(&got);
        x.real[4 * 7] = (double)NAN;
        c.settings.scrub = 0;
        got = fft_run(f, pass, &c, &x);
        CHECK_EQ(fixture_scrubbed(f) - before, 3);
        CHECK(isnan(got.real[0]));
        fft_free(&got);
        fft_free(&want);
        fft_free(&x);
    }
    f->ag->pass_destroy(pass);
}

// ---- refusals ----------------------------------------------------------------------------------

typedef struct refusal {
    const char *what; // a part of the message
    int status, width, height, out_width, out_height;
    uint32_t formats[4]; // 0: empty
    ag_fft_settings s;
} refusal;

void test_fft_refused(void **state)
{
    enum { F = GL_RGBA32F };
    const ag_fft_settings plain = AG_FFT_DEFAULTS;
    ag_fft_settings half = plain, back = plain, packed = plain, tiled = plain;
    half.spectrum = back.spectrum = AG_FFT_HALF;
    back.direction = AG_FFT_INVERSE;
    packed.packing = AG_FFT_RGBA_RG;
    tiled.method = AG_FFT_TILED;
    const refusal cases[] = {
        {"must be 8x8", AG_E_SIZE, 8, 8, 9, 8, {F, F}, plain},
        {"must be 5x8", AG_E_SIZE, 8, 8, 8, 8, {F, F}, half},
        {"8 or 9 columns", AG_E_SIZE, 5, 8, 10, 8, {F, F}, back},
        {"src_imag is set", AG_E_ARG, 8, 8, 5, 8, {F, F, F}, half},
        {"dst_imag is set", AG_E_ARG, 5, 8, 8, 8, {F, F, 0, F}, back},
        {"dst_imag is empty", AG_E_ARG, 8, 8, 8, 8, {F, F}, packed},
        {"src_imag is set", AG_E_ARG, 8, 8, 8, 8, {F, F, F, GL_RG32F}, packed},
        {"of 2 in dst_imag", AG_E_FORMAT, 8, 8, 8, 8, {F, F, 0, F}, packed},
        {"src_imag has 2 channels", AG_E_FORMAT, 8, 8, 8, 8, {F, F, GL_RG32F, F}, plain},
        {"limit is 16384", AG_E_SIZE, 16385, 1, 16385, 1, {F, F}, plain},
        {"up to 8192", AG_E_SIZE, 8194, 1, 8194, 1, {F, F}, tiled},
        {"4096 others", AG_E_SIZE, 1, 4099, 1, 4099, {F, F}, tiled},
        {"slot src_imag has format", AG_E_FORMAT, 8, 8, 8, 8, {F, F, GL_RGBA8}, plain},
    };
    fixture *f = *state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const refusal *c = &cases[i];
        const ag_plan *plan;
        ag_fft_settings s;
        trial t = trial_of(f, "fft", c->what, &s, sizeof s);
        trial_make(&t);
        s = c->s;
        for (int k = 0; k < 4; ++k)
            if (c->formats[k])
                t.views[k] = (ag_texture){.struct_size = sizeof(ag_texture),
                                          .target = GL_TEXTURE_2D,
                                          .format = c->formats[k],
                                          .width = k % 2 ? c->out_width : c->width,
                                          .height = k % 2 ? c->out_height : c->height};
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), c->status);
        CHECK_HAS(host_log_last(&f->host), c->what);
        trial_free(&t);
    }
}

void test_fft_slot_size(void **state)
{
    static const int cases[][5] = {// direction, spectrum, axes; dst of a src of 9 x 6
                                   {0, 0, 0, 9, 6},  {0, 1, 0, 5, 6},  {0, 1, 2, 9, 4},
                                   {1, 1, 0, 16, 6}, {1, 1, 2, 9, 10}, {1, 0, 0, 9, 6}};
    fixture *f = *state;
    ag_fft_settings s;
    trial t = trial_of(f, "fft", "size", &s, sizeof s);
    t.slots[AG_FFT_SRC] = trial_image("r32f", 9, 6, NULL);
    trial_make(&t);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        int32_t size[3];
        s.direction = cases[i][0];
        s.spectrum = cases[i][1];
        s.axes = cases[i][2];
        CHECK_STATUS(f->ag->slot_size(t.pass, &t.job, AG_FFT_DST, size), AG_OK);
        CHECK(size[0] == cases[i][3] && size[1] == cases[i][4] && size[2] == 1);
    }
    trial_free(&t);
}
