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

// With the curve, which only the scale "linear" has.
static double to_scale(const denoise_ref_image *image, const ag_denoise_settings *s, double x)
{
    double y = denoise_ref_to_space(s, x);
    return image->slope > 0 && y > 0 ? 2 / image->slope * (sqrt(1 + image->slope * y) - 1) : y;
}

static double from_scale(const denoise_ref_image *image, const ag_denoise_settings *s, double y)
{
    return denoise_ref_from_space(s, y > 0 ? y + image->slope / 4 * y * y : y);
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
        return part < image->channels ? to_scale(image, s, texel[part]) : 0;
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += matrix[part][i] * to_scale(image, s, texel[i]);
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

typedef struct tiles { // rms of each of a number of tiles
    double *sizes;
    int count;
} tiles;

// By a histogram of eight bins an octave, linear within a bin; 0 of none.
static double quantile_of(tiles *t, double percent)
{
    int exponent = 0, below = 0, here = 0;
    if (!t->count)
        return 0;
    qsort(t->sizes, (size_t)t->count, sizeof *t->sizes, by_size);
    int at = (int)fmax(ceil(t->count * percent / 100) - 1, 0);
    double size = fmax(t->sizes[at], ldexp(1, -20));
    frexp(size, &exponent);
    double width = ldexp(1, exponent - 4), begin = floor(size / width) * width;
    while (below < t->count && t->sizes[below] < begin)
        ++below;
    while (below + here < t->count && t->sizes[below + here] < begin + width)
        ++here;
    return begin + width * (0.01 * percent * t->count - below) / fmax(here, 1);
}

// The noise of all bands of a component, by tiles of 16 x 16 texels.
static void estimate(const denoise_ref_image *image, const ag_denoise_settings *s, int part,
                     double sigma[LEVELS][3], double *sure)
{
    enum { TILE = 16, MEASURED = 3 };
    static const double lacks[MEASURED] = {1.07, 1.15, 1.4};
    int across = (int)fmax(image->width / TILE, 1), down = (int)fmax(image->height / TILE, 1);
    bool atrous = s->filter == AG_DENOISE_ATROUS;
    tiles bands[MEASURED][3];
    for (int i = 0; i < 9; ++i)
        bands[i / 3][i % 3] =
            (tiles){malloc((size_t)(across * down) * sizeof *bands[0][0].sizes), 0};
    for (int tile = 0; tile < across * down; ++tile) {
        double v[TILE * TILE], sum[MEASURED][3] = {{0}};
        int found = 0;
        for (int i = 0; i < TILE * TILE; ++i)
            v[i] = component(image, s, part, tile % across * TILE + i % TILE,
                             tile / across * TILE + i / TILE);
        for (int l = 0; l < MEASURED; ++l)
            step(v, TILE, 1 << l);
        for (int i = 0; i < TILE * TILE; ++i) {
            int band = 0, level = level_at(i % TILE, i / TILE, MEASURED, &band);
            if (level >= 0)
                sum[level][band] += v[i] * v[i];
            found += level == 0 && band == 2 && v[i] != 0;
        }
        for (int i = 0; i < 9 && found >= 32; ++i) {
            tiles *t = &bands[i / 3][i % 3];
            t->sizes[t->count++] = sqrt(sum[i / 3][i % 3] * pow(4, i / 3) / found);
        }
    }
    double q[MEASURED][3], hh[LEVELS + 1], count = fmax(bands[0][2].count, 1);
    double lowest = quantile_of(&bands[0][2], fmin(fmax(2, 100 / count), 10));
    *sure = fmin(fmax(5 * lowest / fmax(quantile_of(&bands[0][2], 10), 1e-30) - 2.5, 0), 1);
    if (atrous)
        *sure = 1;
    for (int i = 0; i < 9; ++i) {
        q[i / 3][i % 3] =
            quantile_of(&bands[i / 3][i % 3], atrous ? 50 : 10) * (atrous ? 1 : lacks[i / 3]);
        free(bands[i / 3][i % 3].sizes);
    }
    hh[0] = q[0][2];
    hh[1] = fmin(q[1][2], 4 * hh[0]);
    for (int l = 2; l <= LEVELS; ++l) {
        hh[l] = hh[l - 1] * pow(fmax(hh[l - 1] / fmax(hh[l - 2], 1e-30), 1), 0.4);
        hh[l] = l == 2 ? fmin(q[2][2], 1.05 * hh[l]) : hh[l];
    }
    for (int l = 0; l < LEVELS; ++l) {
        double between = sqrt(hh[l] * hh[l + 1]);
        for (int band = 0; band < 2; ++band)
            sigma[l][band] =
                l < MEASURED ? fmin(q[l][band], between * (l ? 1.1 : 1.2))
                             : sigma[l - 1][band] * between / fmax(sqrt(hh[l - 1] * hh[l]), 1e-30);
        sigma[l][2] = hh[l];
    }
}

static void bound_luma(double sigma[PARTS][LEVELS][3])
{
    double first = sigma[0][0][2];
    for (int i = 0; i < 3 * LEVELS; ++i) {
        double growth = fmax(sigma[1][i / 3][i % 3] / fmax(sigma[1][0][2], 1e-30),
                             sigma[2][i / 3][i % 3] / fmax(sigma[2][0][2], 1e-30));
        if (growth > 0)
            sigma[0][i / 3][i % 3] = fmin(sigma[0][i / 3][i % 3], first * fmax(growth, 1));
    }
}

// Variance over brightness, of tiles by octaves of it.
static double slope_of(const denoise_ref_image *image)
{
    enum { TILE = 16, TONES = 16 };
    static const double noise_of[3] = {0.40824829046386302, -0.81649658092772603,
                                       0.40824829046386302};
    static const double tone_of[3] = {1 / 6.0, 4 / 6.0, 1 / 6.0};
    int across = (int)fmax(image->width / TILE, 1), down = (int)fmax(image->height / TILE, 1);
    int n = image->channels, used = n < 3 ? 1 : 3, all = 0;
    tiles tones[TONES];
    for (int i = 0; i < TONES; ++i)
        tones[i] = (tiles){malloc((size_t)(across * down) * sizeof *tones[i].sizes), 0};
    for (int tile = 0; tile < across * down; ++tile) {
        double sum = 0, mean = 0;
        int found = 0;
        for (int i = 0; i < TILE * TILE / 4; ++i) {
            double hh = 0;
            for (int k = 0; k < 4; ++k) {
                int x = tile % across * TILE + i % 8 * 2 + k % 2;
                int y = tile / across * TILE + i / 8 * 2 + k / 2;
                const double *texel =
                    image->values + (size_t)(reflected(y, image->height) * image->width +
                                             reflected(x, image->width)) *
                                        (size_t)n;
                for (int c = 0; c < used; ++c) {
                    hh += (k == 0 || k == 3 ? 0.5 : -0.5) * texel[c] * (n < 3 ? 1 : noise_of[c]);
                    mean += texel[c] * (n < 3 ? 1 : tone_of[c]) / (TILE * TILE);
                }
            }
            sum += hh * hh;
            found += fabs(hh) > 1e-12;
        }
        if (found < 32)
            continue;
        tiles *t = &tones[(int)fmax(fmin(floor(log2(fmax(mean, 1e-9))) + 12, TONES - 1), 0)];
        t->sizes[t->count++] = sqrt(sum / found);
        ++all;
    }
    double w = 0, wx = 0, wxx = 0, wv = 0, wxv = 0, least = 1e300, brightest = 0;
    for (int i = 0; i < TONES; ++i) {
        double x = 1.5 * exp2(i - 12), v = pow(quantile_of(&tones[i], 10), 2);
        free(tones[i].sizes);
        if (tones[i].count < fmax(4, all / 128.0) || v < 1e-30)
            continue;
        double weight = fmin(tones[i].count, all / 16.0) / (v * v);
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
        wv += weight * v;
        wxv += weight * x * v;
        least = fmin(least, v);
        brightest = x;
    }
    double det = w * wxx - wx * wx;
    if (det <= 1e-6 * w * wxx)
        return 0;
    double a = (wxx * wv - wx * wxv) / det, b = (w * wxv - wx * wv) / det;
    if (a < least / 8) {
        a = least / 8;
        b = (wxv - a * wx) / wxx;
    }
    double slope = fmax(b, 0) / a;
    return slope * brightest > 0.25 ? slope : 0;
}

typedef struct region { // texels
    int x, y, end_x, end_y;
} region;

// The energy of a coefficient as it counts for the variance of its band.
static double energy_of(double d, double sigma)
{
    double step = sigma * sigma / 4096;
    return step > 0 ? nearbyint(fmin(d * d, 64 * sigma * sigma) / step) * step : 0;
}

// Variances of the bands of a component.
static void count_part(const denoise_ref_image *image, const ag_denoise_settings *s, int part,
                       double sigma[LEVELS][3], double variance[LEVELS][3])
{
    for (int level = 0; level < s->levels && level < 5; ++level) {
        int size = 2 << level;
        double block[MOST * MOST], sum[3] = {0};
        long blocks = 0;
        for (int y = 0; y < image->height; y += size)
            for (int x = 0; x < image->width; x += size) {
                for (int i = 0; i < size * size; ++i)
                    block[i] = component(image, s, part, x + i % size, y + i / size);
                for (int k = 0; k <= level; ++k)
                    step(block, size, 1 << k);
                const double d[3] = {block[size / 2], block[size / 2 * size],
                                     block[size / 2 * size + size / 2]};
                for (int b = 0; b < 3; ++b)
                    sum[b] += energy_of(d[b], sigma[level][b]);
                ++blocks;
            }
        for (int b = 0; b < 3; ++b)
            variance[level][b] = sum[b] / (double)blocks;
    }
    memcpy(variance[5], variance[4], sizeof variance[5]);
}

static void add_variances(const denoise_ref_image *image, const ag_denoise_settings *s,
                          denoise_ref_statistics *out)
{
    for (int part = 0; part < colours_of(image->channels); ++part) {
        double sum = 0;
        for (int i = 0; i < 3 * LEVELS; ++i)
            sum += pow(out->sigma[part][i / 3][i % 3], 2) / pow(4, i / 3 + 1);
        out->total[part] = sqrt(sum + pow(out->sigma[part][LEVELS - 1][2], 2) / pow(4, LEVELS));
        count_part(image, s, part, out->sigma[part], out->variance[part]);
    }
}

void denoise_ref_count(const denoise_ref_image *given, const ag_denoise_settings *s,
                       denoise_ref_statistics *out)
{
    denoise_ref_image image = *given;
    int parts = colours_of(image.channels);
    double sure[PARTS] = {1, 1, 1};
    *out = (denoise_ref_statistics){0};
    if (!(s->sigma > 0) && s->space == AG_DENOISE_LINEAR && s->filter != AG_DENOISE_ATROUS)
        out->slope = slope_of(&image);
    image.slope = out->slope;
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < 3 * LEVELS; ++i)
            out->sigma[part][i / 3][i % 3] = (double)s->sigma;
        if (!(s->sigma > 0))
            estimate(&image, s, part, out->sigma[part], &sure[part]);
    }
    if (!(s->sigma > 0) && parts == 3)
        bound_luma(out->sigma);
    for (int i = 0; i < parts * 3 * LEVELS; ++i)
        out->sigma[i / (3 * LEVELS)][i / 3 % LEVELS][i % 3] *= sure[i / (3 * LEVELS)];
    add_variances(&image, s, out);
}

void denoise_ref_truth(const denoise_ref_image *noisy, const denoise_ref_image *clean, double slope,
                       const ag_denoise_settings *s, denoise_ref_statistics *out)
{
    denoise_ref_image images[2] = {*noisy, *clean};
    *out = (denoise_ref_statistics){.slope = slope};
    images[0].slope = images[1].slope = slope;
    for (int part = 0; part < colours_of(noisy->channels); ++part)
        for (int level = 0; level < s->levels; ++level) {
            int size = 2 << level;
            double block[MOST * MOST], sum[3] = {0};
            long blocks = 0;
            for (int y = 0; y + size <= noisy->height; y += size)
                for (int x = 0; x + size <= noisy->width; x += size) {
                    for (int i = 0; i < size * size; ++i)
                        block[i] = component(&images[0], s, part, x + i % size, y + i / size) -
                                   component(&images[1], s, part, x + i % size, y + i / size);
                    for (int k = 0; k <= level; ++k)
                        step(block, size, 1 << k);
                    sum[0] += pow(block[size / 2], 2);
                    sum[1] += pow(block[size / 2 * size], 2);
                    sum[2] += pow(block[size / 2 * size + size / 2], 2);
                    ++blocks;
                }
            for (int b = 0; b < 3; ++b)
                out->sigma[part][level][b] = sqrt(sum[b] / (double)blocks);
        }
    add_variances(&images[0], s, out);
}

// ---- thresholds --------------------------------------------------------------------------------

typedef struct thresholds {
    double t[PARTS][LEVELS][3];
} thresholds;

static thresholds thresholds_of(const denoise_ref_image *image, const ag_denoise_settings *s,
                                const denoise_ref_statistics *statistics)
{
    thresholds out = {0};
    for (int part = 0; part < colours_of(image->channels); ++part)
        for (int level = 0; level < s->levels; ++level)
            for (int band = 0; band < 3; ++band) {
                double sigma = statistics->sigma[part][level][band];
                double v = statistics->variance[part][level][band];
                double t = sigma > 0
                               ? sigma * sigma / sqrt(fmax(v - sigma * sigma, 0.04 * sigma * sigma))
                               : 0;
                if (s->rule == AG_DENOISE_VISU)
                    t = sigma * sqrt(2 * log((double)image->width * image->height));
                if (s->rule == AG_DENOISE_GIVEN || s->rule == AG_DENOISE_NOISE)
                    t = sigma * (s->rule != AG_DENOISE_NOISE ? 1
                                 : level == 0                ? 2.4
                                 : level == 1                ? 2.1
                                                             : 2);
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
    default: return t > 0 ? d * fmin(fmax(2 - size / t, 0), 1) : 0;
    }
}

// ---- the effect --------------------------------------------------------------------------------

typedef struct sums { // over all shifts, of what is removed, by component
    double *removed[PARTS], *slack;
} sums;

// What is removed of d; to `slack` what a hard threshold may decide otherwise.
static double removed_near(const ag_denoise_settings *s, double d, double t, double near,
                           double *slack)
{
    if (s->threshold == AG_DENOISE_HARD && fabs(fabs(d) - t) < near)
        *slack += fabs(d);
    return removed(s, d, t);
}

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
        for (int part = 0; part < parts; ++part)
            block[part][i] = level < 0 ? 0
                                       : removed_near(s, block[part][i],
                                                      table->t[part][level][band], near, &slack[i]);
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

// ---- levels of ti_haar beyond the third ---------------------------------------------------------

enum { CELL = 4, EIGHT = 8 };

// What they remove of blocks of 8 x 8 texels at (x, y) = 4 (i - 2, j - 2), as one coefficient.
typedef struct grid {
    int width, height;
    double *removed[PARTS], *slack;
} grid;

static void add_coarse_block(const denoise_ref_image *image, const ag_denoise_settings *s,
                             const thresholds *table, double near, int x, int y, grid *g)
{
    int size = 1 << s->levels, parts = colours_of(image->channels), band = 0;
    double block[MOST * MOST], slack = 0;
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < size * size; ++i)
            block[i] = component(image, s, part, x + i % size, y + i / size);
        for (int k = 0; k < s->levels; ++k)
            step(block, size, 1 << k);
        for (int i = 0; i < size * size; ++i) {
            int level = level_at(i % size, i / size, s->levels, &band);
            block[i] = level < 3
                           ? 0
                           : removed_near(s, block[i], table->t[part][level][band], near, &slack);
        }
        for (int k = s->levels - 1; k >= 3; --k)
            step(block, size, 1 << k);
        for (int i = 0; i < size * size;
             i += i % size + EIGHT < size ? EIGHT : (EIGHT - 1) * size + EIGHT) {
            int gx = (x + i % size) / CELL + 2, gy = (y + i / size) / CELL + 2;
            bool inside = x + i % size >= -EIGHT && y + i / size >= -EIGHT;
            if (inside && gx < g->width && gy < g->height)
                g->removed[part][gy * g->width + gx] += block[i];
        }
    }
    for (int i = 0; i < size * size;
         i += i % size + EIGHT < size ? EIGHT : (EIGHT - 1) * size + EIGHT) {
        int gx = (x + i % size) / CELL + 2, gy = (y + i / size) / CELL + 2;
        if (x + i % size >= -EIGHT && y + i / size >= -EIGHT && gx < g->width && gy < g->height)
            g->slack[gy * g->width + gx] += slack;
    }
}

static double between_cells(const grid *g, const double *values, int x, int y)
{
    int at = (y + EIGHT) / CELL * g->width + (x + EIGHT) / CELL;
    double u = (x + EIGHT) % CELL / (double)CELL, v = (y + EIGHT) % CELL / (double)CELL;
    return (values[at] * (1 - u) + values[at + 1] * u) * (1 - v) +
           (values[at + g->width] * (1 - u) + values[at + g->width + 1] * u) * v;
}

// To sums over the 64 shifts of three levels.
static void add_coarse(const denoise_ref_image *image, const ag_denoise_settings *s,
                       const thresholds *table, double near, sums *out)
{
    int size = 1 << s->levels, parts = colours_of(image->channels);
    grid g = {image->width / CELL + 5, image->height / CELL + 5, {NULL}, NULL};
    size_t cells = (size_t)(g.width * g.height);
    double *memory = calloc(cells * (PARTS + 1), sizeof *memory);
    for (int part = 0; part < PARTS; ++part)
        g.removed[part] = memory + (size_t)part * cells;
    g.slack = memory + PARTS * cells;
    for (int y = -EIGHT - size + EIGHT; y < image->height + 2 * EIGHT; y += CELL)
        for (int x = -EIGHT - size + EIGHT; x < image->width + 2 * EIGHT; x += CELL)
            add_coarse_block(image, s, table, near, x, y, &g);
    double blocks = pow(4, s->levels - 3); // in which each one of 8 x 8 texels lies
    for (int y = 0; y < image->height; ++y)
        for (int x = 0; x < image->width; ++x)
            for (int i = 0; i < EIGHT * EIGHT; ++i) {
                int px = x - i % EIGHT, py = y - i / EIGHT;
                size_t at = (size_t)y * (size_t)image->width + (size_t)x;
                for (int part = 0; part < parts; ++part)
                    out->removed[part][at] +=
                        between_cells(&g, g.removed[part], px, py) / blocks / EIGHT;
                out->slack[at] += between_cells(&g, g.slack, px, py) / blocks;
            }
    free(memory);
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
                int band = b == 2 ? 2 : 1 - b; // as haar's are ordered
                double sigma = statistics->sigma[part][level - 1][band] * gain, sum = 0;
                for (int y = 0; y < w->height[level]; ++y)
                    for (int x = 0; x < w->width[level]; ++x)
                        sum += energy_of(bands[part][first + (size_t)(y * w->columns + x)], sigma);
                of_band.sigma[part][level - 1][0] = sigma;
                of_band.variance[part][level - 1][0] =
                    sum / ((double)w->width[level] * w->height[level]);
            }
            thresholds table = thresholds_of(image, s, &of_band);
            for (int part = 0; part < parts; ++part)
                t[part] = table.t[part][level - 1][0];
            for (int y = 0; y < w->height[level]; ++y)
                for (int x = 0; x < w->width[level]; ++x) {
                    size_t at = first + (size_t)(y * w->columns + x);
                    for (int part = 0; part < parts; ++part)
                        bands[part][at] = removed(s, bands[part][at], t[part]);
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

static void store(const denoise_ref_image *image, const ag_denoise_settings *s, const sums *sum,
                  double *out, double *slack)
{
    int channels = image->channels, parts = colours_of(channels);
    double shifts = s->filter == AG_DENOISE_TI_HAAR ? pow(4, fmin(s->levels, 3)) : 1;
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; ++i) {
        const double *texel = image->values + i * (size_t)channels;
        memcpy(out + i * (size_t)channels, texel, (size_t)channels * sizeof *out);
        for (int c = 0; c < parts; ++c) {
            double of_channel = channels < 3 ? sum->removed[c][i] : 0;
            for (int part = 0; part < 3 && channels > 2; ++part)
                of_channel += matrix[part][c] * sum->removed[part][i];
            double before = to_scale(image, s, texel[c]), y = before - of_channel / shifts;
            out[i * (size_t)channels + (size_t)c] +=
                (double)s->amount * (from_scale(image, s, y) - from_scale(image, s, before));
        }
        if (slack)
            slack[i] = sum->slack[i] / shifts;
    }
}

void denoise_ref(const denoise_ref_image *given, const ag_denoise_settings *s,
                 const denoise_ref_statistics *statistics, double near, double *out, double *slack)
{
    denoise_ref_image image = *given;
    region whole = {0, 0, image.width, image.height};
    size_t texels = (size_t)image.width * (size_t)image.height;
    double *memory = calloc(texels * (PARTS + 1), sizeof *memory), largest = 0;
    sums sum = {{memory, memory + texels, memory + 2 * texels}, memory + 3 * texels};
    image.slope = statistics->slope;
    thresholds t = thresholds_of(&image, s, statistics);
    for (size_t i = 0; i < texels * (size_t)image.channels; ++i)
        largest = fmax(largest, fabs(to_scale(&image, s, image.values[i])));
    near *= largest;
    if (s->filter == AG_DENOISE_DWT) {
        add_dwt(&image, s, statistics, &sum);
    } else if (s->filter == AG_DENOISE_TI_HAAR && s->levels > 3) {
        ag_denoise_settings fine = *s;
        fine.levels = 3;
        add_region(&image, &fine, &t, near, whole, &sum);
        add_coarse(&image, s, &t, near, &sum);
    } else {
        add_region(&image, s, &t, near, whole, &sum);
    }
    store(&image, s, &sum, out, slack);
    free(memory);
}
