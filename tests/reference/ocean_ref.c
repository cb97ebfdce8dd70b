// ocean_ref.c - the waves of the effect "ocean" in double precision
// SPDX-License-Identifier: MIT
#include "ocean_ref.h"

#include <complex.h> // first: fftw_complex is then C's complex
#include <fftw3.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double g = 9.81, PI = 3.14159265358979323846;

int ocean_ref_size(const ag_ocean_settings *s)
{
    return 32 << s->size;
}

// ---- spectrum ----------------------------------------------------------------------------------

// Omega(k) and its derivative, the latter by a difference.
// w(k), not rounded
static double frequency(const ag_ocean_settings *s, double k)
{
    return sqrt((g * k + 7.4e-5 * k * k * k) * tanh(k * (double)s->depth));
}

static double group_speed(const ag_ocean_settings *s, double k)
{
    double e = 1e-5 * k;
    return (frequency(s, k + e) - frequency(s, k - e)) / (2 * e);
}

static double peak_frequency(const ag_ocean_settings *s)
{
    double u = (double)s->wind_speed, chi = fmin(g * (double)s->fetch / (u * u), 1e4);
    return s->spectrum == AG_OCEAN_PIERSON_MOSKOWITZ
               ? 0.877 * g / u
               : 22 * pow(g * g / (u * (chi * u * u / g)), 1.0 / 3);
}

// S(w); kh is of the wave with this frequency.
static double energy_at(const ag_ocean_settings *s, double w, double kh)
{
    double u = (double)s->wind_speed, p = peak_frequency(s);
    if (s->spectrum == AG_OCEAN_PIERSON_MOSKOWITZ)
        return 8.1e-3 * g * g / pow(w, 5) * exp(-0.74 * pow(g / (u * w), 4));
    double chi = fmin(g * (double)s->fetch / (u * u), 1e4);
    double sigma = w <= p ? 0.07 : 0.09;
    double r = exp(-(w - p) * (w - p) / (2 * sigma * sigma * p * p));
    double phi = kh > 300 ? 1 : pow(tanh(kh), 2) / (1 + 2 * kh / sinh(2 * kh));
    return 0.076 * pow(chi, -0.22) * g * g / pow(w, 5) * exp(-1.25 * pow(p / w, 4)) *
           pow((double)s->gamma, r) * phi;
}

static double density(const ag_ocean_settings *s, double k)
{
    double w = frequency(s, k);
    double energy = energy_at(s, w, k * (double)s->depth);
    return energy > 0 ? energy * group_speed(s, k) / k : 0;
}

double ocean_ref_energy(const ag_ocean_settings *s)
{
    double sum = 0; // of S dw = S dw/dk k dln(k)
    for (double l = -14; l < 8; l += 1e-3) {
        double k = exp(l);
        sum += density(s, k) * k * k * 1e-3;
    }
    return sum;
}

// D of waves that go along (n, m). Half of the angle's cosine comes from its sine where waves go
// against the wind, because 1 + cos loses all digits there.
static double spreading(const ag_ocean_settings *s, double w, int n, int m)
{
    double x = w / peak_frequency(s), u = (double)s->wind_speed;
    double e = x < 1 ? 6.97 * pow(x, 4.06)
                     : 9.77 * pow(x, -2.33 - 1.45 * (u * peak_frequency(s) / g - 1.17));
    e += 16 * tanh(1 / x) * (double)s->swell * (double)s->swell;
    double q = exp(lgamma(e + 1) - lgamma(e + 0.5)) / (2 * sqrt(PI));
    double wind = (double)s->wind_direction * PI / 180, wx = cos(wind), wz = sin(wind);
    wx = fabs(wx) < 1e-12 ? 0 : wx;
    wz = fabs(wz) < 1e-12 ? 0 : wz;
    double along = (n * wx + m * wz) / hypot(n, m), across = (n * wz - m * wx) / hypot(n, m);
    double half = along < 0 ? across * across / (2 * (1 - along)) : (1 + along) / 2;
    double directed = q * pow(half, e);
    return directed * (double)s->directionality + (1 - (double)s->directionality) / (2 * PI);
}

static bool in_ring(const ag_ocean_settings *s, int cascade, double k)
{
    int size = ocean_ref_size(s);
    for (int i = cascade; i <= cascade + 1; ++i) {
        if (i == 0 || i == s->cascades)
            continue;
        double edge =
            fmin(13 * PI / (double)s->lengths[i], PI * (size - 2) / (double)s->lengths[i - 1] / 2);
        if (i == cascade ? k < edge : k >= edge)
            return false;
    }
    return true;
}

double ocean_ref_variance(const ag_ocean_settings *s, int cascade, int n, int m)
{
    double step = 2 * PI / (double)s->lengths[cascade], k = step * hypot(n, m), mean = 0;
    int half = ocean_ref_size(s) / 2;
    if ((n == 0 && m == 0) || abs(n) >= half || abs(m) >= half || !(s->wind_speed > 0) ||
        !in_ring(s, cascade, k))
        return 0;
    int cuts = abs(n) <= 16 && abs(m) <= 16 ? 8 : 1;
    for (int j = 0; j < cuts; ++j)
        for (int i = 0; i < cuts; ++i)
            mean +=
                density(s, step * hypot(n + (i + 0.5) / cuts - 0.5, m + (j + 0.5) / cuts - 0.5)) /
                (cuts * cuts);
    return mean * step * step * spreading(s, frequency(s, k), n, m);
}

// ---- noise and time ----------------------------------------------------------------------------

static double complex noise(const ag_ocean_settings *s, int cascade, int n, int m)
{
    uint32_t x = (uint32_t)n, y = (uint32_t)m,
             key = (uint32_t)s->seed + (uint32_t)cascade * 0xbb67ae85u;
    for (int i = 0; i < 10; ++i, key += 0x9e3779b9u) {
        uint64_t product = (uint64_t)0xd256d193u * x;
        x = (uint32_t)(product >> 32) ^ key ^ y;
        y = (uint32_t)product;
    }
    double radius = sqrt(-2 * log(((x >> 8) + 0.5) / 16777216));
    return radius * cexp(I * 2 * PI * (y / 4294967296.0));
}

static double complex start(const ag_ocean_settings *s, int cascade, int n, int m)
{
    return noise(s, cascade, n, m) * sqrt(ocean_ref_variance(s, cascade, n, m)) / 2;
}

static double complex mode_at(const ag_ocean_settings *s, int cascade, int n, int m)
{
    if (ocean_ref_variance(s, cascade, n, m) == 0 && ocean_ref_variance(s, cascade, -n, -m) == 0)
        return 0;
    double k = 2 * PI / (double)s->lengths[cascade] * hypot(n, m);
    double loops = floor(frequency(s, k) * (double)s->period / (2 * PI) + 0.5);
    double turns = loops * (fmod((double)s->time, (double)s->period) / (double)s->period);
    double complex turned = cexp(-I * 2 * PI * (turns - floor(turns)));
    return start(s, cascade, n, m) * turned + conj(start(s, cascade, -n, -m)) * conj(turned);
}

void ocean_ref_run(const ag_ocean_settings *s, int cascade, double *fields)
{
    int size = ocean_ref_size(s);
    size_t count = (size_t)size * (size_t)size;
    double lambda = (double)s->choppiness, step = 2 * PI / (double)s->lengths[cascade];
    fftw_complex *h = fftw_alloc_complex(count), *field = fftw_alloc_complex(count);
    fftw_plan plan = fftw_plan_dft_2d(size, size, field, field, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            int n = x < size / 2 ? x : x - size, m = y < size / 2 ? y : y - size;
            h[y * size + x] = mode_at(s, cascade, n, m);
        }
    for (int f = 0; f < OCEAN_FIELDS - 1; ++f) {
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                double kx = step * (x < size / 2 ? x : x - size);
                double kz = step * (y < size / 2 ? y : y - size), k = hypot(kx, kz);
                const double complex factors[] = {lambda * I * kx / k,
                                                  1,
                                                  lambda * I * kz / k,
                                                  -lambda * kx * kz / k,
                                                  I * kx,
                                                  I * kz,
                                                  -lambda * kx * kx / k,
                                                  -lambda * kz * kz / k};
                field[y * size + x] = k > 0 ? h[y * size + x] * factors[f] : 0;
            }
        fftw_execute(plan);
        for (size_t i = 0; i < count; ++i)
            fields[i * OCEAN_FIELDS + (size_t)f] = creal(field[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        double *v = fields + i * OCEAN_FIELDS;
        v[8] = (1 + v[6]) * (1 + v[7]) - v[3] * v[3];
    }
    fftw_destroy_plan(plan);
    fftw_free(h);
    fftw_free(field);
}
