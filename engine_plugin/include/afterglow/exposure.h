// exposure.h - settings of the effect "exposure": automatic exposure, kept on the GPU
// SPDX-License-Identifier: MIT
//
//   luminance  L = 0.2126 r + 0.7152 g + 0.0722 b of linear light; of a format with one channel L = r. A texel is
//              used if 2^-20 < L < infinity and its weight is not 0
//   weight     round(256 w) / 256 with w = 1 - center (1 - (1 - d^2)^2); d: the distance of the texel's centre from
//              the rectangle's, over half its diagonal. A whole number of 256ths
//   histogram  256 bins from min_ev to max_ev, of width e = (max_ev - min_ev) / 256. Bin i counts the weights of
//              min_ev + i e <= log2 L < min_ev + (i + 1) e, its centre is min_ev + (i + 1/2) e; what is darker
//              goes to the first bin, what is brighter to the last
//   mean       m = mean of the bins' centres over what lies between the percentiles `low` and `high` of all weights;
//              a bin that a percentile cuts counts with the part that is left of it, exactly
//   target     t = log2(key) - m + compensation
//   step       r += (t - r) (1 - exp(-dt s)), s = speed_up where t < r: the scene is brighter than what r is right
//              for; else speed_down. dt is ag_job.dt, 0 without one: r stays then. If the state is not valid: r = t
//
//   slots      src    the image, linear HDR as a rule; a rectangle. The layers of an array count together, as one frame
//              state  AG_STATE: one texel (a rectangle of 1 x 1, so that several may share a texture), RGBA32F, read
//                     and written in place. r: exposure in EV, multiply the image by exp2(r). g: m. b: texels used over
//                     all texels, before percentiles. a: 1 once valid
//   valid      a is 1, and r and g are finite. Anything else (zeros, NaN, another picture's texel) is as AG_JOB_RESET:
//              what the state held is forgotten and the target taken at once
//   no texel   used: r and g stay as they are, b is 0, a stays 1; a state that is not valid becomes 0, 0, 0, 0
//   error      of one execute, from the state that it read: g within 2e-5 EV of the mean by this definition, with
//              L, w and the bins' edges 2^(min_ev + i e) rounded to float32 (products and sums of L and w one by one,
//              in the order written); r within 2e-5 EV; b within 2^-24. Equal inputs give equal bits.
//              r is a float32: steps below half of its unit, 2.4e-7 EV between 4 and 8, are lost
//   not finite texels are left out always. scrub: a texel with any non-finite channel, alpha included, is left out, and
//              counted in ag_health; without it one whose luminance is not finite, and none is counted
//   cost       1 dispatch a layer that reads each texel once, and 1 of one work group. Persistent memory: 4 KiB,
//              0 between executes; scratch: none; nothing is read back
//   limits     none beyond afterglow.h's: sums have 64 bits, of which 65536 x 65536 texels, 2048 layers, take 51
//   structural format, size, min_ev and max_ev: prepare again when these change. Sizes within ag_job.plan_width and
//              plan_height need nothing new
//   GL state   as afterglow.h; image units: 3, storage bindings: 6, texture units: 1
//   errors     AG_E_SIZE (a state that is not 1 x 1), AG_E_ARG (max_ev - min_ev below 1, low not below high),
//              and those of every effect
//   source     Reinhard et al. 2002, Photographic Tone Reproduction (key, log average); Pattanaik et al. 2000,
//              Time-Dependent Visual Adaptation (exponential steps); docs/exposure.md
#ifndef AFTERGLOW_EXPOSURE_H
#define AFTERGLOW_EXPOSURE_H

#include <stdint.h>

// Slots, in the order of ag_job.slots.
enum { AG_EXPOSURE_SRC = 0, AG_EXPOSURE_STATE = 1 };

typedef struct ag_exposure_settings { // fill with ag_api.defaults, then change what you like
    float key;          // what the mean becomes, 0.001..1, default 0.18
    float compensation; // EV, -16..16, default 0: more is brighter
    float min_ev;       // log2 of luminance where the bins begin, -64..64, default -16
    float max_ev;       // and where they end, -64..64, default 16; at least 1 above min_ev
    float low;          // share of the weights that is cut as too dark, 0..1, default 0.1
    float high;         // share above which they are cut as too bright, 0..1, default 0.9; above low
    float center;       // weight of the centre, 0..1, default 0: all texels weigh the same; 1: corners weigh nothing
    float speed_up;     // 1/s, 0..1000, default 3: adapting to a scene that becomes brighter, r falls
    float speed_down;   // 1/s, 0..1000, default 1: adapting to one that becomes darker, r rises
    int32_t scrub;      // 1 (default): texels with a non-finite channel are left out, and counted in ag_health
} ag_exposure_settings;

// ag_exposure_settings s = AG_EXPOSURE_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_EXPOSURE_DEFAULTS {0.18f, 0, -16, 16, 0.1f, 0.9f, 0, 3, 1, 1}

#endif
