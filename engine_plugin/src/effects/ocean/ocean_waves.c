// ocean_waves.c - the wave spectrum of the effect "ocean": what depends on the length of a wave
// SPDX-License-Identifier: MIT
//
// In double, because the turns of a period are whole numbers, and a mode whose number is rounded
// another way is another wave. docs/ocean.md 2 has the formulas and their sources.
#include "effects/ocean/ocean_waves.h"

#include <math.h>
#include <stdbool.h>

static const double gravity = 9.81, tension = 7.4e-5, pi = 3.14159265358979323846;

// Of a sea. All zero but depth: no waves.
typedef struct sea {
    double depth, peak;      // metres; rad/s, of the greatest S
    double swell, sharpness; // sharpness: how Hasselmann's spreading falls off above the peak
    double alpha, decay;     // S = alpha g^2 w^-5 exp(-decay (peak/w)^4) ...
    double gamma;            // .. gamma^exp(..); 1: without
    bool shallow;            // S has the factor of depth
} sea;

static sea sea_of(const ag_ocean_settings *s)
{
    double wind = (double)s->wind_speed;
    sea out = {.depth = (double)s->depth, .swell = (double)s->swell, .gamma = 1};
    if (wind < 1e-3)
        return out;
    if (s->spectrum == AG_OCEAN_PIERSON_MOSKOWITZ) {
        out.peak = 0.877 * gravity / wind;
        out.alpha = 8.1e-3;
        out.decay = 0.74 * pow(gravity / (wind * out.peak), 4);
    } else {
        // A sea does not grow beyond that of a fetch of 1e4 U^2/g.
        double fetch = fmin(gravity * (double)s->fetch / (wind * wind), 1e4);
        out.peak = 22 * gravity / wind * pow(fetch, -1.0 / 3);
        out.alpha = 0.076 * pow(fetch, -0.22);
        out.decay = 1.25;
        out.gamma = (double)s->gamma;
        out.shallow = true;
    }
    out.sharpness = wind * out.peak / gravity;
    return out;
}

typedef struct dispersion {
    double frequency, speed; // w; dw/dk, the group's
    double kh;               // at most 20: deeper water is as if it had no bottom
} dispersion;

static dispersion disperse(const sea *s, double k)
{
    bool deep = k * s->depth >= 20;
    double kh = deep ? 20 : k * s->depth, t = deep ? 1 : tanh(kh), c = deep ? 0 : 1 / cosh(kh);
    double stiff = gravity * k + tension * k * k * k;
    dispersion d = {.frequency = sqrt(stiff * t), .kh = kh};
    d.speed = ((gravity + 3 * tension * k * k) * t + s->depth * stiff * c * c) / (2 * d.frequency);
    return d;
}

// S(w) dw/dk / k: variance per area of wave numbers, all directions together.
static double density(const sea *s, double k)
{
    if (s->alpha == 0 || k == 0)
        return 0;
    dispersion d = disperse(s, k);
    double w = d.frequency, x = s->peak / w;
    double value =
        s->alpha * gravity * gravity / (w * w * w * w * w) * exp(-s->decay * x * x * x * x);
    if (s->gamma != 1) {
        double width = w <= s->peak ? 0.07 : 0.09, off = (w - s->peak) / (width * s->peak);
        value *= pow(s->gamma, exp(-off * off / 2));
    }
    if (s->shallow && d.kh < 20) {
        double t = tanh(d.kh);
        value *= t * t / (1 + 2 * d.kh / sinh(2 * d.kh));
    }
    return value * d.speed / k;
}

// s of cos^2s: Hasselmann et al. 1980; swell: Horvath 2015.
static double spread_exponent(const sea *s, double w)
{
    double x = w / s->peak;
    double wind = x < 1 ? 6.97 * pow(x, 4.06) : 9.77 * pow(x, -2.33 - 1.45 * (s->sharpness - 1.17));
    return wind + 16 * tanh(1 / x) * s->swell * s->swell;
}

// Q(s) = Gamma(s + 1) / (2 sqrt(pi) Gamma(s + 1/2)): by the ratio's series from 16 on, and downward
// from there.
static double spread_factor(double s)
{
    double steps = 1;
    for (; s < 16; s += 1)
        steps *= (s + 0.5) / (s + 1);
    double series = 1 + (1 / 8.0 + (1 / 128.0 - (5 / 1024.0 + 21 / 32768.0 / s) / s) / s) / s;
    return steps * sqrt(s) * series / (2 * sqrt(pi));
}

// The mean density over the cell of a mode. Near the peak of a small patch the centre alone is off
// by some per cent.
enum { FINE_MODES = 16, CUTS = 8 };

static double cell_density(const sea *s, int32_t n, int32_t m, double step)
{
    if (n > FINE_MODES || m > FINE_MODES)
        return density(s, step * hypot(n, m));
    double sum = 0;
    for (int32_t i = 0; i < CUTS * CUTS; ++i) {
        double x = n + (i % CUTS + 0.5) / CUTS - 0.5, y = m + (i / CUTS + 0.5) / CUTS - 0.5;
        sum += density(s, step * hypot(x, y));
    }
    return sum / (CUTS * CUTS);
}

// The wave number where a cascade's ring begins: 6.5 waves a patch, but at most about half of what
// the patch before can hold, which is four texels a wave. The halves keep modes off the edge, where
// rounding would decide.
static double ring_start(const ag_ocean_settings *s, int32_t size, int32_t cascade)
{
    if (cascade == 0)
        return 0;
    if (cascade == s->cascades)
        return INFINITY;
    double own = 6.5 / (double)s->lengths[cascade];
    return 2 * pi * fmin(own, (size / 4 - 0.5) / (double)s->lengths[cascade - 1]);
}

static ag_ocean_wave wave_of(const sea *s, const ag_ocean_settings *settings, int32_t n, int32_t m,
                             double step)
{
    double k = step * hypot(n, m), w = disperse(s, k).frequency;
    double exponent = spread_exponent(s, w);
    return (ag_ocean_wave){
        .amplitude = (float)sqrt(cell_density(s, n, m, step) * step * step),
        .exponent = (float)exponent,
        .factor = (float)spread_factor(exponent),
        .loops = (uint32_t)fmin(floor(w * (double)settings->period / (2 * pi) + 0.5), 4294967295.0),
    };
}

void ag_ocean_waves(const ag_ocean_settings *settings, int32_t size, int32_t cascade,
                    ag_ocean_wave *waves)
{
    sea s = sea_of(settings);
    double step = 2 * pi / (double)settings->lengths[cascade];
    double low = ring_start(settings, size, cascade),
           high = ring_start(settings, size, cascade + 1);
    int32_t half = size / 2, across = half + 1;
    for (int32_t m = 0; m <= half; ++m)
        for (int32_t n = 0; n <= m; ++n) { // the other half of the square is the same
            double k = step * hypot(n, m);
            ag_ocean_wave wave = {0};
            // Row and column of N / 2 have no opposite: their derivatives would not be real.
            if (m < half && m > 0 && s.alpha > 0 && k >= low && k < high)
                wave = wave_of(&s, settings, n, m, step);
            waves[m * across + n] = waves[n * across + m] = wave;
        }
}
