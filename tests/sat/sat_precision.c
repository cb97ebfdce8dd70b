// sat_precision.c - errors of the means of small boxes, on images as large as tables can be
// SPDX-License-Identifier: MIT
//
// The image: 16-bit floats, 0.5 +- 0.35, smooth with a little noise, as photographs are.
// Full HD and 4096 x 4096; 8192 x 8192 too in the tier `gpu` (2 GB of memory).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "effects/sat/sat_plan.h"
#include "test_sat.h"

static double *smooth_image(rng *r, int width, int height)
{
    double *values = malloc((size_t)width * (size_t)height * sizeof *values);
    CHECK(values != NULL);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            values[(size_t)y * (size_t)width + (size_t)x] =
                0.57 + 0.3 * sin(7.0 * x / width + 1) * cos(5.0 * y / height) +
                rng_uniform(r, -0.05, 0.05);
    texture_quantise("r16f", values, (size_t)width * (size_t)height);
    return values;
}

static double box_of(double (*at)(const void *, int, int), const void *context, const int box[4])
{
    double a = at(context, box[2], box[3]);
    double b = box[0] ? at(context, box[0] - 1, box[3]) : 0;
    double c = box[1] ? at(context, box[2], box[1] - 1) : 0;
    return a - b - c + (box[0] && box[1] ? at(context, box[0] - 1, box[1] - 1) : 0);
}

typedef struct stored {
    const summing *c;
    const summed *s;
} stored;

static double stored_at(const void *context, int x, int y)
{
    const stored *t = context;
    return summed_at(t->c, t->s, false, 0, x, y, 0);
}

static double image_sum(const summing *c, const int box[4])
{
    double sum = 0;
    for (int y = box[1]; y <= box[3]; ++y)
        for (int x = box[0]; x <= box[2]; ++x)
            sum += c->src[(size_t)y * (size_t)c->width + (size_t)x];
    return sum;
}

// The largest error of the means of random boxes of side x side texels.
static double mean_error(const summing *c, const summed *s, rng *r, int side)
{
    double worst = 0, area = (double)side * side;
    double offset = s->values[SUMMED_MEAN] ? s->values[SUMMED_MEAN][0] : 0;
    stored t = {c, s};
    for (int i = 0; i < 100000; ++i) {
        int x = rng_int(r, 0, c->width - side), y = rng_int(r, 0, c->height - side);
        int box[4] = {x, y, x + side - 1, y + side - 1};
        double got = 0;
        if (c->settings.storage == AG_SAT_UINT32) { // modulo 2^32
            double sum = box_of(stored_at, &t, box);
            sum -= floor(sum / 4294967296.0) * 4294967296.0;
            ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                                 .width = c->width,
                                 .height = c->height,
                                 .max_box = c->settings.max_box,
                                 .fraction_bits = -1,
                                 .max_value = 1};
            got = ldexp(sum, -ag_sat_fraction_bits(&q, 1));
        } else {
            got = box_of(stored_at, &t, box) + offset * area;
        }
        double e = fabs(got - image_sum(c, box)) / area;
        worst = !(e <= worst) ? e : worst;
    }
    return worst;
}

static bool check_precision(fixture *f, ag_pass *pass, rng *r, const double *src, int width,
                            int height, const int how[2])
{
    static const char *const names[] = {"",       "float32", "float32_residual", "double_float",
                                        "uint32", "split"};
    summing c = {
        .name = "precision", .width = width, .height = height, .src_format = "r16f", .src = src};
    c.settings = summing_defaults(f);
    c.settings.storage = how[0];
    c.settings.offset = how[1];
    c.settings.max_box = how[0] == AG_SAT_UINT32 ? 33 : 0;
    summed s = summing_run(f, pass, &c);
    ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                         .width = width,
                         .height = height,
                         .min_box = 3,
                         .max_box = c.settings.max_box,
                         .fraction_bits = -1,
                         .offset = how[1],
                         .max_value = 1};
    double limit = ag_sat_error(&q, how[0]);
    // Correctly rounded entries: two units of the last place of the largest, over the area.
    double largest = fabs(s.values[SUMMED_DST][(size_t)width * (size_t)height - 1]);
    if (how[0] == AG_SAT_FLOAT32 && !how[1])
        limit = fmin(limit, 2 * ag_sat_ulp(largest) / 9);
    double small = mean_error(&c, &s, r, 3), large = mean_error(&c, &s, r, 33);
    bool ok = small <= limit && large <= limit * 9 / 1089 + 1e-6;
    printf("  %-5s %dx%d %s, offset %d: 3x3 %.2g <= %.2g, 33x33 %.2g\n", ok ? "ok" : "WRONG", width,
           height, names[how[0]], how[1], small, limit, large);
    summed_free(f, &s);
    return ok;
}

void test_precision(void **state)
{
    static const int sizes[][2] = {{1920, 1080}, {4096, 4096}, {8192, 8192}};
    static const int hows[][2] = {
        {AG_SAT_FLOAT32, AG_SAT_OFFSET_NONE},          {AG_SAT_FLOAT32, AG_SAT_OFFSET_MEAN},
        {AG_SAT_FLOAT32_RESIDUAL, AG_SAT_OFFSET_NONE}, {AG_SAT_UINT32, AG_SAT_OFFSET_NONE},
        {AG_SAT_DOUBLE_FLOAT, AG_SAT_OFFSET_NONE},     {AG_SAT_SPLIT, AG_SAT_OFFSET_NONE}};
    fixture *f = *state;
    bool good = true;
    ag_pass *pass = fixture_pass(f, "sat");
    bool gpu = check_tier_now() == CHECK_GPU;
    sweep *share = sweep_start("precision", 8);
    for (size_t i = 0; i < COUNT(sizes) - !gpu; ++i) {
        rng r = rng_start("precision", 81 + i);
        double *src = smooth_image(&r, sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < COUNT(hows); ++k)
            if ((i == 0 || k < 2 || gpu) && sweep_takes(share))
                good = check_precision(f, pass, &r, src, sizes[i][0], sizes[i][1], hows[k]) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Difficult images: all at max_value; noise; half 0 and half 1, around a power of two; stripes of
// 16 columns of 0 and 1. Less their mean the stripes cancel within a run of lines, whose inner sums
// are then larger than its last one (sat/carry_ins.glsl, grid_of).
static double *bad_image(rng *r, int kind, int w, int h)
{
    double *src = summing_noise(r, "r32f", w, h, kind == 0 ? 0.999 : 0, 1);
    for (int k = 0; k < w * h; ++k) {
        int x = k % w;
        if (kind == 2)
            src[k] = x < w / 2 ? 0 : (double)(float)(1 - 1e-7);
        if (kind == 3)
            src[k] = x % 32 < 16 ? 0 : (double)(float)(1 - 1e-7 * (k % 11));
    }
    return src;
}

static bool check_bound(fixture *f, ag_pass *pass, rng *r, const char *name, const summing *c)
{
    summed s = summing_run(f, pass, c);
    ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                         .width = c->width,
                         .height = c->height,
                         .min_box = 1,
                         .fraction_bits = -1,
                         .offset = c->settings.offset,
                         .max_value = 1};
    bool good = check_limit(name, mean_error(c, &s, r, 1), ag_sat_error(&q, AG_SAT_FLOAT32));
    summed_free(f, &s);
    return good;
}

void test_error_bounds(void **state)
{
    static const int sizes[][2] = {{64, 64}, {129, 257}, {1025, 511}, {64, 16384}};
    static const char *const ways[] = {"shared", "subgroups"};
    fixture *f = *state;
    rng r = rng_start("bounds", 85);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("bounds", 20);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int kind = i == 3 ? 3 : 0; kind < 4; ++kind) { // the tall image: stripes only
            int w = sizes[i][0], h = sizes[i][1];
            double *src = bad_image(&r, kind, w, h);
            for (int way = 0; way < 4; ++way) {
                if (!sweep_takes(share))
                    continue;
                summing c = {.name = "bounds", .width = w, .height = h, .src = src};
                c.settings = summing_defaults(f);
                c.settings.offset = way / 2 ? AG_SAT_OFFSET_MEAN : AG_SAT_OFFSET_NONE;
                c.tuning = summing_by(way % 2);
                if (i != 1 || way != 3) { // few texels a thread compile quickly; auto once
                    c.tuning.tile = AG_TILE_32;
                    c.tuning.threads = 256;
                }
                char name[80];
                snprintf(name, sizeof name, "%dx%d kind %d offset %d by %s, 1x1", w, h, kind,
                         c.settings.offset, ways[way % 2]);
                good = check_bound(f, pass, &r, name, &c) && good;
            }
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
