// test_fft_ladder.c - "fft_ladder", the documents' transforms, against FFTW in double
// SPDX-License-Identifier: MIT
#include "test_fft_ladder.h"

#include <afterglow/ladder_fft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fft_ref.h"
#include "trial.h"
#include "values.h"

enum { SRC, DST, SRC_IMAG, DST_IMAG };
enum {
    SHARED_RADIX2 = AG_FFT_LADDER_SHARED_RADIX2,
    TEXTURE_RADIX2 = AG_FFT_LADDER_TEXTURE_RADIX2,
    HALF_THREADS = AG_FFT_LADDER_HALF_THREADS,
    HALF_LENGTH = AG_FFT_LADDER_HALF_LENGTH
};
enum { METHODS = 4 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

// The planes of one transform, and its settings, which the trial points to.
typedef struct transform {
    trial t;
    ag_fft_ladder_settings s;
    double *values[2];
} transform;

// A texel that is not finite counts as 0.
static bool exact(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_fft_ladder_settings *s = t->settings;
    const fft_ref ref = {p->width, p->height,
                         *ag_fft_params(.direction = s->direction, .norm = s->norm,
                                        .axes = s->axes)};
    size_t texels = (size_t)p->width * (size_t)p->height;
    double *real = trial_input(t, SRC, 0);
    double *imag = t->textures[SRC_IMAG].name ? trial_input(t, SRC_IMAG, 0) : NULL;
    double complex *in = check_allocate(2 * texels * sizeof *in), *out = in + texels;
    (void)bound;
    for (size_t c = 0; c < 4; ++c) {
        for (size_t i = 0; i < texels; ++i) {
            const double *x = real + 4 * i;
            bool finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && isfinite(x[3]);
            in[i] = (finite ? x[c] : 0) + (imag ? imag[4 * i + c] : 0) * I;
        }
        fft_ref_run(&ref, in, out);
        for (size_t i = 0; i < texels; ++i)
            want[4 * i + c] = p->slot == DST ? creal(out[i]) : cimag(out[i]);
    }
    free(in);
    free(real);
    free(imag);
    return true;
}

// A rectangle of random values within a margin of others. The output's margin has to stay poison.
static void open_transform(transform *x, fixture *f, rng *r, int method, const int size[2],
                           int margin, bool complex_in)
{
    int width = size[0] + 2 * margin, height = size[1] + 2 * margin;
    x->t = trial_of(f, "fft_ladder", "a transform", &x->s, sizeof x->s);
    x->s.method = method;
    for (int i = 0; i < 2; ++i)
        x->values[i] = values_noise(r, "rgba32f", width, height, -1, 1);
    for (int i = 0; i < 4; ++i) {
        trial_slot *slot = &x->t.slots[i];
        *slot = trial_image("rgba32f", width, height, i % 2 ? NULL : x->values[i / 2]);
        slot->x = slot->y = margin;
        slot->w = size[0];
        slot->h = size[1];
    }
    if (!complex_in)
        x->t.slots[SRC_IMAG] = (trial_slot){0};
    x->t.reference = exact;
    x->t.limit = (double)INFINITY; // of one value; the bound is that of all
    x->t.snr = 120;
}

static void close_transform(transform *x)
{
    trial_free(&x->t);
    free(x->values[0]);
    free(x->values[1]);
}

// Sizes and the longest lines of each; a texel that is not finite counts as 0, and is counted.
static void test_methods(void **state)
{
    static const int sizes[][2] = {{16, 8}, {4, 2}, {64, 32}, {8, 128}, {256, 4}, {512, 2}};
    static const int longest[METHODS][2] = {[TEXTURE_RADIX2] = {4096, 1},
                                            [HALF_THREADS] = {1024, 2},
                                            [HALF_LENGTH] = {2048, 2},
                                            [SHARED_RADIX2] = {512, 512}};
    enum { SIZES = COUNT(sizes) };
    fixture *f = *state;
    rng r = rng_start("methods", 91);
    bool good = true;
    sweep *share = sweep_start("methods", 14);
    for (int method = 0; method < METHODS; ++method)
        for (int i = 0; i <= SIZES; ++i)
            for (int k = 0; k < 3; ++k) {
                const int *size = i < SIZES ? sizes[i] : longest[method];
                bool half = method == HALF_LENGTH;
                int margin = i % 3 == 1 ? 2 : 0;
                transform x;
                if (!sweep_takes(share))
                    continue;
                open_transform(&x, f, &r, method, size, margin, !half && i % 2);
                x.values[0][4 * (margin * (size[0] + 2 * margin) + margin) + 1] = (double)NAN;
                x.s.axes = size[1] == 1 ? AG_FFT_X : half ? k % 2 : k;
                x.s.direction = half ? AG_FFT_FORWARD : (i + k) % 2;
                x.s.norm = k;
                uint64_t before = fixture_scrubbed(f);
                good = trial_check(&x.t) && good;
                CHECK_EQ(fixture_scrubbed(f) - before, 1);
                close_transform(&x);
            }
    CHECK(good);
}

// Whether the documents have a change of this method: `change` counts the weights, four numbers of
// rows, then scattered, copied, transposed and pairs.
static bool takes(int method, int change)
{
    bool halves = method == HALF_THREADS || method == HALF_LENGTH;
    static const int only[] = {SHARED_RADIX2, HALF_THREADS, HALF_LENGTH};
    if (change < 4)
        return true;
    return change == 4 ? !halves : change < 10 ? halves : method == only[change - 10];
}

// Every change is the same transform, and a method refuses those of others. Only the driver's sine
// and cosine may be worse: as good as the driver.
static void test_changes(void **state)
{
    static const int size[2] = {32, 16};
    rng r = rng_start("changes", 93);
    bool good = true;
    sweep *share = sweep_start("changes", 6);
    for (int method = 0; method < METHODS; ++method)
        for (int change = 0; change < 13; ++change) {
            transform x;
            bool always = change >= 9 && change < 12 && takes(method, change); // pairs: below
            if (!always && !sweep_takes(share))
                continue;
            open_transform(&x, *state, &r, method, size, 0, false);
            int32_t *const flags[] = {&x.s.scattered, &x.s.copied, &x.s.transposed, &x.s.pairs};
            if (change < 5)
                x.s.weights = AG_FFT_LADDER_POLYNOMIAL + change;
            else if (change < 9)
                x.s.rows = 1 << (change - 5);
            else
                *flags[change - 9] = 1;
            if (x.s.weights == AG_FFT_LADDER_DRIVER)
                x.t.snr = 40;
            good = (takes(method, change) ? trial_check(&x.t)
                                          : trial_refused(&x.t, AG_E_ARG, "; it is of ")) &&
                   good;
            close_transform(&x);
        }
    CHECK(good);
}

// Two real rows in one complex row, also where the last row has no other.
static void test_row_pairs(void **state)
{
    static const int sizes[][2] = {{32, 16}, {64, 5}, {4, 1}, {8, 3}};
    rng r = rng_start("row pairs", 95);
    bool good = true;
    sweep *share = sweep_start("row pairs", 2);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        transform x;
        if (!sweep_takes(share))
            continue;
        open_transform(&x, *state, &r, HALF_LENGTH, sizes[i], i % 2, false);
        x.s.axes = i ? AG_FFT_X : AG_FFT_BOTH;
        x.s.pairs = 1;
        good = trial_check(&x.t) && good;
        close_transform(&x);
    }
    CHECK(good);
}

// The plan's loads and stores of global memory are those of the documents' formulas: the article's
// Figs 5 and 7, and the paper's "once in and once out" for each axis.
static void test_touches(void **state)
{
    enum { W = 64, H = 32, TEXELS = W * H };
    fixture *f = *state;
    rng r = rng_start("touches", 97);
    ag_ladder_bytes textures[] = {ag_ladder_texture_bytes(W, H, W),
                                  ag_ladder_texture_bytes(W, H, H)};
    ag_ladder_bytes shared = ag_ladder_shared_bytes(W, H, false);
    ag_ladder_bytes real = ag_ladder_shared_bytes(W, H, true);
    uint64_t want[METHODS] = {[SHARED_RADIX2] = 2 * (shared.read + shared.written),
                              [TEXTURE_RADIX2] = textures[0].read + textures[0].written +
                                                 textures[1].read + textures[1].written,
                              [HALF_THREADS] = 2 * (shared.read + shared.written),
                              [HALF_LENGTH] =
                                  real.read + real.written + shared.read + shared.written};
    for (int method = 0; method < METHODS; ++method) {
        transform x;
        const ag_plan *plan;
        uint64_t bytes = 0;
        open_transform(&x, f, &r, method, (const int[]){W, H}, 0, method != HALF_LENGTH);
        trial_make(&x.t);
        CHECK_STATUS(f->ag->declare(x.t.pass, &x.t.job, &plan), AG_OK);
        for (uint32_t i = 0; i < plan->step_count; ++i)
            bytes += ((const ag_step *)(const void *)((const char *)plan->steps +
                                                      (size_t)i * plan->step_stride))
                         ->bytes;
        printf("  %s\n  %.0f loads and stores a texel\n", plan->text, (double)bytes / 16 / TEXELS);
        CHECK_EQ(bytes, want[method]);
        close_transform(&x);
    }
}

static void test_refused(void **state)
{
    static const struct {
        int method, size[2];
        bool complex_in;
        ag_fft_ladder_settings s; // direction and axes alone
        ag_status status;
        const char *word;
    } cases[] = {
        {SHARED_RADIX2, {1024, 16}, false, {0}, AG_E_SIZE, "takes powers of two from 2 to 512"},
        {SHARED_RADIX2, {48, 16}, false, {0}, AG_E_SIZE, "48 columns"},
        {SHARED_RADIX2, {16, 1}, false, {0}, AG_E_SIZE, "1 rows"},
        {HALF_THREADS, {2048, 16}, false, {0}, AG_E_SIZE, "takes powers of two from 2 to 1024"},
        {HALF_LENGTH, {2, 16}, false, {0}, AG_E_SIZE, "takes powers of two from 4 to 2048"},
        {HALF_LENGTH, {16, 16}, true, {0}, AG_E_ARG, "real rows"},
        {HALF_LENGTH, {16, 16}, false, {.direction = AG_FFT_INVERSE}, AG_E_ARG, "real rows"},
        {HALF_LENGTH, {16, 16}, false, {.axes = AG_FFT_Y}, AG_E_ARG, "real rows"},
        {HALF_LENGTH, {2048, 2}, false, {.pairs = 1}, AG_E_SIZE, "with pairs takes powers of two"},
        {HALF_THREADS, {16, 16}, false, {.transposed = 1, .axes = AG_FFT_X}, AG_E_ARG, "axes both"},
    };
    rng r = rng_start("refused", 98);
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        transform x;
        open_transform(&x, *state, &r, cases[i].method, cases[i].size, 0, cases[i].complex_in);
        x.s.direction = cases[i].s.direction;
        x.s.axes = cases[i].s.axes;
        x.s.pairs = cases[i].s.pairs;
        x.s.transposed = cases[i].s.transposed;
        good = trial_refused(&x.t, cases[i].status, cases[i].word) && good;
        close_transform(&x);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    static const check_test tests[] = {
        UNIT_TEST(test_lookup),      UNIT_TEST(test_bytes),       UNIT_TEST(test_gain),
        FIXTURE_SWEEP(test_methods), FIXTURE_SWEEP(test_changes), FIXTURE_SWEEP(test_row_pairs),
        FIXTURE_TEST(test_touches),  FIXTURE_TEST(test_refused),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_ladder, fixture_teardown);
}
