// spectrum_ref.c - the spectrum in double precision, the reference of the effect "spectrum"
// SPDX-License-Identifier: MIT
#include "spectrum_ref.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

static double weight(const spectrum_ref *s, int at, int size)
{
    double sine = sin(3.14159265358979323846 * (at + 0.5) / size);
    return s->settings->window == AG_WINDOW_HANN ? sine * sine : 1;
}

static double weights(const spectrum_ref *s, int size)
{
    double sum = 0;
    for (int i = 0; i < size; ++i)
        sum += weight(s, i, size);
    return sum;
}

// The value that is transformed for a channel of dst. Luminance is linear, so it may be computed
// before the transform.
static double source(const spectrum_ref *s, int x, int y, int channel)
{
    static const double luminance[] = {0.2126, 0.7152, 0.0722};
    const double *texel = s->src + ((size_t)y * (size_t)s->width + (size_t)x) * (size_t)s->channels;
    if (s->settings->channels == AG_SPECTRUM_EACH || s->channels == 1)
        return s->settings->channels != AG_SPECTRUM_EACH ? texel[0]
               : channel < s->channels                   ? texel[channel]
                                                         : 0;
    double sum = 0;
    for (int c = 0; c < s->channels && c < 3; ++c)
        sum += luminance[c] * texel[c];
    return sum;
}

// The frequency of the transform nearest to that of texel `at`.
static int nearest(const spectrum_ref *s, int at, int size, int points)
{
    int steps = s->settings->centred ? at - size / 2 : at;
    if (steps > size / 2)
        steps -= size;
    else if (2 * steps == -size)
        steps = size / 2; // the same frequency
    int k = (int)lround((double)steps * points / size);
    return k < 0 ? k + points : k % points;
}

void spectrum_ref_run(const spectrum_ref *s, double *magnitudes)
{
    size_t px = (size_t)s->points_x, py = (size_t)s->points_y;
    fftw_complex *line = fftw_alloc_complex(px * py);
    if (!line)
        abort();
    fftw_plan plan =
        fftw_plan_dft_2d(s->points_y, s->points_x, line, line, FFTW_FORWARD, FFTW_ESTIMATE);
    double sum = weights(s, s->width) * weights(s, s->height);
    double gain = pow(10, (double)s->settings->gain / 20);
    for (int channel = 0; channel < 3; ++channel) {
        for (size_t i = 0; i < px * py; ++i)
            line[i] = 0;
        for (int y = 0; y < s->height; ++y)
            for (int x = 0; x < s->width; ++x)
                line[(size_t)y * px + (size_t)x] =
                    source(s, x, y, channel) * weight(s, x, s->width) * weight(s, y, s->height);
        fftw_execute(plan);
        for (int y = 0; y < s->height; ++y)
            for (int x = 0; x < s->width; ++x) {
                size_t k = (size_t)nearest(s, x, s->width, s->points_x);
                size_t l = (size_t)nearest(s, y, s->height, s->points_y);
                magnitudes[((size_t)y * (size_t)s->width + (size_t)x) * 3 + (size_t)channel] =
                    gain * cabs(line[l * px + k]) / sum;
            }
    }
    fftw_destroy_plan(plan);
    fftw_free(line);
}

double spectrum_ref_shown(const ag_spectrum_settings *settings, double magnitude)
{
    if (!settings->log)
        return magnitude;
    return magnitude > 0 ? fmax(0, 1 + 20 * log10(magnitude) / (double)settings->range) : 0;
}
