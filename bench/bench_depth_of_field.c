// bench_depth_of_field.c - the effect "depth_of_field" on whole frames: every shape, and discs of
// up to 4, 32 and 128 texels, beside "box_blur" with a radius a texel
// SPDX-License-Identifier: MIT
#include "effects.h"

#include <math.h>
#include <stdio.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};

// Metres, in front of and behind 4: blurs that change slowly, from the largest near one to the
// largest far one; all as large as they may be; all in focus. As a radius: 0..1.
static double blur(double x, double y)
{
    return sin(9 * x) * cos(7 * y);
}

static double mixed_depth(double x, double y)
{
    return 4 / (1 - 0.9 * blur(x, y));
}

static double far_depth(double x, double y)
{
    (void)x, (void)y;
    return 4 / (1 - 0.9);
}

static double sharp_depth(double x, double y)
{
    (void)x, (void)y;
    return 4;
}

static double radius(double x, double y)
{
    return fabs(blur(x, y));
}

static picture mixed(int width, int height)
{
    return picture_field(width, height, mixed_depth);
}

static picture far(int width, int height)
{
    return picture_field(width, height, far_depth);
}

static picture sharp(int width, int height)
{
    return picture_field(width, height, sharp_depth);
}

static picture radii(int width, int height)
{
    return picture_field(width, height, radius);
}

static int measure_lens(bench *self, int width, int height, const char *variant, const char *shape,
                        int most, picture (*depth)(int, int))
{
    // The lens that gives radii up to `most`: 0.9 K / (4 - F), F = 0.1.
    double number = 0.01 * height / (2 * 0.024) / 3.9 * 0.9 / most;
    char settings[160];
    snprintf(settings, sizeof settings,
             "shape=%s max_radius=%d f_number=%.4f focal_length=100 encoding=linear "
             "focus_distance=4",
             shape, most, number > 0.5 ? number : 0.5);
    const effect_case lens = {variant, settings,
                              .extra = {{"depth", GL_R32F, .make = depth, .shared = true}}};
    return effect_measure(self, &bench_depth_of_field, &lens, width, height, NULL);
}

static int measure_size(bench *self, int width, int height)
{
    static const struct {
        const char *variant, *shape;
        int most;
        picture (*depth)(int, int);
    } lenses[] = {{"box to 32", "box", 32, mixed},
                  {"smooth to 32", "smooth", 32, mixed},
                  {"disc to 4", "disc", 4, mixed},
                  {"disc to 32", "disc", 32, mixed},
                  {"disc to 128", "disc", 128, mixed},
                  {"disc to 32, all far", "disc", 32, far},
                  {"disc to 32, all in focus", "disc", 32, sharp}};
    static const effect_case blurred = {
        "box_blur, a radius a texel to 32", "radius=32 storage=float32", .effect = "box_blur",
        .extra = {{"radius", GL_R16F, .make = radii, .shared = true}}};
    int status = 0;
    for (int i = 0; i < COUNT(lenses) && status == 0; i++)
        status = measure_lens(self, width, height, lenses[i].variant, lenses[i].shape,
                              lenses[i].most, lenses[i].depth);
    return status == 0 ? effect_measure(self, &bench_depth_of_field, &blurred, width, height, NULL)
                       : status;
}

const bench_effect bench_depth_of_field = {"depth_of_field", .sizes = sizes,
                                           .size_count = COUNT(sizes), .quick_count = 1,
                                           .after = measure_size};
