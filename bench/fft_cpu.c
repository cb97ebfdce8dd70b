// fft_cpu.c - a transform in plain C, as a document's reader would write it
// SPDX-License-Identifier: MIT
#include "bench.h"

#include <math.h>
#include <stdlib.h>

typedef struct number {
    double re, im;
} number;

// One line of n values, `stride` apart, in place: bit reversal, then log2 n stages.
static void transform(number *line, int n, int stride, const number *roots)
{
    for (int i = 0, j = 0; i < n; ++i) {
        if (i < j) {
            number t = line[i * stride];
            line[i * stride] = line[j * stride];
            line[j * stride] = t;
        }
        int bit = n / 2;
        for (; bit && (j & bit); bit /= 2)
            j ^= bit;
        j ^= bit;
    }
    for (int half = 1; half < n; half *= 2)
        for (int start = 0; start < n; start += 2 * half)
            for (int k = 0; k < half; ++k) {
                number w = roots[k * (n / 2 / half)];
                number *a = &line[(start + k) * stride], *b = &line[(start + k + half) * stride];
                number t = {w.re * b->re - w.im * b->im, w.re * b->im + w.im * b->re};
                *b = (number){a->re - t.re, a->im - t.im};
                *a = (number){a->re + t.re, a->im + t.im};
            }
}

double fft_cpu_plain(int n, int channels)
{
    size_t count = (size_t)n * (size_t)n;
    number *plane = need_memory(count * sizeof *plane);
    number *roots = need_memory((size_t)n * sizeof *roots);
    double best = 0;
    for (int i = 0; i < n; ++i)
        roots[i] = (number){cos(6.283185307179586 * i / n), -sin(6.283185307179586 * i / n)};
    for (int run = 0; run < 3 && best < 1e6; ++run) { // once, if it takes a second
        double start = bench_now_us();
        for (int c = 0; c < channels; ++c) {
            for (int i = 0; i < n; ++i)
                plane[(size_t)i * (size_t)n + (size_t)(i * 7 % n)].re = 1 + i;
            for (int y = 0; y < n; ++y)
                transform(plane + (size_t)y * (size_t)n, n, 1, roots);
            for (int x = 0; x < n; ++x)
                transform(plane + x, n, n, roots);
        }
        double took = bench_now_us() - start;
        best = run && best < took ? best : took;
    }
    free(plane);
    free(roots);
    return best;
}
