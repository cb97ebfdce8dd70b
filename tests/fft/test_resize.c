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

enum { MIN_W = 48, MAX_W = 60, MIN_H = 36, MAX_H = 44, TAPS = 9, CHANNELS = 4 };

typedef struct walk { // a pass whose image is another part of the same textures on each frame; do
    fixture *f;       // not copy
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
    trial_make(&k->t);
}

static void close_walk(walk *k)
{
    trial_free(&k->t);
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

// The rectangle is written, and nothing else; a pass that never had another size gives these bits.
static void check_frame(const walk *k, const double *got)
{
    fixture *f = k->f;
    const texture *dst = &k->t.textures[DST];
    size_t beyond = (size_t)(MAX_W * MAX_H - k->w * k->h);
    CHECK_EQ(texture_poison_count(f, dst, 0, 0, 0, k->w, k->h), 0);
    CHECK_EQ(texture_poison_count(f, dst, 0, 0, 0, 0, 0), beyond);
    texture_poison(f, dst);
    ag_pass *fresh = fixture_pass(f, k->t.info->id);
    fixture_run(f, fresh, &k->t.job);
    double *want = texture_read(f, dst, 0);
    CHECK_F(values_same(got, want, CHANNELS * MAX_W * MAX_H), "%dx%d: other bits than fresh ones",
            k->w, k->h);
    f->ag->pass_destroy(fresh);
    free(want);
}

// ---- frames ------------------------------------------------------------------------------------

typedef struct tally {
    uint32_t made, dispatches;
} tally;

static void run_frame(walk *k, tally *t)
{
    fixture *f = k->f;
    gl_trace *trace = &f->host.trace;
    texture_poison(f, &k->t.textures[DST]);
    gl_trace_reset(trace);
    CHECK_STATUS(f->ag->prepare(k->t.pass, &k->t.job), AG_OK);
    t->dispatches += gl_trace_calls(trace, "glDispatchCompute");
    CHECK_STATUS(f->ag->execute(k->t.pass, &k->t.job, NULL), AG_OK);
    t->made += made(trace);
    double *got = texture_read(f, &k->t.textures[DST], 0);
    check_frame(k, got);
    free(got);
}

// Every length of both axes, and the largest size twice, because two spectra are used in turn.
static void warm_up(walk *k, tally *t)
{
    int most = MAX_W - MIN_W > MAX_H - MIN_H ? MAX_W - MIN_W : MAX_H - MIN_H;
    for (int i = -2; i <= most; ++i) {
        int less = i < 0 ? 0 : i;
        resize(k, MAX_W - less < MIN_W ? MIN_W : MAX_W - less,
               MAX_H - less < MIN_H ? MIN_H : MAX_H - less);
        if (i < 0) // prepared for another size first, otherwise prepare would have nothing to do
            k->t.views[SRC].rect_width = k->t.views[DST].rect_width = k->w -= 2 + i;
        run_frame(k, t);
    }
}

static void check_walk(fixture *f, const char *name, bool bloom, int border)
{
    int frames = check_tier_now() == CHECK_QUICK ? 60 : 300;
    rng r = rng_start(name, 91);
    walk k;
    open_walk(&k, f, bloom, border, &r);
    tally warm = {0}, t = {0};
    uint32_t programs = health_of(f).programs;
    warm_up(&k, &warm);
    ag_health before = health_of(f);
    size_t blocks = f->host.block_count, live = f->host.live_bytes;
    for (int i = 0; i < frames; ++i) {
        step(&k, &r);
        run_frame(&k, &t);
        CHECK_STATUS(f->ag->frame(f->device, (uint64_t)i), AG_OK);
        CHECK_EQ(f->host.block_count, blocks);
    }
    ag_health after = health_of(f);
    printf(
        "  note  %s: %d sizes from %dx%d to %dx%d; the warm-up made %u GL calls that make something\n",
        name, frames, MIN_W, MIN_H, MAX_W, MAX_H, warm.made);
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
    check_walk(*state, "convolve, border zero", false, AG_BORDER_ZERO);
}

static void test_convolve_clamp(void **state)
{
    check_walk(*state, "convolve, border clamp", false, AG_BORDER_CLAMP);
}

static void test_bloom(void **state)
{
    check_walk(*state, "bloom", true, AG_BORDER_ZERO);
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
    run_frame(&k, &t);
    CHECK(t.dispatches > 0);
    t.dispatches = 0;
    for (int w = 59; w > 53; --w) // rows of 64 points, columns of 48
        for (int h = 41; h < 44; ++h) {
            resize(&k, w, h);
            run_frame(&k, &t);
        }
    CHECK_LIMIT("dispatches of 18 prepares between the same lengths", t.dispatches, 0);
    uint32_t before = t.made;
    ++k.t.views[KERNEL].version; // another kernel
    texture_upload(f, &k.t.textures[KERNEL], 0, k.texels);
    for (int i = 0; i < TAPS * TAPS; ++i)
        k.taps[i] = k.texels[i];
    run_frame(&k, &t);
    CHECK_F(t.dispatches > 0, "a new version of the kernel was not transformed");
    CHECK_LIMIT("calls that make the second spectrum's buffer", t.made - before, 4);
    close_walk(&k);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_convolve_zero),
        FIXTURE_FULL(test_convolve_clamp),
        FIXTURE_TEST(test_bloom),
        FIXTURE_TEST(test_spectrum_is_kept),

    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
