// denoise.h - settings of the effect "denoise": removes noise by wavelet thresholds
// SPDX-License-Identifier: MIT
//
//   dst = src - amount * removed. `removed` is what a threshold takes of the coefficients of an
//   orthonormal transform, transformed back:
//
//   space       the transform sees y(src), and the result is y's algebraic inverse:
//               linear    y = x
//               log       y = sign(x) log2(1 + |x| / gain): noise that grows with the signal
//               anscombe  y = 2 / gain sqrt(max(gain x + 3/8 gain^2 + offset, 0)): photons; noise
//                         of variance gain x + offset becomes noise of sigma 1
//   components  of three and four channels: (r + g + b) / sqrt(3), (r - b) / sqrt(2),
//               (r - 2 g + b) / sqrt(6). Alpha is kept. Of one and two: the channels
//   in place    neither dst nor history may be another slot's level of a texture: AG_E_ARG
//   border      half-sample mirror: ... 1 0 | 0 1 ... n-1 | n-1 ...
//   filter      haar: the Haar transform of `levels` levels from the rectangle's corner on.
//               ti_haar: the mean over those of all 4^levels shifts.
//               dwt: the transform of `wavelet` (afterglow/wavelet.h), border symmetric. Sigma of
//               a band is that of HH1 of haar times the band's noise gain, which is 1 for
//               orthogonal wavelets; V is that of this image.
//               atrous: no threshold, but means that avoid edges, see below
//   sigma       of each component, in units of y: the setting, or if that is 0, median(|HH1|) /
//               0.6745 over the coefficients that are not 0. The median is that of a histogram with
//               256 bins, 8 an octave from 2^-20 to 2^12, linear within a bin
//   rule        threshold T of a band, times `strength`, of chroma also times `chroma`:
//               bayes        sigma^2 / sqrt(max(V - sigma^2, sigma^2 / 25)), where V is the mean of
//                            min(d^2, 64 sigma^2) over the coefficients d of the band
//               bayes_local  the same, V from the tile alone
//               visu         sigma sqrt(2 ln(width height))
//               given        sigma
//               sigma, and V over the whole image, are those of the coefficients of haar, also
//               for ti_haar
//   threshold   what is removed of a coefficient d (the rest stays):
//               soft     max(min(d, T), -T)
//               hard     d if |d| <= T, else 0
//               garrote  d if |d| <= T, else T^2 / d
//               firm     sign(d) max(min(|d|, 2 T - |d|), 0)
//               group    the nearest point of an ellipsoid to the components (d1, d2, d3), with
//                        half axes T1, T2, T3, in units of each component's sigma: d / (1 + x
//                        (sigma / T)^2) with the x >= 0 where sum (d / (T + x sigma^2 / T))^2 = 1,
//                        or x = 0 if that is less. Of one component it is soft
//
//   atrous      y_0 = y(src / albedo); level l of `levels`, taps q = p + 2^l k inside, k in 5 x 5
//               y_(l+1)(p) = sum h(k) w y_l(q) / sum h(k) w, h = (1 4 6 4 1) (1 4 6 4 1) / 256
//               w = exp(-|y_l(q) - y_l(p)|^2 4^l / (8 strength^2 S))
//                   max(cos, 1e-6)^edge_normal, cos of the angle between normals; 1 if equal
//                   exp(-|z(q) - z(p)| / (edge_depth (g_x |k_x| + g_y |k_y| + |z(p)| / 100)))
//               dst = albedo y^-1(the last). S is the sum of the components' sigma^2, of y_0 and
//               without blending; if sigma is given 3 sigma^2. g: the smaller of the changes of z
//               to p's two neighbours 2^l texels away. Normals have 10 bits an axis. Channels of
//               albedo that are not in 0.001..1e6 count as 1. firefly: where m, the mean of y_0's
//               channels, exceeds firefly times the mean of max(m, 0) over the texels around p (5 x
//               5 without p, those inside), y_0 is scaled down to that; amount = 0 then gives y_0.
//               rule, threshold and chroma have no effect
//   slots      src    a colour image: a rectangle, any number of layers
//              dst    of src's size and layers
//              motion   optional: in the first two channels, texels that the surface at p has moved
//                     since the last frame, so it was at p - motion. Empty: nothing moves
//              history  optional, AG_STATE: of src's size, one layer. rgb: the mean of former
//                     frames; a: of how many, 0 for none
//              albedo, normal, depth   optional, for atrous: of src's size and layers. Normals of
//                     any length, of any space; 0: none. Depth: linear, first channel
//   history    given, the filter sees a mean instead of src. History is read at p - motion
//              (bilinear, of taps inside that hold something) and clamped, each channel, to the
//              mean +- clamp deviations of src's 5 x 5 texels around p. Where it exceeded that by
//              the share e of clamp deviations, it counts for (1 - e) of its frames, for none where
//              e >= 1. Then mean = history + (src - history) / n, where n is those frames and 1, at
//              most `frames`. A bad texel is its history. The noise is that of the mean and
//              falls with frames: let `adapt` be 30 or more, or set exact
//   statistics sigma and V stay in the pass's memory; the CPU reads nothing back. The first execute
//              after a prepare that changed the plan, and one with AG_JOB_RESET, counts first.
//              Every other execute counts its own coefficients in a dispatch beside the filter
//              (of images of 2^20 texels and more, in one tile of four); the next execute then uses
//              s += (counted - s) (1 - exp(-dt adapt)), with the dt of the job that counted. exact:
//              every execute counts first, and uses these counts alone. dwt: sigma is counted
//              first, too, and blended; V is that of the image itself. Layers count together. Give
//              each view a pass of its own
//   error      into RGBA32F, thresholds given: 1e-6 max|y| per unit of slope of the inverse of
//              y. atrous: 8e-6 max|dst| if src or dst has 32 bits, or space = log; else half floats
//              are stored between levels. sigma: 0.5 % of the median's exact value, if |HH1| is
//              smooth over a bin. Where nothing is removed, dst has the bits of src, or of the mean
//              with history (before rounding to its format)
//   scrub      on: a bad texel (afterglow.h) counts as 0, alpha too, and ag_health counts
//              it. Off: it may make every texel within its blocks non-finite, and no others: those
//              nearer than 2^levels texels
//   cost       haar: 1 dispatch a layer, which reads and writes each texel once. ti_haar: 1 up to
//              3 levels, else 3. dwt: 2 a level. Statistics, unless sigma and rule need none: 1
//              more, beside it; counting first with rule = bayes 2. atrous: 1 + levels
//              dispatches, and 1 if sigma is estimated. history: 2 dispatches more. Persistent
//              memory: 4 KiB; history: as many bytes as it has, and 2 a texel; atrous: up to 3
//              images of 8 or 16 bytes a texel, and 8 with guides. Scratch: ti_haar with more
//              than 3 levels 32 bytes a texel; dwt up to 22 a texel and layer
//   limits     2^31 texels in all layers; bayes_local: 3 levels, not with dwt; dwt and more than 3
//              levels of ti_haar: what a storage block of the context holds
//   structural formats, size, which slots are given, filter, levels, threshold, rule, space,
//              exact, wavelet (with dwt), whether sigma is 0: after a change of these call prepare
//   GL state   as in afterglow.h; image units: 6, storage bindings: 6, texture units: 1
//   errors     AG_E_SIZE (a slot is not of src's size; too many texels), AG_E_ARG (layers; levels;
//              motion without history; history with an array; guides without atrous), and those of
//              every effect
//   source     Donoho, Johnstone 1994 and 1995; Chang, Yu, Vetterli 2000 (bayes); Coifman, Donoho
//              1995 (all shifts); docs/denoise.md
#ifndef AFTERGLOW_DENOISE_H
#define AFTERGLOW_DENOISE_H

#include <afterglow/wavelet.h>
#include <stdint.h>

// Slots, in the order of ag_job.slots.
enum {
    AG_DENOISE_SRC = 0,
    AG_DENOISE_DST = 1,
    AG_DENOISE_MOTION = 2,
    AG_DENOISE_HISTORY = 3,
    AG_DENOISE_ALBEDO = 4,
    AG_DENOISE_NORMAL = 5,
    AG_DENOISE_DEPTH = 6
};

enum ag_denoise_filter {
    AG_DENOISE_TI_HAAR = 0,
    AG_DENOISE_HAAR = 1,
    AG_DENOISE_ATROUS = 2,
    AG_DENOISE_DWT = 3
};
enum ag_denoise_threshold {
    AG_DENOISE_SOFT = 0,
    AG_DENOISE_HARD = 1,
    AG_DENOISE_GARROTE = 2,
    AG_DENOISE_FIRM = 3,
    AG_DENOISE_GROUP = 4
};
enum ag_denoise_rule {
    AG_DENOISE_BAYES = 0,
    AG_DENOISE_BAYES_LOCAL = 1,
    AG_DENOISE_VISU = 2,
    AG_DENOISE_GIVEN = 3
};
enum ag_denoise_space { AG_DENOISE_LINEAR = 0, AG_DENOISE_LOG = 1, AG_DENOISE_ANSCOMBE = 2 };

typedef struct ag_denoise_settings {
    int32_t filter;    // AG_DENOISE_TI_HAAR (default), _HAAR, _ATROUS, _DWT
    int32_t levels;    // 1..6, default 3
    int32_t threshold; // AG_DENOISE_SOFT (default), _HARD, _GARROTE, _FIRM, _GROUP
    int32_t rule;      // AG_DENOISE_BAYES (default), _BAYES_LOCAL, _VISU, _GIVEN
    float strength;    // factor of T, 0..100, default 1; with rule = given T in units of sigma
    float sigma;       // of the noise, in units of y, 0..1e6; 0 (default): estimated
    float chroma;      // factor of T of the two chroma components, 0..100, default 1
    float amount;      // 0..1, default 1: 0 leaves the image as it is
    int32_t space;     // AG_DENOISE_LINEAR (default), _LOG, _ANSCOMBE
    float gain;        // of log and anscombe, 1e-6..1e6, default 0.01
    float offset;      // of anscombe: variance of noise at x = 0, 0..1e6, default 0
    float adapt;       // 1/s, 0..1000, default 4: how fast sigma and V follow
    float edge_normal; // atrous: exponent of cosines, 0..1024, default 64
    float edge_depth;  // atrous: slopes that depth may be off, 0.01..1000, default 2
    float frames;      // with history: most frames that count, 1..256, default 16
    float clamp;       // with history: deviations it may be off, 0.5..100, default 2
    int32_t exact;     // 1: each execute counts before it filters; 0 (default)
    int32_t scrub;     // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
    int32_t wavelet;   // dwt: AG_WAVELET_HAAR .. AG_WAVELET_CDF97 (default)
    float firefly;     // atrous: of the mean around a texel, 0..1000; 0 (default): no bound
} ag_denoise_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_DENOISE_DEFAULTS                                                                      \
    {                                                                                            \
        AG_DENOISE_TI_HAAR, 3, AG_DENOISE_SOFT, AG_DENOISE_BAYES, 1, 0, 1, 1, AG_DENOISE_LINEAR, \
            0.01f, 0, 4, 64, 2, 16, 2, 0, 1, AG_WAVELET_CDF97, 0                                 \
    }

#endif
