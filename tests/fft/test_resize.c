// test_resize.c - a size that changes on every frame: nothing missing, nothing made after a warm-up
// SPDX-License-Identifier: MIT
//
// What counts as made: GL objects (glGen*, glCreate*, glDelete*), storage of buffers and textures,
// views, compiled, linked or loaded programs, and host memory that is still held after the frame.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blooming.h"
#include "convolving.h"
#include "values.h"

enum { FRAMES = 300, MIN_W = 48, MAX_W = 60, MIN_H = 36, MAX_H = 44, TAPS = 9, CHANNELS = 4 };

typedef struct walk { // a pass whose image is another part of the same textures on each frame; do
    fixture *f;       // not copy
    ag_pass *alone;   // sees only the sizes that are compared
    bool bloom;
    ag_convolve_settings convolve;
    ag_bloom_settings glow;
    double *texels, *taps;
    trial t;
    int w, h;
} walk;

enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST }; // bloom's, too

static void open_walk(walk *k, fixture *f, bool bloom, int border, rng *r)
{
    *k = (walk){.f = f,
                .bloom = bloom,
                .convolve = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border),
                .texels = values_noise(r, "rgba32f", MAX_W, MAX_H, 0, 1),
                .taps = values_noise(r, "r32f", TAPS, TAPS, 0, 1)};
    const trial_slot kernel = trial_image("r32f", TAPS, TAPS, k->taps);
    const trial_slot dst = trial_image("rgba32f", MAX_W, MAX_H, NULL);
    k->t = bloom ? blooming_of(f, "resize", MAX_W, MAX_H, k->texels, &k->glow)
                 : convolving_of(f, "resize", trial_image("rgba32f", MAX_W, MAX_H, k->texels),
                                 kernel, dst, &k->convolve);
    k->glow.size = 0.45f; // sigma 1.1 to 1.7: below 1 it takes other programs
    k->alone = fixture_pass(f, bloom ? "bloom" : "convolve");
    trial_make(&k->t);
}

static void close_walk(walk *k)
{
    trial_free(&k->t);
    k->f->ag->pass_destroy(k->alone);
    free(k->texels);
    free(k->taps);
}

static void resize(walk *k, int w, int h)
{
    k->w = k->t.views[SRC].rect_width = k->t.views[DST].rect_width = w;
    k->h = k->t.views[SRC].rect_height = k->t.views[DST].rect_height = h;
}

static void step(walk *k, rng *r)
{
    int w = k->w, h = k->h;
    while (w == k->w && h == k->h) {
        w = k->w + rng_int(r, -3, 3);
        h = k->h + rng_int(r, -3, 3);
        w = w < MIN_W ? MIN_W : w > MAX_W ? MAX_W : w;
        h = h < MIN_H ? MIN_H : h > MAX_H ? MAX_H : h;
    }
    resize(k, w, h);
}

// ---- what was made -----------------------------------------------------------------------------

static uint32_t made(const gl_trace *t)
{
    static const char *const makers[] = {"glGen",
                                         "glCreate",
                                         "glDelete",
                                         "glBufferData",
                                         "glBufferStorage",
                                         "glTexStorage",
                                         "glTexImage",
                                         "glTextureView",
                                         "glTextureStorage",
                                         "glNamedBufferData",
                                         "glNamedBufferStorage",
                                         "glCompileShader",
                                         "glLinkProgram",
                                         "glProgramBinary"};
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
        sum += gl_trace_calls_with(t, makers[i]);
    return sum;
}

static ag_health health_of(fixture *f)
{
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
    return health;
}

// ---- what came out -----------------------------------------------------------------------------

static double texel(const walk *k, int x, int y, int channel)
{
    if (k->convolve.border == AG_BORDER_CLAMP && !k->bloom) {
        x = x < 0 ? 0 : x >= k->w ? k->w - 1 : x;
        y = y < 0 ? 0 : y >= k->h ? k->h - 1 : y;
    }
    bool inside = x >= 0 && y >= 0 && x < k->w && y < k->h;
    return inside ? k->texels[(y * MAX_W + x) * CHANNELS + channel] : 0;
}

// One value straight from the definition.
static double exact(const walk *k, const double *kernel, int size, int x, int y, int channel)
{
    double sum = 0;
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i)
            sum += kernel[j * size + i] * texel(k, x - (i - size / 2), y - (j - size / 2), channel);
    if (!k->bloom)
        return sum;
    double share = (double)k->glow.intensity;
    return texel(k, x, y, channel) * (1 - share) + sum * share;
}

// The largest error of some values, over max|src| * sum|kernel|; fails where a texel is missing.
static double sample_error(const walk *k, const double *got, rng *r)
{
    CHECK_EQ(texture_poison_count(k->f, &k->t.textures[DST], 0, 0, 0, k->w, k->h), 0);
    size_t beyond = (size_t)(MAX_W * MAX_H - k->w * k->h);
    CHECK_EQ(texture_poison_count(k->f, &k->t.textures[DST], 0, 0, 0, 0, 0), beyond);
    int size = k->bloom ? blooming_extent((double)k->glow.size, k->h) : TAPS;
    double *drawn = k->bloom ? blooming_gaussian((double)k->glow.size, k->h) : NULL;
    const double *kernel = drawn ? drawn : k->taps;
    double worst = 0, scale = 0;
    for (int i = 0; i < size * size; ++i)
        scale += fabs(kernel[i]);
    for (int i = 0; i < 6; ++i) {
        int x = rng_int(r, 0, k->w - 1), y = rng_int(r, 0, k->h - 1), c = rng_int(r, 0, 2);
        if (i == 0) // and the last one
            x = k->w - 1, y = k->h - 1;
        double error =
            fabs(got[(y * MAX_W + x) * CHANNELS + c] - exact(k, kernel, size, x, y, c)) / scale;
        if (!(error <= worst))
            worst = error;
    }
    free(drawn);
    return worst;
}

static bool same_as_alone(const walk *k, const double *got)
{
    texture_poison(k->f, &k->t.textures[DST]);
    fixture_run(k->f, k->alone, &k->t.job);
    double *want = texture_read(k->f, &k->t.textures[DST], 0);
    bool same = memcmp(got, want, sizeof *got * texture_value_count(&k->t.textures[DST], 0)) == 0;
    free(want);
    return same;
}

// ---- frames ------------------------------------------------------------------------------------

typedef struct tally {
    uint32_t made, dispatches, compared;
    double worst;
} tally;

static void run_frame(walk *k, tally *t, rng *r, bool compare)
{
    fixture *f = k->f;
    gl_trace *trace = &f->host.trace;
    texture_poison(f, &k->t.textures[DST]);
    gl_trace_reset(trace);
    CHECK_STATUS(f->ag->prepare(k->t.pass, &k->t.job), AG_OK);
    t->dispatches += gl_trace_calls(trace, "glDispatchCompute");
    CHECK_STATUS(f->ag->execute(k->t.pass, &k->t.job, NULL), AG_OK);
    t->made += made(trace);
    double *got = texture_read(f, &k->t.textures[DST], 0), error = sample_error(k, got, r);
    t->worst = error <= t->worst ? t->worst : error;
    if (compare) {
        CHECK_F(same_as_alone(k, got), "%dx%d: other bits than those of a pass alone", k->w, k->h);
        ++t->compared;
    }
    free(got);
}

// Every length of both axes, and the largest size twice, because two spectra are used in turn.
static void warm_up(walk *k, tally *t, rng *r)
{
    int most = MAX_W - MIN_W > MAX_H - MIN_H ? MAX_W - MIN_W : MAX_H - MIN_H;
    for (int i = -2; i <= most; ++i) {
        int less = i < 0 ? 0 : i;
        resize(k, MAX_W - less < MIN_W ? MIN_W : MAX_W - less,
               MAX_H - less < MIN_H ? MIN_H : MAX_H - less);
        if (i < 0) // prepared for another size first, otherwise prepare would have nothing to do
            k->t.views[SRC].rect_width = k->t.views[DST].rect_width = k->w -= 2 + i;
        run_frame(k, t, r, true);
    }
}

static void check_walk(fixture *f, const char *name, bool bloom, int border, int frames)
{
    rng r = rng_start(name, 91);
    walk k;
    open_walk(&k, f, bloom, border, &r);
    tally warm = {0}, t = {0};
    uint32_t programs = health_of(f).programs;
    warm_up(&k, &warm, &r);
    ag_health before = health_of(f);
    size_t blocks = f->host.block_count, live = f->host.live_bytes;
    for (int i = 0; i < frames; ++i) {
        step(&k, &r);
        run_frame(&k, &t, &r, i % 25 == 0);
        CHECK_STATUS(f->ag->frame(f->device, (uint64_t)i), AG_OK);
        CHECK_EQ(f->host.block_count, blocks);
    }
    ag_health after = health_of(f);
    printf(
        "  note  %s: %d sizes from %dx%d to %dx%d; the warm-up made %u GL calls that make something\n",
        name, frames, MIN_W, MIN_H, MAX_W, MAX_H, warm.made);
    printf("  note  %u frames compared with a pass alone, bit for bit; %.1f dispatches a prepare\n",
           t.compared, (double)t.dispatches / frames);
    CHECK_LIMIT("largest error of all samples", fmax(warm.worst, t.worst), 1e-6);
    CHECK_LIMIT("calls that make GL objects, storage or programs after the warm-up", t.made, 0);
    CHECK_EQ(after.persistent_bytes, before.persistent_bytes);
    CHECK_EQ(after.programs, before.programs);
    // The blocks of memory are the same; only texts of defines differ, by a digit.
    CHECK_LIMIT("bytes of host memory more than after the warm-up",
                (double)f->host.live_bytes - (double)live, 128);
    // Programs of a row length: R2C and C2R; in bloom each of them for a band-limited kernel or
    // not, in convolve also the kernel's rows. Of a column length: with and without padding, in
    // convolve also the kernel's columns. Convolve has two more for the kernel.
    int rows = 5, columns = 5; // at most so many lengths, of 13 widths and 9 heights
    CHECK_LIMIT("programs of all those sizes", after.programs - programs,
                bloom ? rows * 4 + columns * 2 : rows * 3 + columns * 3 + 2);
    close_walk(&k);
}

static void test_convolve_zero(void **state)
{
    check_walk(*state, "convolve, border zero", false, AG_BORDER_ZERO, FRAMES);
}

static void test_convolve_clamp(void **state)
{
    check_walk(*state, "convolve, border clamp", false, AG_BORDER_CLAMP, FRAMES / 2);
}

static void test_bloom(void **state)
{
    check_walk(*state, "bloom", true, AG_BORDER_ZERO, FRAMES);
}

// ---- the kernel's spectrum ---------------------------------------------------------------------

// While both lengths stay, a kernel that does not depend on the size is not transformed again.
static void test_spectrum_is_kept(void **state)
{
    fixture *f = *state;
    rng r = rng_start("kept spectra", 92);
    walk k;
    open_walk(&k, f, false, AG_BORDER_ZERO, &r);
    tally t = {0};
    resize(&k, 60, 44);
    run_frame(&k, &t, &r, true);
    CHECK(t.dispatches > 0);
    t.dispatches = 0;
    for (int w = 59; w > 53; --w) // rows of 64 points, columns of 48
        for (int h = 41; h < 44; ++h) {
            resize(&k, w, h);
            run_frame(&k, &t, &r, true);
        }
    CHECK_LIMIT("dispatches of 18 prepares between the same lengths", t.dispatches, 0);
    uint32_t before = t.made;
    ++k.t.views[KERNEL].version; // another kernel
    texture_upload(f, &k.t.textures[KERNEL], 0, k.texels);
    for (int i = 0; i < TAPS * TAPS; ++i)
        k.taps[i] = k.texels[i];
    run_frame(&k, &t, &r, true);
    CHECK_F(t.dispatches > 0, "a new version of the kernel was not transformed");
    CHECK_LIMIT("calls that make the second spectrum's buffer", t.made - before, 4);
    close_walk(&k);
}

// When a prepare runs out of memory, the former plan stays in use and gives the same bits.
static void test_failed_resize(void **state)
{
    fixture *f = *state;
    rng r = rng_start("failed resizes", 93);
    for (int bloom = 0; bloom < 2; ++bloom) {
        walk k;
        open_walk(&k, f, bloom, AG_BORDER_ZERO, &r);
        tally t = {0};
        warm_up(&k, &t, &r); // so that the next state takes over all memory
        int failures = 0;
        for (uint64_t n = 1;; ++n) {
            resize(&k, MAX_W, MAX_H);
            CHECK_STATUS(f->ag->prepare(k.t.pass, &k.t.job), AG_OK);
            texture_poison(f, &k.t.textures[DST]);
            CHECK_STATUS(f->ag->execute(k.t.pass, &k.t.job, NULL), AG_OK);
            double *want = texture_read(f, &k.t.textures[DST], 0);
            resize(&k, MIN_W, MIN_H);
            host_alloc_reset(&f->host, n);
            ag_status status = f->ag->prepare(k.t.pass, &k.t.job);
            host_alloc_reset(&f->host, 0);
            resize(&k, MAX_W, MAX_H);
            if (status < 0) {
                CHECK_EQ(status, AG_E_MEMORY);
                texture_poison(f, &k.t.textures[DST]);
                CHECK_STATUS(f->ag->execute(k.t.pass, &k.t.job, NULL), AG_OK);
                double *got = texture_read(f, &k.t.textures[DST], 0);
                CHECK_F(memcmp(got, want,
                               sizeof *got * texture_value_count(&k.t.textures[DST], 0)) == 0,
                        "allocation %d fails: the former plan gives other bits", (int)n);
                free(got);
                ++failures;
            }
            free(want);
            if (status >= 0)
                break;
        }
        printf("  ok    %s: %d allocations that fail, the former plan goes on\n",
               bloom ? "bloom" : "convolve", failures);
        CHECK(failures > 5);
        close_walk(&k);
    }
}

// A window that is dragged: new textures on every frame, forgotten after it.
static void test_window(void **state)
{
    fixture *f = *state;
    rng r = rng_start("window", 94);
    walk k;
    open_walk(&k, f, true, AG_BORDER_ZERO, &r);
    tally warm = {0};
    warm_up(&k, &warm, &r);
    ag_health before = health_of(f);
    size_t blocks = f->host.block_count;
    uint32_t count = 0;
    for (int i = 0; i < 60; ++i) {
        step(&k, &r);
        ag_bloom_settings s;
        trial t = blooming_of(f, "window", k.w, k.h, k.texels, &s);
        t.pass = k.t.pass;
        s = k.glow;
        trial_make(&t);
        gl_trace_reset(&f->host.trace);
        CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
        CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
        count += made(&f->host.trace);
        CHECK_EQ(texture_poison_count(f, &t.textures[DST], 0, 0, 0, 0, 0), 0);
        trial_free(&t);
        CHECK_EQ(f->host.block_count, blocks);
    }
    CHECK_LIMIT("60 windows: GL objects, storage or programs made", count, 0);
    CHECK_EQ(health_of(f).persistent_bytes, before.persistent_bytes);
    close_walk(&k);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_convolve_zero), FIXTURE_TEST(test_convolve_clamp),
        FIXTURE_TEST(test_bloom),         FIXTURE_TEST(test_spectrum_is_kept),
        FIXTURE_TEST(test_failed_resize), FIXTURE_TEST(test_window),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
