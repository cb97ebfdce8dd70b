// test_convolve_sizes.c - every image width and height to 512, every line length that can be
// planned
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "convolving.h"

static bool smooth(int n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int i = 0; i < 4; ++i)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

typedef struct worst {
    convolved m;
    int size, count;
} worst;

static void keep_worst(worst *w, convolved m, int size)
{
    if (!w->count++)
        w->m = m;
    if (!(m.snr >= w->m.snr))
        w->m.snr = m.snr;
    if (!(m.relative <= w->m.relative)) {
        w->m.relative = m.relative;
        w->size = size;
    }
}

static void report(const char *name, const worst *w)
{
    char line[128];
    snprintf(line, sizeof line, "%s: %d cases, least SNR %.1f dB; largest error (size %d)", name,
             w->count, w->m.snr, w->size);
    if (!w->count) { // a small share of the sweep may have no case of a kind
        printf("  note  %s: none in this part\n", name);
        return;
    }
    CHECK_F(w->m.snr >= 120, "%s: %.1f dB", name, w->m.snr);
    CHECK_LIMIT(line, w->m.relative, 1e-6);
}

// The sizes share few padded lengths. So this tests the edges: an odd last row, and incomplete
// groups of columns.
static void test_every_size(void **state)
{
    fixture *f = *state;
    rng r = rng_start("every size", 21);
    ag_pass *pass = fixture_pass(f, "convolve");
    worst widths = {0}, heights = {0};
    sweep *s = sweep_start("every size", 200);
    for (int n = 1; n <= 512; ++n) {
        if (!sweep_takes(s))
            continue;
        convolving c = {.width = n,
                        .height = 1 + n % 5,
                        .kernel_width = 1 + n % 7,
                        .kernel_height = 1 + n % 3,
                        .kernel_format = "rgba32f",
                        .dst_format = NULL,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = n % 4,
                                                        .correlate = n / 4 % 2, .scrub = 1)};
        keep_worst(&widths, convolving_run(f, pass, &c, &r), n);
        convolving t = c;
        t.width = c.height;
        t.height = c.width;
        t.kernel_width = c.kernel_height;
        t.kernel_height = c.kernel_width;
        keep_worst(&heights, convolving_run(f, pass, &t, &r), n);
    }
    report("widths 1..512", &widths);
    report("heights 1..512", &heights);
    f->ag->pass_destroy(pass);
}

// With border wrap the line has the length of the image, so every length can be chosen.
static void test_every_length(void **state)
{
    fixture *f = *state;
    rng r = rng_start("every length", 22);
    ag_pass *pass = fixture_pass(f, "convolve");
    worst rows = {0}, columns = {0};
    sweep *s = sweep_start("every length", 60);
    for (int n = 2; n <= 512; ++n) {
        if (!smooth(n) || !sweep_takes(s))
            continue;
        convolving c = {.width = n,
                        .height = 4,
                        .kernel_width = n < 3 ? n : 3,
                        .kernel_height = 3,
                        .kernel_format = "rgba32f",
                        .dst_format = NULL,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                        .border = AG_BORDER_WRAP, .scrub = 1)};
        if (n % 2 == 0)
            keep_worst(&rows, convolving_run(f, pass, &c, &r), n);
        c.width = 4;
        c.height = n;
        c.kernel_width = 3;
        c.kernel_height = n < 3 ? n : 3;
        keep_worst(&columns, convolving_run(f, pass, &c, &r), n);
    }
    report("rows of even smooth lengths to 512", &rows);
    report("columns of smooth lengths to 512", &columns);
    f->ag->pass_destroy(pass);
}

// A sample of longer lengths, which has every radix in every stage.
static void test_long_lengths(void **state)
{
    static const int lengths[] = {540,  720,  1050, 1080, 1250, 1536, 1920, 2058, 2160, 2304,
                                  2560, 3430, 3840, 4096, 4374, 5120, 6250, 7000, 7680, 8192};
    fixture *f = *state;
    rng r = rng_start("long lengths", 23);
    ag_pass *pass = fixture_pass(f, "convolve");
    worst rows = {0}, columns = {0};
    sweep *s = sweep_start("long lengths", 20);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        if (!sweep_takes(s))
            continue;
        convolving c = {.width = lengths[i],
                        .height = 4,
                        .kernel_width = 3,
                        .kernel_height = 3,
                        .kernel_format = "rgba32f",
                        .dst_format = NULL,
                        .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                        .border = AG_BORDER_WRAP, .scrub = 1)};
        keep_worst(&rows, convolving_run(f, pass, &c, &r), lengths[i]);
        c.width = 4;
        c.height = lengths[i];
        keep_worst(&columns, convolving_run(f, pass, &c, &r), lengths[i]);
    }
    report("rows of long lengths", &rows);
    report("columns of long lengths", &columns);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_every_size),
        FIXTURE_SWEEP(test_every_length),
        FIXTURE_SWEEP(test_long_lengths),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
