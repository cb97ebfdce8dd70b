// test_ladder.c - the documents' methods of the effect "fft", and their arithmetic bit by bit
// SPDX-License-Identifier: MIT
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "effects/fft/ladder.h"
#include "shaders/fft/interface.h"
#include "transforming.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- arithmetic --------------------------------------------------------------------------------

// The float nearest to a sine or cosine; those of quarter turns are 0, which pi is too coarse for.
static float nearest(long double value)
{
    return fabsl(value) < 1e-17L ? 0 : (float)value;
}

// Fig 12 of the article, for every pass of every length to 4096: each output x of a pass is the
// same sum as in the definition, transform by transform, of two inputs that no other pair reads.
static void test_lookup(void **state)
{
    (void)state;
    for (int log = 1; log <= 12; ++log) {
        int n = 1 << log, wrong = 0;
        float *table = check_allocate((size_t)n * (size_t)log * 4 * sizeof *table);
        ag_ladder_lookup(n, table);
        for (int pass = 0; pass < log; ++pass)
            for (int x = 0; x < n; ++x) {
                const float *at = table + 4 * (pass * n + x);
                // Transforms of `size` points lie side by side; the first half of each, and the
                // second, are the halves' transforms that the pass before left there.
                int size = 1 << (pass + 1), first = x / size * size + x % (size / 2);
                int want[2] = {first, first + size / 2};
                for (int i = 0; i < 2 && pass == 0; ++i) {
                    int reversed = 0, rest = want[i];
                    for (int bit = 0; bit < log; ++bit, rest /= 2)
                        reversed = 2 * reversed + rest % 2;
                    want[i] = reversed;
                }
                // Bit for bit the floats nearest to the weight.
                long double angle = 2 * acosl(-1) * (x % size) / size;
                wrong += at[0] != (float)want[0] || at[1] != (float)want[1];
                wrong += at[2] != nearest(cosl(angle)) || at[3] != nearest(-sinl(angle));
            }
        printf("  %d points, %d passes: %d wrong entries\n", n, log, wrong);
        CHECK_EQ(wrong, 0);
        free(table);
    }
}

// Figs 6, 8 and 10 for 512 x 256, and the ratios that follow: reading falls to a 36th, writing to a
// ninth, not to an eighth as the article says.
static void test_bytes(void **state)
{
    (void)state;
    ag_ladder_bytes textures = ag_ladder_texture_bytes(512, 256, 512);
    ag_ladder_bytes shared = ag_ladder_shared_bytes(512, 256, false);
    ag_ladder_bytes real = ag_ladder_shared_bytes(512, 256, true);
    CHECK_EQ(textures.read, 75497472);
    CHECK_EQ(textures.written, 37748736);
    CHECK_EQ(shared.read, 4194304);
    CHECK_EQ(shared.written, 4194304);
    CHECK_EQ(real.read, 2097152);
    CHECK_EQ(ag_ladder_lookup_bytes(512, 256), 18874368);
    CHECK_EQ(textures.read % real.read, 0);
    CHECK_EQ(textures.read / real.read, 36);
    CHECK_EQ(textures.written % real.written, 0);
    CHECK_EQ(textures.written / real.written, 9);
}

// The paper's (10): 39.286 % at 128 x 128 and 41.7 % at 512 x 512.
static void test_gain(void **state)
{
    (void)state;
    CHECK_LIMIT("128: 39.286 %", fabs(100 * ag_ladder_half_length_gain(128, 2, 4) - 39.286), 5e-4);
    CHECK_LIMIT("512: 41.7 %", fabs(100 * ag_ladder_half_length_gain(512, 2, 4) - 41.7), 0.05);
}

// The paper calls the sequences g and h "odd" and "even", counted from 1 as in Matlab or from 0 as
// in C: both readings of (1) to (9) give the transform, each with its own twiddle factor.
static void test_namings(void **state)
{
    static const double x[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const double complex golden[3] = {255, -51 + 102 * I, -85}; // X(0), X(2), X(4), by hand
    (void)state;
    double complex want[8], y[4], got[2][8];
    for (int k = 0; k < 8; ++k) {
        want[k] = 0;
        for (int n = 0; n < 8; ++n)
            want[k] += x[n] * cexp(-2 * acos(-1) * I * ((n * k) % 8) / 8);
    }
    for (int naming = 0; naming < 2; ++naming) {
        // naming 0: g has samples 0, 2, .. (odd, from 1); naming 1: g has 1, 3, .. (odd, from 0)
        for (int k = 0; k < 4; ++k) {
            y[k] = 0;
            for (int n = 0; n < 4; ++n)
                y[k] += (x[2 * n + naming] + I * x[2 * n + !naming]) *
                        cexp(-2 * acos(-1) * I * ((n * k) % 4) / 4);
        }
        for (int k = 0; k < 4; ++k) {
            double complex mirror = conj(y[(4 - k) % 4]), g = (y[k] + mirror) / 2;
            double complex h = (y[k] - mirror) / (2 * I), w = cexp(-2 * acos(-1) * I * k / 8);
            double complex even = naming ? h : g, odd = naming ? g : h;
            got[naming][k] = even + w * odd;
            got[naming][k + 4] = even - w * odd;
        }
    }
    double error = 0;
    for (int k = 0; k < 8; ++k)
        for (int naming = 0; naming < 2; ++naming)
            error = check_worse(error, cabs(got[naming][k] - want[k]));
    CHECK_LIMIT("both namings, of 255", error / 255, 1e-14);
    for (int k = 0; k < 3; ++k)
        CHECK_LIMIT("golden", cabs(want[2 * k] - golden[k]), 1e-12);
}

// ---- methods -----------------------------------------------------------------------------------

static fft_case ladder_case(fixture *f, int method, int width, int height)
{
    static const char *const names[] = {"shared_radix2", "texture_radix2", "half_threads",
                                        "half_length"};
    fft_case c = fft_case_of(f, names[method - AG_FFT_SHARED_RADIX2], width, height);
    c.settings.method = method;
    return c;
}

static void test_methods(void **state)
{
    static const int sizes[][2] = {{16, 8}, {4, 2}, {64, 32}, {8, 128}, {256, 4}, {512, 2}};
    fixture *f = *state;
    rng r = rng_start("methods", 91);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("methods", 8);
    for (int method = AG_FFT_SHARED_RADIX2; method <= AG_FFT_HALF_LENGTH; ++method)
        for (size_t i = 0; i < COUNT(sizes); ++i)
            for (int k = 0; k < 3; ++k) {
                bool half = method == AG_FFT_HALF_LENGTH;
                fft_case c = ladder_case(f, method, sizes[i][0], sizes[i][1]);
                c.settings.axes = half ? k % 2 : k;
                c.settings.direction = half ? 0 : (int)(i + (size_t)k) % 2;
                c.settings.norm = k;
                c.complex_in = !half && i % 2;
                c.margin = i % 3 == 1 ? 2 : 0;
                if (sweep_takes(share))
                    good = fft_check(f, pass, &r, &c) && good;
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_longest(void **state)
{
    static const int cases[][3] = {{AG_FFT_TEXTURE_RADIX2, 4096, 1},
                                   {AG_FFT_HALF_THREADS, 1024, 2},
                                   {AG_FFT_HALF_LENGTH, 2048, 2},
                                   {AG_FFT_SHARED_RADIX2, 512, 512}};
    fixture *f = *state;
    rng r = rng_start("longest", 92);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        fft_case c = ladder_case(f, cases[i][0], cases[i][1], cases[i][2]);
        c.settings.axes = cases[i][2] == 1 ? AG_FFT_X : AG_FFT_BOTH;
        good = fft_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every change of afterglow-bench fft --ladder is the same transform. Only the weights of the
// driver's sine and cosine may be worse: here they are as good as the driver.
static void test_changes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("changes", 93);
    ag_pass *pass = fixture_pass(f, "fft");
    ag_tuning *tuning = ag_device_tuning(f->device);
    bool good = true;
    sweep *share = sweep_start("changes", 6);
    for (int method = AG_FFT_SHARED_RADIX2; method <= AG_FFT_HALF_LENGTH; ++method)
        for (int change = 0; change < 13; ++change) {
            fft_case c = ladder_case(f, method, 32, 16);
            tuning->ladder_weights = change < 5 ? AG_WEIGHTS_POLYNOMIAL + change : 0;
            tuning->ladder_rows = change >= 5 && change < 9 ? 1 << (change - 5) : 0;
            tuning->ladder_changes = change >= 9 ? 1 << (change - 9) : 0;
            if (!sweep_takes(share))
                continue;
            if (tuning->ladder_weights != AG_WEIGHTS_DRIVER) {
                good = fft_check(f, pass, &r, &c) && good;
                continue;
            }
            fft_planes in = fft_noise(&r, &c), got = fft_run(f, pass, &c, &in);
            fft_planes want = fft_exact(&c, &in);
            double snr = fft_snr(&got, &want);
            printf("  %s by the driver's sine and cosine: %.1f dB >= 40\n", c.name, snr);
            good = snr >= 40 && good;
            fft_free(&in);
            fft_free(&got);
            fft_free(&want);
        }
    tuning->ladder_weights = tuning->ladder_rows = tuning->ladder_changes = 0;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Two real rows in one complex row, also where the last row has no other.
static void test_row_pairs(void **state)
{
    static const int sizes[][2] = {{32, 16}, {64, 5}, {4, 1}, {8, 3}};
    fixture *f = *state;
    rng r = rng_start("row pairs", 95);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    ag_device_tuning(f->device)->ladder_changes = AG_LADDER_PAIRS;
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        fft_case c = ladder_case(f, AG_FFT_HALF_LENGTH, sizes[i][0], sizes[i][1]);
        c.settings.axes = i ? AG_FFT_X : AG_FFT_BOTH;
        c.margin = i % 2;
        good = fft_check(f, pass, &r, &c) && good;
    }
    ag_device_tuning(f->device)->ladder_changes = 0;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Method tiled with channels in turn, at sizes where it transforms them at once by itself.
static void test_in_turn(void **state)
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

// A job of a case for declare, which looks at no texture.
static void fill_slots(const fft_case *c, bool imag, ag_texture slots[4])
{
    for (int i = 0; i < 4; ++i) {
        slots[i] = texture_no_view();
        if (i < 2 || (i == 3 && c->complex_out) || (i == 2 && imag))
            slots[i] =
                (ag_texture){.struct_size = sizeof slots[i],
                             .target = c->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                             .format = c->dst_format ? GL_RGBA16F : GL_RGBA32F,
                             .layers = c->layers,
                             .width = i == 1 && c->settings.spectrum ? c->width / 2 + 1 : c->width,
                             .height = c->height};
    }
    slots[3].width = slots[1].width;
}

static void refuse(fixture *f, ag_pass *pass, const fft_case *c, bool imag, const char *what)
{
    ag_texture slots[4];
    fill_slots(c, imag, slots);
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 4,
                  .settings = &c->settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    const ag_plan *plan;
    CHECK(f->ag->declare(pass, &job, &plan) < 0);
    CHECK_HAS(host_log_last(&f->host), what);
}

// The plan's loads and stores of global memory are those of the documents' formulas: the article's
// Figs 5 and 7, and the paper's "once in and once out" for each axis.
static void test_touches(void **state)
{
    enum { W = 64, H = 32, TEXELS = W * H };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "fft");
    ag_ladder_bytes textures[] = {ag_ladder_texture_bytes(W, H, W),
                                  ag_ladder_texture_bytes(W, H, H)};
    uint64_t by_textures =
        textures[0].read + textures[0].written + textures[1].read + textures[1].written;
    ag_ladder_bytes shared = ag_ladder_shared_bytes(W, H, false);
    ag_ladder_bytes real = ag_ladder_shared_bytes(W, H, true);
    uint64_t by_shared = 2 * (shared.read + shared.written);
    const uint64_t want[] = {by_shared, by_textures, by_shared,
                             real.read + real.written + shared.read + shared.written};
    for (int method = AG_FFT_SHARED_RADIX2; method <= AG_FFT_HALF_LENGTH; ++method) {
        fft_case c = ladder_case(f, method, W, H);
        ag_texture slots[4];
        const ag_plan *plan;
        uint64_t bytes = 0;
        fill_slots(&c, method != AG_FFT_HALF_LENGTH, slots);
        ag_job job = {.struct_size = sizeof job,
                      .slots = slots,
                      .slot_count = 4,
                      .settings = &c.settings,
                      .scratch = {.struct_size = sizeof(ag_buffer)}};
        CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
        for (uint32_t i = 0; i < plan->step_count; ++i)
            bytes += ((const ag_step *)(const void *)((const char *)plan->steps +
                                                      (size_t)i * plan->step_stride))
                         ->bytes;
        printf("  %s: %.0f loads and stores a texel\n", c.name, (double)bytes / 16 / TEXELS);
        CHECK_EQ(bytes, want[method - AG_FFT_SHARED_RADIX2]);
    }
    f->ag->pass_destroy(pass);
}

static void test_refused(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "fft");
    fft_case c = ladder_case(f, AG_FFT_SHARED_RADIX2, 1024, 16);
    refuse(f, pass, &c, false, "shared_radix2 takes powers of two from 2 to 512");
    c.width = 48;
    refuse(f, pass, &c, false, "powers of two");
    c = ladder_case(f, AG_FFT_HALF_THREADS, 2048, 16);
    refuse(f, pass, &c, false, "half_threads takes powers of two from 2 to 1024");
    c = ladder_case(f, AG_FFT_HALF_LENGTH, 16, 16);
    refuse(f, pass, &c, true, "real rows");
    c.settings.direction = AG_FFT_INVERSE;
    refuse(f, pass, &c, false, "real rows");
    c = ladder_case(f, AG_FFT_TEXTURE_RADIX2, 16, 16);
    c.settings.spectrum = AG_FFT_HALF;
    refuse(f, pass, &c, false, "spectrum full");
    c = ladder_case(f, AG_FFT_TEXTURE_RADIX2, 16, 16);
    c.settings.origin = AG_FFT_CENTERED;
    refuse(f, pass, &c, false, "origin corner");
    c = ladder_case(f, AG_FFT_TEXTURE_RADIX2, 16, 16);
    c.dst_format = "rgba16f";
    refuse(f, pass, &c, false, "takes RGBA32F");
    c = ladder_case(f, AG_FFT_TEXTURE_RADIX2, 16, 16);
    c.layers = 2;
    refuse(f, pass, &c, false, "takes one");
    c = ladder_case(f, AG_FFT_TEXTURE_RADIX2, 16, 16);
    c.complex_out = false;
    refuse(f, pass, &c, false, "dst_imag is empty");
    f->ag->pass_destroy(pass);
}

static void test_not_finite(void **state)
{
    fixture *f = *state;
    rng r = rng_start("not finite", 94);
    ag_pass *pass = fixture_pass(f, "fft");
    sweep *share = sweep_start("not finite", 2);
    for (int method = AG_FFT_SHARED_RADIX2; method <= AG_FFT_HALF_LENGTH; ++method) {
        if (!sweep_takes(share))
            continue;
        fft_case c = ladder_case(f, method, 16, 8);
        fft_planes x = fft_noise(&r, &c);
        x.real[4 * 7 + 1] = (double)NAN;
        uint64_t before = fixture_scrubbed(f);
        fft_planes got = fft_run(f, pass, &c, &x);
        CHECK_EQ(fixture_scrubbed(f) - before, 1);
        for (int i = 0; i < 4; ++i)
            x.real[4 * 7 + i] = 0;
        fft_planes want = fft_exact(&c, &x);
        printf("  %s: %.1f dB >= 120\n", c.name, fft_snr(&got, &want));
        CHECK(fft_snr(&got, &want) >= 120);
        fft_free(&x);
        fft_free(&got);
        fft_free(&want);
    }
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    static const check_test ladder[] = {
        UNIT_TEST(test_lookup),      UNIT_TEST(test_bytes),        UNIT_TEST(test_gain),
        UNIT_TEST(test_namings),     FIXTURE_SWEEP(test_methods),  FIXTURE_FULL(test_longest),
        FIXTURE_SWEEP(test_changes), FIXTURE_TEST(test_row_pairs), FIXTURE_SWEEP(test_in_turn),
        FIXTURE_TEST(test_touches),  FIXTURE_TEST(test_refused),   FIXTURE_SWEEP(test_not_finite),
    };
    return CHECK_MAIN(argc, argv, ladder, fixture_setup, fixture_teardown);
}
