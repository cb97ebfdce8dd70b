// mipchain.h - settings of the effect "mipchain": the levels of a texture below its first, in place
// SPDX-License-Identifier: MIT
//
// Writes levels 1 .. n of the texture from level 0 (counted from ag_texture.level). Level k has
// max(1, w >> k) x max(1, h >> k) texels. One axis, W texels to w = max(1, W / 2): output i is the
// mean of the interval i W / w .. (i + 1) W / w, the exact area average. So all source texels have
// the same weight:
//
//      W even      2i, 2i+1           1/2, 1/2
//      W = 2n + 1  2i, 2i+1, 2i+2     n - i, n, i + 1, over 2n + 1
//      W = 1       0                  1
//
// The weights of the two axes multiply. The value of a level is this rule applied k times, without
// rounding in between.
//
//   slots     texture: read and written. Level 0 and all texture parameters stay as they are. The
//             levels to write must exist, with the sizes of a chain. The rectangle (of level 0) is
//             an image of its own, one of an atlas for example: texels outside do not contribute
//             and are not written; its level k is max(1, w >> k) x max(1, h >> k) texels at
//             (x >> k, y >> k). One execute does all array layers
//   colour    SRGB8_ALPHA8 is averaged in linear light and encoded exactly (a black and white
//             checkerboard gives 188). It must be immutable (glTexStorage), because it is viewed as
//             RGBA8. Values of other formats are taken as linear
//   in place  src is read and written in place: its level is read, those below are written
//   error     of mean, against the exact value, for the whole chain: 8- and 10-bit formats 0.5 of a
//             unit + 2^-14; 16-bit and smaller floats 0.51 ulp, of the mean magnitude where signs
//             differ; 32F 8 * 2^-24 of the mean magnitude of the box, or 10 with a weight, by which
//             each texel of it counts then. min, max, minmax, first: exact to the bit. Results
//             beyond a float format's range become its largest value
//   NaN, Inf  mean: with scrub such a texel counts as 0, and with a weight every bad one
//             (afterglow.h); else it enters the sums. Without weight finite texels are kept,
//             because means never exceed the largest. Other reductions: NaN is skipped, Inf is a
//             value; an output is NaN only if all its inputs are
//   cost      1 dispatch for a whole chain of up to 7 levels, for longer ones 2 and a barrier; with
//             the setting `levels` a part of a long chain may take 1 more. Must move level 0 once,
//             and what is written once: 4/3 of level 0's bytes. More dispatches for sizes above
//             16384, if image_unit_base is not 0, or if a program may have fewer than 11 outputs
//   GL state  as in afterglow.h; image units: 8, storage bindings: 6, texture units: 1
//   errors    AG_E_ARG (weight or exactness without mean; missing levels), AG_E_FORMAT (weights by
//             alpha without an alpha; minmax without two channels), AG_E_SIZE (storage blocks), and
//             those of every effect
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation"; docs/mipchain.md
#ifndef AFTERGLOW_MIPCHAIN_H
#define AFTERGLOW_MIPCHAIN_H

#include <afterglow/settings.h>

// clang-format off
// For each channel.
#define AG_MIP_REDUCE(X)                                                           \
    X(AG_MIP_MEAN,   0, "mean",   "the area average")                              \
    X(AG_MIP_MIN,    1, "min",                                                     \
      "conservative: at odd sizes of all 3 texels that an output touches")         \
    X(AG_MIP_MAX,    2, "max",    "conservative, as min")                          \
    X(AG_MIP_MINMAX, 3, "minmax", "minimum of r, maximum of g: RG8, RG16F, RG32F") \
    X(AG_MIP_FIRST,  4, "first",  "texel (2i, 2j)")
AG_NAMED_ENUM(ag_mip_reduce, AG_MIP_REDUCE)

// With mean.
//   karis     a colour's weight is 1 / (1 + luminance)
//   alpha     its weight is its alpha. Where alpha is 0 throughout: the plain mean
//   coverage  as alpha. Then each level's alpha is scaled so that the share of it that reaches
//             `reference` is that of level 0: alpha-tested foliage keeps its leaves. The share is
//             met within half a texel of the level, or half of those texels that have the same
//             alpha
#define AG_MIP_WEIGHT(X)                                                        \
    X(AG_MIP_WEIGHT_NONE,     0, "none",     "all texels alike")                \
    X(AG_MIP_WEIGHT_KARIS,    1, "karis",    "level 1 only, against fireflies") \
    X(AG_MIP_WEIGHT_ALPHA,    2, "alpha",                                       \
      "for colour that is not premultiplied; formats with alpha")               \
    X(AG_MIP_WEIGHT_COVERAGE, 3, "coverage", "as alpha, and keeps the share of the alpha test")
AG_NAMED_ENUM(ag_mip_weight, AG_MIP_WEIGHT)

// They differ only at odd sizes below level 0. direct: mean, weight none; 2 more steps, at most
// 16 w h bytes of scratch.
#define AG_MIP_EXACTNESS(X)                                                                \
    X(AG_MIP_RECURSIVE, 0, "recursive", "each level is the area average of the one above") \
    X(AG_MIP_DIRECT,    1, "direct",    "each level is the area average of level 0")
AG_NAMED_ENUM(ag_mip_exactness, AG_MIP_EXACTNESS)

// Slots, in the order of ag_job.slots.
enum ag_mipchain_slot { AG_MIPCHAIN_TEXTURE = 0 };

// scrub: mean takes such a texel as 0; other reductions only count texels with NaN.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_MIPCHAIN_SETTINGS(X)                                                                   \
    X(ENUM,  reduce,    AG_MIP_MEAN, AG_MIP_REDUCE, PLAN, "what becomes of the texels of a box")  \
    X(ENUM,  weight,    AG_MIP_WEIGHT_NONE, AG_MIP_WEIGHT, PLAN,                                  \
      "of mean: equal, against fireflies, by alpha, or by alpha and with its coverage")           \
    X(INT,   levels,    0, 0, 16, "", PLAN, "levels to make, at most all; 0 for all down to 1x1") \
    X(ENUM,  exactness, AG_MIP_RECURSIVE, AG_MIP_EXACTNESS, PLAN,                                 \
      "each level from the one above, or as the mean of level 0")                                 \
    X(FLOAT, reference, 0.5, 0.004, 1, "", NOTHING, "that alpha is tested against, for coverage") \
    X(BOOL,  scrub,     1, NOTHING, AG_SCRUB_HELP)
#define AG_MIPCHAIN_TAG AG_TAG('m', 'i', 'p', 'c')
AG_SETTINGS_STRUCT(ag_mipchain_settings, AG_MIPCHAIN_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_MIPCHAIN_DEFAULTS \
    {sizeof(ag_mipchain_settings), AG_MIPCHAIN_TAG, AG_MIPCHAIN_SETTINGS(AG_DEFAULT)}
#define ag_mipchain_params(...) \
    AG_PARAMS(ag_mipchain_settings, AG_MIPCHAIN_TAG, AG_MIPCHAIN_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
