// fft_plan_emulation.c - shaders/fft/line.glsl and stage.glsl step by step on the CPU, from plan
// and tables
// SPDX-License-Identifier: MIT
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fftw3.h>

#include "random.h"
#include "test_fft_plan.h"

typedef struct pass { // one transform() of shaders/fft/line.glsl
    const ag_fft_line *line;
    int order;                      // ORDER
    bool mirror_first, mirror_last; // MIRROR_FIRST, MIRROR_LAST
} pass;

// As fft/rows_r2c.comp (0) and fft/rows_c2r.comp (1), or both passes of fft/columns.comp.
static pass pass_of(const ag_fft_line *line, int order)
{
    bool single = line->stages == 1;
    return (pass){line, order, line->row && (order == 1 || single), line->row && order == 0};
}

static int radix_at(const pass *p, int stage)
{
    return p->line->radix[p->order ? p->line->stages - 1 - stage : stage];
}

static bool mirror_at(const pass *p, int stage)
{
    return (stage == 0 && p->mirror_first) || (stage == p->line->stages - 1 && p->mirror_last);
}

// ---- line.glsl on the CPU -----------------------------------------------------------------------

static uint32_t pairs_of(int count)
{
    return (uint32_t)(count / 2 + count % 2);
}

static int rounds_of(const ag_fft_line *line, int radix, bool mirror)
{
    int count = line->length / radix, threads = line->threads;
    return mirror ? ((int)pairs_of(count) + threads - 1) / threads * 2
                  : (count + threads - 1) / threads;
}

static uint32_t butterfly(const ag_fft_line *line, uint32_t thread, int i, int count, bool mirror)
{
    if (!mirror)
        return thread + (uint32_t)(i * line->threads);
    uint32_t m = thread + (uint32_t)(i / 2 * line->threads);
    return i % 2 == 0 ? m : m == 0 ? (uint32_t)(count / 2) : (uint32_t)count - m;
}

static bool holds(const ag_fft_line *line, uint32_t thread, int i, int count, bool mirror)
{
    uint32_t threads = (uint32_t)line->threads;
    if (!mirror)
        return (uint32_t)count % threads == 0 || thread + (uint32_t)i * threads < (uint32_t)count;
    uint32_t m = thread + (uint32_t)(i / 2) * threads;
    return (pairs_of(count) % threads == 0 || m < pairs_of(count)) &&
           (count % 2 == 0 || i % 2 == 0 || m > 0);
}

// ---- tables ------------------------------------------------------------------------------------

// The largest error of one half of a table, from its description in fft_line.h; counts its entries.
static double table_error(const ag_fft_line *line, bool reverse, const float *table, int *used)
{
    const long double turn = 6.283185307179586476925286766559L;
    double worst = 0;
    int before = 1;
    for (int s = 0; s < line->stages; ++s) {
        int radix = line->radix[reverse ? line->stages - 1 - s : s];
        for (int m = 0; s > 0 && m < before; ++m)
            for (int power = 1; power <= (radix > 4 ? 8 : 2); power *= 2) {
                long double angle = -turn * m * power / ((long double)before * radix);
                const float *w = table + 4 * *used + (power == 1 || power == 4 ? 0 : 2);
                worst = check_worse(worst, fabs((double)((long double)w[0] - cosl(angle))));
                worst = check_worse(worst, fabs((double)((long double)w[1] - sinl(angle))));
                *used += power == 2 || power == 8;
            }
        before *= radix;
    }
    return worst;
}

// Both orders, and a guard value behind the table.
static float *table_of(const ag_fft_line *line)
{
    int count = ag_fft_twiddle_count(line, true);
    float *table = malloc(4 * sizeof *table * (size_t)(count + 1));
    CHECK(table != NULL);
    table[4 * count] = 77.0f;
    ag_fft_twiddles(line, table);
    CHECK_F(table[4 * count] == 77.0f, "length %d: the table was overrun", line->length);
    return table;
}

void test_twiddles(void **state)
{
    (void)state;
    double worst = 0;
    int tables = 0;
    for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n)
        for (int row = 0; row < 2; ++row) {
            ag_fft_line line;
            if (!smooth(n) || !ag_fft_plan_line(n, row, INVOCATIONS, &line))
                continue;
            float *table = table_of(&line);
            int used = 0, forward = ag_fft_twiddle_count(&line, false);
            worst = check_worse(worst, table_error(&line, false, table, &used));
            CHECK_F(used == forward, "length %d: %d entries, %d expected", n, forward, used);
            worst = check_worse(worst, table_error(&line, true, table, &used));
            CHECK_F(used == ag_fft_twiddle_count(&line, true), "length %d: %d entries, %d expected",
                    n, ag_fft_twiddle_count(&line, true), used);
            free(table);
            ++tables;
        }
    char name[80];
    snprintf(name, sizeof name, "twiddles of %d tables against long double", tables);
    CHECK_LIMIT(name, worst, 0x1.0001p-25); // half a unit of a float below 1, rounded in double
}

// ---- whole transforms --------------------------------------------------------------------------

static double complex v[AG_FFT_MAX_LENGTH * 8]; // of all threads
static double complex s_exchange[AG_FFT_SHARED_BYTES / 4];
static double complex roots[17][16]; // exp(-2 pi i k / radix)

static double complex *registers(const ag_fft_line *line, int thread)
{
    return v + (size_t)thread * (size_t)line->elements;
}

static void poison(double complex *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        values[i] = CMPLX(NAN, NAN);
}

// w^k of a table entry: the product of w^1, w^2, w^4, w^8, by the bits of k.
static double complex turn_of(const float *entry, int k)
{
    double complex w = 1;
    for (int bit = 0; bit < 4; ++bit)
        if (k >> bit & 1)
            w *= CMPLX(entry[2 * bit], entry[2 * bit + 1]);
    return w;
}

static void run_butterfly(double complex *x, int radix, const float *entry)
{
    double complex in[16];
    for (int k = 0; k < radix; ++k)
        in[k] = entry ? x[k] * turn_of(entry, k) : x[k];
    for (int f = 0; f < radix; ++f) {
        x[f] = 0;
        for (int k = 0; k < radix; ++k)
            x[f] += in[k] * roots[radix][f * k % radix];
    }
}

// The addresses of stage.glsl are a thread's part plus a constant. They must equal the padded
// places.
static void exchange(const pass *p, int stage, int before)
{
    const ag_fft_line *line = p->line;
    int radix = radix_at(p, stage), next = radix_at(p, stage + 1), n = line->length;
    int count = n / radix, step = n / next;
    int block = line->block[p->order][stage], pad = line->pad[p->order][stage];
    bool mirror = mirror_at(p, stage), mirror_next = mirror_at(p, stage + 1);
#define PLACE(j) ((j) + (j) / block * pad)
    poison(s_exchange, sizeof s_exchange / sizeof *s_exchange);
    for (int t = 0; t < line->threads; ++t)
        for (int i = 0; i < rounds_of(line, radix, mirror); ++i) {
            if (!holds(line, (uint32_t)t, i, count, mirror))
                continue;
            int b = (int)butterfly(line, (uint32_t)t, i, count, mirror);
            int to = b / before * (before * radix) + b % before;
            for (int k = 0; k < radix; ++k) {
                int place = PLACE(to) + k * before + k * before / block * pad;
                CHECK_F(place == PLACE(to + k * before) && place < line->stride,
                        "%d: order %d stage %d: %d written to %d", n, p->order, stage,
                        to + k * before, place);
                CHECK_F(isnan(creal(s_exchange[place])), "%d: order %d stage %d: %d written twice",
                        n, p->order, stage, place);
                s_exchange[place] = registers(line, t)[i * radix + k];
            }
        }
    poison(v, (size_t)line->threads * (size_t)line->elements);
    for (int t = 0; t < line->threads; ++t)
        for (int i = 0; i < rounds_of(line, next, mirror_next); ++i) {
            if (!holds(line, (uint32_t)t, i, step, mirror_next))
                continue;
            int b = (int)butterfly(line, (uint32_t)t, i, step, mirror_next);
            for (int k = 0; k < next; ++k) {
                int place = PLACE(b) + k * (step + step / block * pad);
                CHECK_F(place == PLACE(b + k * step), "%d: order %d stage %d: %d read at %d", n,
                        p->order, stage, b + k * step, place);
                registers(line, t)[i * next + k] = s_exchange[place];
            }
        }
#undef PLACE
}

// Registers to and from a line in order: element b + k * (N / radix) is v[i * radix + k].
static void move(const pass *p, int stage, double complex *values, bool load)
{
    const ag_fft_line *line = p->line;
    int radix = radix_at(p, stage), count = line->length / radix;
    bool mirror = mirror_at(p, stage);
    for (int t = 0; t < line->threads; ++t)
        for (int i = 0; i < rounds_of(line, radix, mirror); ++i) {
            if (!holds(line, (uint32_t)t, i, count, mirror))
                continue;
            int b = (int)butterfly(line, (uint32_t)t, i, count, mirror);
            for (int k = 0; k < radix; ++k) {
                double complex *value = registers(line, t) + i * radix + k;
                if (load)
                    *value = values[b + k * count];
                else
                    values[b + k * count] = *value;
            }
        }
}

static void transform(const pass *p, const float *table, double complex *values)
{
    const ag_fft_line *line = p->line;
    int before = 1, row = p->order ? ag_fft_twiddle_count(line, false) : 0;
    poison(v, (size_t)line->threads * (size_t)line->elements);
    move(p, 0, values, true);
    for (int s = 0; s < line->stages; ++s) {
        int radix = radix_at(p, s), count = line->length / radix, entries = radix > 4 ? 2 : 1;
        bool mirror = mirror_at(p, s);
        for (int t = 0; t < line->threads; ++t)
            for (int i = 0; i < rounds_of(line, radix, mirror); ++i) {
                int m = (int)(butterfly(line, (uint32_t)t, i, count, mirror) % (uint32_t)before);
                if (holds(line, (uint32_t)t, i, count, mirror))
                    run_butterfly(registers(line, t) + i * radix, radix,
                                  s ? table + 4 * (row + m * entries) : NULL);
            }
        row += s ? before * entries : 0;
        if (s + 1 < line->stages)
            exchange(p, s, before);
        before *= radix;
    }
    poison(values, (size_t)line->length);
    move(p, line->stages - 1, values, false);
}

static double worst_error[2][2]; // row, order
static int worst_length[2][2];
static rng random_values;

static void check_transform(const ag_fft_line *line)
{
    size_t n = (size_t)line->length;
    CHECK((size_t)line->threads * (size_t)line->elements <= sizeof v / sizeof *v);
    fftw_complex *in = fftw_alloc_complex(n), *want = fftw_alloc_complex(n);
    double complex *got = malloc(n * sizeof *got);
    float *table = table_of(line);
    CHECK(in && want && got);
    fftw_plan plan = fftw_plan_dft_1d(line->length, in, want, FFTW_FORWARD, FFTW_ESTIMATE);
    rng_fill_normal(&random_values, (double *)in, 2 * n);
    fftw_execute(plan);
    for (int order = 0; order < 2; ++order) {
        pass p = pass_of(line, order);
        memcpy(got, in, n * sizeof *got);
        transform(&p, table, got);
        double error =
            check_max_error((double *)got, (double *)want, 2 * n) / sqrt(2.0 * (double)n);
        // written so that a NaN, for a value that is missing, counts as the largest error
        if (!(error <= worst_error[line->row][order])) {
            worst_error[line->row][order] = error;
            worst_length[line->row][order] = line->length;
        }
        CHECK_F(!isnan(error), "%s of %d: order %d loses values", line->row ? "row" : "column",
                line->length, order);
    }
    fftw_destroy_plan(plan);
    fftw_free(in);
    fftw_free(want);
    free(got);
    free(table);
}

// Every line that can be planned, with all the invocations of GL 4.3 and with few.
void test_transforms(void **state)
{
    (void)state;
    int lines = 0;
    for (int radix = 1; radix < 17; ++radix)
        for (int k = 0; k < radix; ++k) {
            double angle = -6.283185307179586476925286766559 * k / radix;
            roots[radix][k] = CMPLX(cos(angle), sin(angle));
        }
    random_values = rng_start("transforms", 37);
    sweep *share = sweep_start("lines", 5);
    for (int max = 64; max <= INVOCATIONS; max *= 16)
        for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n)
            for (int row = 0; row < 2; ++row) {
                ag_fft_line line;
                if (!smooth(n) || !ag_fft_plan_line(n, row, max, &line) || !sweep_takes(share))
                    continue;
                check_transform(&line);
                ++lines;
            }
    printf("  note  %d lines in both orders, in double, against FFTW\n", lines);
    for (int row = 0; row < 2; ++row)
        for (int order = 0; order < 2; ++order) {
            char name[96];
            snprintf(name, sizeof name, "%s, %s radices: largest error over the rms, at %d",
                     row ? "rows" : "columns", order ? "reversed" : "ordered",
                     worst_length[row][order]);
            // the tables are floats: about 2^-25 for each factor, up to three factors a stage
            CHECK_LIMIT(name, worst_error[row][order], 5e-7);
        }
}
