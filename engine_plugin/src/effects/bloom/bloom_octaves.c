// bloom_octaves.c - the arithmetic of K's split into octaves (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
// Along an axis, level l has one texel for s texels of the frame, s = 1, 2, 4 or 8. Its texel m
// lies at s m + 1/2, so that all texels of a level are also places of the finer ones:
//
//   frame     . . . . . . . . . . . . .
//   half      |   o   |   o   |   o   |        at 1/2, 5/2, 9/2 ..
//   quarter       o       |       o            at 1/2, 9/2 ..
//
// Light goes down to a level by D(m) = sum over x of T(x) B((x - s m - 1/2) / s) / s, with B the
// cubic B-spline, and up by sum over m of c(m) B((x - s m - 1/2) / s). A tap n of a level is the
// operator U S(n) D: down, a shift of n texels, up. K is a sum of such taps, all of them on the
// coarsest level, the base, by the FFT, and some, on either side of the centre, on finer ones.
// Their values leave the least error, in the mean over places of a lamp and for white light: the
// least squares of operators. What that needs of two taps is their inner product per texel of the
// frame, a function of the distance d between their shifts in the frame:
//
//   meets(s, t, d) = s / t^2 sum over e of X(e) X(e + d),   e, d multiples of s <= t
//   X(e) = sum over x of B((x - e - 1/2) / s) / s B((x - 1/2) / t);   s = 1: B((e - 1/2) / t)
//
// In two dimensions it is a product of two, so all sums over texels are done axis by axis.
//
// Where the base has an eighth, differences of its neighbours count, too, with a weight of PENALTY:
// else the rays of a star, which are thinner than its texels, ring along rows and columns.
//
// source  M. Unser 1999, "Splines: a perfect fit for signal and image processing"
#include "effects/bloom/bloom.h"

#include <math.h>
#include <string.h>

enum {
    MOST = 8,   // texels of the frame for one, at most
    CROSS = 20, // X(e) ends, in texels of the finer level
    TURN = 256  // points of the division in the frequency domain
};

static const double PENALTY = 0.08; // along an axis of an eighth, over meets(base, base, 0)

static double b_spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

static double cross(int32_t s, int32_t t, int32_t e)
{
    double sum = 0;
    if (s == 1)
        return t == 1 ? e == 0 : b_spline((e - 0.5) / t);
    for (int32_t x = e - 2 * s; x <= e + 2 * s + 1; ++x)
        sum += b_spline((x - e - 0.5) / s) / s * b_spline((x - 0.5) / t);
    return sum;
}

// ---- tables, by the distance in texels of the frame; 0 between those of the finer level ---------

static double at(const double *even, int32_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return distance < AG_TABLE ? even[distance] : 0;
}

static void fill_meets(int32_t s, int32_t t, double meets[AG_TABLE])
{
    double x[2 * CROSS + 1];
    int32_t finer = s < t ? s : t, coarser = s < t ? t : s;
    for (int32_t e = -CROSS; e <= CROSS; ++e)
        x[e + CROSS] = cross(finer, coarser, e * finer);
    memset(meets, 0, sizeof(double) * AG_TABLE);
    for (int32_t d = 0; d <= 2 * CROSS && d * finer < AG_TABLE; ++d)
        for (int32_t e = 0; e + d <= 2 * CROSS; ++e)
            meets[d * finer] += x[e] * x[e + d] * finer / ((double)coarser * coarser);
}

// What the base takes of a tap of the level s: meets(s, base) divided by meets(base, base) and what
// PENALTY adds to it. Of each
// place of that tap all weights sum to 1, so that no light is lost where the table ends.
static void fill_down(int32_t s, int32_t base, const double meets[AG_TABLE], double down[AG_TABLE])
{
    double cosines[TURN], own[AG_TABLE], inverse[TURN] = {0}, sums[MOST] = {0};
    int32_t reach = AG_SPLINE_REACH * base;
    fill_meets(base, base, own);
    for (int32_t k = 0; k < TURN; ++k)
        cosines[k] = cos(6.28318530717958647692 * k / TURN);
    for (int32_t k = 0; k < TURN; ++k) {
        double steep = base == MOST ? PENALTY * (1 - cosines[k]) / 2 : 0;
        double spectrum = own[0] * (1 + steep);
        for (int32_t m = 1; m * base < AG_TABLE; ++m)
            spectrum += 2 * own[m * base] * cosines[k * m % TURN];
        for (int32_t m = 0; m < TURN; ++m)
            inverse[m] += cosines[k * m % TURN] / spectrum / TURN;
    }
    memset(down, 0, sizeof(double) * AG_TABLE);
    for (int32_t d = 0; d <= reach; d += s)
        for (int32_t m = -TURN / 2; m < TURN / 2; ++m)
            down[d] += inverse[m & (TURN - 1)] * at(meets, d - m * base);
    for (int32_t d = -reach; d <= reach; d += s)
        sums[(d + reach) % base] += at(down, d);
    for (int32_t d = 0; d <= reach; d += s)
        down[d] /= sums[d % base];
}

typedef struct axis_tables {
    double down[AG_LEVELS][AG_TABLE], finest[AG_LEVELS][AG_TABLE]; // meets(1, s)
    double coarsest[AG_LEVELS][AG_TABLE];                          // meets(s, base)
    double pairs[AG_LEVELS][AG_LEVELS][AG_TABLE];                  // meets(s, t)
} axis_tables;

int32_t ag_octave_ratio(const ag_octaves *o, int32_t level, int32_t axis)
{
    return 1 << (axis == 1 && o->flat && level > 1 ? 1 : level);
}

static void fill_axis(const ag_octaves *o, int32_t axis, axis_tables *t)
{
    int32_t base = ag_octave_ratio(o, o->levels, axis);
    memset(t, 0, sizeof *t);
    for (int32_t l = 0; l < o->levels; ++l) {
        int32_t s = ag_octave_ratio(o, l, axis);
        fill_meets(1, s, t->finest[l]);
        fill_meets(s, base, t->coarsest[l]);
        fill_down(s, base, t->coarsest[l], t->down[l]);
        for (int32_t k = 0; k < o->levels; ++k)
            fill_meets(s, ag_octave_ratio(o, k, axis), t->pairs[l][k]);
    }
}

// ---- taps --------------------------------------------------------------------------------------

int32_t ag_octave_taps(const ag_octaves *o)
{
    int32_t taps = 0;
    for (int32_t l = 0; l < AG_LEVELS; ++l)
        taps += o->taps[l] * o->taps[l];
    return taps;
}

typedef struct tap {
    int32_t level, at[2]; // from the centre along x, y, in texels of the frame
} tap;

static tap tap_of(const ag_octaves *o, int32_t i)
{
    int32_t l = 0;
    for (; i >= o->taps[l] * o->taps[l]; ++l)
        i -= o->taps[l] * o->taps[l];
    int32_t side = o->taps[l], x = i % side - side / 2, y = i / side - side / 2;
    return (tap){l, {x * ag_octave_ratio(o, l, 0), y * ag_octave_ratio(o, l, 1)}};
}

// What the base holds of one tap, as another sees it; along an axis.
static double passes(const axis_tables *t, int32_t base, const tap *a, const tap *b, int32_t axis)
{
    double sum = 0;
    for (int32_t m = -AG_SPLINE_REACH; m <= AG_SPLINE_REACH; ++m)
        sum += at(t->down[a->level], a->at[axis] - m * base) *
               at(t->coarsest[b->level], b->at[axis] - m * base);
    return sum;
}

// W of W^T W, the inverse of the taps' inner products less what the base holds of them: the inverse
// of Cholesky's factor. Rounded to floats, the inverse itself leaves errors of some percent of a
// tap on three levels. `a`: n rows of 2 n, of which the last n are W.
static void invert_taps(const ag_octaves *o, const axis_tables along[2], int32_t n, double *a)
{
    int32_t wide = 2 * n;
    for (int32_t i = 0; i < n; ++i)
        for (int32_t k = 0; k < n; ++k) {
            const tap one = tap_of(o, i), other = tap_of(o, k);
            double both = 1, held = 1;
            for (int32_t axis = 0; axis < 2; ++axis) {
                int32_t base = ag_octave_ratio(o, o->levels, axis);
                both *=
                    at(along[axis].pairs[one.level][other.level], one.at[axis] - other.at[axis]);
                held *= passes(&along[axis], base, &one, &other, axis);
            }
            a[i * wide + k] = both - held;
            a[i * wide + n + k] = i == k;
        }
    for (int32_t i = 0; i < n; ++i) { // rows below lose what the pivot's row has of them
        for (int32_t row = i + 1; row < n; ++row) {
            double factor = a[row * wide + i] / a[i * wide + i];
            for (int32_t k = i; k < wide; ++k)
                a[row * wide + k] -= factor * a[i * wide + k];
        }
        double pivot = sqrt(a[i * wide + i]);
        for (int32_t k = n; k < wide; ++k)
            a[i * wide + k] /= pivot;
    }
}

size_t ag_octave_floats(const ag_octaves *o)
{
    size_t n = (size_t)ag_octave_taps(o);
    return (size_t)(2 * 3 * AG_LEVELS * AG_TABLE) + n * n;
}

size_t ag_octave_work(const ag_octaves *o)
{
    size_t n = (size_t)ag_octave_taps(o);
    return 2 * sizeof(axis_tables) + 2 * n * n * sizeof(double);
}

void ag_octave_tables(const ag_octaves *o, void *work, float *values)
{
    axis_tables *along = work;
    double *matrix = (double *)(along + 2);
    int32_t n = ag_octave_taps(o);
    for (int32_t axis = 0; axis < 2; ++axis) {
        axis_tables *t = &along[axis];
        const double *const tables[] = {t->down[0], t->finest[0], t->coarsest[0]};
        fill_axis(o, axis, t);
        for (int32_t i = 0; i < 3; ++i)
            for (int32_t d = 0; d < AG_LEVELS * AG_TABLE; ++d)
                *values++ = (float)tables[i][d];
    }
    invert_taps(o, along, n, matrix);
    for (int32_t i = 0; i < n; ++i)
        for (int32_t k = 0; k < n; ++k)
            *values++ = (float)matrix[i * 2 * n + n + k];
}

// ---- a smooth kernel, the product of two lines --------------------------------------------------

int32_t ag_spline_reach(int32_t ratio, int32_t taps)
{
    return (taps + AG_SPLINE_TAIL * ratio) / ratio;
}

double ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *reduced)
{
    double meets[AG_TABLE], down[AG_TABLE], held = 0;
    int32_t reach = ag_spline_reach(ratio, taps);
    fill_meets(1, ratio, meets);
    fill_down(1, ratio, meets, down);
    for (int32_t m = -reach; m <= reach; ++m) {
        double sum = 0, seen = 0;
        for (int32_t x = -taps; x <= taps; ++x) {
            sum += kernel[x < 0 ? -x : x] * at(down, x - m * ratio);
            seen += kernel[x < 0 ? -x : x] * at(meets, x - m * ratio);
        }
        reduced[m + reach] = sum;
        held += sum * seen;
    }
    return held;
}
