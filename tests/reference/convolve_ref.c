// convolve_ref.c - convolution in double precision: the definition, and the same through FFTW
// SPDX-License-Identifier: MIT
#include "convolve_ref.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int convolve_ref_border(int i, int size, int border)
{
    if (i >= 0 && i < size)
        return i;
    switch (border) {
    case AG_BORDER_CLAMP: return i < 0 ? 0 : size - 1;
    case AG_BORDER_MIRROR: {
        if (size == 1)
            return 0;
        int period = 2 * (size - 1), m = i % period;
        if (m < 0)
            m += period;
        return m < size ? m : period - m;
    }
    case AG_BORDER_WRAP: {
        int m = i % size;
        return m < 0 ? m + size : m;
    }
    default: return -1;
    }
}

// The kernel's channel for image channel `channel`; -1: the channel is copied.
static int kernel_channel(const convolve_ref *c, int channel)
{
    if (channel == 3 && (c->alpha != AG_ALPHA_CONVOLVE || c->kernel_channels == 3))
        return -1;
    return c->kernel_channels == 1 ? 0 : channel;
}

static double kernel_at(const convolve_ref *c, int i, int j, int channel)
{
    size_t texel = (size_t)j * (size_t)c->kernel_width + (size_t)i;
    return c->kernel[texel * (size_t)c->kernel_channels + (size_t)channel];
}

static double src_at(const convolve_ref *c, int x, int y, int channel)
{
    int i = convolve_ref_border(x, c->width, c->border);
    int j = convolve_ref_border(y, c->height, c->border);
    if (i < 0 || j < 0)
        return 0;
    size_t texel = (size_t)j * (size_t)c->width + (size_t)i;
    return c->src[texel * (size_t)c->channels + (size_t)channel];
}

// The divisor of each kernel channel. Returns false if it is 0 in a channel that is used.
static bool divisors(const convolve_ref *c, double out[4])
{
    for (int channel = 0; channel < c->kernel_channels; ++channel) {
        double sum = 0, low = 0; // `low`: the sum of the rounding errors of all additions
        for (int j = 0; j < c->kernel_height; ++j) {
            for (int i = 0; i < c->kernel_width; ++i) {
                double v = kernel_at(c, i, j, channel), next = sum + v;
                low += fabs(sum) >= fabs(v) ? sum - next + v : v - next + sum;
                sum = next;
            }
        }
        out[channel] = c->normalize == AG_NORMALIZE_SUM ? sum + low : 1;
    }
    for (int channel = 0; channel < c->channels; ++channel) {
        int k = kernel_channel(c, channel);
        if (k >= 0 && out[k] == 0)
            return false;
    }
    return true;
}

static void copy_channel(const convolve_ref *c, int channel, double *dst)
{
    size_t texels = (size_t)c->width * (size_t)c->height;
    for (size_t i = 0; i < texels; ++i)
        dst[i * (size_t)c->channels + (size_t)channel] =
            c->src[i * (size_t)c->channels + (size_t)channel];
}

bool convolve_ref_direct(const convolve_ref *c, double *dst)
{
    double divisor[4];
    if (!divisors(c, divisor))
        return false;
    int sign = c->correlate ? 1 : -1, cx = c->kernel_width / 2, cy = c->kernel_height / 2;
    for (int channel = 0; channel < c->channels; ++channel) {
        int k = kernel_channel(c, channel);
        if (k < 0) {
            copy_channel(c, channel, dst);
            continue;
        }
        for (int y = 0; y < c->height; ++y) {
            for (int x = 0; x < c->width; ++x) {
                double sum = 0;
                for (int j = 0; j < c->kernel_height; ++j) {
                    for (int i = 0; i < c->kernel_width; ++i)
                        sum += kernel_at(c, i, j, k) *
                               src_at(c, x + sign * (i - cx), y + sign * (j - cy), channel);
                }
                dst[((size_t)y * (size_t)c->width + (size_t)x) * (size_t)c->channels +
                    (size_t)channel] = sum / divisor[k];
            }
        }
    }
    return true;
}

// ---- through FFTW

static int smooth_length(int n) // the next length without a prime factor above 7
{
    for (;; ++n) {
        int rest = n;
        for (int p = 2; p <= 7; ++p) {
            while (rest % p == 0)
                rest /= p;
        }
        if (rest == 1)
            return n;
    }
}

// The image is extended by the reach of the kernel, then convolved circularly. Values that wrap
// around land outside the part that is kept.
bool convolve_ref_fft(const convolve_ref *c, double *dst)
{
    double divisor[4];
    if (!divisors(c, divisor))
        return false;
    int kw = c->kernel_width, kh = c->kernel_height;
    // dst(x) reads src(x - (i - kw/2)): from x + kw/2 - (kw - 1) to x + kw/2; correlate mirrors it
    int left = c->correlate ? kw / 2 : kw - 1 - kw / 2;
    int top = c->correlate ? kh / 2 : kh - 1 - kh / 2;
    int w = c->width + kw - 1, h = c->height + kh - 1;
    int pw = smooth_length(w), ph = smooth_length(h), half = pw / 2 + 1;
    size_t reals = (size_t)pw * (size_t)ph, complexes = (size_t)half * (size_t)ph;
    double *image = fftw_alloc_real(reals), *kernel = fftw_alloc_real(reals);
    fftw_complex *a = fftw_alloc_complex(complexes), *b = fftw_alloc_complex(complexes);
    if (!image || !kernel || !a || !b)
        abort();
    fftw_plan forward = fftw_plan_dft_r2c_2d(ph, pw, image, a, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft_c2r_2d(ph, pw, a, image, FFTW_ESTIMATE);

    for (int channel = 0; channel < c->channels; ++channel) {
        int k = kernel_channel(c, channel);
        if (k < 0) {
            copy_channel(c, channel, dst);
            continue;
        }
        memset(image, 0, reals * sizeof *image);
        memset(kernel, 0, reals * sizeof *kernel);
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x)
                image[(size_t)y * (size_t)pw + (size_t)x] = src_at(c, x - left, y - top, channel);
        }
        for (int j = 0; j < kh; ++j) {
            for (int i = 0; i < kw; ++i) {
                int x = c->correlate ? kw - 1 - i : i, y = c->correlate ? kh - 1 - j : j;
                kernel[(size_t)y * (size_t)pw + (size_t)x] = kernel_at(c, i, j, k);
            }
        }
        fftw_execute_dft_r2c(forward, kernel, b);
        fftw_execute_dft_r2c(forward, image, a);
        for (size_t i = 0; i < complexes; ++i)
            a[i] *= b[i];
        fftw_execute_dft_c2r(back, a, image);
        double scale = 1 / ((double)pw * (double)ph) / divisor[k];
        for (int y = 0; y < c->height; ++y) {
            for (int x = 0; x < c->width; ++x)
                dst[((size_t)y * (size_t)c->width + (size_t)x) * (size_t)c->channels +
                    (size_t)channel] =
                    scale * image[(size_t)(y + kh - 1) * (size_t)pw + (size_t)(x + kw - 1)];
        }
    }
    fftw_destroy_plan(forward);
    fftw_destroy_plan(back);
    fftw_free(image);
    fftw_free(kernel);
    fftw_free(a);
    fftw_free(b);
    return true;
}

bool convolve_ref_run(const convolve_ref *c, double *dst)
{
    double terms = (double)c->width * c->height * c->kernel_width * c->kernel_height * c->channels;
    return terms <= 2e6 ? convolve_ref_direct(c, dst) : convolve_ref_fft(c, dst);
}

double convolve_ref_scale(const convolve_ref *c)
{
    double divisor[4], peak = 0, worst = 0;
    if (!divisors(c, divisor))
        return (double)NAN;
    size_t count = (size_t)c->width * (size_t)c->height * (size_t)c->channels;
    for (size_t i = 0; i < count; ++i)
        peak = fmax(peak, fabs(c->src[i]));
    for (int channel = 0; channel < c->kernel_channels; ++channel) {
        double sum = 0;
        for (int j = 0; j < c->kernel_height; ++j) {
            for (int i = 0; i < c->kernel_width; ++i)
                sum += fabs(kernel_at(c, i, j, channel));
        }
        if (divisor[channel] != 0)
            worst = fmax(worst, sum / fabs(divisor[channel]));
    }
    return peak * worst;
}
