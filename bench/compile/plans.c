// plans.c - the jobs whose programs are measured: those that hosts commonly use, by effect
// SPDX-License-Identifier: MIT
//
// Sizes are not reduced on a software renderer, because the programs of a plan depend on them.
// Settings that change only values of uniforms have no second plan, except the threshold: this list
// should show it if a threshold ever needs other programs.
#include "compile.h"

#include <stddef.h>

#define OUTPUT(to, is, w, h)                              \
    {                                                     \
        .name = to, .format = is, .width = w, .height = h \
    }
#define SLOT(to, is)             \
    {                            \
        .name = to, .format = is \
    }
#define CHAIN(to, is)                            \
    {                                            \
        .name = to, .format = is, .levels = true \
    }
#define KERNEL(is, w, h)                                                        \
    {                                                                           \
        .name = "kernel", .format = is, .width = w, .height = h, .kernel = true \
    }
#define TEXEL(to, is)                                     \
    {                                                     \
        .name = to, .format = is, .width = 1, .height = 1 \
    }
#define HD 1920, 1080

// clang-format off
const compile_plan compile_plans[] = {
    {"bloom", "gaussian", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "gaussian threshold", HD, {"threshold=1"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture", HD, {"shape=aperture"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture ghosts", HD, {"shape=aperture", "ghosts=4"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture half", HD, {"shape=aperture", "resolution=half"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture quarter", HD, {"shape=aperture", "resolution=quarter"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture half firefly", HD, {"shape=aperture", "resolution=half", "firefly=clamp"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "gaussian quarter", HD, {"resolution=quarter"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"bloom", "aperture compact", HD, {"shape=aperture", "storage=compact"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},

    {"convolve", "generic kernel wrap", 2048, 2048, {"border=wrap", "method=fft"},
        {SLOT("src", GL_RGBA16F), KERNEL(GL_RGBA32F, 2047, 2047), SLOT("dst", GL_RGBA16F)}},
    {"convolve", "generic kernel wrap", HD, {"border=wrap", "method=fft"},
        {SLOT("src", GL_RGBA16F), KERNEL(GL_RGBA32F, 1919, 1079), SLOT("dst", GL_RGBA16F)}},
    {"convolve", "kernel 63x63 clamp", HD, {"border=clamp"},
        {SLOT("src", GL_RGBA16F), KERNEL(GL_R32F, 63, 63), SLOT("dst", GL_RGBA16F)}},
    {"convolve", "kernel 9x9 direct", HD, {"method=direct"},
        {SLOT("src", GL_RGBA16F), KERNEL(GL_R32F, 9, 9), SLOT("dst", GL_RGBA16F)}},

    {"fft", "rgba32f", 2048, 2048, {NULL},
        {SLOT("src", GL_RGBA32F), SLOT("dst", GL_RGBA32F), SLOT("dst_imag", GL_RGBA32F)}},

    {"spectrum", "rgba16f", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},

    {"mipchain", "rgba16f", HD, {NULL}, {CHAIN("texture", GL_RGBA16F)}},
    {"mipchain", "rgba16f karis", HD, {"weight=karis"}, {CHAIN("texture", GL_RGBA16F)}},
    {"mipchain", "rgba8", HD, {NULL}, {CHAIN("texture", GL_RGBA8)}},
    {"mipchain", "srgb8", HD, {NULL}, {CHAIN("texture", GL_SRGB8_ALPHA8)}},
    {"mipchain", "rgba16f", 3840, 2160, {NULL}, {CHAIN("texture", GL_RGBA16F)}},
    {"mipchain", "rgba8", 3840, 2160, {NULL}, {CHAIN("texture", GL_RGBA8)}},
    {"mipchain", "rgba8", 2048, 2048, {NULL}, {CHAIN("texture", GL_RGBA8)}},

    {"depth_pyramid", "min", HD, {NULL},
        {SLOT("src", GL_DEPTH_COMPONENT32F), CHAIN("dst", GL_R32F)}},
    {"depth_pyramid", "minmax", HD, {"reduce=minmax"},
        {SLOT("src", GL_DEPTH_COMPONENT32F), CHAIN("dst", GL_RG32F)}},

    {"sat", "rgba16f float32", HD, {"storage=float32"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F)}},
    {"sat", "r32f float32", HD, {"storage=float32"},
        {SLOT("src", GL_R32F), SLOT("dst", GL_R32F)}},
    {"sat", "rgba8 uint32", HD, {"storage=uint32"},
        {SLOT("src", GL_RGBA8), SLOT("dst", GL_RGBA32UI)}},
    {"sat", "rgba16f residual", HD, {"storage=float32_residual"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F), SLOT("low", GL_RGBA16F)}},
    {"sat", "rgba16f double_float", HD, {"storage=double_float"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F), SLOT("low", GL_RGBA32F)}},

    {"box_blur", "one radius", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"box_blur", "a radius a texel", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("radius", GL_R16F), SLOT("dst", GL_RGBA16F)}},
    {"box_blur", "rgba8 3 iterations", HD, {"iterations=3"},
        {SLOT("src", GL_RGBA8), SLOT("dst", GL_RGBA8)}},

    {"local_stats", "rgba16f", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("deviation", GL_RGBA16F)}},
    {"local_stats", "r8", HD, {NULL},
        {SLOT("src", GL_R8), SLOT("dst", GL_R8), SLOT("deviation", GL_R8)}},

    {"depth_of_field", "disc", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("depth", GL_DEPTH_COMPONENT32F), SLOT("dst", GL_RGBA16F)}},
    {"depth_of_field", "box", HD, {"shape=box"},
        {SLOT("src", GL_RGBA16F), SLOT("depth", GL_R32F), SLOT("dst", GL_RGBA16F)}},

    {"soft_shadow", "directional", HD, {NULL},
        {SLOT("src", GL_DEPTH_COMPONENT32F), SLOT("depth", GL_DEPTH_COMPONENT32F),
         SLOT("dst", GL_R8)}},

    {"downsample", "rgba16f to a half", HD, {NULL},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 960, 540)}},
    {"downsample", "rgba16f to 64x36", HD, {NULL},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 64, 36)}},
    {"downsample", "srgb8 to 1279x719", HD, {NULL},
        {SLOT("src", GL_SRGB8_ALPHA8), OUTPUT("dst0", GL_SRGB8_ALPHA8, 1279, 719)}},
    {"downsample", "rgba16f to four sizes", HD, {NULL},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 960, 540),
         OUTPUT("dst1", GL_RGBA16F, 480, 270),
         OUTPUT("dst2", GL_RGBA16F, 240, 135),
         OUTPUT("dst3", GL_RGBA16F, 120, 67)}},
    {"downsample", "rgba16f to 640x360 lanczos", HD, {"filter=lanczos"},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 640, 360)}},

    {"exposure", "rgba16f", HD, {NULL},
        {SLOT("src", GL_RGBA16F), TEXEL("state", GL_RGBA32F)}},

    {"wavelet", "rgba16f haar", HD, {"levels=3"},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)}},
    {"wavelet", "rgba16f cdf97", HD, {"wavelet=cdf97", "levels=3"},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)}},
    {"wavelet", "rgba16f cdf97 inverse", HD, {"wavelet=cdf97", "levels=3", "direction=inverse"},
        {SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)}},

    {"denoise", "rgba16f", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"denoise", "rgba16f haar", HD, {"filter=haar"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)}},
    {"denoise", "rgba16f ti_haar history", HD, {NULL},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("motion", GL_RG16F),
         SLOT("history", GL_RGBA16F)}},
    {"denoise", "rgba16f atrous guides", HD, {"filter=atrous", "levels=5"},
        {SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("albedo", GL_RGBA8),
         SLOT("normal", GL_RGBA16F), SLOT("depth", GL_R32F)}},
    {.effect = NULL},
};
// clang-format on
