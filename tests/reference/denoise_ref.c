// denoise_ref.c - the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
#include "denoise_ref.h"
#include "wavelet_ref.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = DENOISE_REF_PARTS, LEVELS = DENOISE_REF_LEVELS, MOST = 64 };

// ---- values ------------------------------------------------------------------------------------

double denoise_ref_to_space(const ag_denoise_settings *s, double x)
{
    double gain = (double)s->gain, offset = 0.375 * gain * gain + (double)s->offset;
    if (s->space == AG_DENOISE_LOG)
        return copysign(log2(1 + fabs(x) / gain), x);
    return s->space == AG_DENOISE_ANSCOMBE ? 2 / gain * sqrt(fmax(gain * x + offset, 0)) : x;
}

double denoise_ref_from_space(const ag_denoise_settings *s, double y)
{
    double gain = (double)s->gain, offset = 0.375 * gain * gain + (double)s->offset;
    if (s->space == AG_DENOISE_LOG)
        return copysign((exp2(fabs(y)) - 1) * gain, y);
    if (s->space == AG_DENOISE_ANSCOMBE)
        return (pow(fmax(y, 0) * gain / 2, 2) - offset) / gain;
    return y;
}

static int colours_of(int channels)
{
    return channels < 3 ? channels : 3;
}

// Rows: components; columns: red, green, blue.
static const double matrix[3][3] = {{0.57735026918962576, 0.57735026918962576, 0.57735026918962576},
                                    {0.70710678118654752, 0, -0.70710678118654752},
                                    {0.40824829046386302, -0.81649658092772603,
                                     0.40824829046386302}};

static int reflected(int p, int n)
{
    p = p < 0 ? -1 - p : p;
    p %= 2 * n;
    return p < n ? p : 2 * n - 1 - p;
}

static double component(const denoise_ref_image *image, const ag_denoise_settings *s, int part,
                        int x, int y)
{
    int at = reflected(y, image->height) * image->width + reflected(x, image->width);
    const double *texel = image->values + (size_t)at * (size_t)image->channels;
    if (image->channels < 3)
        return part < image->channels ? denoise_ref_to_space(s, texel[part]) : 0;
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += matrix[part][i] * denoise_ref_to_space(s, texel[i]);
    return sum;
}

// ---- a block of 2^levels x 2^levels values, in place --------------------------------------------

static void step(double *v, int size, int stride)
{
    for (int y = 0; y < size; y += 2 * stride)
        for (int x = 0; x < size; x += 2 * stride) {
            double *a = v + y * size + x, *b = a + stride;
            double *c = a + stride * size, *d = c + stride;
            double ll = (*a + *b + *c + *d) / 2, hl = (*a - *b + *c - *d) / 2;
            double lh = (*a + *b - *c - *d) / 2, hh = (*a - *b - *c + *d) / 2;
            *a = ll;
            *b = hl;
            *c = lh;
            *d = hh;
        }
}

// Level (from 0 on) and band of the coefficient at (x, y); level -1: the last LL.
static int level_at(int x, int y, int levels, int *band)
{
    for (int level = 0; level < levels; ++level)
        if ((x | y) >> level & 1) {
            *band = (x >> level & 1) + 2 * (y >> level & 1) - 1;
            return level;
        }
    return -1;
}

// ---- statistics --------------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double median_of(double *sizes, size_t count)
{
    qsort(sizes, count, sizeof *sizes, by_size);
    if (!count)
        return 0;
    return count % 2 ? sizes[count / 2] : (sizes[count / 2 - 1] + sizes[count / 2]) / 2;
}

typedef struct region { // texels
    int x, y, end_x, end_y;
} region;

// Variances of blocks with their corner in a region; and, with `sizes`, the |HH1| that are not 0.
static size_t count_part(const denoise_ref_image *image, const ag_denoise_settings *s, int part,
                         region r, double sigma, double variance[LEVELS][3], double *sizes)
{
    size_t found = 0;
    for (int level = 0; level < s->levels; ++level) {
        int size = 2 << level;
        double block[MOST * MOST], sum[3] = {0};
        long blocks = 0;
        int first_x = (r.x + size - 1) / size * size, first_y = (r.y + size - 1) / size * size;
        for (int y = first_y; y < r.end_y; y += size)
            for (int x = first_x; x < r.end_x; x += size) {
                for (int i = 0; i < size * size; ++i)
                    block[i] = component(image, s, part, x + i % size, y + i / size);
                for (int k = 0; k <= level; ++k)
                    step(block, size, 1 << k);
                const double d[3] = {block[size / 2], block[size / 2 * size],
                                     block[size / 2 * size + size / 2]};
                for (int b = 0; b < 3; ++b)
                    sum[b] += fmin(d[b] * d[b], 64 * sigma * sigma);
                if (level == 0 && sizes && d[2] != 0)
                    sizes[found++] = fabs(d[2]);
                ++blocks;
            }
        for (int b = 0; b < 3; ++b)
            variance[level][b] = sum[b] / (double)(blocks ? blocks : 1);
    }
    return found;
}

void denoise_ref_count(const denoise_ref_image *image, const ag_denoise_settings *s,
                       denoise_ref_statistics *out)
{
    region whole = {0, 0, image->width, image->height};
    double *sizes =
        malloc(((size_t)image->width + 1) * ((size_t)image->height + 1) * sizeof *sizes);
    *out = (denoise_ref_statistics){0};
    for (int part = 0; part < colours_of(image->channels) && sizes; ++part) {
        out->sigma[part] = (double)s->sigma;
        if (!(s->sigma > 0))
            out->sigma[part] =
                median_of(sizes, count_part(image, s, part, whole, 0, out->variance[part], sizes)) /
                0.6745;
        count_part(image, s, part, whole, out->sigma[part], out->variance[part], NULL);
    }
    free(sizes);
}

// ---- thresholds --------------------------------------------------------------------------------

typedef struct thresholds {
    double t[PARTS][LEVELS][3], sigma[PARTS];
} thresholds;

static thresholds thresholds_of(const denoise_ref_image *image, const ag_denoise_settings *s,
                                const denoise_ref_statistics *statistics)
{
    thresholds out = {0};
    memcpy(out.sigma, statistics->sigma, sizeof out.sigma);
    for (int part = 0; part < colours_of(image->channels); ++part)
        for (int level = 0; level < s->levels; ++level)
            for (int band = 0; band < 3; ++band) {
                double sigma = statistics->sigma[part];
                double v = statistics->variance[part][level][band];
                double t = sigma > 0
                               ? sigma * sigma / sqrt(fmax(v - sigma * sigma, 0.04 * sigma * sigma))
                               : 0;
                if (s->rule == AG_DENOISE_VISU)
                    t = sigma * sqrt(2 * log((double)image->width * image->height));
                if (s->rule == AG_DENOISE_GIVEN)
                    t = sigma;
                out.t[part][level][band] =
                    t * (double)s->strength * (part && image->channels > 2 ? (double)s->chroma : 1);
            }
    return out;
}

static double removed(const ag_denoise_settings *s, double d, double t)
{
    double size = fabs(d);
    switch (s->threshold) {
    case AG_DENOISE_SOFT: return copysign(fmin(size, t), d);
    case AG_DENOISE_HARD: return size <= t ? d : 0;
    case AG_DENOISE_GARROTE: return size <= t ? d : t * t / d;
    default: return copysign(fmax(fmin(size, 2 * t - size), 0), d);
    }
}

// What the threshold "group" removes, in place of the coefficients d: the nearest point, in units
// of sigma, of the ellipsoid with half axes t. It is d / (1 + x (sigma / t)^2), and bisection finds
// the x.
static void removed_together(double d[PARTS], const double t[PARTS], const double sigma[PARTS])
{
    double low = 0, high = 0;
    for (int part = 0; part < PARTS; ++part)
        high = t[part] > 0 ? hypot(high, d[part] * t[part] / pow(sigma[part], 2)) : high;
    for (int i = 0; i < 200; ++i) {
        double x = (low + high) / 2, sum = 0;
        for (int part = 0; part < PARTS; ++part)
            if (t[part] > 0)
                sum += pow(d[part] / (t[part] + x * pow(sigma[part], 2) / t[part]), 2);
        *(sum > 1 ? &low : &high) = x;
    }
    for (int part = 0; part < PARTS; ++part)
        d[part] = t[part] > 0 ? d[part] / (1 + high * pow(sigma[part] / t[part], 2)) : 0;
}

// ---- the effect --------------------------------------------------------------------------------

typedef struct sums { // over all shifts, of what is removed, by component
    double *removed[PARTS], *slack;
} sums;

// All components of one block at (x, y).
static void add_block(const denoise_ref_image *image, const ag_denoise_settings *s,
                      const thresholds *table, double near, region r, int x, int y, sums *out)
{
    double block[PARTS][MOST * MOST], slack[MOST * MOST] = {0};
    int size = 1 << s->levels, parts = colours_of(image->channels), band = 0;
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < size * size; ++i)
            block[part][i] = component(image, s, part, x + i % size, y + i / size);
        for (int k = 0; k < s->levels; ++k)
            step(block[part], size, 1 << k);
    }
    for (int i = 0; i < size * size; ++i) {
        int level = level_at(i % size, i / size, s->levels, &band);
        double t[PARTS] = {0}, d[PARTS] = {0}, sigma[PARTS] = {0};
        for (int part = 0; part < parts && level >= 0; ++part) {
            t[part] = table->t[part][level][band];
            d[part] = block[part][i];
            sigma[part] = table->sigma[part];
        }
        if (s->threshold == AG_DENOISE_GROUP)
            removed_together(d, t, sigma);
        for (int part = 0; part < parts; ++part) {
            double is = block[part][i];
            if (s->threshold == AG_DENOISE_HARD && level >= 0 && fabs(fabs(is) - t[part]) < near)
                slack[i] += fabs(is);
            block[part][i] = level < 0                          ? 0
                             : s->threshold == AG_DENOISE_GROUP ? d[part]
                                                                : removed(s, is, t[part]);
        }
    }
    double all_slack = 0;
    for (int i = 0; i < size * size; ++i)
        all_slack += slack[i];
    for (int part = 0; part < parts; ++part)
        for (int k = s->levels - 1; k >= 0; --k)
            step(block[part], size, 1 << k);
    for (int i = 0; i < size * size; ++i) {
        int px = x + i % size, py = y + i / size;
        if (px < r.x || px >= r.end_x || py < r.y || py >= r.end_y)
            continue;
        size_t at = (size_t)py * (size_t)image->width + (size_t)px;
        for (int part = 0; part < parts; ++part)
            out->removed[part][at] += block[part][i];
        out->slack[at] += all_slack;
    }
}

static int floor_to(int value, int size, int shift) // the last value - shift that is a multiple
{
    int at = value - shift;
    return (at >= 0 ? at / size : -((-at + size - 1) / size)) * size + shift;
}

static void add_region(const denoise_ref_image *image, const ag_denoise_settings *s,
                       const thresholds *table, double near, region r, sums *out)
{
    int size = 1 << s->levels, shifts = s->filter == AG_DENOISE_TI_HAAR ? size : 1;
    for (int shift = 0; shift < shifts * shifts; ++shift) {
        int sx = shift % shifts, sy = shift / shifts;
        for (int y = floor_to(r.y, size, sy); y < r.end_y; y += size)
            for (int x = floor_to(r.x, size, sx); x < r.end_x; x += size)
                add_block(image, s, table, near, r, x, y, out);
    }
}

// ---- the filter dwt -----------------------------------------------------------------------------

// The length of the filter that makes a coefficient of level `level` of samples: `high` of the last
// step's two.
static double gain_of(const wavelet_ref *w, int level, bool high)
{
    enum { ROOM = WAVELET_REF_TAPS << LEVELS };
    double *filter = calloc(ROOM, sizeof *filter), *next = calloc(ROOM, sizeof *next), sum = 0;
    int length = 1;
    filter[0] = 1;
    for (int l = 1; l <= level; ++l) {
        const double *taps = l == level && high ? w->high : w->low;
        memset(next, 0, ROOM * sizeof *next);
        for (int i = 0; i < length; ++i)
            for (int k = 0; k < w->taps; ++k)
                next[i + (k << (l - 1))] += filter[i] * taps[k];
        length += (w->taps - 1) << (l - 1);
        memcpy(filter, next, ROOM * sizeof *filter);
    }
    for (int i = 0; i < length; ++i)
        sum += filter[i] * filter[i];
    free(filter);
    free(next);
    return sqrt(sum);
}

// Shrinks all coefficients to what is removed of them.
static void shrink_bands(const denoise_ref_image *image, const ag_denoise_settings *s,
                         const denoise_ref_statistics *statistics, const wavelet_ref *w,
                         double *const bands[PARTS])
{
    int parts = colours_of(image->channels);
    size_t plane = (size_t)w->columns * (size_t)w->rows;
    for (int part = 0; part < parts; ++part)
        memset(bands[part], 0, plane * sizeof(double)); // LL
    for (int level = 1; level <= w->levels; ++level)
        for (int b = 0; b < 3; ++b) { // LH, HL, HH
            double gain = gain_of(w, level, true) * gain_of(w, level, b == 2), t[PARTS] = {0};
            size_t first = (size_t)(1 + 3 * (w->levels - level) + b) * plane;
            denoise_ref_statistics of_band = *statistics;
            for (int part = 0; part < parts; ++part) {
                double sigma = statistics->sigma[part] * gain, sum = 0;
                for (int y = 0; y < w->height[level]; ++y)
                    for (int x = 0; x < w->width[level]; ++x)
                        sum += fmin(pow(bands[part][first + (size_t)(y * w->columns + x)], 2),
                                    64 * sigma * sigma);
                of_band.sigma[part] = sigma;
                of_band.variance[part][0][0] = sum / ((double)w->width[level] * w->height[level]);
            }
            thresholds table = thresholds_of(image, s, &of_band);
            for (int part = 0; part < parts; ++part)
                t[part] = table.t[part][0][0];
            for (int y = 0; y < w->height[level]; ++y)
                for (int x = 0; x < w->width[level]; ++x) {
                    size_t at = first + (size_t)(y * w->columns + x);
                    double d[PARTS] = {0};
                    for (int part = 0; part < parts; ++part)
                        d[part] = bands[part][at];
                    if (s->threshold == AG_DENOISE_GROUP)
                        removed_together(d, t, of_band.sigma);
                    for (int part = 0; part < parts; ++part)
                        bands[part][at] = s->threshold == AG_DENOISE_GROUP
                                              ? d[part]
                                              : removed(s, d[part], t[part]);
                }
        }
}

static void add_dwt(const denoise_ref_image *image, const ag_denoise_settings *s,
                    const denoise_ref_statistics *statistics, sums *out)
{
    int parts = colours_of(image->channels);
    size_t texels = (size_t)image->width * (size_t)image->height;
    double *bands[PARTS] = {NULL}, *plane = malloc(texels * sizeof *plane);
    wavelet_ref w = wavelet_ref_make(s->wavelet, AG_WAVELET_SYMMETRIC, s->levels, true,
                                     image->width, image->height);
    for (int part = 0; part < parts; ++part) {
        for (size_t i = 0; i < texels; ++i)
            plane[i] = component(image, s, part, (int)(i % (size_t)image->width),
                                 (int)(i / (size_t)image->width));
        bands[part] = wavelet_ref_forward(&w, plane);
    }
    shrink_bands(image, s, statistics, &w, bands);
    for (int part = 0; part < parts; ++part) {
        double *back = wavelet_ref_inverse(&w, bands[part]);
        memcpy(out->removed[part], back, texels * sizeof *back);
        free(back);
        free(bands[part]);
    }
    free(plane);
}

// Texels of a tile in x and y.
static void tile_of(const ag_denoise_settings *s, int tile[2])
{
    bool group = s->threshold == AG_DENOISE_GROUP;
    tile[0] = tile[1] = s->levels > 5 ? 64 : 32;
    if (s->filter == AG_DENOISE_TI_HAAR) {
        tile[0] = (group ? 17 : 33) - (1 << s->levels);
        tile[1] = group ? 13 : 37;
    }
}

static void store(const denoise_ref_image *image, const ag_denoise_settings *s, const sums *sum,
                  double *out, double *slack)
{
    int channels = image->channels, parts = colours_of(channels);
    double shifts = s->filter == AG_DENOISE_TI_HAAR ? pow(4, s->levels) : 1;
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; ++i) {
        const double *texel = image->values + i * (size_t)channels;
        memcpy(out + i * (size_t)channels, texel, (size_t)channels * sizeof *out);
        for (int c = 0; c < parts; ++c) {
            double of_channel = channels < 3 ? sum->removed[c][i] : 0;
            for (int part = 0; part < 3 && channels > 2; ++part)
                of_channel += matrix[part][c] * sum->removed[part][i];
            double y = denoise_ref_to_space(s, texel[c]) - of_channel / shifts;
            out[i * (size_t)channels + (size_t)c] +=
                (double)s->amount * (denoise_ref_from_space(s, y) -
                                     denoise_ref_from_space(s, denoise_ref_to_space(s, texel[c])));
        }
        if (slack)
            slack[i] = sum->slack[i] / shifts;
    }
}

void denoise_ref(const denoise_ref_image *image, const ag_denoise_settings *s,
                 const denoise_ref_statistics *statistics, double near, double *out, double *slack)
{
    size_t texels = (size_t)image->width * (size_t)image->height;
    double *memory = calloc(texels * (PARTS + 1), sizeof *memory), largest = 0;
    sums sum = {{memory, memory + texels, memory + 2 * texels}, memory + 3 * texels};
    thresholds t = thresholds_of(image, s, statistics);
    for (size_t i = 0; i < texels * (size_t)image->channels; ++i)
        largest = fmax(largest, fabs(denoise_ref_to_space(s, image->values[i])));
    near *= largest;
    if (s->filter == AG_DENOISE_DWT) {
        add_dwt(image, s, statistics, &sum);
    } else if (s->rule != AG_DENOISE_NOISE) {
        add_region(image, s, &t, near, (region){0, 0, image->width, image->height}, &sum);
    } else {
        int tile[2];
        tile_of(s, tile);
        for (int y = 0; y < image->height; y += tile[1])
            for (int x = 0; x < image->width; x += tile[0]) {
                region r = {x, y, (int)fmin(x + tile[0], image->width),
                            (int)fmin(y + tile[1], image->height)};
                denoise_ref_statistics own = *statistics;
                for (int part = 0; part < colours_of(image->channels); ++part)
                    count_part(image, s, part, r, own.sigma[part], own.variance[part], NULL);
                t = thresholds_of(image, s, &own);
                add_region(image, s, &t, near, r, &sum);
            }
    }
    store(image, s, &sum, out, slack);
    free(memory);
}
