// focus_ref.c - the effect "depth_of_field" by its definition (docs/depth_of_field.md), in double
// SPDX-License-Identifier: MIT
#include "focus_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16 };

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

// ---- the lens ----------------------------------------------------------------------------------

double focus_ref_inverse_z(const ag_depth_of_field_settings *s, double d)
{
    double nearest = 1 / (double)s->near_plane;
    double farthest = s->far_plane > 0 ? 1 / (double)s->far_plane : 0;
    if (s->encoding == AG_ENCODING_LINEAR)
        return d > 0 ? 1 / d : NAN;
    return s->encoding == AG_ENCODING_FORWARD ? nearest + d * (farthest - nearest)
                                              : farthest + d * (nearest - farthest);
}

double focus_ref_stored(const ag_depth_of_field_settings *s, double z)
{
    double nearest = 1 / (double)s->near_plane;
    double farthest = s->far_plane > 0 ? 1 / (double)s->far_plane : 0;
    double share = (nearest - 1 / z) / (nearest - farthest);
    return s->encoding == AG_ENCODING_LINEAR    ? z
           : s->encoding == AG_ENCODING_FORWARD ? share
                                                : 1 - share;
}

static double lens(const ag_depth_of_field_settings *s, int height)
{
    double f = (double)s->focal_length / 1000;
    return f * f * height / (2 * (double)s->f_number * ((double)s->sensor_height / 1000));
}

static double distance_of(const ag_depth_of_field_settings *s, int height, double point)
{
    double f = (double)s->focal_length / 1000, distance = (double)s->focus_distance;
    if (s->focus == AG_FOCUS_POINT)
        distance = 1 / focus_ref_inverse_z(s, point);
    if (isnan(distance))
        distance = f * 1.01; // a point without a depth
    return clamp(distance, f * 1.01, f + 1e4 * lens(s, height));
}

static double radius_of(const ag_depth_of_field_settings *s, int height, double distance, double d)
{
    double f = (double)s->focal_length / 1000;
    double r = lens(s, height) / (distance - f) * (1 - distance * focus_ref_inverse_z(s, d));
    return isnan(r) ? 0 : clamp(r, -(double)s->max_radius, (double)s->max_radius);
}

// ---- shapes ------------------------------------------------------------------------------------

static focus_ref_box box_of(double x, double y, double q, double sign)
{
    return (focus_ref_box){(int)floor(x * q), (int)floor(y * q), sign};
}

int focus_ref_shape(int shape, double q, bool large, focus_ref_box b[FOCUS_REF_BOXES])
{
    static const double w[] = {0.978, 0.844, 0.657, 0.409}, h[] = {0.409, 0.658, 0.844, 0.978};
    if (shape == AG_SHAPE_BOX) {
        b[0] = box_of(0.8862, 0.8862, q, 1);
        return 1;
    }
    if (shape == AG_SHAPE_SMOOTH) {
        b[0] = box_of(1.146, 0.516, q, 1);
        b[1] = box_of(0.516, 1.146, q, 1);
        b[2] = box_of(0.825, 0.825, q, 1);
        return 3;
    }
    if (!large) {
        int wide = (int)floor(0.947 * q), high = (int)floor(0.55 * q + 0.18);
        b[0] = (focus_ref_box){wide, high, 1};
        b[1] = (focus_ref_box){high, wide, 1};
        b[2] = (focus_ref_box){high, high, -1};
        return 3;
    }
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        b[count++] = box_of(w[i], h[i], q, 1);
        if (i < 3)
            b[count++] = box_of(w[i + 1], h[i], q, -1);
    }
    return count;
}

typedef struct layer { // of premultiplied colours and their weight
    int width, height;
    double *v; // 4 a texel
} layer;

// Texel by texel; `area`: that of the shape within the image.
static void mean_of(const layer *l, int shape, double q, bool large, int px, int py, double out[4],
                    double *area)
{
    focus_ref_box boxes[FOCUS_REF_BOXES];
    int count = focus_ref_shape(shape, q, large, boxes);
    double sum[4] = {0}, all = 0;
    for (int i = 0; i < count; ++i)
        for (int y = py - boxes[i].y; y <= py + boxes[i].y; ++y)
            for (int x = px - boxes[i].x; x <= px + boxes[i].x; ++x)
                if (x >= 0 && y >= 0 && x < l->width && y < l->height) {
                    const double *v = l->v + 4 * ((size_t)y * (size_t)l->width + (size_t)x);
                    for (int c = 0; c < 4; ++c)
                        sum[c] += boxes[i].sign * v[c];
                    all += boxes[i].sign;
                }
    for (int c = 0; c < 4; ++c)
        out[c] = sum[c] / all;
    *area = all;
}

static double blend_below(int shape)
{
    return shape == AG_SHAPE_DISC ? 4 : 8;
}

static void mean(const layer *l, int shape, double q, int x, int y, double out[4], double *area)
{
    if (q >= blend_below(shape)) {
        mean_of(l, shape, q, true, x, y, out, area);
        return;
    }
    double u = fmax(q - 0.5, 0), m = floor(u), a[4], b[4], area_a, area_b;
    mean_of(l, shape, m + 0.5, false, x, y, a, &area_a);
    mean_of(l, shape, m + 1.5, false, x, y, b, &area_b);
    for (int c = 0; c < 4; ++c)
        out[c] = a[c] + (u - m) * (b[c] - a[c]);
    *area = area_a + (u - m) * (area_b - area_a);
}

static bool same_shape(int shape, double q)
{
    focus_ref_box less[FOCUS_REF_BOXES] = {0}, more[FOCUS_REF_BOXES] = {0};
    if (q < blend_below(shape) - 0.01)
        return true; // mixtures are continuous
    focus_ref_shape(shape, q * (1 - 1e-5), true, less);
    focus_ref_shape(shape, q * (1 + 1e-5), true, more);
    return memcmp(less, more, sizeof less) == 0 && q > blend_below(shape) + 0.01;
}

// ---- tiles -------------------------------------------------------------------------------------

typedef struct tiles {
    int x, y;
    double *near; // N, D
    double *fill; // S, B: 4 a tile
} tiles;

static tiles tiles_of(int width, int height)
{
    tiles t = {(width + TILE - 1) / TILE, (height + TILE - 1) / TILE, NULL, NULL};
    t.near = calloc((size_t)(t.x * t.y), sizeof *t.near);
    t.fill = calloc((size_t)(t.x * t.y) * 4, sizeof *t.fill);
    return t;
}

static tiles spread(const tiles *from, double max_radius)
{
    tiles to = {from->x, from->y, calloc((size_t)(from->x * from->y), sizeof *to.near),
                calloc((size_t)(from->x * from->y) * 4, sizeof *to.fill)};
    int reach = (int)ceil(max_radius / TILE) + 1;
    for (int y = 0; y < to.y; ++y)
        for (int x = 0; x < to.x; ++x)
            for (int v = 0; v < to.y; ++v)
                for (int u = 0; u < to.x; ++u) {
                    double largest = from->near[v * to.x + u], *near = &to.near[y * to.x + x];
                    int dx = abs(u - x), dy = abs(v - y), own = (int)ceil(largest / TILE) + 1;
                    if (dx <= own && dy <= own)
                        *near = fmax(*near, largest);
                    for (int c = 0; c < 4 && dx <= reach && dy <= reach; ++c)
                        to.fill[4 * (y * to.x + x) + c] +=
                            pow(4, -(dx + dy)) * from->fill[4 * (v * to.x + u) + c];
                }
    return to;
}

// Between the centres of tiles.
static double between(const double *values, int stride, const tiles *t, int px, int py)
{
    double x = clamp((px + 0.5) / TILE - 0.5, 0, t->x - 1);
    double y = clamp((py + 0.5) / TILE - 0.5, 0, t->y - 1);
    int x0 = (int)x, y0 = (int)y, x1 = x0 + 1 < t->x ? x0 + 1 : x0,
        y1 = y0 + 1 < t->y ? y0 + 1 : y0;
    double above = values[stride * (y0 * t->x + x0)] * (1 - (x - x0)) +
                   values[stride * (y0 * t->x + x1)] * (x - x0);
    double below = values[stride * (y1 * t->x + x0)] * (1 - (x - x0)) +
                   values[stride * (y1 * t->x + x1)] * (x - x0);
    return above * (1 - (y - y0)) + below * (y - y0);
}

// ---- the effect --------------------------------------------------------------------------------

typedef struct frame {
    const ag_depth_of_field_settings *settings;
    int width, height;
    const double *colour;
    double *radius;
    layer near, far;
    tiles spread;
} frame;

static void split(frame *f, const double *depth, tiles *own)
{
    const ag_depth_of_field_settings *s = f->settings;
    int px = (int)fmin(floor((double)s->focus_x * f->width), f->width - 1);
    int py = (int)fmin(floor((double)s->focus_y * f->height), f->height - 1);
    double distance = distance_of(s, f->height, depth[py * f->width + px]);
    for (int i = 0; i < f->width * f->height; ++i) {
        double r = radius_of(s, f->height, distance, depth[i]);
        double n = clamp(-r - 0.5, 0, 1), far = clamp(r - 0.5, 0, 1);
        int tile = i / f->width / TILE * own->x + i % f->width / TILE;
        f->radius[i] = r;
        for (int c = 0; c < 4; ++c) {
            double v = c < 3 ? fmax(f->colour[4 * i + c], 0) : 1;
            f->near.v[4 * i + c] = n * v;
            f->far.v[4 * i + c] = far * v;
            own->fill[4 * tile + c] += (1 - n) * v / (TILE * TILE);
        }
        if (n > 0)
            own->near[tile] = fmax(own->near[tile], -r);
    }
}

static void texel(const frame *f, int x, int y, double *dst, unsigned char *doubt)
{
    const ag_depth_of_field_settings *s = f->settings;
    int i = y * f->width + x;
    const double *c = f->colour + 4 * i;
    double r = f->radius[i], n = clamp(-r - 0.5, 0, 1), far = clamp(r - 0.5, 0, 1);
    double blurred[4] = {0}, near[4] = {0}, fill[4], area = 0;
    bool certain = true;
    if (far > 0) {
        mean(&f->far, s->shape, r, x, y, blurred, &area);
        certain = same_shape(s->shape, r);
        for (int k = 0; k < 3; ++k) // of less than a texel, the texel's own colour
            blurred[k] = c[k] + fmin(blurred[3] * area, 1) * (blurred[k] / blurred[3] - c[k]);
    }
    if (f->spread.near[y / TILE * f->spread.x + x / TILE] > 0) {
        double q = between(f->spread.near, 1, &f->spread, x, y);
        mean(&f->near, s->shape, q, x, y, near, &area);
        certain = certain && same_shape(s->shape, q) && fabs(near[3] * area * 16 - 1) > 0.2;
        if (near[3] * area < 1.0 / 16)
            memset(near, 0, sizeof near);
    }
    for (int k = 0; k < 4; ++k)
        fill[k] = between(f->spread.fill + k, 4, &f->spread, x, y);
    for (int k = 0; k < 3; ++k) {
        double back = (1 - n - far) * c[k];
        back += far * blurred[k];
        back += n * (fill[3] > 0 ? fill[k] / fill[3] : c[k]);
        dst[k] = near[k] + (1 - near[3]) * back;
    }
    dst[3] = c[3];
    if (doubt)
        *doubt = !certain;
}

void focus_ref(const ag_depth_of_field_settings *settings, int width, int height,
               const double *colour, const double *depth, double *dst, unsigned char *doubt)
{
    size_t count = (size_t)width * (size_t)height;
    frame f = {.settings = settings, .width = width, .height = height, .colour = colour};
    f.radius = calloc(count, sizeof(double));
    f.near = (layer){width, height, calloc(4 * count, sizeof(double))};
    f.far = (layer){width, height, calloc(4 * count, sizeof(double))};
    tiles own = tiles_of(width, height);
    split(&f, depth, &own);
    f.spread = spread(&own, (double)settings->max_radius);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            size_t i = (size_t)(y * width + x);
            texel(&f, x, y, dst + 4 * i, doubt ? doubt + i : NULL);
        }
    free(f.radius);
    free(f.near.v);
    free(f.far.v);
    free(own.near);
    free(own.fill);
    free(f.spread.near);
    free(f.spread.fill);
}
