// history_ref.c - how the effect "denoise" accumulates frames, by definition, in double
// SPDX-License-Identifier: MIT
#include "history_ref.h"

#include <math.h>
#include <stdbool.h>

typedef struct step {
    int width, height;
    const ag_denoise_settings *s;
    const history_ref_frame *frame, *former;
    const history_ref *old;
} step;

static bool inside(const step *a, int x, int y)
{
    return x >= 0 && y >= 0 && x < a->width && y < a->height;
}

static double half(double x) // to nearest; of normal halves
{
    int e = 0;
    frexp(x, &e);
    return e < -13 ? ldexp(nearbyint(ldexp(x, 24)), -24)
                   : ldexp(nearbyint(ldexp(x, 11 - e)), e - 11);
}

static void ycocg(const double c[3], double y[3])
{
    y[0] = c[0] / 4 + c[1] / 2 + c[2] / 4;
    y[1] = c[0] / 2 - c[2] / 2;
    y[2] = -c[0] / 4 + c[1] / 2 - c[2] / 4;
}

// ---- surfaces -----------------------------------------------------------------------------------

static double change_along(const step *a, int x, int y, int dx, int dy)
{
    const double *z = a->frame->depth;
    double least = INFINITY;
    for (int side = -1; side <= 1; side += 2)
        if (inside(a, x + side * dx, y + side * dy))
            least = fmin(least,
                         fabs(z[(y + side * dy) * a->width + x + side * dx] - z[y * a->width + x]));
    return isinf(least) ? 0 : least;
}

static bool is_same(const step *a, int x, int y, int old)
{
    int here = y * a->width + x;
    if (a->frame->depth) {
        double z = a->frame->depth[here], change = fabs(a->former->depth[old] - z);
        double slopes = change_along(a, x, y, 1, 0) + change_along(a, x, y, 0, 1);
        if (change > (double)a->s->edge_depth * (2 * slopes + 0.02 * fabs(z)))
            return false;
    }
    if (a->frame->normal) {
        const double *n = a->frame->normal + here * 4, *m = a->former->normal + old * 4;
        double along = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
        double squares =
            (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        if (along < 0.7 * sqrt(squares))
            return false;
    }
    return true;
}

// ---- one texel ----------------------------------------------------------------------------------

// The weight of tap k = 0 .. 5 for a place that is f of a texel from tap 2 to tap 3.
static double long_weight(double f, int k)
{
    if (k > 2)
        return long_weight(1 - f, 5 - k);
    double v = f * (1 - f), t = f - 0.5;
    double even_0 = 0.0824 * v + 0.0594 * v * v, even_1 = -0.4674 * v - 0.1451 * v * v;
    double odd_0 = t * (-0.0037 * v - 0.1605 * v * v), odd_1 = t * (0.2148 * v + 0.568 * v * v);
    return k == 0   ? even_0 + odd_0
           : k == 1 ? even_1 + odd_1
                    : 0.5 - even_0 - even_1 - t - 5 * odd_0 - 3 * odd_1; // sum 1; mean f
}

static bool holds(const step *a, int tx, int ty)
{
    return inside(a, tx, ty) && a->old->mean[(ty * a->width + tx) * 4 + 3] >= 1;
}

// Of the four taps around (px, py) those that hold something of the surface.
static void read_linear(const step *a, int x, int y, double px, double py, double h[4])
{
    double sums[4] = {0}, weights = 0;
    for (int i = 0; i < 4; ++i) {
        int tx = (int)floor(px) + i % 2, ty = (int)floor(py) + i / 2;
        if (!holds(a, tx, ty) || !is_same(a, x, y, ty * a->width + tx))
            continue;
        double w = (1 - fabs(px - tx)) * (1 - fabs(py - ty));
        for (int k = 0; k < 4; ++k)
            sums[k] += w * a->old->mean[(ty * a->width + tx) * 4 + k];
        weights += w;
    }
    for (int k = 0; k < 4; ++k)
        h[k] = weights > 0 ? sums[k] / weights : 0;
}

// A box of 3 x 3 texels around (px, py). Returns whether each tap holds something.
static bool read_near(const step *a, double px, double py, double near[3])
{
    near[0] = near[1] = near[2] = 0;
    for (int j = -1; j <= 2; ++j)
        for (int i = -1; i <= 2; ++i) {
            int tx = (int)floor(px) + i, ty = (int)floor(py) + j;
            double w = fmin(2 - fabs(px - tx), 1) * fmin(2 - fabs(py - ty), 1) / 9;
            if (w <= 0)
                continue;
            if (!holds(a, tx, ty))
                return false;
            for (int k = 0; k < 3; ++k)
                near[k] += w * a->old->mean[(ty * a->width + tx) * 4 + k];
        }
    return true;
}

// rgb and frames of the history at (px, py), 0 without any; the mean of 3 x 3 texels of it. Returns
// whether there is that.
static bool read_history(const step *a, int x, int y, double px, double py, double h[4],
                         double near[3])
{
    int left = (int)floor(px) - 2, top = (int)floor(py) - 2;
    double lowest[4] = {INFINITY, INFINITY, INFINITY, INFINITY}, sums[4] = {0};
    bool between = px != floor(px) || py != floor(py), whole = between;
    for (int i = 0; i < 36 && whole; ++i) {
        int j = i % 6, row = i / 6, tx = left + j, ty = top + row;
        bool asks = j == row || j == 5 - row; // both diagonals tell their surface
        if (!holds(a, tx, ty) || (asks && !is_same(a, x, y, ty * a->width + tx))) {
            whole = false;
            break;
        }
        double w = long_weight(px - floor(px), j) * long_weight(py - floor(py), row);
        for (int k = 0; k < 4; ++k) {
            double c = a->old->mean[(ty * a->width + tx) * 4 + k];
            sums[k] += w * c;
            lowest[k] = fmin(lowest[k], c);
        }
    }
    if (!whole)
        read_linear(a, x, y, px, py, h);
    for (int k = 0; k < 4 && whole; ++k)
        h[k] = fmax(sums[k], lowest[k]);
    if (whole)
        h[3] = fmin(h[3], 2 * (double)a->s->frames);
    return (whole || !between) && read_near(a, px, py, near);
}

static double sigma_near(const step *a, double px, double py)
{
    int x = (int)fmin(fmax(floor(px + 0.5), 0), a->width - 1);
    int y = (int)fmin(fmax(floor(py + 0.5), 0), a->height - 1);
    return a->old->sigma[y * a->width + x];
}

// Mean and variance of the texels up to `reach` away, those inside, in Y, Co, Cg.
static void moments(const step *a, int x, int y, int reach, double mean[3], double variance[3])
{
    double sums[3] = {0}, squares[3] = {0};
    int count = 0;
    for (int qy = y - reach; qy <= y + reach; ++qy)
        for (int qx = x - reach; qx <= x + reach; ++qx) {
            if (!inside(a, qx, qy))
                continue;
            double c[3];
            ycocg(a->frame->src + (qy * a->width + qx) * 4, c);
            for (int k = 0; k < 3; ++k) {
                sums[k] += c[k];
                squares[k] += c[k] * c[k];
            }
            ++count;
        }
    for (int k = 0; k < 3; ++k) {
        mean[k] = sums[k] / count;
        variance[k] = fmax(squares[k] / count - mean[k] * mean[k], 0);
    }
}

static void next_texel(const step *a, int x, int y, history_ref *next)
{
    int i = y * a->width + x;
    const double *texel = a->frame->src + i * 4, *motion = a->frame->motion;
    double px = x - (motion ? motion[2 * i] : 0), py = y - (motion ? motion[2 * i + 1] : 0);
    double h[4] = {0}, box[3], sigma = 0, *mean = next->mean + i * 4;
    bool boxed = false;
    if (a->former && px >= -1 && py >= -1 && px <= a->width && py <= a->height) {
        boxed = read_history(a, x, y, px, py, h, box);
        sigma = sigma_near(a, px, py);
    }
    next->sigma[i] = next->open[i] = 0;
    mean[3] = 1;
    for (int k = 0; k < 3; ++k)
        mean[k] = texel[k];
    if (h[3] < 1)
        return;

    double middle[3], variance[3], at[3], here[3], limit[3], farthest = 0, gap = 0;
    double near[3], near_variance[3], near_then[3] = {0};
    moments(a, x, y, 2, middle, variance);
    moments(a, x, y, 1, near, near_variance);
    if (boxed)
        ycocg(box, near_then);
    ycocg(h, at);
    ycocg(texel, here);
    double noise = fmin(sigma * sigma / fmax(variance[0], 1e-30), 1);
    double gone = fmax(0.66 - 1 / h[3], 0), more = fmax(sigma * sigma - 8 * variance[0], 0);
    double known = fmin(fmax(h[3] / 8 - 0.5, 0), 1);
    more *= known;
    double rounding = (fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2])) / 512;
    for (int k = 0; k < 3; ++k) {
        double wide = variance[k] * (1 - noise * gone) + more * (1 - gone);
        limit[k] = (double)a->s->clamp * sqrt(wide) + rounding + 1e-20;
        farthest = fmax(farthest, fabs(at[k] - middle[k]) / limit[k]);
        double even = fmin(variance[k], sigma * sigma + variance[k] / 4);
        double near_by = k ? variance[k] : variance[0] + known * (even - variance[0]);
        double room = 0.5 * (double)a->s->clamp * sqrt(near_by + more) + rounding + 1e-20;
        if (boxed)
            gap = fmax(gap, fabs(near_then[k] - near[k]) / room);
    }
    double share = 1 / fmax(farthest, 1);
    double counts = h[3] * fmin(fmax(2 - fmax(farthest, gap), 0), 1);
    double square = pow(at[0] - here[0], 2) * h[3] / (h[3] + 1), v = sigma * sigma;
    double most = (double)a->s->frames, weight = 1 / fmin(counts + 1, most);
    mean[3] = counts + 1 <= most ? counts + 1 : 1 / (pow(1 - weight, 2) / counts + weight * weight);
    v = counts < 1 ? 0 : v + (square - v) / fmax(fmin(counts + 1, most) - 1, 1);
    next->sigma[i] = half(sqrt(v));
    next->open[i] = fmax(farthest, gap) > 1 ? 2e-3 * (limit[0] + limit[1] + limit[2]) : 0;

    double of_middle[3] = {middle[0] + middle[1] - middle[2], middle[0] + middle[2],
                           middle[0] - middle[1] - middle[2]};
    for (int k = 0; k < 3; ++k) {
        double change = of_middle[k] + (h[k] - of_middle[k]) * share - texel[k];
        mean[k] = texel[k] + change * (1 - weight);
    }
}

void history_ref_next(int width, int height, const ag_denoise_settings *settings,
                      const history_ref_frame *frame, const history_ref_frame *former,
                      const history_ref *old, history_ref *next)
{
    const step a = {width, height, settings, frame, former, old};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            next_texel(&a, x, y, next);
}
