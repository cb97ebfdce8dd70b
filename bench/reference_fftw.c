// reference_fftw.c - convolution in double precision through FFTW
// SPDX-License-Identifier: MIT
#include "fft_cpu.h"
#include "reference.h"

#include <complex.h>
#include <fftw3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const reference_name = "FFTW, double precision, whole image";

typedef struct transform {
    int width, height;
    double *plane;
    fftw_complex *image, *kernel;
    fftw_plan forward, back; // plane -> image, image -> plane
} transform;

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

static bool transform_create(transform *out, int width, int height)
{
    size_t half = (size_t)height * (size_t)(width / 2 + 1);
    *out = (transform){.width = width, .height = height};
    out->plane = fftw_alloc_real((size_t)width * (size_t)height);
    out->image = fftw_alloc_complex(half);
    out->kernel = fftw_alloc_complex(half);
    if (!out->plane || !out->image || !out->kernel)
        return false;
    out->forward = fftw_plan_dft_r2c_2d(height, width, out->plane, out->image, FFTW_ESTIMATE);
    out->back = fftw_plan_dft_c2r_2d(height, width, out->image, out->plane, FFTW_ESTIMATE);
    return out->forward && out->back;
}

static void transform_destroy(transform *target)
{
    fftw_destroy_plan(target->forward);
    fftw_destroy_plan(target->back);
    fftw_free(target->plane);
    fftw_free(target->image);
    fftw_free(target->kernel);
}

static double *at(const transform *t, int x, int y)
{
    return &t->plane[(size_t)y * (size_t)t->width + (size_t)x];
}

static void clear(const transform *t)
{
    memset(t->plane, 0, (size_t)t->width * (size_t)t->height * sizeof *t->plane);
}

// The kernel with its centre at (0, 0); taps before the centre wrap to the end.
static void load_kernel(const transform *t, const reference_kernel *k, int channel)
{
    clear(t);
    for (int j = 0; j < k->height; j++) {
        for (int i = 0; i < k->width; i++) {
            int x = (i - k->width / 2 + t->width) % t->width;
            int y = (j - k->height / 2 + t->height) % t->height;
            size_t texel = (size_t)j * (size_t)k->width + (size_t)i;
            *at(t, x, y) = k->weights[texel * (size_t)k->channels + (size_t)channel];
        }
    }
}

static void load_image(const transform *t, const picture *src, int channel)
{
    clear(t);
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            *at(t, x, y) =
                src->texels[4 * ((size_t)y * (size_t)src->width + (size_t)x) + (size_t)channel];
}

static void multiply(const transform *t)
{
    size_t half = (size_t)t->height * (size_t)(t->width / 2 + 1);
    double scale = 1 / ((double)t->width * t->height);
    for (size_t i = 0; i < half; i++)
        t->image[i] *= t->kernel[i] * scale;
}

double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap)
{
    size_t texels = (size_t)src->width * (size_t)src->height;
    double *out = malloc(3 * texels * sizeof *out);
    transform t;
    bool ready = transform_create(&t, line_length(src->width, kernel->width, wrap),
                                  line_length(src->height, kernel->height, wrap));
    for (int channel = 0; channel < 3 && ready && out; channel++) {
        if (channel < kernel->channels) {
            load_kernel(&t, kernel, channel);
            fftw_execute_dft_r2c(t.forward, t.plane, t.kernel);
        }
        load_image(&t, src, channel);
        fftw_execute(t.forward);
        multiply(&t);
        fftw_execute(t.back);
        for (int y = 0; y < src->height; y++)
            for (int x = 0; x < src->width; x++)
                out[3 * ((size_t)y * (size_t)src->width + (size_t)x) + (size_t)channel] =
                    *at(&t, x, y);
    }
    transform_destroy(&t);
    if (!ready) {
        free(out);
        return NULL;
    }
    return out;
}

double *reference_transform(const picture *src, bool complex_in)
{
    size_t texels = (size_t)src->width * (size_t)src->height;
    double *out = malloc(3 * texels * sizeof *out);
    fftw_complex *plane = fftw_alloc_complex(texels);
    fftw_plan plan =
        plane ? fftw_plan_dft_2d(src->height, src->width, plane, plane, FFTW_FORWARD, FFTW_ESTIMATE)
              : NULL;
    for (size_t c = 0; c < 3 && plan && out; c++) {
        for (size_t i = 0; i < texels; i++)
            plane[i] = src->texels[4 * i + c] * (complex_in ? 1 + I : 1);
        fftw_execute(plan);
        for (size_t i = 0; i < texels; i++)
            out[3 * i + c] = creal(plane[i]);
    }
    bool done = plan != NULL;
    if (plan)
        fftw_destroy_plan(plan);
    fftw_free(plane);
    if (done)
        return out;
    free(out);
    return NULL;
}

static double now_us(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

double fft_cpu_fftw(int n, int channels)
{
    size_t count = (size_t)n * (size_t)n;
    fftw_complex *plane = fftw_alloc_complex(count);
    double best = 0;
    if (!plane)
        return 0;
    fftw_plan plan = fftw_plan_dft_2d(n, n, plane, plane, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int run = 0; run < 3 && best < 1e6; run++) { // once, if it takes a second
        for (size_t i = 0; i < count; i++)
            plane[i] = (double)(i % 97);
        double start = now_us();
        for (int c = 0; c < channels; c++)
            fftw_execute(plan);
        double took = now_us() - start;
        best = run && best < took ? best : took;
    }
    fftw_destroy_plan(plan);
    fftw_free(plane);
    return best;
}
