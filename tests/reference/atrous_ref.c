// atrous_ref.c - the filter "atrous" of the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
#include "atrous_ref.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct light { // y of what is filtered, three channels a texel
    const denoise_ref_image *image;
    const atrous_ref_guides *guides;
    const ag_denoise_settings *s;
    double *y;
} light;

static double albedo_of(const atrous_ref_guides *g, int texel, int c)
{
    double a = g->albedo ? g->albedo[texel * 4 + c] : 1;
    return a > 1e-3 && a < 1e6 ? a : 1;
}

static void normal_of(const atrous_ref_guides *g, int texel, int code[3])
{
    const double *n = g->normal + texel * 4;
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; ++i)
        code[i] = size > 1e-6 && size < 1e6 ? (int)lrint(n[i] / size * 511) : 0;
}

static double slope(const light *l, int x, int y, int dx, int dy)
{
    int w = l->image->width, h = l->image->height;
    double least = INFINITY, here = l->guides->depth[y * w + x];
    for (int side = -1; side <= 1; side += 2) {
        int qx = x + side * dx, qy = y + side * dy;
        if (qx >= 0 && qy >= 0 && qx < w && qy < h)
            least = fmin(least, fabs(l->guides->depth[qy * w + qx] - here));
    }
    return isinf(least) ? 0 : least;
}

// The weight of tap q = (qx, qy), k away in strides of 2^level, beside that of the place.
static double weight_of(const light *l, int level, int x, int y, int kx, int ky)
{
    const ag_denoise_settings *s = l->s;
    int w = l->image->width, stride = 1 << level;
    int p = y * w + x, q = (y + ky * stride) * w + x + kx * stride;
    double distance = 0, strength = fmax((double)s->strength, 1e-6);
    for (int c = 0; c < 3; ++c)
        distance += pow(l->y[q * 3 + c] - l->y[p * 3 + c], 2);
    double weight = exp(-distance * pow(4, level) /
                        (8 * strength * strength * 3 * (double)s->sigma * (double)s->sigma));
    if (l->guides->normal) {
        int a[3], b[3];
        normal_of(l->guides, p, a);
        normal_of(l->guides, q, b);
        double along = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (511.0 * 511.0);
        if (memcmp(a, b, sizeof a))
            weight *= pow(fmin(fmax(along, 1e-6), 1), (double)s->edge_normal);
    }
    if (l->guides->depth) {
        double here = l->guides->depth[p];
        double expected = slope(l, x, y, stride, 0) * abs(kx) + slope(l, x, y, 0, stride) * abs(ky);
        expected = fmax(expected + 0.01 * fabs(here), 1e-20);
        weight *= exp(-fabs(l->guides->depth[q] - here) / ((double)s->edge_depth * expected));
    }
    return weight;
}

static void filter_level(const light *l, int level, double *next)
{
    static const double h[3] = {6 / 16.0, 4 / 16.0, 1 / 16.0};
    int w = l->image->width, height = l->image->height, stride = 1 << level;
    for (int p = 0; p < w * height; ++p) {
        double sum[3] = {0}, weights = 0;
        for (int ky = -2; ky <= 2; ++ky)
            for (int kx = -2; kx <= 2; ++kx) {
                int qx = p % w + kx * stride, qy = p / w + ky * stride;
                if (qx < 0 || qy < 0 || qx >= w || qy >= height)
                    continue;
                double weight = h[abs(kx)] * h[abs(ky)] * weight_of(l, level, p % w, p / w, kx, ky);
                for (int c = 0; c < 3; ++c)
                    sum[c] += weight * l->y[(qy * w + qx) * 3 + c];
                weights += weight;
            }
        for (int c = 0; c < 3; ++c)
            next[p * 3 + c] = sum[c] / weights;
    }
}

// y of texels that outshine those around them, scaled down to `firefly` times their mean.
static void dim_fireflies(const light *l)
{
    int w = l->image->width, h = l->image->height, channels = l->image->channels;
    double *means = calloc((size_t)w * (size_t)h, sizeof *means);
    channels = channels > 3 ? 3 : channels;
    for (int i = 0; i < w * h; ++i)
        for (int c = 0; c < channels; ++c)
            means[i] += l->y[i * 3 + c] / channels;
    for (int i = 0; i < w * h; ++i) {
        double sum = 0, count = 0;
        for (int y = i / w - 2; y <= i / w + 2; ++y)
            for (int x = i % w - 2; x <= i % w + 2; ++x)
                if (x >= 0 && y >= 0 && x < w && y < h && y * w + x != i) {
                    sum += fmax(means[y * w + x], 0);
                    ++count;
                }
        double limit = (double)l->s->firefly * sum / fmax(count, 1);
        for (int c = 0; c < 3 && count > 0 && means[i] > limit; ++c)
            l->y[i * 3 + c] *= limit / means[i];
    }
    free(means);
}

void atrous_ref(const denoise_ref_image *image, const atrous_ref_guides *guides,
                const ag_denoise_settings *s, double *out)
{
    int texels = image->width * image->height, channels = image->channels;
    double *y = calloc((size_t)texels * 3, sizeof *y);
    double *next = calloc((size_t)texels * 3, sizeof *y);
    double *first = calloc((size_t)texels * 3, sizeof *y);
    light l = {image, guides, s, y};
    for (int i = 0; i < texels; ++i)
        for (int c = 0; c < 3; ++c) {
            double x = c < channels ? image->values[i * channels + c] : 0;
            y[i * 3 + c] = denoise_ref_to_space(s, x / albedo_of(guides, i, c));
        }
    if (s->firefly > 0)
        dim_fireflies(&l);
    memcpy(first, y, (size_t)texels * 3 * sizeof *y);
    for (int level = 0; level < s->levels; ++level) {
        filter_level(&l, level, next);
        double *done = l.y;
        l.y = next;
        next = done;
    }
    memcpy(out, image->values, (size_t)texels * (size_t)channels * sizeof *out);
    for (int i = 0; i < texels; ++i)
        for (int c = 0; c < 3 && c < channels; ++c) {
            double is = denoise_ref_from_space(s, first[i * 3 + c]) * albedo_of(guides, i, c);
            double becomes = denoise_ref_from_space(s, l.y[i * 3 + c]) * albedo_of(guides, i, c);
            out[i * channels + c] = is + (double)s->amount * (becomes - is);
        }
    free(first);
    free(next);
    free(l.y);
}
