// wavelet.h - settings of the effect "wavelet": the wavelet transform of an image, and its inverse
// SPDX-License-Identifier: MIT
//
// One level splits N samples x of a line into n coefficients of either kind,
//   low(o) = sum of h(k) x(2 o + b - k),  high(o) = sum of g(k) x(2 o + b - k),  k = 0 .. F - 1
// where F is the number of taps. Rows and columns give four bands: LL, HL (high in x), LH, HH. The
// next level splits LL. Filters, borders and order are those of PyWavelets 1.1.1: `wavedec2` with
// the mode of the same name gives the same coefficients. The inverse gives the image back.
//
//   direction forward (default) or inverse
//   wavelet   haar, db2, db4, sym4, coif1 are orthogonal; cdf53 (PyWavelets: bior2.2) and cdf97
//             (bior4.4) are those of JPEG 2000, in this normalisation. F: 2, 4, 8, 8, 6, 6, 10.
//             custom: F even, 2 .. 16, from the slot taps
//   in place  no slot that is read may be dst's level of its texture: AG_E_ARG
//   levels    1 or more, until a level has one texel: ceil(log2(max(width, height)))
//   stationary 1: the stationary transform (PyWavelets: swt2), which keeps every coefficient: each
//             band is as large as the image, and shifting the image shifts it. The filters of level
//             l skip 2^(l - 1) - 1 samples between taps. It takes border periodization, layout
//             bands, and sizes that 2^levels divides. The inverse averages what is there twice
//   scrub     bad texels (afterglow.h), or coefficients of the inverse, count as 0
//
//   slots     src           the image, or coefficients (inverse)
//             dst           coefficients, or the image. ag_api.slot_size says the size of
//                           coefficients; the image of an inverse is of any size whose coefficients
//                           have the size of src
//             taps          custom only: F x 2 texels, the low filters of analysis and of synthesis
//                           in PyWavelets' order (dec_lo, rec_lo), or F x 1: synthesis is analysis
//                           reversed, as of orthogonal wavelets. R32F
//   formats   image: any of colour. Coefficients: R16F RG16F RGBA16F R32F RG32F RGBA32F, as many
//             channels as the image has (RGBA for three), because coefficients have a sign
//   colour    SRGB8_ALPHA8 is decoded and encoded exactly; other formats are taken as they are.
//             Alpha is transformed like any channel
//   error     R32F and RGBA32F: 2e-6 of the largest coefficient or texel against the exact
//             value. Forward and inverse together give the image to 1e-6 of its largest texel.
//             16F: half an ulp more of each coefficient or texel; approximations between levels
//             are fp32
//   NaN, Inf  scrub: counts once in ag_health. Without it coefficients that such a texel is in are
//             not finite
//   cost      a dispatch a level and layer; each texel is read and written once a level, so 8/3 of
//             the image for many levels. Scratch: the approximations, fp32, up to 1/3 of the
//             image's texels. Stationary: two dispatches a level; scratch 3 times the texels
//   limits    16384 each way
//   GL state  as afterglow.h; image units: 6, storage bindings: 6, texture units: 1
//   errors    AG_E_ARG (levels; border or layout with stationary; custom without taps), AG_E_SIZE,
//             AG_E_FORMAT, and those of every effect
//   source    Mallat 1989, A Theory for Multiresolution Signal Decomposition; Daubechies 1992, Ten
//             Lectures on Wavelets; Cohen, Daubechies, Feauveau 1992; docs/wavelet.md
#ifndef AFTERGLOW_WAVELET_H
#define AFTERGLOW_WAVELET_H

#include <afterglow/settings.h>

// clang-format off
#define AG_WAVELET_DIRECTION(X)                                  \
    X(AG_WAVELET_FORWARD, 0, "forward", "image to coefficients") \
    X(AG_WAVELET_INVERSE, 1, "inverse", "back")
AG_NAMED_ENUM(ag_wavelet_direction, AG_WAVELET_DIRECTION)

#define AG_WAVELET_NAMED(X)                                            \
    X(AG_WAVELET_HAAR,  0, "haar",  "2 taps")                          \
    X(AG_WAVELET_DB2,   1, "db2",   "4 taps")                          \
    X(AG_WAVELET_DB4,   2, "db4",   "8 taps")                          \
    X(AG_WAVELET_SYM4,  3, "sym4",  "8 taps")                          \
    X(AG_WAVELET_COIF1, 4, "coif1", "6 taps")                          \
    X(AG_WAVELET_CDF53, 5, "cdf53", "biorthogonal, JPEG 2000, 6 taps") \
    X(AG_WAVELET_CDF97, 6, "cdf97", "biorthogonal, JPEG 2000, 10 taps")
#define AG_WAVELET_FILTER(X) \
    AG_WAVELET_NAMED(X)      \
    X(AG_WAVELET_CUSTOM, 7, "custom", "from the slot taps")
AG_NAMED_ENUM(ag_wavelet_filter, AG_WAVELET_FILTER)

// What lies outside of the image:
//   periodization  it repeats, its last texel twice if N is odd. n = ceil(N / 2), b = F/2
//   symmetric      ... b a | a b c d | d c ...
//   reflect        ... c b | a b c d | c b ...: what other effects call mirror
//   zero           0
//   of the last three n = floor((N + F - 1) / 2), b = 1
#define AG_WAVELET_BORDER(X)                                             \
    X(AG_WAVELET_PERIODIZATION, 0, "periodization", "repeats")           \
    X(AG_WAVELET_SYMMETRIC,     1, "symmetric",     "... b a | a b ...") \
    X(AG_WAVELET_REFLECT,       2, "reflect",                            \
      "... c b | a b c ...: the mirror of other effects")                \
    X(AG_WAVELET_ZERO,          3, "zero",          "0")
AG_NAMED_ENUM(ag_wavelet_border, AG_WAVELET_BORDER)

// Of coefficients, level 1 being the finest, n(1) the size of its bands:
//   pyramid        PyWavelets' coeffs_to_array. The bands of level l begin at n(L) + n(L)
//                  + n(L - 1) + .. + n(l + 1) in each axis that they are high in, else at
//                  0; gaps are 0. With periodization, sizes that 2^levels divides are
//                  kept
//   bands          a layer of n(1) each, filled with 0: LL of the last level, then LH,
//                  HL, HH of that level, then those of the next finer one .. 1; so 3
//                  levels + 1 layers for each layer of the image
#define AG_WAVELET_LAYOUT(X)                           \
    X(AG_WAVELET_PYRAMID, 0, "pyramid", "one picture") \
    X(AG_WAVELET_BANDS,   1, "bands",   "an array layer a band")
AG_NAMED_ENUM(ag_wavelet_layout, AG_WAVELET_LAYOUT)

// Slots, in the order of ag_job.slots.
enum ag_wavelet_slot { AG_WAVELET_SRC = 0, AG_WAVELET_DST = 1, AG_WAVELET_TAPS = 2 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_WAVELET_SETTINGS(X)                                                            \
    X(ENUM, direction,  AG_WAVELET_FORWARD, AG_WAVELET_DIRECTION, PLAN,                   \
      "image to coefficients, or back")                                                   \
    X(ENUM, wavelet,    AG_WAVELET_HAAR, AG_WAVELET_FILTER, PLAN,                         \
      "the filters; cdf53 and cdf97 are biorthogonal; custom: from the slot taps")        \
    X(ENUM, border,     AG_WAVELET_PERIODIZATION, AG_WAVELET_BORDER, PLAN,                \
      "what lies outside of the image; reflect is the mirror of other effects")           \
    X(INT,  levels,     1, 1, 14, "", PLAN, "how often the approximation is split again") \
    X(ENUM, layout,     AG_WAVELET_PYRAMID, AG_WAVELET_LAYOUT, PLAN,                      \
      "of coefficients: one picture, or an array layer a band")                           \
    X(BOOL, stationary, 0, PLAN,                                                          \
      "keep every coefficient of each level: bands as large as the image")                \
    X(BOOL, scrub,      1, NOTHING, AG_SCRUB_HELP)
#define AG_WAVELET_TAG AG_TAG('w', 'a', 'v', 'e')
AG_SETTINGS_STRUCT(ag_wavelet_settings, AG_WAVELET_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_WAVELET_DEFAULTS \
    {sizeof(ag_wavelet_settings), AG_WAVELET_TAG, AG_WAVELET_SETTINGS(AG_DEFAULT)}
#define ag_wavelet_params(...) \
    AG_PARAMS(ag_wavelet_settings, AG_WAVELET_TAG, AG_WAVELET_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
