// convolve_contract_regions.c - rectangles, layers, mipmap levels, and texels that are not numbers
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_convolve_contract.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = CONVOLVE_WIDTH, H = CONVOLVE_HEIGHT, TAPS = CONVOLVE_TAPS, PLANE = 4 * W * H };

// The part (x, y, w, h) of an image grown to bw x bh, everything around it NaN or huge.
static double *surrounded(const double *part, int w, int h, int channels, int x, int y, int bw,
                          int bh)
{
    double *big = malloc(sizeof *big * (size_t)(bw * bh * channels));
    CHECK(big != NULL);
    for (int i = 0; i < bw * bh * channels; ++i)
        big[i] = i % 3 ? 60000 : (double)NAN;
    for (int j = 0; j < h; ++j)
        memcpy(big + channels * ((j + y) * bw + x), part + channels * j * w,
               sizeof *big * (size_t)(w * channels));
    return big;
}

// Rectangles of all three textures at once. No texel outside the rectangles of src and kernel is
// read, none outside that of dst is written, and the border begins where src's rectangle ends.
void test_rects(void **state)
{
    enum { BW = W + 21, BH = H + 13, KW = TAPS + 5, KH = TAPS + 9 };
    fixture *f = *state;
    rng r = rng_start("rects", 71);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    double *big = surrounded(src, W, H, 4, 8, 5, BW, BH);
    double *big_kernel = surrounded(kernel, TAPS, TAPS, 1, 3, 7, KW, KH);
    uint64_t before = fixture_scrubbed(f);
    for (int i = 0; i < 8; ++i) {
        contract a, b;
        contract_open(f, &a, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
        contract_adopt(&b, texture_create(f, "rgba32f", BW, BH, big),
                       texture_create(f, "r32f", KW, KH, big_kernel),
                       texture_create(f, "rgba32f", BW, BH, NULL));
        a.settings.border = b.settings.border = i / 2;
        a.settings.method = b.settings.method = 1 + i % 2;
        b.slots[0].rect_x = 8;
        b.slots[0].rect_y = 5;
        b.slots[1].rect_x = 3;
        b.slots[1].rect_y = 7;
        b.slots[1].rect_width = b.slots[1].rect_height = TAPS;
        b.slots[2].rect_x = 21;
        b.slots[2].rect_y = 13;
        b.slots[0].rect_width = b.slots[2].rect_width = W;
        b.slots[0].rect_height = b.slots[2].rect_height = H;
        double *want = contract_run(f, pass, &a), *got = contract_run(f, pass, &b);
        int wrong = 0;
        for (int y = 0; y < H; ++y)
            wrong +=
                memcmp(got + 4 * ((y + 13) * BW + 21), want + 4 * y * W, sizeof *got * 4 * W) != 0;
        size_t poison = texture_poison_count(f, &b.dst, 0, 0, 0, 0, 0);
        char name[96];
        snprintf(name, sizeof name,
                 "border %d, method %d: rows that differ, texels written outside", i / 2,
                 1 + i % 2);
        CHECK_LIMIT(name, wrong + fabs((double)(BW * BH - W * H) - (double)poison), 0);
        free(want);
        free(got);
        contract_close(f, &a);
        contract_close(f, &b);
    }
    CHECK_LIMIT("bad texels counted, all of them outside", (double)(fixture_scrubbed(f) - before),
                0);
    free(src);
    free(kernel);
    free(big);
    free(big_kernel);
    f->ag->pass_destroy(pass);
}

// Layers 1 and 2 of four, into layers 2 and 3; each equals the same texels alone.
void test_layers(void **state)
{
    enum { LAYERS = 4 };
    fixture *f = *state;
    rng r = rng_start("layers", 72);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H * LAYERS, 4),
           *kernels = contract_noise(&r, TAPS, TAPS * 3, 1);
    for (int method = 1; method < 3; ++method) {
        double *want[2];
        for (int i = 0; i < 2; ++i) {
            contract c;
            contract_open(f, &c, "rgba32f", src + (1 + i) * PLANE, "rgba32f", TAPS, TAPS,
                          kernels + 2 * TAPS * TAPS);
            c.settings.method = method;
            want[i] = contract_run(f, pass, &c);
            contract_close(f, &c);
        }
        contract c;
        contract_adopt(&c, texture_create_array(f, "rgba32f", W, H, LAYERS, 1, src),
                       texture_create_array(f, "r32f", TAPS, TAPS, 3, 1, kernels),
                       texture_create_array(f, "rgba32f", W, H, LAYERS, 1, NULL));
        c.settings.method = method;
        c.slots[0].first_layer = 1;
        c.slots[1].first_layer = 2; // the kernel is a layer of an array, too
        c.slots[1].layers = 1;
        c.slots[2].first_layer = 2;
        c.slots[0].layers = c.slots[2].layers = 2;
        double *got = contract_run(f, pass, &c);
        for (int i = 0; i < 2; ++i) {
            char name[64];
            snprintf(name, sizeof name, "method %d: layer %d equals the same texels alone", method,
                     i);
            CHECK(
                check_case(name, memcmp(got + (2 + i) * PLANE, want[i], sizeof *got * PLANE) == 0));
            free(want[i]);
        }
        CHECK_EQ(texture_poison_count(f, &c.dst, 0, 0, 0, 0, 0), 2 * W * H);
        free(got);
        contract_close(f, &c);
    }
    free(src);
    free(kernels);
    f->ag->pass_destroy(pass);
}

// Level 1 of src, 2 of the kernel, 1 of dst: the other levels are neither read nor written.
void test_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("levels", 73);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    for (int method = 1; method < 3; ++method) {
        contract a, b;
        contract_open(f, &a, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
        contract_adopt(&b, texture_create_array(f, "rgba32f", 2 * W + 1, 2 * H, 0, 3, NULL),
                       texture_create_array(f, "r32f", 4 * TAPS + 3, 4 * TAPS, 0, 4, NULL),
                       texture_create_array(f, "rgba32f", 2 * W, 2 * H + 1, 0, 3, NULL));
        texture_upload(f, &b.src, 1, src);
        texture_upload(f, &b.kernel, 2, kernel);
        a.settings.method = b.settings.method = method;
        b.slots[0].level = b.slots[2].level = 1;
        b.slots[1].level = 2;
        b.slots[0].width = b.slots[2].width = W;
        b.slots[0].height = b.slots[2].height = H;
        b.slots[1].width = b.slots[1].height = TAPS;
        double *want = contract_run(f, pass, &a);
        fixture_run(f, pass, &b.job);
        double *got = texture_read(f, &b.dst, 1);
        char name[64];
        snprintf(name, sizeof name, "method %d: levels 1, 2, 1 give the same bits", method);
        CHECK(check_case(name, memcmp(got, want, sizeof *got * PLANE) == 0));
        CHECK_EQ(texture_poison_count(f, &b.dst, 0, 0, 0, 0, 0), 2 * W * (2 * H + 1));
        CHECK_EQ(texture_poison_count(f, &b.dst, 2, 0, 0, 0, 0), W / 2 * (H / 2));
        free(want);
        free(got);
        contract_close(f, &a);
        contract_close(f, &b);
    }
    free(src);
    free(kernel);
    f->ag->pass_destroy(pass);
}

// ---- bad texels --------------------------------------------------------------------------------

static double *with_bad_texels(const double *src, double *clean, int count)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    double *values = malloc(sizeof *values * PLANE);
    CHECK(values != NULL);
    memcpy(values, src, sizeof *values * PLANE);
    memcpy(clean, src, sizeof *values * PLANE);
    for (int i = 0; i < count; ++i) { // the corners first: borders repeat them
        int texel = i == 0 ? 0 : i == 1 ? W * H - 1 : i == 2 ? W - 1 : 1 + 331 * i;
        values[4 * texel + i % 4] = bad[i % 3];
        memset(clean + 4 * texel, 0, 4 * sizeof *clean);
    }
    values[4 * (20 * W + 7) + 1] = clean[4 * (20 * W + 7) + 1] = 65504; // large, but finite
    return values;
}

// One, then ten non-finite texels. The result equals that of zeros in their place, bit for bit.
// Each execute counts each texel once, even if a border repeats it or several tiles read it.
void test_bad_texels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("bad texels", 74);
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    double *clean = malloc(sizeof *clean * PLANE);
    bool good = true;
    for (int i = 0; i < 32; ++i) {
        ag_pass *pass = fixture_pass(f, "convolve");
        int count = i / 8 % 2 ? 10 : 1;
        const char *format = i / 16 ? "rgba16f" : "rgba32f";
        double *bad = with_bad_texels(src, clean, count);
        contract a, b;
        contract_open(f, &a, format, bad, "rgba32f", TAPS, TAPS, kernel);
        contract_open(f, &b, format, clean, "rgba32f", TAPS, TAPS, kernel);
        a.settings.border = b.settings.border = i / 2 % 4;
        a.settings.method = b.settings.method = 1 + i % 2;
        uint64_t before = fixture_scrubbed(f);
        double *got = contract_run(f, pass, &a), *want;
        CHECK_STATUS(f->ag->execute(pass, &a.job, NULL), AG_OK); // a second frame counts them again
        int counted = (int)(fixture_scrubbed(f) - before);
        want = contract_run(f, pass, &b);
        bool same = memcmp(got, want, sizeof *got * PLANE) == 0;
        char name[128];
        snprintf(name, sizeof name,
                 "%d bad texels, %s, border %d, method %d: as zeros; counted %d in 2 frames", count,
                 format, i / 2 % 4, 1 + i % 2, counted);
        good = check_case(name, same && counted == 2 * count) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, counted); // the clean run adds none
        free(got);
        free(want);
        free(bad);
        f->ag->pass_destroy(pass);
        contract_close(f, &a);
        contract_close(f, &b);
    }
    free(src);
    free(kernel);
    free(clean);
    CHECK(good);
}

// With scrub off, non-finite texels pass through the arithmetic, and are not counted.
void test_no_scrub(void **state)
{
    fixture *f = *state;
    rng r = rng_start("no scrub", 76);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    double *clean = malloc(sizeof *clean * PLANE);
    CHECK(clean != NULL);
    double *bad = with_bad_texels(src, clean, 1);
    contract c;
    contract_open(f, &c, "rgba32f", bad, "rgba32f", TAPS, TAPS, kernel);
    c.settings.scrub = 0;
    uint64_t before = fixture_scrubbed(f);
    c.settings.method = AG_CONVOLVE_DIRECT;
    double *got = contract_run(f, pass, &c);
    CHECK(check_case("scrub off, direct: texels in reach are not finite, others are",
                     !isfinite(got[0]) && isfinite(got[4 * (W - 1)]) && isfinite(got[PLANE - 4])));
    CHECK_EQ(fixture_scrubbed(f) - before, 0);
    free(got);
    c.settings.method = AG_CONVOLVE_FFT;
    free(contract_run(f, pass, &c)); // the whole image may become NaN, but no other texel changes
    CHECK_EQ(fixture_scrubbed(f) - before, 0);
    contract_close(f, &c);
    free(bad);
    free(src);
    free(kernel);
    free(clean);
    f->ag->pass_destroy(pass);
}

// The counter keeps its value when prepare makes a new state.
void test_counter_goes_on(void **state)
{
    static const char *const steps[] = {"prepared anew for another border", "its kernel forgotten",
                                        "another method", "the pass destroyed"};
    fixture *f = *state;
    rng r = rng_start("counter", 77);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    double *clean = malloc(sizeof *clean * PLANE);
    CHECK(clean != NULL);
    double *bad = with_bad_texels(src, clean, 10);
    contract c;
    contract_open(f, &c, "rgba32f", bad, "rgba32f", TAPS, TAPS, kernel);
    c.settings.method = AG_CONVOLVE_FFT;
    uint64_t before = fixture_scrubbed(f);
    bool good = true;
    for (int step = 0; step < 4; ++step) {
        free(contract_run(f, pass, &c));
        uint64_t counted = fixture_scrubbed(f) - before;
        CHECK_EQ(counted, 10 * (step + 1));
        if (step == 0)
            c.settings.border = AG_BORDER_CLAMP;
        else if (step == 1)
            f->ag->forget(f->device, c.kernel.name);
        else if (step == 2)
            c.settings.method = AG_CONVOLVE_DIRECT;
        else
            f->ag->pass_destroy(pass);
        if (step < 3)
            CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_OK);
        char name[128];
        counted = fixture_scrubbed(f) - before;
        snprintf(name, sizeof name, "%s: %d bad texels counted so far, %d expected", steps[step],
                 (int)counted, 10 * (step + 1));
        good = check_case(name, counted == 10u * (unsigned)(step + 1)) && good;
    }
    contract_close(f, &c);
    free(bad);
    free(src);
    free(kernel);
    free(clean);
    CHECK(good);
}

// The same in the kernel, which prepare reads once.
void test_bad_kernel(void **state)
{
    fixture *f = *state;
    rng r = rng_start("bad kernel", 75);
    double *src = contract_noise(&r, W, H, 4), bad[TAPS * TAPS], clean[TAPS * TAPS];
    bool good = true;
    rng_fill_uniform(&r, bad, COUNT(bad), 0, 1);
    texture_quantise("r32f", bad, COUNT(bad));
    bad[0] = (double)NAN;
    bad[TAPS * TAPS / 2] = (double)INFINITY; // the centre, which may bypass the FFT
    bad[TAPS * TAPS - 3] = -(double)INFINITY;
    for (size_t i = 0; i < COUNT(bad); ++i)
        clean[i] = isfinite(bad[i]) ? bad[i] : 0;
    for (int i = 0; i < 4; ++i) {
        ag_pass *pass = fixture_pass(f, "convolve");
        contract a, b;
        contract_open(f, &a, "rgba32f", src, "rgba32f", TAPS, TAPS, bad);
        contract_open(f, &b, "rgba32f", src, "rgba32f", TAPS, TAPS, clean);
        a.settings.method = b.settings.method = 1 + i % 2;
        a.settings.normalize = b.settings.normalize = i / 2;
        uint64_t before = fixture_scrubbed(f);
        double *got = contract_run(f, pass, &a);
        int counted = (int)(fixture_scrubbed(f) - before);
        double *want = contract_run(f, pass, &b);
        char name[128];
        snprintf(name, sizeof name, "3 bad taps, method %d, normalize %d: as zeros; counted %d",
                 1 + i % 2, i / 2, counted);
        bool same = memcmp(got, want, sizeof *got * PLANE) == 0;
        good = check_case(name, same && counted == 3) && good;
        free(got);
        free(want);
        f->ag->pass_destroy(pass);
        contract_close(f, &a);
        contract_close(f, &b);
    }
    free(src);
    CHECK(good);
}
