// mipchain.h - settings of the effect "mipchain": the levels of a texture below its first, in place
// SPDX-License-Identifier: MIT
//
// Writes levels 1 .. n of the texture from level 0 (counted from ag_texture.level). Level k is
// max(1, w >> k) x max(1, h >> k) texels. One axis, W texels to w = max(1, W / 2): output i is the mean
// of i W / w .. (i + 1) W / w, the exact area average, so that every source texel counts alike:
//
//      W even      2i, 2i+1           1/2, 1/2
//      W = 2n + 1  2i, 2i+1, 2i+2     n - i, n, i + 1, over 2n + 1
//      W = 1       0                  1
//
// Two axes multiply. The value of a level is that rule applied k times without rounding in between.
//
//   slots     texture: read and written. Level 0 and all texture parameters stay as they are. Levels
//             that are made must exist, with the sizes of a chain. Its rectangle (x, y, w, h of level 0)
//             is an image of its own, such as one of an atlas: nothing outside counts; its level k is
//             max(1, w >> k) x max(1, h >> k) texels at x >> k, y >> k, and texels outside are untouched.
//             Array layers all in one execute
//   colour    SRGB8_ALPHA8 is averaged linear and encoded exactly (a black and white checker gives 188);
//             only immutable textures can be viewed as RGBA8, which that takes: others are refused. Other
//             formats are taken as they are: linear
//   error     of mean, against the exact value, the whole chain: 8- and 10-bit formats 0.5 of a unit
//             + 2^-14; 16-bit and smaller floats 0.51 ulp, of the mean magnitude where signs differ; 32F
//             8 * 2^-24 of the mean magnitude of the box, in which each texel weighs what karis or alpha
//             make it weigh. min, max, minmax, first: bit-exact. Results
//             beyond a float format's range become its largest value
//   NaN, Inf  mean: such texels count as 0 (scrub; they are counted in ag_health), or go into the sums.
//             Others: NaN is skipped (and counted with scrub), Inf is a value; only NaN gives NaN
//   cost      2 dispatches and a barrier between for 8 levels and more, else 1. Must move level 0 once, and
//             what is written once: 4/3 of level 0's bytes. By handles (GL_ARB_bindless_texture, textures
//             made by glTexStorage) 1 dispatch for powers of two and for odd sizes, up to 2048 x 2048 texels
//   limits    level 0 up to 16384 in two dispatches where image_unit_base is 0 and a program may have 11
//             outputs; with fewer units, more dispatches
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation"; docs/mipchain.md
#ifndef AFTERGLOW_MIPCHAIN_H
#define AFTERGLOW_MIPCHAIN_H

#include <stdint.h>

enum { // reduce
    AG_MIP_MEAN = 0,
    AG_MIP_MIN = 1,    // each channel; at odd sizes of all 3 texels that an output touches: conservative
    AG_MIP_MAX = 2,
    AG_MIP_MINMAX = 3, // the least of r, the largest of g: RG8, RG16F, RG32F
    AG_MIP_FIRST = 4   // texel (2i, 2j)
};

enum { // weight, with AG_MIP_MEAN
    AG_MIP_WEIGHT_NONE = 0,
    AG_MIP_WEIGHT_KARIS = 1, // level 1: colour weighs 1 / (1 + luminance), against fireflies
    AG_MIP_WEIGHT_ALPHA = 2, // colour weighs its alpha: right for colour that is not premultiplied. Where
                             // alpha is 0 throughout, the plain mean. Formats with alpha
    AG_MIP_WEIGHT_COVERAGE = 3 // as alpha; then each level's alpha is scaled so that as large a share of
                               // it reaches `reference` as of level 0: alpha-tested foliage keeps its
                               // leaves. Nearest share that can be had: within half a texel of the
                               // level, or half of those that have one and the same alpha
};

enum { // exactness, at odd sizes below level 0. Elsewhere both are the same
    AG_MIP_RECURSIVE = 0, // each level is the area average of the one above
    AG_MIP_DIRECT = 1     // each level is the area average of level 0: mean, weight none; 2 steps more,
                          // w h 16 bytes of scratch at most
};

// Slots, in the order of ag_job.slots.
enum { AG_MIPCHAIN_TEXTURE = 0 };

typedef struct ag_mipchain_settings { // fill with ag_api.defaults, then change what you like
    int32_t reduce; // AG_MIP_*
    int32_t weight; // AG_MIP_WEIGHT_*
    int32_t levels; // 1..16; 0 (default): all, down to 1 x 1. More than there are is all
    int32_t exactness; // AG_MIP_RECURSIVE, AG_MIP_DIRECT
    float reference; // of coverage: alpha is tested against it. 0.004..1, default 0.5
    int32_t scrub;  // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_mipchain_settings;

// ag_mipchain_settings s = AG_MIPCHAIN_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_MIPCHAIN_DEFAULTS {AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, AG_MIP_RECURSIVE, 0.5f, 1}

#endif
