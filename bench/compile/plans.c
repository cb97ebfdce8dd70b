// plans.c - the jobs whose programs are measured: those that hosts commonly use, by effect
// SPDX-License-Identifier: MIT
//
// Sizes are not reduced on a software renderer, because the programs of a plan depend on them.
// Settings that change only values of uniforms have no second plan, except the threshold: this list
// should show it if a threshold ever needs other programs.
#include "compile.h"

static picture kernel(int width, int height) // without any symmetry
{
    return picture_kernel(width, height, false);
}

// clang-format off
#define PLAN(of, name, w, h, with, ...) \
    {name, {.effect = of, .settings = with, .width = w, .height = h, .slots = {__VA_ARGS__}}}
#define SLOT(to, is) {.name = to, .format = is}
#define OUTPUT(to, is, w, h) {.name = to, .format = is, .width = w, .height = h}
#define CHAIN(to, is) {.name = to, .format = is, .levels = true}
#define KERNEL(is, w, h) {.name = "kernel", .format = is, .width = w, .height = h, .make = kernel}
#define TEXEL(to, is) OUTPUT(to, is, 1, 1)
#define GAUSSIAN "size=0.3 shape=gaussian"
#define APERTURE "size=0.3 shape=aperture"
#define FRAME SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F)

const compile_plan compile_plans[] = {
    PLAN("bloom", "gaussian", 1920, 1080, GAUSSIAN, FRAME),
    PLAN("bloom", "gaussian threshold", 1920, 1080, GAUSSIAN " threshold=1", FRAME),
    PLAN("bloom", "aperture", 1920, 1080, APERTURE, FRAME),
    PLAN("bloom", "aperture ghosts", 1920, 1080, APERTURE " ghosts=4", FRAME),
    PLAN("bloom", "aperture half", 1920, 1080, APERTURE " resolution=half", FRAME),
    PLAN("bloom", "aperture quarter", 1920, 1080, APERTURE " resolution=quarter", FRAME),
    PLAN("bloom", "aperture half firefly", 1920, 1080,
         APERTURE " resolution=half firefly=clamp",
         FRAME),
    PLAN("bloom", "gaussian quarter", 1920, 1080, GAUSSIAN " resolution=quarter", FRAME),
    PLAN("bloom", "aperture compact", 1920, 1080, APERTURE " storage=compact", FRAME),

    PLAN("convolve", "generic kernel wrap", 2048, 2048, "border=wrap method=fft",
         SLOT("src", GL_RGBA16F), KERNEL(GL_RGBA32F, 2047, 2047), SLOT("dst", GL_RGBA16F)),
    PLAN("convolve", "generic kernel wrap", 1920, 1080, "border=wrap method=fft",
         SLOT("src", GL_RGBA16F), KERNEL(GL_RGBA32F, 1919, 1079), SLOT("dst", GL_RGBA16F)),
    PLAN("convolve", "kernel 63x63 clamp", 1920, 1080, "border=clamp",
         SLOT("src", GL_RGBA16F), KERNEL(GL_R32F, 63, 63), SLOT("dst", GL_RGBA16F)),
    PLAN("convolve", "kernel 9x9 direct", 1920, 1080, "method=direct",
         SLOT("src", GL_RGBA16F), KERNEL(GL_R32F, 9, 9), SLOT("dst", GL_RGBA16F)),

    PLAN("fft", "rgba32f", 2048, 2048, NULL,
         SLOT("src", GL_RGBA32F), SLOT("dst", GL_RGBA32F), SLOT("dst_imag", GL_RGBA32F)),

    PLAN("spectrum", "rgba16f", 1920, 1080, NULL, FRAME),

    PLAN("mipchain", "rgba16f", 1920, 1080, NULL, CHAIN("texture", GL_RGBA16F)),
    PLAN("mipchain", "rgba16f karis", 1920, 1080, "weight=karis", CHAIN("texture", GL_RGBA16F)),
    PLAN("mipchain", "rgba8", 1920, 1080, NULL, CHAIN("texture", GL_RGBA8)),
    PLAN("mipchain", "srgb8", 1920, 1080, NULL, CHAIN("texture", GL_SRGB8_ALPHA8)),
    PLAN("mipchain", "rgba16f", 3840, 2160, NULL, CHAIN("texture", GL_RGBA16F)),
    PLAN("mipchain", "rgba8", 3840, 2160, NULL, CHAIN("texture", GL_RGBA8)),
    PLAN("mipchain", "rgba8", 2048, 2048, NULL, CHAIN("texture", GL_RGBA8)),

    PLAN("depth_pyramid", "min", 1920, 1080, NULL,
         SLOT("src", GL_DEPTH_COMPONENT32F), CHAIN("dst", GL_R32F)),
    PLAN("depth_pyramid", "minmax", 1920, 1080, "reduce=minmax",
         SLOT("src", GL_DEPTH_COMPONENT32F), CHAIN("dst", GL_RG32F)),

    PLAN("sat", "rgba16f float32", 1920, 1080, "storage=float32",
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F)),
    PLAN("sat", "r32f float32", 1920, 1080,
         "storage=float32", SLOT("src", GL_R32F), SLOT("dst", GL_R32F)),
    PLAN("sat", "rgba8 uint32", 1920, 1080, "storage=uint32",
         SLOT("src", GL_RGBA8), SLOT("dst", GL_RGBA32UI)),
    PLAN("sat", "rgba16f residual", 1920, 1080, "storage=float32_residual",
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F), SLOT("low", GL_RGBA16F)),
    PLAN("sat", "rgba16f double_float", 1920, 1080, "storage=double_float",
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA32F), SLOT("low", GL_RGBA32F)),

    PLAN("box_blur", "one radius", 1920, 1080, NULL, FRAME),
    PLAN("box_blur", "a radius a texel", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), SLOT("radius", GL_R16F), SLOT("dst", GL_RGBA16F)),
    PLAN("box_blur", "rgba8 3 iterations", 1920, 1080, "iterations=3",
         SLOT("src", GL_RGBA8), SLOT("dst", GL_RGBA8)),

    PLAN("local_stats", "rgba16f", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("deviation", GL_RGBA16F)),
    PLAN("local_stats", "r8", 1920, 1080, NULL,
         SLOT("src", GL_R8), SLOT("dst", GL_R8), SLOT("deviation", GL_R8)),

    PLAN("depth_of_field", "gather", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), SLOT("depth", GL_DEPTH_COMPONENT32F), SLOT("dst", GL_RGBA16F)),
    PLAN("depth_of_field", "disc", 1920, 1080, "method=tables",
         SLOT("src", GL_RGBA16F), SLOT("depth", GL_DEPTH_COMPONENT32F), SLOT("dst", GL_RGBA16F)),
    PLAN("depth_of_field", "box", 1920, 1080, "method=tables shape=box",
         SLOT("src", GL_RGBA16F), SLOT("depth", GL_R32F), SLOT("dst", GL_RGBA16F)),

    PLAN("soft_shadow", "directional", 1920, 1080, NULL,
         SLOT("src", GL_DEPTH_COMPONENT32F), SLOT("depth", GL_DEPTH_COMPONENT32F),
         SLOT("dst", GL_R8)),

    PLAN("downsample", "rgba16f to a half", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 960, 540)),
    PLAN("downsample", "rgba16f to 64x36", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 64, 36)),
    PLAN("downsample", "srgb8 to 1279x719", 1920, 1080, NULL,
         SLOT("src", GL_SRGB8_ALPHA8), OUTPUT("dst0", GL_SRGB8_ALPHA8, 1279, 719)),
    PLAN("downsample", "rgba16f to four sizes", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 960, 540),
         OUTPUT("dst1", GL_RGBA16F, 480, 270), OUTPUT("dst2", GL_RGBA16F, 240, 135),
         OUTPUT("dst3", GL_RGBA16F, 120, 67)),
    PLAN("downsample", "rgba16f to 640x360 lanczos", 1920, 1080, "filter=lanczos",
         SLOT("src", GL_RGBA16F), OUTPUT("dst0", GL_RGBA16F, 640, 360)),

    PLAN("exposure", "rgba16f", 1920, 1080,
         NULL, SLOT("src", GL_RGBA16F), TEXEL("state", GL_RGBA32F)),

    PLAN("wavelet", "rgba16f haar", 1920, 1080, "levels=3",
         SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)),
    PLAN("wavelet", "rgba16f cdf97", 1920, 1080, "wavelet=cdf97 levels=3",
         SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)),
    PLAN("wavelet", "rgba16f cdf97 inverse", 1920, 1080, "wavelet=cdf97 levels=3 direction=inverse",
         SLOT("src", GL_RGBA16F), OUTPUT("dst", GL_RGBA16F, 1920, 1080)),

    PLAN("denoise", "rgba16f", 1920, 1080, NULL, FRAME),
    PLAN("denoise", "rgba16f haar", 1920, 1080, "filter=haar", FRAME),
    PLAN("denoise", "rgba16f ti_haar history", 1920, 1080, NULL,
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("motion", GL_RG16F),
         SLOT("history", GL_RGBA16F)),
    PLAN("denoise", "rgba16f atrous guides", 1920, 1080, "filter=atrous levels=5",
         SLOT("src", GL_RGBA16F), SLOT("dst", GL_RGBA16F), SLOT("albedo", GL_RGBA8),
         SLOT("normal", GL_RGBA16F), SLOT("depth", GL_R32F)),
    {.variant = NULL},
};
// clang-format on
