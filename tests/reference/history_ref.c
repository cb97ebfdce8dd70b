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

static double cubic(double x) // of Catmull and Rom
{
    x = fabs(x);
    return x < 1   ? 1.5 * x * x * x - 2.5 * x * x + 1
           : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2
                   : 0;
}

// Whether a tap holds something. Of the sixteen taps the middle and the corners tell their surface.
static bool holds(const step *a, int x, int y, int tx, int ty, bool asks)
{
    return inside(a, tx, ty) && a->old->mean[(ty * a->width + tx) * 4 + 3] >= 1 &&
           (!asks || is_same(a, x, y, ty * a->width + tx));
}

// rgb and frames of the history at (px, py): 0 without any.
static void read_history(const step *a, int x, int y, double px, double py, double h[4])
{
    double sums[4] = {0}, linear[4] = {0}, weights = 0, lowest[4] = {0, 0, 0, INFINITY};
    bool whole = true;
    for (int j = -1; j <= 2; ++j)
        for (int i = -1; i <= 2; ++i) {
            int tx = (int)floor(px) + i, ty = (int)floor(py) + j;
            bool inner = (i == 0 || i == 1) && (j == 0 || j == 1);
            bool corner = (i == -1 || i == 2) && (j == -1 || j == 2);
            if (!holds(a, x, y, tx, ty, inner || corner)) {
                whole = false;
                continue;
            }
            const double *c = a->old->mean + (ty * a->width + tx) * 4;
            double w = cubic(px - tx) * cubic(py - ty);
            double l = inner ? (1 - fabs(px - tx)) * (1 - fabs(py - ty)) : 0;
            for (int k = 0; k < 4; ++k) {
                sums[k] += w * c[k];
                linear[k] += l * c[k];
                lowest[k] = fmin(lowest[k], c[k]);
            }
            weights += l;
        }
    for (int k = 0; k < 4; ++k)
        h[k] = whole ? fmax(sums[k], lowest[k]) : weights > 0 ? linear[k] / weights : 0;
    if (whole)
        h[3] = fmin(h[3], (double)a->s->frames);
}

static double sigma_near(const step *a, double px, double py)
{
    int x = (int)fmin(fmax(floor(px + 0.5), 0), a->width - 1);
    int y = (int)fmin(fmax(floor(py + 0.5), 0), a->height - 1);
    return a->old->sigma[y * a->width + x];
}

// The fourth differences of the frame along both axes, each by how far between texels `part` is.
static void lost(const step *a, int x, int y, const double part[2], double detail[3])
{
    static const double weights[] = {1, -4, 6, -4, 1};
    for (int axis = 0; axis < 2; ++axis) {
        int dx = axis == 0, dy = axis == 1;
        if (!inside(a, x - 2 * dx, y - 2 * dy) || !inside(a, x + 2 * dx, y + 2 * dy))
            continue;
        double factor = 0.017 * pow(4 * part[axis] * (1 - part[axis]), 2);
        for (int i = -2; i <= 2; ++i)
            for (int k = 0; k < 3; ++k)
                detail[k] += factor * weights[i + 2] *
                             a->frame->src[((y + i * dy) * a->width + x + i * dx) * 4 + k];
    }
}

// Mean and variance of the 5 x 5 texels around, those inside, in Y, Co, Cg.
static void moments(const step *a, int x, int y, double mean[3], double variance[3])
{
    double sums[3] = {0}, squares[3] = {0};
    int count = 0;
    for (int qy = y - 2; qy <= y + 2; ++qy)
        for (int qx = x - 2; qx <= x + 2; ++qx) {
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
    double h[4] = {0}, sigma = 0, *mean = next->mean + i * 4;
    if (a->former && px >= -1 && py >= -1 && px <= a->width && py <= a->height) {
        read_history(a, x, y, px, py, h);
        sigma = sigma_near(a, px, py);
    }
    next->sigma[i] = next->open[i] = 0;
    mean[3] = 1;
    for (int k = 0; k < 3; ++k)
        mean[k] = texel[k];
    if (h[3] < 1)
        return;

    double middle[3], variance[3], at[3], here[3], limit[3], farthest = 0;
    moments(a, x, y, middle, variance);
    ycocg(h, at);
    ycocg(texel, here);
    double noise = fmin(sigma * sigma / fmax(variance[0], 1e-30), 1);
    double gone = fmax(0.66 - 1 / h[3], 0), more = fmax(sigma * sigma - 8 * variance[0], 0);
    more *= fmin(fmax(h[3] / 8 - 0.5, 0), 1);
    double rounding = (fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2])) / 512;
    for (int k = 0; k < 3; ++k) {
        double wide = variance[k] * (1 - noise * gone) + more * (1 - gone);
        limit[k] = (double)a->s->clamp * sqrt(wide) + rounding + 1e-20;
        farthest = fmax(farthest, fabs(at[k] - middle[k]) / limit[k]);
    }
    double share = 1 / fmax(farthest, 1), counts = h[3] * fmin(fmax(2 - farthest, 0), 1);
    double square = pow(at[0] - here[0], 2) * h[3] / (h[3] + 1), v = sigma * sigma;
    mean[3] = fmin(counts + 1, (double)a->s->frames);
    v = counts < 1 ? 0 : v + (square - v) / fmax(mean[3] - 1, 1);
    next->sigma[i] = half(sqrt(v));
    next->open[i] = farthest > 1 ? 2e-3 * (limit[0] + limit[1] + limit[2]) : 0;

    double of_middle[3] = {middle[0] + middle[1] - middle[2], middle[0] + middle[2],
                           middle[0] - middle[1] - middle[2]};
    double detail[3] = {0}, part[2] = {px - floor(px), py - floor(py)};
    lost(a, x, y, part, detail);
    for (int k = 0; k < 3 && noise > 0.5 && noise < 1; ++k)
        next->open[i] += 1e-3 * fabs(detail[k]); // half a unit of sigma
    for (int k = 0; k < 3; ++k) {
        double change = of_middle[k] + (h[k] - of_middle[k]) * share - texel[k];
        double bounded =
            fmax(fmin(detail[k], fabs(change)), -fabs(change)) * fmin(2 - 2 * noise, 1);
        mean[k] = texel[k] + (change + bounded) * (1 - 1 / mean[3]);
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
