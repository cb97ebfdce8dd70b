// exposure_ref.c - the effect "exposure" by definition
// SPDX-License-Identifier: MIT
#include "exposure_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// With -std=c11 no operations are contracted to fma, so each float operation rounds once.

// ---- texels ------------------------------------------------------------------------------------

typedef struct walk { // the rectangle's texels
    const exposure_ref_image *image;
    int x, y, w, h, layers;
} walk;

static walk walk_of(const exposure_ref_image *image)
{
    walk w = {image, image->x, image->y, image->w, image->h, image->layers ? image->layers : 1};
    if (!w.w) {
        w.w = image->width - w.x;
        w.h = image->height - w.y;
    }
    return w;
}

static const double *texel_of(const walk *w, int layer, int x, int y)
{
    const exposure_ref_image *i = w->image;
    size_t row = (size_t)(i->first_layer + layer) * (size_t)i->height + (size_t)(w->y + y);
    return i->values + (row * (size_t)i->width + (size_t)(w->x + x)) * (size_t)i->format->channels;
}

static bool all_finite(const format_info *format, const double *texel)
{
    for (int c = 0; c < format->channels; ++c)
        if (!isfinite(texel[c]))
            return false;
    return true;
}

// Luminance of unsigned normalised formats in integer units of a code; `one`: luminance 1.
static float luminance(const format_info *format, const double *texel, double *one)
{
    int channels = format->channels;
    if (format->kind == FORMAT_UNORM) {
        double most = (double)((1 << format->bits[0]) - 1), sum = 0;
        const double weights[] = {2126, 7152, 722};
        for (int c = 0; c < channels && c < 3; ++c)
            sum += (channels == 1 ? 10000 : weights[c]) * round(texel[c] * most);
        *one = 10000 * most;
        return (float)sum;
    }
    *one = 1;
    float r = (float)texel[0], g = channels > 1 ? (float)texel[1] : 0;
    float b = channels > 2 ? (float)texel[2] : 0;
    if (channels == 1)
        return r;
    float red = 0.2126f * r, green = 0.7152f * g, blue = 0.0722f * b;
    float sum = red + green;
    return sum + blue;
}

static double luminance_exact(const format_info *format, const double *texel)
{
    if (format->channels == 1)
        return texel[0];
    return 0.2126 * texel[0] + 0.7152 * texel[1] + (format->channels > 2 ? 0.0722 * texel[2] : 0);
}

// ---- weights and edges -------------------------------------------------------------------------

static uint32_t weight(const walk *w, float center, int x, int y)
{
    float from_x = (float)(2 * x + 1 - w->w), from_y = (float)(2 * y + 1 - w->h);
    float scale = (float)(1 / ((double)w->w * w->w + (double)w->h * w->h));
    float x2 = from_x * from_x, y2 = from_y * from_y;
    float square = x2 + y2;
    float d = square * scale;
    float left = 1 - d;
    float fourth = left * left;
    float off = 1 - fourth;
    float cut = center * off;
    float all = 1 - cut;
    float units = 256 * all;
    units = units + 0.5f;
    return (uint32_t)fmaxf(units, 0);
}

static double weight_exact(const walk *w, double center, int x, int y)
{
    double dx = x + 0.5 - w->w / 2.0, dy = y + 0.5 - w->h / 2.0;
    double d2 = (dx * dx + dy * dy) / (((double)w->w * w->w + (double)w->h * w->h) / 4);
    return 1 - center * (1 - (1 - d2) * (1 - d2));
}

static double width_of(const ag_exposure_settings *s)
{
    return ((double)s->max_ev - (double)s->min_ev) / EXPOSURE_REF_BINS;
}

// Compares with all edges, from the last one: slow, but simple.
static int bin_of(float luminance, const float edges[EXPOSURE_REF_BINS])
{
    int bin = EXPOSURE_REF_BINS - 1;
    while (bin > 0 && luminance < edges[bin])
        --bin;
    return bin;
}

// ---- counts ------------------------------------------------------------------------------------

void exposure_ref_count(const exposure_ref_image *image, const ag_exposure_settings *settings,
                        exposure_ref_counts *counts)
{
    const walk w = walk_of(image);
    float edges[EXPOSURE_REF_BINS];
    double one = 1;
    luminance(image->format, image->values, &one);
    for (int i = 0; i < EXPOSURE_REF_BINS; ++i)
        edges[i] = (float)(exp2((double)settings->min_ev + i * width_of(settings)) * one);
    memset(counts, 0, sizeof *counts);
    for (int layer = 0; layer < w.layers; ++layer)
        for (int y = 0; y < w.h; ++y)
            for (int x = 0; x < w.w; ++x) {
                const double *texel = texel_of(&w, layer, x, y);
                float l = luminance(image->format, texel, &one);
                uint32_t units = weight(&w, settings->center, x, y);
                ++counts->texels;
                if (!(l > (float)(ldexp(1, -20) * one) && l < INFINITY) || !units ||
                    (settings->scrub && !all_finite(image->format, texel)))
                    continue;
                ++counts->used;
                counts->bins[bin_of(l, edges)] += units;
            }
}

// The mean of bins' centres between the percentiles; NaN without any texel.
static double mean_of(const exposure_ref_counts *counts, const ag_exposure_settings *settings)
{
    double all = 0, below = 0, kept = 0, centres = 0;
    for (int i = 0; i < EXPOSURE_REF_BINS; ++i)
        all += (double)counts->bins[i];
    double from = (double)settings->low * all, to = (double)settings->high * all;
    for (int i = 0; i < EXPOSURE_REF_BINS; ++i) {
        double end = below + (double)counts->bins[i];
        double part = fmax(fmin(end, to) - fmax(below, from), 0);
        kept += part;
        centres += part * (i + 0.5);
        below = end;
    }
    return kept > 0 ? (double)settings->min_ev + centres / kept * width_of(settings) : NAN;
}

void exposure_ref_step(const exposure_ref_counts *counts, const ag_exposure_settings *settings,
                       float dt, bool reset, const double state[4], double next[4])
{
    bool valid = !reset && state[3] == 1 && isfinite(state[0]) && isfinite(state[1]);
    double mean = mean_of(counts, settings);
    if (isnan(mean)) {
        const double kept[] = {valid ? state[0] : 0, valid ? state[1] : 0, 0, valid};
        memcpy(next, kept, sizeof kept);
        return;
    }
    double target = log2((double)settings->key) - mean + (double)settings->compensation;
    double speed = target < state[0] ? (double)settings->speed_up : (double)settings->speed_down;
    next[0] = valid ? target + (state[0] - target) * exp(-(double)dt * speed) : target;
    next[1] = mean;
    next[2] = (double)counts->used / (double)counts->texels;
    next[3] = 1;
}

double exposure_ref_exact(const exposure_ref_image *image, const ag_exposure_settings *settings,
                          double *bound)
{
    const walk w = walk_of(image);
    double sum = 0, centres = 0, width = width_of(settings), rounded = 0, moved = 0;
    for (int pass = 0; pass < 2; ++pass) // the bound needs the mean
        for (int layer = 0; layer < w.layers; ++layer)
            for (int y = 0; y < w.h; ++y)
                for (int x = 0; x < w.w; ++x) {
                    double l = luminance_exact(image->format, texel_of(&w, layer, x, y));
                    if (!(l > ldexp(1, -20) && isfinite(l)))
                        continue;
                    double place = (log2(l) - (double)settings->min_ev) / width;
                    double bin = fmin(fmax(floor(place), 0), EXPOSURE_REF_BINS - 1);
                    double units = weight_exact(&w, (double)settings->center, x, y);
                    double centre = (double)settings->min_ev + (bin + 0.5) * width;
                    if (!pass) {
                        sum += units;
                        centres += units * centre;
                        continue;
                    }
                    rounded += 0.501 / 256 * fabs(centre - centres / sum);
                    moved += fabs(place - round(place)) * width < 1e-6 ? units * width : 0;
                }
    // The lower limit of the sum of rounded weights.
    double least = sum - (double)w.w * w.h * w.layers * 0.501 / 256;
    *bound = least > 0 ? (rounded + moved) / least : INFINITY;
    return centres / sum;
}
