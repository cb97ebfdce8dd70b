// bench_box_blur.c - the effect "box_blur" on whole frames, and a copy of the frame
// SPDX-License-Identifier: MIT
//
// Each radius with the layout of the table that is chosen, then with each of them.
#include "effects.h"

#include <math.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};

// Fractional radii of up to 32 texels that change slowly, as for depth of field.
static double radius(double x, double y)
{
    return 16.1 + 16 * sin(9 * x) * cos(7 * y);
}

static picture radii(int width, int height)
{
    return picture_field(width, height, radius);
}

#define A_TEXEL .extra = {{"radius", GL_R16F, .make = radii, .shared = true}}
#define BY(layout) .tuning = {.tables = AG_TABLES_##layout}
static const effect_case cases[] = {
    {"radius a texel", "radius=1 storage=float32", A_TEXEL},
    {"radius a texel, by image", "radius=1 storage=float32", A_TEXEL, BY(IMAGE)},
    {"radius a texel, by texture", "radius=1 storage=float32", A_TEXEL, BY(TEXTURE)},
    {"radius a texel, by buffer", "radius=1 storage=float32", A_TEXEL, BY(BUFFER)},
    {"radius 24", .settings = "radius=24 storage=float32"},
    {"radius 24, by image", "radius=24 storage=float32", BY(IMAGE)},
    {"radius 24, by texture", "radius=24 storage=float32", BY(TEXTURE)},
    {"radius 24, by buffer", "radius=24 storage=float32", BY(BUFFER)},
    {"radius 24.5", .settings = "radius=24.5 storage=float32"},
    {"radius 24.5, by image", "radius=24.5 storage=float32", BY(IMAGE)},
    {"radius 24.5, by texture", "radius=24.5 storage=float32", BY(TEXTURE)},
    {"radius 24.5, by buffer", "radius=24.5 storage=float32", BY(BUFFER)},
    {"radius 24, double_float", .settings = "radius=24 storage=double_float"},
};

const bench_effect bench_box_blur = {"box_blur",
                                     .cases = cases,
                                     .case_count = COUNT(cases),
                                     .sizes = sizes,
                                     .size_count = COUNT(sizes),
                                     .quick_count = 1,
                                     .frame = true};
