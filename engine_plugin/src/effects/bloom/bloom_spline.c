// bloom_spline.c - cubic B-splines between a frame and a smaller image; what they do to a kernel
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom_spline.h"

#include <math.h>
#include <string.h>

enum {
    MOST = 4,                           // the largest ratio
    FAR = (AG_SPLINE_REACH + 4) * MOST, // distances in the tables of doubles
    INVERSE = AG_SPLINE_REACH + 4,      // of the division, in texels of the smaller image
    TURN = 256                          // points of the division in the frequency domain
};

typedef struct tables {
    int32_t ratio;
    double g[FAR + 1], w[FAR + 1]; // even functions
} tables;

static double b_spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

// An even ratio has its centres between texels.
static double blend(int32_t ratio, int32_t distance)
{
    double sum = 0, shift = ratio % 2 ? 0 : 0.5;
    for (int32_t i = -2 * ratio; i <= 2 * ratio; ++i)
        sum += b_spline((i + shift) / ratio) / ratio * b_spline((i + shift + distance) / ratio);
    return sum;
}

static void fill_tables(int32_t ratio, int32_t roll_off, tables *t)
{
    static const double exponents[] = {0, 2.8, 2}; // AG_SPLINE_*
    const double turn = 6.28318530717958647692;
    double inverse[INVERSE + 1], spectrum[TURN];
    memset(t, 0, sizeof *t);
    t->ratio = ratio;
    for (int32_t d = 0; d <= 4 * ratio; ++d)
        t->g[d] = blend(ratio, d);
    for (int32_t k = 0; k < TURN; ++k) {
        double sum = t->g[0];
        for (int32_t m = 1; m < 4; ++m)
            sum += 2 * t->g[m * ratio] * cos(turn * k * m / TURN);
        double high = roll_off ? pow(sin(turn / 2 * k / TURN), exponents[roll_off]) : 0;
        spectrum[k] = (1 - high) / (sum * sum);
    }
    for (int32_t m = 0; m <= INVERSE; ++m) {
        inverse[m] = 0;
        for (int32_t k = 0; k < TURN; ++k)
            inverse[m] += spectrum[k] * cos(turn * (k * m % TURN) / TURN) / TURN;
    }
    for (int32_t d = 0; d <= AG_SPLINE_REACH * ratio; ++d)
        for (int32_t m = -INVERSE; m <= INVERSE; ++m) {
            int32_t at = d - m * ratio < 0 ? m * ratio - d : d - m * ratio;
            if (at <= 4 * ratio)
                t->w[d] += inverse[m < 0 ? -m : m] * t->g[at];
        }
    // Of each place of a texel all weights sum to 1, so that no light is lost where w was cut off.
    double sums[MOST] = {0};
    for (int32_t d = -AG_SPLINE_REACH * ratio; d <= AG_SPLINE_REACH * ratio; ++d)
        sums[(d + AG_SPLINE_REACH * ratio) % ratio] += t->w[d < 0 ? -d : d];
    for (int32_t d = 0; d <= AG_SPLINE_REACH * ratio; ++d)
        t->w[d] /= sums[d % ratio];
}

static double at(const double *even, int32_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return distance <= FAR ? even[distance] : 0;
}

// How much of a tap at b, taken to the smaller image and back, arrives at a; along one axis.
static double passes(const tables *t, int32_t a, int32_t b)
{
    double sum = 0;
    for (int32_t m = -AG_SPLINE_REACH; m <= AG_SPLINE_REACH; ++m)
        sum += at(t->w, b - m * t->ratio) * at(t->g, a - m * t->ratio) / t->ratio;
    return sum;
}

// The inverse of the matrix  1 - passes  on the taps of the core, by Gauss and Jordan. It is
// positive definite, because no frequency passes enlarged: no pivots are needed.
static void invert_core(const tables along[2], float *out)
{
    enum { N = AG_CORE_TAPS, SIDE = 2 * AG_CORE_RADIUS + 1 };
    double x[SIDE][SIDE], y[SIDE][SIDE], a[N][2 * N];
    for (int32_t i = 0; i < SIDE; ++i)
        for (int32_t k = 0; k < SIDE; ++k) {
            x[i][k] = passes(&along[0], i - AG_CORE_RADIUS, k - AG_CORE_RADIUS);
            y[i][k] = passes(&along[1], i - AG_CORE_RADIUS, k - AG_CORE_RADIUS);
        }
    for (int32_t i = 0; i < N; ++i)
        for (int32_t k = 0; k < N; ++k) {
            a[i][k] = (i == k) - x[i % SIDE][k % SIDE] * y[i / SIDE][k / SIDE];
            a[i][N + k] = i == k;
        }
    for (int32_t i = 0; i < N; ++i) {
        double pivot = a[i][i];
        for (int32_t k = 0; k < 2 * N; ++k)
            a[i][k] /= pivot;
        for (int32_t row = 0; row < N; ++row) {
            double factor = a[row][i];
            for (int32_t k = 0; k < 2 * N && row != i; ++k)
                a[row][k] -= factor * a[i][k];
        }
    }
    for (int32_t i = 0; i < N; ++i)
        for (int32_t k = 0; k < N; ++k)
            *out++ = (float)a[i][N + k];
}

int32_t ag_spline_floats(const int32_t split[3])
{
    return (AG_SPLINE_REACH + 4) * (split[0] + split[1]) + 2 * 2 + AG_CORE_TAPS * AG_CORE_TAPS;
}

void ag_spline_table(const void *split, float *values)
{
    const int32_t *wanted = split;
    tables along[2];
    for (int i = 0; i < 2; ++i) {
        const tables *t = &along[i];
        fill_tables(wanted[i], wanted[2], &along[i]);
        for (int32_t d = 0; d <= AG_SPLINE_REACH * t->ratio; ++d)
            *values++ = (float)t->w[d];
        for (int32_t d = 0; d <= 4 * t->ratio; ++d)
            *values++ = (float)(t->g[d] / t->ratio);
    }
    invert_core(along, values);
}

void ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *small,
                      int32_t reach)
{
    tables t;
    fill_tables(ratio, AG_SPLINE_CUT, &t);
    for (int32_t m = -reach; m <= reach; ++m) {
        double sum = 0;
        for (int32_t x = -taps; x <= taps; ++x)
            sum += kernel[x < 0 ? -x : x] * at(t.w, x - m * ratio);
        small[m + reach] = sum;
    }
}

double ag_spline_back(int32_t ratio, const double *small, int32_t reach, int32_t x)
{
    double sum = 0;
    for (int32_t m = -reach; m <= reach; ++m) {
        int32_t d = x - m * ratio < 0 ? m * ratio - x : x - m * ratio;
        if (d <= 4 * ratio)
            sum += small[m + reach] * blend(ratio, d) / ratio;
    }
    return sum;
}

int32_t ag_spline_reach(int32_t ratio, int32_t taps)
{
    return (taps + AG_SPLINE_TAIL * ratio) / ratio;
}
