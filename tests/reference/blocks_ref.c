// blocks_ref.c - the filter "blocks" of the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
#include "blocks_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8, REACH = 15, WINDOW = 2 * REACH + 1, STACK = 16, LISTS = 4, VALUES = 64 * STACK };

static const double BASIS = 0.17; // its values are no larger

typedef struct candidate {
    double distance;
    int dx, dy;
} candidate;

typedef struct work {
    int width, height, parts;
    double *noisy[3], *estimate[3]; // components in units of sigma
    double *whole;                  // brightness in quarters of sigma, rounded
    bool *unsure;                   // of `whole`
    double *sums[3], *weights[3], *hits[3], *slack[3];
    bool *open;
} work;

static int reflected(int p, int n)
{
    p = p < 0 ? -1 - p : p;
    p %= 2 * n;
    return p < n ? p : 2 * n - 1 - p;
}

static double component(const denoise_ref_image *image, const ag_denoise_settings *s, int part,
                        int i)
{
    static const double rows[3][3] = {{1, 1, 1}, {1, 0, -1}, {1, -2, 1}};
    const double *texel = image->values + (size_t)i * (size_t)image->channels;
    if (image->channels < 3)
        return denoise_ref_to_space(s, texel[part]) / (double)s->sigma;
    double sum = 0, squares = 0;
    for (int k = 0; k < 3; ++k) {
        sum += rows[part][k] * denoise_ref_to_space(s, texel[k]);
        squares += rows[part][k] * rows[part][k];
    }
    return sum / sqrt(squares) / (double)s->sigma;
}

static bool is_tie(double brightness, double near)
{
    double quarters = 4 * brightness;
    return fabs(quarters + 0.5 - round(quarters + 0.5)) < near * (1 + fabs(quarters));
}

bool blocks_ref_ties(const denoise_ref_image *image, const ag_denoise_settings *s, int i,
                     double near)
{
    return is_tie(component(image, s, 0, i), near);
}

// ---- stacks ------------------------------------------------------------------------------------

static int place(const work *w, int x, int y)
{
    return reflected(y, w->height) * w->width + reflected(x, w->width);
}

static double distance_of(const work *w, bool sparse, int x, int y, int dx, int dy)
{
    double sum = 0;
    for (int j = 0; j < BLOCK; ++j)
        for (int i = 0; i < BLOCK; ++i) {
            if (sparse && (j % 2 || i % 2 != j / 2 % 2))
                continue;
            double d =
                w->whole[place(w, x + i, y + j)] - w->whole[place(w, x + i + dx, y + j + dy)];
            sum += d * d;
        }
    return fmin(sum + 1, 4194303);
}

static int by_distance(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    int i = p->dy * WINDOW + p->dx, k = q->dy * WINDOW + q->dx;
    return (i > k) - (i < k);
}

// The four nearest of every fourth row of the window, and of these 16 the nearest first.
static void find_stack(const work *w, bool sparse, int x, int y, candidate stack[STACK])
{
    for (int list = 0; list < LISTS; ++list) {
        candidate all[WINDOW * WINDOW];
        size_t count = 0;
        for (int dy = list - REACH; dy <= REACH; dy += LISTS)
            for (int dx = -REACH; dx <= REACH; ++dx)
                all[count++] =
                    (candidate){dx || dy ? distance_of(w, sparse, x, y, dx, dy) : 0, dx, dy};
        qsort(all, count, sizeof *all, by_distance);
        memcpy(stack + list * (STACK / LISTS), all, STACK / LISTS * sizeof *all);
    }
    qsort(stack, STACK, sizeof *stack, by_distance);
}

// ---- the transform: a matrix of rows, of cosines or Haar's --------------------------------------

static double cosine(int k, int n)
{
    static double table[BLOCK][BLOCK];
    if (table[0][0] == 0)
        for (int i = 0; i < BLOCK * BLOCK; ++i)
            table[i / BLOCK][i % BLOCK] =
                sqrt(i / BLOCK ? 2.0 / BLOCK : 1.0 / BLOCK) *
                cos(acos(-1) * (2 * (i % BLOCK) + 1) * (i / BLOCK) / (2 * BLOCK));
    return table[k][n];
}

static double haar(int k, int n) // k = 0: the mean; else k = 2^level + shift
{
    if (k == 0)
        return 1 / sqrt(STACK);
    int size = STACK;
    while (k >= 2 * (STACK / size))
        size /= 2;
    int first = (k - STACK / size) * size;
    return n < first || n >= first + size ? 0 : (n < first + size / 2 ? 1 : -1) / sqrt(size);
}

// Along one axis of a stack: `count` values that are `stride` apart.
static void apply(double *v, double (*row)(int, int), int count, int stride, bool back)
{
    for (int at = 0; at < VALUES; ++at) {
        if (at / stride % count)
            continue;
        double result[STACK] = {0};
        for (int k = 0; k < count; ++k)
            for (int n = 0; n < count; ++n)
                result[back ? n : k] += row(k, n) * v[at + (back ? k : n) * stride];
        for (int k = 0; k < count; ++k)
            v[at + k * stride] = result[k];
    }
}

static void transform(double *v, bool back)
{
    apply(v, cosine, BLOCK, 1, back);
    apply(v, cosine, BLOCK, BLOCK, back);
    apply(v, haar, STACK, BLOCK * BLOCK, back);
}

// ---- what is removed ---------------------------------------------------------------------------

// Returns how many coefficients stay. `ties`: how many a float may decide otherwise. `rounding`: of
// a texel, because shares are halves.
static double shrink(double *v, const double *estimate, double strength, int *ties,
                     double *rounding)
{
    double kept = 1, largest = 0, squares = 0;
    for (int i = 0; i < VALUES; ++i)
        largest = fmax(largest, fabs(v[i]));
    v[0] = 0; // the mean stays
    for (int i = 1; i < VALUES; ++i) {
        double share = fabs(v[i]) <= 2.7 * strength;
        *ties += !estimate && fabs(fabs(v[i]) - 2.7 * strength) < 3e-6 * (1 + largest);
        if (estimate) {
            double noise = 0.9 * strength * strength;
            share = noise > 0 ? noise / (estimate[i] * estimate[i] + noise) : 0;
        }
        kept += floor((1 - share) * (1 - share) * 4096 + 0.5) / 4096;
        v[i] *= share;
        squares += v[i] * v[i];
    }
    *rounding = estimate ? ldexp(4, -12) / 32 * sqrt(squares) : 0;
    return kept;
}

static void add_stack(work *w, const candidate *stack, int part, bool second, double strength,
                      int x, int y)
{
    double v[VALUES], e[VALUES], rounding;
    int ties = 0;
    for (int i = 0; i < VALUES; ++i) {
        const candidate *c = &stack[i / (BLOCK * BLOCK)];
        int at = place(w, x + c->dx + i % BLOCK, y + c->dy + i / BLOCK % BLOCK);
        v[i] = w->noisy[part][at];
        e[i] = second ? w->estimate[part][at] : 0;
    }
    transform(v, false);
    if (second)
        transform(e, false);
    double kept = shrink(v, second ? e : NULL, strength, &ties, &rounding);
    double weight = floor(131072 / kept);
    transform(v, true);
    for (int i = 0; i < VALUES; ++i) {
        const candidate *c = &stack[i / (BLOCK * BLOCK)];
        int tx = x + c->dx + i % BLOCK, ty = y + c->dy + i / BLOCK % BLOCK;
        if (tx < 0 || ty < 0 || tx >= w->width || ty >= w->height)
            continue;
        int at = ty * w->width + tx;
        w->sums[part][at] += weight * fmax(-8, fmin(8, v[i]));
        w->weights[part][at] += weight;
        w->hits[part][at] += 1;
        // A coefficient more or less; and its weight, as that of a share that is rounded to 1/4096.
        double change = rounding + ties * BASIS * 2.7 * strength +
                        ((ties + (second ? 1e-3 : 0)) / kept + 1 / weight) * fabs(v[i]);
        w->slack[part][at] += weight * change;
    }
}

static bool any_unsure(const work *w, int x, int y)
{
    for (int j = -REACH; j < REACH + BLOCK; ++j)
        for (int i = -REACH; i < REACH + BLOCK; ++i)
            if (w->unsure[place(w, x + i, y + j)])
                return true;
    return false;
}

static void add_window(work *w, int x, int y) // whose sums are unknown
{
    for (int j = y - REACH; j < y + REACH + BLOCK; ++j)
        for (int i = x - REACH; i < x + REACH + BLOCK; ++i)
            if (i >= 0 && j >= 0 && i < w->width && j < w->height)
                w->open[j * w->width + i] = true;
}

// ---- the image ---------------------------------------------------------------------------------

static void begin(work *w, const denoise_ref_image *image, const double *estimate,
                  const ag_denoise_settings *s)
{
    int count = image->width * image->height;
    const denoise_ref_image first = {.values = estimate,
                                     .width = image->width,
                                     .height = image->height,
                                     .channels = image->channels};
    *w = (work){.width = image->width,
                .height = image->height,
                .parts = image->channels < 3 ? image->channels : 3,
                .whole = calloc((size_t)count, sizeof(double)),
                .unsure = calloc((size_t)count, sizeof(bool)),
                .open = calloc((size_t)count, sizeof(bool))};
    for (int part = 0; part < w->parts; ++part) {
        double **planes[] = {&w->noisy[part],   &w->estimate[part], &w->sums[part],
                             &w->weights[part], &w->hits[part],     &w->slack[part]};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; ++k)
            *planes[k] = calloc((size_t)count, sizeof(double));
        for (int i = 0; i < count; ++i) {
            w->noisy[part][i] = component(image, s, part, i);
            w->estimate[part][i] = estimate ? component(&first, s, part, i) : 0;
        }
    }
    for (int i = 0; i < count; ++i) {
        double brightness = estimate ? w->estimate[0][i] : w->noisy[0][i];
        w->whole[i] = floor(4 * brightness + 0.5);
        w->unsure[i] = is_tie(brightness, estimate ? 6e-7 : 1e-6);
    }
}

static void end(work *w, const denoise_ref_image *image, const ag_denoise_settings *s, double *out,
                double *bound)
{
    int n = image->channels;
    for (int i = 0; i < w->width * w->height; ++i) {
        double removed[3] = {0}, off = 0, largest = 0;
        for (int part = 0; part < w->parts; ++part) {
            double weights = fmax(w->weights[part][i], 1);
            removed[part] = (double)s->sigma * w->sums[part][i] / weights;
            largest = fmax(largest, fabs(w->noisy[part][i]));
            off += (w->slack[part][i] + 0.5 * w->hits[part][i]) / weights;
        }
        double luma = removed[0] / sqrt(3), across = removed[1] / sqrt(2),
               green = removed[2] / sqrt(6);
        double changes[3] = {luma + across + green, luma - 2 * green, luma - across + green};
        for (int k = 0; k < n; ++k) {
            int at = i * n + k;
            double change = k == 3 ? 0 : n < 3 ? removed[k] : changes[k];
            double x = image->values[at];
            double y = denoise_ref_to_space(s, x) - change;
            out[at] = x;
            if (change != 0)
                out[at] += (double)s->amount * (denoise_ref_from_space(s, y) - x);
            bound[at] = k == 3       ? 0
                        : w->open[i] ? (double)INFINITY
                                     : (double)s->sigma * (off + 2e-5 + 1e-6 * largest);
        }
    }
    for (int part = 0; part < w->parts; ++part) {
        double *planes[] = {w->noisy[part],   w->estimate[part], w->sums[part],
                            w->weights[part], w->hits[part],     w->slack[part]};
        for (size_t k = 0; k < sizeof planes / sizeof *planes; ++k)
            free(planes[k]);
    }
    free(w->whole);
    free(w->unsure);
    free(w->open);
}

void blocks_ref(const denoise_ref_image *image, const double *estimate,
                const ag_denoise_settings *s, double *out, double *bound)
{
    work w;
    begin(&w, image, estimate, s);
    for (int y = -4; y < w.height; y += 4)
        for (int x = -4; x < w.width; x += 4) {
            candidate stack[STACK];
            if ((x + y) / 4 % 2) // in quincunx
                continue;
            if (any_unsure(&w, x, y)) {
                add_window(&w, x, y);
                continue;
            }
            find_stack(&w, estimate != NULL, x, y, stack);
            for (int part = 0; part < w.parts; ++part) {
                double factor = part > 0 && image->channels > 2 ? 1.1 * (double)s->chroma : 1;
                add_stack(&w, stack, part, estimate != NULL, (double)s->strength * factor, x, y);
            }
        }
    end(&w, image, s, out, bound);
}
