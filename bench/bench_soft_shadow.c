// bench_soft_shadow.c - the effect "soft_shadow": maps of 2048 x 2048 and 4096 x 4096, with frames
// of 15/16 of the map's width, and of twice that
// SPDX-License-Identifier: MIT
#include "effects.h"

#include <math.h>
#include <stdio.h>

static const bench_size sizes[] = {{2048, 2048}, {4096, 4096}}; // of the map

// Pillars over a floor, as a light sees them; or the floor, as a camera looks along it.
static double pillars(double x, double y)
{
    return sin(60 * x) > 0.6 && sin(50 * y) > 0.6 ? 0.3 + 0.4 * x : 0.8;
}

static double floor_depth(double x, double y)
{
    (void)x, (void)y;
    return 0.8;
}

static picture map(int width, int height)
{
    return picture_field(width, height, pillars);
}

static picture frame(int width, int height)
{
    return picture_field(width, height, floor_depth);
}

static int measure_frame(bench *self, int size, int width, int height, const char *angle)
{
    report_row row = {.effect = "soft_shadow"};
    const pass_case timed = {.effect = "soft_shadow",
                             .settings = angle,
                             .width = size,
                             .height = size,
                             .slots = {{"src", GL_R32F, .make = map},
                                       {"dst", GL_R8, width, .height = height},
                                       {"depth", GL_R32F, width, height, .make = frame,
                                        .shared = true}}};
    snprintf(row.variant, sizeof row.variant, "frame %dx%d, %s", width, height, angle);
    return pass_bench(self, &timed, NULL, &row);
}

static int measure_size(bench *self, int width, int height)
{
    int status = 0;
    for (int k = 0; k < 4 && status == 0; k++) {
        int scale = 1 + k / 2; // a map of 2048: 1920 x 1080, 3840 x 2160
        status = measure_frame(self, width, scale * width * 15 / 16, scale * height * 135 / 256,
                               k % 2 ? "light_angle=5" : "light_angle=0.53");
    }
    return status;
}

const bench_effect bench_soft_shadow = {"soft_shadow", .sizes = sizes, .size_count = COUNT(sizes),
                                        .quick_count = 1, .after = measure_size};
