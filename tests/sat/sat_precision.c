// sat_precision.c - errors of the means of small boxes, on images as large as tables can be
// SPDX-License-Identifier: MIT
//
// The image: 16-bit floats, 0.5 +- 0.35, smooth with a little noise, as photographs are.
// Full HD and 4096 x 4096; 8192 x 8192 too in the tier `gpu` (2 GB of memory); small in `quick`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_sat.h"

static double *smooth_image(rng *r, int width, int height)
{
    double *values = check_doubles((size_t)width * (size_t)height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            values[(size_t)y * (size_t)width + (size_t)x] =
                0.57 + 0.3 * sin(7.0 * x / width + 1) * cos(5.0 * y / height) +
                rng_uniform(r, -0.05, 0.05);
    texture_quantise("r16f", values, (size_t)width * (size_t)height);
    return values;
}

// The sum over a box of what the table stores; of the image.
static double table_sum(const trial *t, int x0, int y0, int x1, int y1)
{
    double a = table_at(t, DST, 0, x1, y1, 0);
    double b = x0 ? table_at(t, DST, 0, x0 - 1, y1, 0) : 0;
    double c = y0 ? table_at(t, DST, 0, x1, y0 - 1, 0) : 0;
    return a - b - c + (x0 && y0 ? table_at(t, DST, 0, x0 - 1, y0 - 1, 0) : 0);
}

static double image_sum(const trial *t, int x0, int y0, int x1, int y1)
{
    double sum = 0;
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x)
            sum += t->slots[SRC].values[(size_t)y * (size_t)t->slots[SRC].width + (size_t)x];
    return sum;
}

static ag_sat_question question_of(const trial *t, int min_box)
{
    const ag_sat_settings *s = t->settings;
    return (ag_sat_question){.struct_size = sizeof(ag_sat_question),
                             .width = t->slots[SRC].width,
                             .height = t->slots[SRC].height,
                             .min_box = min_box,
                             .max_box = s->max_box,
                             .fraction_bits = -1,
                             .offset = s->offset,
                             .max_value = 1};
}

// The largest error of the means of random boxes of side x side texels.
static double mean_error(const trial *t, rng *r, int side)
{
    const ag_sat_settings *s = t->settings;
    double worst = 0, area = (double)side * side, offset = t->got[MEAN] ? t->got[MEAN][0] : 0;
    ag_sat_question q = question_of(t, side);
    int count = check_tier_now() == CHECK_QUICK ? 20000 : 100000;
    for (int i = 0; i < count; ++i) {
        int x0 = rng_int(r, 0, q.width - side), y0 = rng_int(r, 0, q.height - side);
        int x1 = x0 + side - 1, y1 = y0 + side - 1;
        double got = table_sum(t, x0, y0, x1, y1) + offset * area;
        if (s->storage == AG_SAT_UINT32) { // modulo 2^32
            got -= floor(got / 4294967296.0) * 4294967296.0;
            got = ldexp(got, -ag_sat_fraction_bits(&q, 1));
        }
        worst = check_worse(worst, fabs(got - image_sum(t, x0, y0, x1, y1)) / area);
    }
    return worst;
}

// `side`: of the smallest boxes; their error, and that of boxes of 33 where those are not single
// texels.
static bool check_precision(fixture *f, ag_pass *pass, rng *r, const trial_slot *src,
                            const int how[2], const ag_tuning *tuning, int side)
{
    ag_sat_settings s;
    trial t = table_of(f, "precision", src->format, src->width, src->height, src->values, &s);
    s.storage = how[0];
    s.offset = how[1];
    s.max_box = how[0] == AG_SAT_UINT32 ? 33 : 0;
    table_outputs(&t, pass, tuning);
    trial_run(&t);
    ag_sat_question q = question_of(&t, side);
    double limit = ag_sat_error(&q, how[0]);
    // Correctly rounded entries: two units of the last place of the largest, over the area.
    double largest = fabs(t.got[DST][(size_t)src->width * (size_t)src->height - 1]);
    if (side > 1 && how[0] == AG_SAT_FLOAT32 && !how[1])
        limit = fmin(limit, 2 * ag_sat_ulp(largest) / (side * side));
    char name[96];
    snprintf(name, sizeof name, "%dx%d, storage %d, offset %d: boxes of %d", src->width,
             src->height, how[0], how[1], side);
    bool good = check_limit(name, mean_error(&t, r, side), limit);
    if (side > 1)
        good = check_limit("  of 33", mean_error(&t, r, 33), limit * 9 / 1089 + 1e-6) && good;
    trial_free(&t);
    return good;
}

void test_precision(void **state)
{
    static const int sizes[][2] = {{640, 360}, {1920, 1080}, {4096, 4096}, {8192, 8192}};
    static const int hows[][2] = {
        {AG_SAT_FLOAT32, AG_SAT_OFFSET_NONE},          {AG_SAT_FLOAT32, AG_SAT_OFFSET_MEAN},
        {AG_SAT_FLOAT32_RESIDUAL, AG_SAT_OFFSET_NONE}, {AG_SAT_UINT32, AG_SAT_OFFSET_NONE},
        {AG_SAT_DOUBLE_FLOAT, AG_SAT_OFFSET_NONE},     {AG_SAT_SPLIT, AG_SAT_OFFSET_NONE}};
    bool good = true;
    ag_pass *pass = fixture_pass(*state, "sat");
    bool gpu = check_tier_now() == CHECK_GPU, quick = check_tier_now() == CHECK_QUICK;
    sweep *share = sweep_start("precision", 3);
    for (size_t i = 0; i < (quick ? 1 : COUNT(sizes) - !gpu); ++i) {
        rng r = rng_start("precision", 81 + i);
        int w = sizes[i][0], h = sizes[i][1];
        double *values = smooth_image(&r, w, h);
        trial_slot src = trial_image(quick ? "r32f" : "r16f", w, h, values);
        for (size_t k = 0; k < COUNT(hows); ++k)
            if ((i < 2 || k < 2 || gpu) && sweep_takes(share))
                good = check_precision(*state, pass, &r, &src, hows[k], trial_tiles(), 3) && good;
        free(values);
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Difficult images: all at max_value; noise; half 0 and half 1, around a power of two; stripes of
// 16 columns of 0 and 1. Less their mean the stripes cancel within a run of lines, whose inner sums
// are then larger than its last one (sat/carry_ins.glsl, grid_of).
static double *bad_image(rng *r, int kind, int w, int h)
{
    double *src = values_noise(r, "r32f", w, h, kind == 0 ? 0.999 : 0, 1);
    for (int k = 0; k < w * h; ++k) {
        int x = k % w;
        if (kind == 2)
            src[k] = x < w / 2 ? 0 : (double)(float)(1 - 1e-7);
        if (kind == 3)
            src[k] = x % 32 < 16 ? 0 : (double)(float)(1 - 1e-7 * (k % 11));
    }
    return src;
}

void test_error_bounds(void **state)
{
    static const int sizes[][2] = {{64, 64}, {129, 257}, {1025, 511}, {64, 16384}};
    rng r = rng_start("bounds", 85);
    ag_pass *pass = fixture_pass(*state, "sat");
    bool good = true;
    sweep *share = sweep_start("bounds", 52);
    for (int i = 0; i < 13 * 4; ++i) { // the tall image: stripes only
        const int *size = sizes[i / 16],
                  how[2] = {AG_SAT_FLOAT32, i / 2 % 2 ? AG_SAT_OFFSET_MEAN : 0};
        if (!sweep_takes(share))
            continue;
        double *values = bad_image(&r, i < 48 ? i / 4 % 4 : 3, size[0], size[1]);
        trial_slot src = trial_image("r32f", size[0], size[1], values);
        ag_tuning tuning = exchange_by(i % 2);
        if (check_tier_now() != CHECK_QUICK && i != 19) { // auto once
            tuning.tile = AG_TILE_32;
            tuning.threads = 256;
        }
        good = check_precision(*state, pass, &r, &src, how, &tuning, 1) && good;
        free(values);
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}
