// filter_spectrum_ref.c - filter_spectrum in double precision
// SPDX-License-Identifier: MIT
#include "filter_spectrum_ref.h"
#include "convolve_ref.h"

#include <fftw3.h>
#include <math.h>

static double profile(const ag_filter_spectrum_settings *s, double squared)
{
    switch (s->profile) {
    // A frequency that is a cut-off, as 9/60, 12/60 is 15/60, may be rounded to beyond it.
    case AG_PROFILE_IDEAL: return squared <= 1 + 1e-12 ? 1 : 0;
    case AG_PROFILE_GAUSSIAN: return exp(-squared / 2);
    default: return 1 / (1 + pow(squared, s->order));
    }
}

// The mask at k/P, l/Q cycles a texel: bilinear, repeated.
static double mask_at(const filter_spectrum_ref *r, int channel, int k, int l)
{
    double x = floor(r->mask_width / 2.0) + (double)k * r->mask_width / r->canvas_width;
    double y = floor(r->mask_height / 2.0) + (double)l * r->mask_height / r->canvas_height;
    double sum = 0;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
            int w = r->mask_width, h = r->mask_height;
            int u = ((int)floor(x) + i) % w, v = ((int)floor(y) + j) % h;
            double a = x - floor(x), b = y - floor(y);
            sum += (i ? a : 1 - a) * (j ? b : 1 - b) *
                   r->mask[((v + h) % h * w + (u + w) % w) * r->mask_channels + channel];
        }
    return sum;
}

double filter_spectrum_ref_weight(const filter_spectrum_ref *r, int channel, int k, int l)
{
    const ag_filter_spectrum_settings *s = r->settings;
    k = k > r->canvas_width / 2 ? k - r->canvas_width : k;
    l = l > r->canvas_height / 2 ? l - r->canvas_height : l;
    if (s->shape == AG_FILTER_SPECTRUM_MASK) {
        channel = r->mask_channels == 1 ? 0 : channel;
        return (mask_at(r, channel, k, l) + mask_at(r, channel, -k, -l)) / 2;
    }
    double x = (double)k / r->canvas_width, y = (double)l / r->canvas_height, f2 = x * x + y * y;
    double low = (double)s->low, high = (double)s->high, cutoff = (double)s->cutoff;
    switch (s->shape) {
    case AG_FILTER_SPECTRUM_LOWPASS: return profile(s, f2 / (cutoff * cutoff));
    case AG_FILTER_SPECTRUM_HIGHPASS: return 1 - profile(s, f2 / (cutoff * cutoff));
    }
    double u = f2 - low * high, width = high - low;
    double band = f2 > 0 ? profile(s, u * u / (f2 * (width * width))) : 0;
    return s->shape == AG_FILTER_SPECTRUM_BANDPASS ? band : 1 - band;
}

// The texel of an axis of n texels that canvas place 0..P-1 shows; -1: none. What follows the
// image lies behind it, what comes before it at the canvas's end; they meet in the middle.
static int texel_of(int place, int n, int points, int border)
{
    if (place < n)
        return place;
    int i = place < n + (points - n) / 2 ? place : place - points;
    return convolve_ref_border(i, n, border);
}

void filter_spectrum_ref_run(const filter_spectrum_ref *r, double *dst)
{
    int p = r->canvas_width, q = r->canvas_height;
    fftw_complex *canvas = fftw_alloc_complex((size_t)p * (size_t)q);
    fftw_plan forward = fftw_plan_dft_2d(q, p, canvas, canvas, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan backward = fftw_plan_dft_2d(q, p, canvas, canvas, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (int c = 0; c < r->channels; ++c) {
        for (int y = 0; y < q; ++y)
            for (int x = 0; x < p; ++x) {
                int u = texel_of(x, r->width, p, r->settings->border);
                int v = texel_of(y, r->height, q, r->settings->border);
                canvas[y * p + x][0] =
                    u < 0 || v < 0 ? 0 : r->src[(v * r->width + u) * r->channels + c];
                canvas[y * p + x][1] = 0;
            }
        fftw_execute(forward);
        for (int l = 0; l < q; ++l)
            for (int k = 0; k < p; ++k) {
                double h = filter_spectrum_ref_weight(r, c, k, l) / p / q;
                canvas[l * p + k][0] *= h;
                canvas[l * p + k][1] *= h;
            }
        fftw_execute(backward);
        for (int i = 0; i < r->width * r->height; ++i)
            dst[i * r->channels + c] =
                c < 3 ? canvas[i / r->width * p + i % r->width][0] : r->src[i * r->channels + c];
    }
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    fftw_free(canvas);
}
