// exposure.h - settings of the effect "exposure": automatic exposure, kept on the GPU
// SPDX-License-Identifier: MIT
//
//   luminance  L = 0.2126 r + 0.7152 g + 0.0722 b of linear light; one channel: L = r. A
//              texel is used if 2^-20 < L < infinity and its weight is not 0
//   weight     w = 1 - center (1 - (1 - d^2)^2), rounded to a multiple of 1/256. d is the distance
//              from the texel's centre to the rectangle's centre, over half the diagonal
//   histogram  256 bins of width e = (max_ev - min_ev) / 256. Bin i sums the weights of texels with
//              min_ev + i e <= log2 L < min_ev + (i + 1) e; its centre is min_ev + (i + 1/2) e.
//              Darker texels go to the first bin, brighter ones to the last
//   mean       m = weighted mean of the bins' centres, between the percentiles `low` and `high` of
//              all weights. A bin that a percentile cuts counts with exactly the part inside
//   target     t = log2(key) - m + compensation
//   step       r += (t - r) (1 - exp(-dt s)). s = speed_up if t < r (the scene is brighter than r
//              is right for), else speed_down. dt is ag_job.dt; with 0, r stays. If the state is
//              not valid: r = t
//
//   slots      src    the image, normally linear HDR: a rectangle. All layers of an array count
//                     together, as one frame
//              state  AG_STATE: one texel of RGBA32F, read and written in place. It is a rectangle
//                     of 1 x 1, so several states may share a texture. r: exposure in EV; multiply
//                     the image by exp2(r). g: m. b: texels used / all texels, before percentiles.
//                     a: 1 if valid
//   in place   src and state may not be one level of one texture: AG_E_ARG
//   valid      a is 1, and r and g are finite. Any other state (zeros, NaN, a texel of another
//              image) has the effect of AG_JOB_RESET: it is ignored, and r becomes the target
//   black      if no texel is used, r and g stay, b is 0 and a stays 1; a state that is not valid
//              becomes 0, 0, 0, 0
//   error      of one execute, from the state that it read: g within 2e-5 EV of m as defined here,
//              with L, w and the bins' edges 2^(min_ev + i e) rounded to float32 (products and
//              sums of L and w one by one, in the order written); r within 2e-5 EV; b within
//              2^-24. Equal inputs give equal bits. r is a float32, so steps below half its unit
//              are lost: 2.4e-7 EV between 4 and 8
//   scrub      on: a bad texel (afterglow.h; alpha included) is left out, and ag_health
//              counts it. Off: a texel with non-finite luminance is left out and not counted
//   cost       1 dispatch a layer that reads each texel once, and 1 dispatch of one work group. The
//              CPU reads nothing back
//   memory     persistent: 4 KiB; no scratch
//   limits     those of afterglow.h: sums have 64 bits, and 65536 x 65536 texels in 2048 layers sum
//              to at most 2^51
//   sizes      within ag_job.plan_width and plan_height need no new prepare
//   GL state   as in afterglow.h; image units: 3, storage bindings: 6, texture units: 1
//   errors     AG_E_SIZE (a state that is not 1 x 1), AG_E_ARG (max_ev - min_ev below 1, low not
//              below high), and those of every effect
//   source     Reinhard et al. 2002, Photographic Tone Reproduction (key, log average); Pattanaik
//              et al. 2000, Time-Dependent Visual Adaptation (exponential steps); docs/exposure.md
#ifndef AFTERGLOW_EXPOSURE_H
#define AFTERGLOW_EXPOSURE_H

#include <afterglow/settings.h>

// clang-format off
// Slots, in the order of ag_job.slots.
enum ag_exposure_slot { AG_EXPOSURE_SRC = 0, AG_EXPOSURE_STATE = 1 };

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_EXPOSURE_SETTINGS(X)                                                                  \
    X(FLOAT, key,          0.18, 0.001, 1, "", NOTHING, "luminance that the mean is brought to") \
    X(FLOAT, compensation, 0, -16, 16, "EV", NOTHING, "added to the exposure; more is brighter") \
    X(FLOAT, min_ev,       -16, -64, 64, "EV", PLAN,                                             \
      "log2 of luminance where the histogram begins")                                            \
    X(FLOAT, max_ev,       16, -64, 64, "EV", PLAN, "where it ends, at least 1 above min_ev")    \
    X(FLOAT, low,          0.1, 0, 1, "", NOTHING,                                               \
      "share of the weights that is cut off as too dark")                                        \
    X(FLOAT, high,         0.9, 0, 1, "", NOTHING,                                               \
      "share above which weights are too bright; above low")                                     \
    X(FLOAT, center,       0, 0, 1, "", NOTHING,                                                 \
      "how much less corners weigh than the centre; 1: they have no weight")                     \
    X(FLOAT, speed_up,     3, 0, 1000, "1/s", NOTHING,                                           \
      "adapting to a brighter scene: the exposure falls")                                        \
    X(FLOAT, speed_down,   1, 0, 1000, "1/s", NOTHING,                                           \
      "adapting to a darker scene: the exposure rises")                                          \
    X(BOOL,  scrub,        1, NOTHING,                                                           \
      "leave out bad texels (NaN, Inf, too large to sum); ag_health counts them")
#define AG_EXPOSURE_TAG AG_TAG('e', 'x', 'p', 'o')
AG_SETTINGS_STRUCT(ag_exposure_settings, AG_EXPOSURE_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_EXPOSURE_DEFAULTS \
    {sizeof(ag_exposure_settings), AG_EXPOSURE_TAG, AG_EXPOSURE_SETTINGS(AG_DEFAULT)}
#define ag_exposure_params(...) \
    AG_PARAMS(ag_exposure_settings, AG_EXPOSURE_TAG, AG_EXPOSURE_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
