// bloom_octaves.c - the arithmetic of K's split into octaves (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
// Along an axis, level l has one texel for s texels of the frame, s = 1, 2, 4 or 8. Its texel m
// lies at s m + 1/2. A tap n of the level is the operator U S(n) D: down, a shift of n texels, up.
// K is a sum of such taps, all of them on the coarsest level, the base, and some on finer ones,
// with the least squared error. What that needs of two taps is their inner product per texel of
// the frame, a function of the distance d between their shifts in the frame:
//
//   meets(s, t, d) = s / t^2 sum over e of X(e) X(e + d),   e, d multiples of s <= t
//   X(e) = sum over x of W_s(x - e) / s W_t(x),   W_s(x) = B((x - 1/2) / s), W_1(x) = 1 at 0
//
// In two dimensions it is a product of two, so all sums over texels are done axis by axis. The
// tables have it by the distance: of a tap of a level what the base takes of it (AG_DOWN), and what
// it meets of a tap of the frame (AG_FINEST) and of the base (AG_COARSEST).
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

// Differences of neighbours of an eighth count by this, along an axis, over meets(base, base, 0).
static const double PENALTY = 0.08;

static double b_spline(int32_t s, int32_t x) // W_s
{
    double t = fabs((x - 0.5) / s);
    if (s == 1)
        return x == 0;
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

static double at(const double *even, int32_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return distance < AG_TABLE ? even[distance] : 0;
}

static void fill_meets(int32_t s, int32_t t, double meets[AG_TABLE])
{
    double x[2 * CROSS + 1] = {0};
    int32_t finer = s < t ? s : t, coarser = s < t ? t : s;
    for (int32_t e = -CROSS; e <= CROSS; ++e)
        for (int32_t i = -2 * finer; i <= 2 * finer + 1; ++i)
            x[e + CROSS] += b_spline(finer, i) / finer * b_spline(coarser, e * finer + i);
    memset(meets, 0, sizeof(double) * AG_TABLE);
    for (int32_t d = 0; d <= 2 * CROSS && d * finer < AG_TABLE; ++d)
        for (int32_t e = 0; e + d <= 2 * CROSS; ++e)
            meets[d * finer] += x[e] * x[e + d] * finer / ((double)coarser * coarser);
}

// meets(s, base) divided by meets(base, base) and what PENALTY adds to it. Of each place of that
// tap all weights sum to 1, so that no light is lost where the table ends.
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

// ---- taps --------------------------------------------------------------------------------------

int32_t ag_octave_ratio(const ag_octaves *o, int32_t level, int32_t axis)
{
    return 1 << (axis == 1 && o->flat && level > 1 ? 1 : level);
}

int32_t ag_octave_taps(const ag_octaves *o)
{
    int32_t taps = 0;
    for (int32_t l = 0; l < AG_LEVELS; ++l)
        taps += o->taps[l] * o->taps[l];
    return taps;
}

struct ag_octave_work {
    struct {
        double of[AG_KINDS][AG_LEVELS][AG_TABLE], pairs[AG_LEVELS][AG_LEVELS][AG_TABLE];
    } along[2];
    int32_t taps[AG_MOST_TAPS][3]; // places from the centre, in texels of the frame; the level
    double matrix[AG_MOST_TAPS][2 * AG_MOST_TAPS];
};
const size_t ag_octave_work_bytes = sizeof(struct ag_octave_work);

// The inner product of two taps, less what the base holds of it.
static double left_of(const ag_octaves *o, const ag_octave_work *w, const int32_t a[3],
                      const int32_t b[3])
{
    double both = 1, held = 1;
    for (int32_t axis = 0; axis < 2; ++axis) {
        int32_t base = ag_octave_ratio(o, o->levels, axis);
        double sum = 0;
        for (int32_t m = -AG_SPLINE_REACH; m <= AG_SPLINE_REACH; ++m)
            sum += at(w->along[axis].of[AG_DOWN][a[2]], a[axis] - m * base) *
                   at(w->along[axis].of[AG_COARSEST][b[2]], b[axis] - m * base);
        both *= at(w->along[axis].pairs[a[2]][b[2]], a[axis] - b[axis]);
        held *= sum;
    }
    return both - held;
}

// W of W^T W, the inverse of these products: the inverse of Cholesky's factor, in the last n
// columns of the matrix. Rounded to floats, the inverse itself leaves errors of some percent of a
// tap on three levels.
static void invert_taps(const ag_octaves *o, int32_t n, ag_octave_work *w)
{
    for (int32_t i = 0; i < n; ++i)
        for (int32_t k = 0; k < n; ++k) {
            w->matrix[i][k] = left_of(o, w, w->taps[i], w->taps[k]);
            w->matrix[i][n + k] = i == k;
        }
    for (int32_t i = 0; i < n; ++i) { // rows below lose what the pivot's row has of them
        for (int32_t row = i + 1; row < n; ++row) {
            double factor = w->matrix[row][i] / w->matrix[i][i];
            for (int32_t k = i; k < 2 * n; ++k)
                w->matrix[row][k] -= factor * w->matrix[i][k];
        }
        double pivot = sqrt(w->matrix[i][i]);
        for (int32_t k = n; k < 2 * n; ++k)
            w->matrix[i][k] /= pivot;
    }
}

size_t ag_octave_floats(const ag_octaves *o)
{
    size_t n = (size_t)ag_octave_taps(o);
    return (size_t)(2 * AG_KINDS * AG_LEVELS * AG_TABLE) + 3 * n + n * n;
}

void ag_octave_tables(const ag_octaves *o, ag_octave_work *w, float *values)
{
    int32_t n = 0;
    memset(w->along, 0, sizeof w->along);
    for (int32_t axis = 0; axis < 2; ++axis) {
        int32_t base = ag_octave_ratio(o, o->levels, axis);
        double(*of)[AG_LEVELS][AG_TABLE] = w->along[axis].of;
        for (int32_t l = 0; l < o->levels; ++l) {
            int32_t s = ag_octave_ratio(o, l, axis);
            fill_meets(1, s, of[AG_FINEST][l]);
            fill_meets(s, base, of[AG_COARSEST][l]);
            fill_down(s, base, of[AG_COARSEST][l], of[AG_DOWN][l]);
            for (int32_t k = 0; k < o->levels; ++k)
                fill_meets(s, ag_octave_ratio(o, k, axis), w->along[axis].pairs[l][k]);
        }
        for (int32_t i = 0; i < AG_KINDS * AG_LEVELS * AG_TABLE; ++i)
            *values++ = (float)(&of[0][0][0])[i];
    }
    for (int32_t l = 0; l < o->levels; ++l)
        for (int32_t i = 0, side = o->taps[l]; i < side * side; ++i, ++n) {
            w->taps[n][0] = (i % side - side / 2) * ag_octave_ratio(o, l, 0);
            w->taps[n][1] = (i / side - side / 2) * ag_octave_ratio(o, l, 1);
            w->taps[n][2] = l;
        }
    for (int32_t i = 0; i < 3 * n; ++i)
        *values++ = (float)w->taps[i / 3][i % 3];
    invert_taps(o, n, w);
    for (int32_t i = 0; i < n * n; ++i)
        *values++ = (float)w->matrix[i / n][n + i % n];
}

// ---- a smooth kernel, the product of two lines --------------------------------------------------

int32_t ag_spline_reach(int32_t ratio, int32_t taps)
{
    return (taps + AG_SPLINE_TAIL * ratio) / ratio;
}

int32_t ag_rest_side(const ag_octaves *o, int32_t axis, int32_t side)
{
    return 2 * ag_spline_reach(ag_octave_ratio(o, o->levels, axis), side / 2) + 1;
}

void ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *reduced)
{
    double meets[AG_TABLE], down[AG_TABLE];
    int32_t reach = ag_spline_reach(ratio, taps);
    fill_meets(1, ratio, meets);
    fill_down(1, ratio, meets, down);
    for (int32_t m = -reach; m <= reach; ++m) {
        double sum = 0;
        for (int32_t x = -taps; x <= taps; ++x)
            sum += kernel[x < 0 ? -x : x] * at(down, x - m * ratio);
        reduced[m + reach] = sum;
    }
}
