// reference_fftw.c - convolutions and transforms in double precision by FFTW; without it none
// SPDX-License-Identifier: MIT
#include "bench.h"
#include "reference.h"

#include <stdlib.h>

#ifndef BENCH_FFTW
const char *const reference_name = NULL;

double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap)
{
    (void)src, (void)kernel, (void)wrap;
    return NULL;
}

double *reference_transform(const picture *src, bool complex_in)
{
    (void)src, (void)complex_in;
    return NULL;
}

double fft_cpu_fftw(int n, int channels)
{
    (void)n, (void)channels;
    return 0;
}
#else
#include <complex.h>
#include <fftw3.h>

const char *const reference_name = "FFTW, double precision, whole image";

typedef struct plane { // transformed in place
    int width, height;
    fftw_complex *values;
    fftw_plan forward, back;
} plane;

static plane plane_create(int width, int height)
{
    plane out = {width, height, fftw_alloc_complex((size_t)width * (size_t)height), NULL, NULL};
    must(out.values, "out of memory");
    out.forward =
        fftw_plan_dft_2d(height, width, out.values, out.values, FFTW_FORWARD, FFTW_ESTIMATE);
    out.back =
        fftw_plan_dft_2d(height, width, out.values, out.values, FFTW_BACKWARD, FFTW_ESTIMATE);
    return out;
}

static void plane_destroy(plane *target)
{
    fftw_destroy_plan(target->forward);
    fftw_destroy_plan(target->back);
    fftw_free(target->values);
}

static void clear(const plane *p)
{
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        p->values[i] = 0;
}

static fftw_complex *at(const plane *p, int x, int y)
{
    return &p->values[(size_t)y * (size_t)p->width + (size_t)x];
}

// The next length with no prime factor above 7.
static int smooth_length(int n)
{
    for (;; n++) {
        int rest = n;
        for (int p = 2; p <= 7; p++)
            while (rest % p == 0)
                rest /= p;
        if (rest == 1)
            return n;
    }
}

// Long enough that only zeros wrap around; the image's own length if the border is wrap.
static int line_length(int size, int kernel, bool wrap)
{
    int before = kernel / 2, after = kernel - 1 - kernel / 2;
    return wrap ? size : smooth_length(size + (before > after ? before : after));
}

// The kernel with its centre at (0, 0); taps before the centre wrap to the end.
static void load_kernel(const plane *to, const reference_kernel *k, int channel)
{
    clear(to);
    for (int j = 0; j < k->height; j++)
        for (int i = 0; i < k->width; i++) {
            size_t texel = (size_t)j * (size_t)k->width + (size_t)i;
            *at(to, (i - k->width / 2 + to->width) % to->width,
                (j - k->height / 2 + to->height) % to->height) =
                k->weights[texel * (size_t)k->channels + (size_t)channel];
        }
}

static void load_image(const plane *to, const picture *src, int channel, fftw_complex scale)
{
    clear(to);
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            *at(to, x, y) =
                src->texels[4 * ((size_t)y * (size_t)src->width + (size_t)x) + (size_t)channel] *
                scale;
}

static void store_real(const plane *from, const picture *src, int channel, double scale,
                       double *out)
{
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            out[3 * ((size_t)y * (size_t)src->width + (size_t)x) + (size_t)channel] =
                creal(*at(from, x, y)) * scale;
}

double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap)
{
    double *out = need_memory(3 * (size_t)src->width * (size_t)src->height * sizeof *out);
    int width = line_length(src->width, kernel->width, wrap);
    int height = line_length(src->height, kernel->height, wrap);
    size_t count = (size_t)width * (size_t)height;
    plane image = plane_create(width, height), taps = plane_create(width, height);
    for (int channel = 0; channel < 3; channel++) {
        if (channel < kernel->channels) {
            load_kernel(&taps, kernel, channel);
            fftw_execute(taps.forward);
        }
        load_image(&image, src, channel, 1);
        fftw_execute(image.forward);
        for (size_t i = 0; i < count; i++)
            image.values[i] *= taps.values[i];
        fftw_execute(image.back);
        store_real(&image, src, channel, 1 / (double)count, out);
    }
    plane_destroy(&image);
    plane_destroy(&taps);
    return out;
}

double *reference_transform(const picture *src, bool complex_in)
{
    double *out = need_memory(3 * (size_t)src->width * (size_t)src->height * sizeof *out);
    plane image = plane_create(src->width, src->height);
    for (int channel = 0; channel < 3; channel++) {
        load_image(&image, src, channel, complex_in ? 1 + I : 1);
        fftw_execute(image.forward);
        store_real(&image, src, channel, 1, out);
    }
    plane_destroy(&image);
    return out;
}

double fft_cpu_fftw(int n, int channels)
{
    plane image = plane_create(n, n);
    double best = 0;
    for (int run = 0; run < 3 && best < 1e6; run++) { // once, if it takes a second
        for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
            image.values[i] = (double)(i % 97);
        double start = bench_now_us();
        for (int c = 0; c < channels; c++)
            fftw_execute(image.forward);
        double took = bench_now_us() - start;
        best = run && best < took ? best : took;
    }
    plane_destroy(&image);
    return best;
}
#endif
