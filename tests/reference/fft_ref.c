// fft_ref.c - the Fourier transform in double precision, the reference of the effect "fft"
// SPDX-License-Identifier: MIT
#include "fft_ref.h"

#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// The axis that half a spectrum halves, or -1.
static int half_axis(const fft_ref *r)
{
    return r->settings.spectrum != AG_FFT_HALF ? -1 : r->settings.axes == AG_FFT_Y;
}

static bool transforms(const fft_ref *r, int axis)
{
    return r->settings.axes == AG_FFT_BOTH || r->settings.axes == AG_FFT_X + axis;
}

void fft_ref_sizes(const fft_ref *r, int in[2], int out[2])
{
    const int size[2] = {r->width, r->height};
    bool inverse = r->settings.direction == AG_FFT_INVERSE;
    for (int i = 0; i < 2; ++i) {
        int half = i == half_axis(r) ? size[i] / 2 + 1 : size[i];
        in[i] = inverse ? half : size[i];
        out[i] = inverse ? size[i] : half;
    }
}

// Where frequency k of an axis is stored.
static int place(const fft_ref *r, int axis, int k)
{
    int n = axis ? r->height : r->width;
    bool shifted =
        r->settings.origin == AG_FFT_CENTERED && transforms(r, axis) && axis != half_axis(r);
    return shifted ? (k + n / 2) % n : k;
}

// All lines of an axis of a plane of width x height values, in place. With `mirrored` the upper
// half of each line is made of the conjugates of the lower, and values that mirror themselves are
// real: what irfft takes its input for.
static void lines(const fft_ref *r, int axis, double complex *plane, bool mirrored)
{
    int n = axis ? r->height : r->width, count = axis ? r->width : r->height;
    int stride = axis ? r->width : 1, next = axis ? 1 : r->width;
    int sign = r->settings.direction == AG_FFT_INVERSE ? FFTW_BACKWARD : FFTW_FORWARD;
    fftw_complex *line = fftw_alloc_complex((size_t)n);
    if (!line)
        abort();
    fftw_plan plan = fftw_plan_dft_1d(n, line, line, sign, FFTW_ESTIMATE);
    for (int l = 0; l < count; ++l) {
        double complex *at = plane + (size_t)l * (size_t)next;
        for (int i = 0; i < n; ++i)
            line[i] = at[(size_t)i * (size_t)stride];
        for (int i = 0; i < n && mirrored; ++i) {
            int mirror = (n - i) % n;
            if (i > mirror)
                line[i] = conj(line[mirror]);
            else if (i == mirror)
                line[i] = creal(line[i]);
        }
        fftw_execute(plan);
        for (int i = 0; i < n; ++i)
            at[(size_t)i * (size_t)stride] = line[i];
    }
    fftw_destroy_plan(plan);
    fftw_free(line);
}

void fft_ref_run(const fft_ref *r, const double complex *in, double complex *out)
{
    const ag_fft_settings *s = &r->settings;
    bool inverse = s->direction == AG_FFT_INVERSE;
    int size_in[2], size_out[2], half = half_axis(r);
    fft_ref_sizes(r, size_in, size_out);
    size_t width = (size_t)r->width;
    double complex *plane = calloc(width * (size_t)r->height, sizeof *plane);
    if (!plane)
        abort();
    for (int y = 0; y < size_in[1]; ++y)
        for (int x = 0; x < size_in[0]; ++x) {
            int px = inverse ? place(r, 0, x) : x, py = inverse ? place(r, 1, y) : y;
            plane[(size_t)y * width + (size_t)x] = in[py * size_in[0] + px];
        }
    double n = 1;
    for (int i = 0; i < 2; ++i) { // the half axis last, as irfft2 has it
        int axis = inverse && half == 0 ? !i : i;
        if (!transforms(r, axis))
            continue;
        lines(r, axis, plane, inverse && axis == half);
        n *= axis ? r->height : r->width;
    }
    double scale = s->norm == AG_FFT_NORM_ORTHO                   ? 1 / sqrt(n)
                   : (s->norm == AG_FFT_NORM_BACKWARD) == inverse ? 1 / n
                                                                  : 1;
    for (int y = 0; y < size_out[1]; ++y)
        for (int x = 0; x < size_out[0]; ++x) {
            int px = inverse ? x : place(r, 0, x), py = inverse ? y : place(r, 1, y);
            out[py * size_out[0] + px] = plane[(size_t)y * width + (size_t)x] * scale;
        }
    free(plane);
}
