// test_transform.c - the effect "fft" against FFTW in double: sizes, settings, formats, methods
// SPDX-License-Identifier: MIT
#include "test_transform.h"
#include "core/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- values ------------------------------------------------------------------------------------

// Random settings: those that contradict each other are made to agree.
static void draw_settings(rng *r, fft_case *c)
{
    ag_fft_settings *s = &c->settings;
    s->direction = rng_int(r, 0, 1);
    s->norm = rng_int(r, 0, 2);
    s->spectrum = rng_int(r, 0, 3) == 0;
    s->origin = rng_int(r, 0, 1);
    s->axes = rng_int(r, 0, 2);
    s->packing = rng_int(r, 0, 4) == 0;
    c->complex_in = rng_int(r, 0, 1);
    c->complex_out = rng_int(r, 0, 3) > 0;
    bool inverse = s->direction == AG_FFT_INVERSE;
    if (s->packing) {
        c->complex_in = inverse;
        c->complex_out = !inverse;
        c->imag_format = "rg32f";
    } else if (s->spectrum) {
        c->complex_in = c->complex_in && inverse;
        c->complex_out = c->complex_out && !inverse;
    }
}

// With `each` draws of settings. `spread_points`: see core/tuning.h.
static void sizes_by(fixture *f, const char *name, int method, const int (*sizes)[2], size_t count,
                     int each, uint32_t quick_of, int spread_points)
{
    static const char *const formats[] = {NULL, "r32f", "rg32f", NULL};
    rng r = rng_start(name, 71);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start(name, quick_of);
    ag_device_tuning(f->device)->spread_points = spread_points;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < each; ++k) {
            fft_case c = fft_case_of(f, name, sizes[i][0], sizes[i][1]);
            draw_settings(&r, &c);
            const char *format = formats[rng_int(&r, 0, 3)];
            c.settings.method = method;
            if (!c.settings.packing)
                c.src_format = c.dst_format = c.imag_format = format;
            if (sweep_takes(share))
                good = fft_check(f, pass, &r, &c) && good;
        }
    ag_device_tuning(f->device)->spread_points = 0;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_tiled(void **state)
{
    static const int sizes[][2] = {{16, 16}, {8, 6},   {2, 2},    {3, 2},    {5, 7},   {9, 10},
                                   {12, 15}, {64, 48}, {45, 35},  {1, 16},   {16, 1},  {128, 3},
                                   {49, 50}, {60, 4},  {256, 32}, {120, 72}, {81, 100}};
    sizes_by(*state, "tiled", AG_FFT_TILED, sizes, COUNT(sizes), 4, 68, 0);
}

static void test_bluestein(void **state)
{
    static const int sizes[][2] = {{1, 1},   {11, 1},  {1, 13},  {37, 61}, {97, 4},
                                   {22, 26}, {17, 64}, {257, 3}, {1, 2}};
    sizes_by(*state, "Bluestein", AG_FFT_TILED, sizes, COUNT(sizes), 3, 27, 0);
}

static void test_multipass(void **state)
{
    static const int sizes[][2] = {{16, 16}, {4, 6},   {60, 64}, {1, 1},   {7, 5},
                                   {37, 12}, {12, 37}, {121, 9}, {512, 4}, {3, 1000}};
    sizes_by(*state, "multipass", AG_FFT_MULTIPASS, sizes, COUNT(sizes), 3, 30, 0);
}

// The channels of a line in turn, at sizes where the effect transforms them at once by itself.
static void test_in_turn(void **state)
{
    static const int sizes[][2] = {{64, 48}, {12, 512}, {60, 7}, {9, 2}, {500, 3}};
    sizes_by(*state, "in turn", AG_FFT_TILED, sizes, COUNT(sizes), 4, 10, -1);
}

static bool check_length(fixture *f, ag_pass *pass, rng *r, int n)
{
    bool y = n / 2 % 2;
    fft_case c = fft_case_of(f, "length", y ? 3 : n, y ? n : 3);
    c.settings.axes = y ? AG_FFT_Y : AG_FFT_X;
    c.settings.direction = n / 4 % 2;
    c.complex_in = n % 3 > 0;
    c.imag_format = c.src_format = c.dst_format = n % 5 ? "r32f" : NULL;
    return fft_check(f, pass, r, &c);
}

// Lengths of the form 2^a 3^b 5^c 7^d by themselves: every radix at every stage. Every run takes
// three that have each radix.
static void test_lengths(void **state)
{
    static const int radices[] = {98, 144, 225};
    fixture *f = *state;
    rng r = rng_start("lengths", 72);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    for (size_t i = 0; i < COUNT(radices); ++i)
        good = check_length(f, pass, &r, radices[i]) && good;
    sweep *share = sweep_start("lengths", 140);
    for (int n = 2; n <= 1024; ++n)
        if (fft_smooth(n) && sweep_takes(share))
            good = check_length(f, pass, &r, n) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_long(void **state)
{
    static const int sizes[][2] = {{4096, 2},  {16384, 8},  {16384, 1}, {8192, 2}, {3, 8192},
                                   {2048, 1},  {2, 16384},  {15309, 1}, {4099, 2}, {1, 9973},
                                   {16381, 1}, {10000, 10}, {4093, 3}};
    sizes_by(*state, "long", AG_FFT_AUTO, sizes, COUNT(sizes), 1, COUNT(sizes), 0);
}

static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 74);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("formats", 12);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        if (!sweep_takes(share))
            continue;
        fft_case from = fft_case_of(f, "from", 12, 10), into = fft_case_of(f, "into", 12, 10);
        from.src_format = format->name;
        good = fft_check(f, pass, &r, &from) && good;
        into.dst_format = format->name; // the inverse of a complex spectrum, as a picture
        into.settings.direction = AG_FFT_INVERSE;
        into.settings.norm = AG_FFT_NORM_ORTHO;
        into.complex_in = true;
        into.complex_out = false;
        good = fft_check(f, pass, &r, &into) && good;
        if (format->kind != FORMAT_FLOAT || format->channels == 3)
            continue;
        fft_case both = fft_case_of(f, "both", 12, 10);
        both.src_format = both.dst_format = both.imag_format = format->name;
        both.complex_in = true;
        good = fft_check(f, pass, &r, &both) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Layers of arrays, and rectangles within textures, of every slot.
static void test_regions(void **state)
{
    fixture *f = *state;
    rng r = rng_start("regions", 75);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("regions", 6);
    for (int i = 0; i < 12; ++i) {
        fft_case c = fft_case_of(f, "regions", i % 2 ? 20 : 15, i % 3 ? 12 : 22);
        draw_settings(&r, &c);
        c.settings.method = i % 4 == 3 ? AG_FFT_MULTIPASS : AG_FFT_AUTO;
        c.layers = i % 3;
        c.margin = i % 2 ? 3 : 0;
        if (sweep_takes(share))
            good = fft_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    static const check_test fft[] = {
        FIXTURE_SWEEP(test_tiled),         FIXTURE_SWEEP(test_bluestein),
        FIXTURE_SWEEP(test_multipass),     FIXTURE_SWEEP(test_lengths),
        FIXTURE_SWEEP(test_long),          FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_regions),       FIXTURE_SWEEP(test_fft_round_trip),
        FIXTURE_SWEEP(test_fft_hermitian), FIXTURE_SWEEP(test_fft_not_finite),
        FIXTURE_TEST(test_fft_refused),    FIXTURE_TEST(test_fft_slot_size),
        FIXTURE_SWEEP(test_in_turn),
    };
    return CHECK_MAIN(argc, argv, fft, fixture_setup, fixture_teardown);
}
