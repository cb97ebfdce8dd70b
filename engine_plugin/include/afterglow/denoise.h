// denoise.h - settings of the effect "denoise": removes noise by wavelet thresholds
// SPDX-License-Identifier: MIT
//
//   dst = src - amount * removed. `removed` is what a threshold takes of the coefficients of an
//   orthonormal transform, transformed back. The lists below define space, filter, rule and
//   threshold; docs/denoise.md says what to take when.
//
//   components  of three and four channels: (r + g + b) / sqrt(3), (r - b) / sqrt(2),
//               (r - 2 g + b) / sqrt(6). Alpha is kept. Of one and two: the channels
//   in place    neither dst nor history may be another slot's level of a texture: AG_E_ARG
//   border      half-sample mirror: ... 1 0 | 0 1 ... n-1 | n-1 ...
//   sigma       of the noise of each band of the transform and each component, in units of y: the
//               setting, or if that is 0, estimated from the image (below)
//   statistics sigma and V stay in the pass's memory; the CPU reads nothing back. The first execute
//              after a prepare that changed the plan, and one with AG_JOB_RESET, counts first.
//              Every other execute counts its own coefficients in a dispatch beside the filter; the
//              next execute then uses s += (counted - s) (1 - exp(-dt adapt)), with the dt of the
//              job that counted. exact: every execute counts first, and uses these counts alone.
//              dwt: sigma is counted first, too, and blended; V is that of the image itself. Of the
//              tiles of 32 x 32 texels at most 512 count, in even steps. Layers count together.
//              Give each view a pass of its own
//   error      into RGBA32F, thresholds given: 1e-6 max|y| per unit of slope of the inverse of
//              y. atrous: 8e-6 max|dst| if src or dst has 32 bits, or space = log; else half floats
//              are stored between levels. blocks: 5e-4 sigma, where no float rounds q or decides
//              about a threshold otherwise. Quantiles of sigma: a bin, 9 %, mostly 2 %. Where
//              nothing is removed, dst has the bits of src, or of the mean with history (before
//              rounding to its format)
//   scrub      on: a bad texel (afterglow.h) counts as 0, alpha too, and ag_health counts
//              it. Off: it may make every texel within its blocks non-finite, and no others: those
//              nearer than 2^levels texels; of blocks no other texel
//   cost       haar: 1 dispatch a layer, which reads and writes each texel once. ti_haar: 1 up to
//              3 levels, else 3. dwt: 2 a level. Statistics, unless sigma and rule need none: 1
//              more, beside it; counting first 1 to 3. atrous: 1 + levels dispatches, and 1 if
//              sigma is estimated. blocks: 7 dispatches, 4 with levels = 1. history: 2 more.
//              Persistent memory: 45 KiB; history: as many bytes as it has, and 8 a texel, 16 with
//              normal or depth; atrous: up to 3 images of 8 or 16 bytes a texel, and 8 with guides.
//              Scratch: ti_haar with more than 3 levels 2 bytes a texel; dwt up to 22 a texel and
//              layer; blocks 18 a texel of one channel, 34 of two, 50 of more
//   limits     2^31 texels in all layers; blocks, dwt and more than 3 levels of ti_haar: what a
//              storage block of the context holds
//   GL state   as in afterglow.h; image units: 8, storage bindings: 6, texture units: 2
//   errors     AG_E_SIZE (a slot is not of src's size; too many texels), AG_E_ARG (layers; levels;
//              motion without history; history with an array; albedo without atrous; normal or
//              depth with neither atrous nor history), and those of every effect
//   source     Donoho, Johnstone 1994 and 1995; Chang, Yu, Vetterli 2000 (bayes); Coifman, Donoho
//              1995 (all shifts); Foi et al. 2008 (curve); Dabov et al. 2007 (blocks);
//              docs/denoise.md
#ifndef AFTERGLOW_DENOISE_H
#define AFTERGLOW_DENOISE_H

#include <afterglow/wavelet.h>

// clang-format off
// Slots, in the order of ag_job.slots. All are of src's size.
//
//   src      a colour image: a rectangle, any number of layers; dst has as many
//   motion   optional: in the first two channels, texels that the surface at p has moved since the
//            last frame, so it was at p - motion. Empty: nothing moves
//   history  optional, AG_STATE: one layer. rgb: the mean of former frames; a: n, of how many it
//            has the noise, 0 for none. The filter then sees a mean instead of src:
//              h      history at p - motion; between texels by 6 x 6 taps (below); where
//                     one of them holds nothing, or has another surface, the bilinear mean of those
//                     of 4 that do and have not
//              clip   towards the mean of src's 5 x 5 texels around p, until Y, Co and Cg are
//                     nearer to it than clamp sqrt(s^2 (1 - r g) + m (1 - g)). s^2: variance of
//                     these texels; r: share of the noise in that of Y, by V, the mean square of
//                     src - h in the frames before; g: max(0.66 - 1 / N, 0), N: h's frames; m:
//                     max(V - 8 s_Y^2, 0) min(max(N / 8 - 0.5, 0), 1), for light of few paths. By
//                     how much h's distance was more than that, e: it counts for (1 - e) N frames,
//                     0 where e >= 1. e is also by how much the means of 3 x 3 texels of the
//                     history and of src differ by more than clamp / 2 sqrt(u^2 + m), u: s, but of
//                     Y u^2 = s^2 + k (min(V + s^2 / 4, s^2) - s^2), k: min(max(N / 8 - 0.5, 0),
//                     1)
//              mean   src + (h - src) (1 - a), 1 / a: those frames M and 1, at most `frames`. It
//                     has the noise of n = M + 1 frames, or, where that is more than `frames`, of
//                     n = 1 / ((1 - a)^2 / M + a^2), up to 2 `frames` - 1: N of the next frame
//              taps   along an axis have, f: the place's part of a texel, v = f (1 - f), t = f -
//                     1/2, the weights E_0 + O_0, E_1 + O_1, E_2 + O_2, E_2 - O_2, E_1 - O_1,
//                     E_0 - O_0;
//                     E_0 = 0.0824 v + 0.0594 v^2, E_1 = -0.4674 v - 0.1451 v^2, E_2 = 1/2 - E_0 -
//                     E_1, O_0 = t (-0.0037 v - 0.1605 v^2), O_1 = t (0.2148 v + 0.568 v^2),
//                     O_2 = -t - 5 O_0 - 3 O_1. So waves keep their contrast over many frames
//              sigma  of ti_haar that of src; thresholds of a block are F^-0.5 (F / n)^0.42 times
//                     as large, F: `frames`, n at (x + 1, 4 floor(y / 4) + 2), of a block that
//                     begins at (x, y); of levels beyond the third the mean of 4 texels. Of other
//                     filters sigma is that of the mean, and falls with frames: let `adapt` be 30
//                     or more, or set exact
//            A bad texel is its history
//   albedo, normal, depth   optional, for atrous: as many layers as src. Normals of any length, of
//            any space; 0: none. Depth: linear, first channel. With history the last two tell other
//            surfaces: a cosine between the normals of p and of the tap in the last frame below
//            0.7; depths that differ by more than edge_depth (2 g_x + 2 g_y + |z(p)| / 50), g as
//            below, of neighbours. Of 6 x 6 taps the diagonals are asked
enum ag_denoise_slot {
    AG_DENOISE_SRC = 0,
    AG_DENOISE_DST = 1,
    AG_DENOISE_MOTION = 2,
    AG_DENOISE_HISTORY = 3,
    AG_DENOISE_ALBEDO = 4,
    AG_DENOISE_NORMAL = 5,
    AG_DENOISE_DEPTH = 6
};

// haar: the Haar transform of `levels` levels from the rectangle's corner on. ti_haar: the mean
// over those of all shifts. What levels beyond the third remove of a block of 8 x 8 texels is a
// mean over shifts by multiples of 4 texels from the corner, and between those bilinear. dwt: the
// transform of `wavelet` (afterglow/wavelet.h), border symmetric; sigma of a band is that of haar
// times the band's noise gain, which is 1 for orthogonal wavelets; V is that of this image. atrous:
// no threshold, rule or chroma, but means that avoid edges:
//
//   y_0 = y(src / albedo); level l of `levels`, taps q = p + 2^l k inside, k in 5 x 5
//   y_(l+1)(p) = sum h(k) w y_l(q) / sum h(k) w, h = (1 4 6 4 1) (1 4 6 4 1) / 256
//   w = exp(-|y_l(q) - y_l(p)|^2 4^l / (8 strength^2 S))
//       max(cos, 1e-6)^edge_normal, cos of the angle between normals; 1 if equal
//       exp(-|z(q) - z(p)| / (edge_depth (g_x |k_x| + g_y |k_y| + |z(p)| / 100)))
//   dst = albedo y^-1(the last). S is the sum of the components' sigma^2, of texels of y_0 and
//   without blending; if sigma is given 3 sigma^2. g: the smaller of the changes of z to p's two
//   neighbours 2^l texels away. Normals have 10 bits an axis. Channels of albedo that are not in
//   0.001..1e6 count as 1. firefly: where m, the mean of y_0's channels, exceeds firefly times the
//   mean of max(m, 0) over the texels around p (5 x 5 without p, those inside), y_0 is scaled down
//   to that;
//   amount = 0 then gives y_0
//
// blocks: no threshold, rule or wavelet, but stacks of blocks of 8 x 8 texels that are like each
// other, in the class of BM3D. b = y / sigma, by component. levels = 1: the first step alone
//
//   reference   blocks begin at (8 i + 4 (j mod 2) - 4, 4 j - 4), i, j >= 0, before the last texel
//   stack       q = floor(4 b + 1/2) of the first component. Blocks up to 15 texels away in x and y
//               have the distance sum (q - q_reference)^2 + 1, at most 4194303, the reference 0.
//               Their rows of places are dealt out to four lists; each list gives the four least,
//               the earlier place where two are equal. The 16 are sorted in the same way
//   transform   a DCT of each block, Haar's along the stack, both orthonormal. The mean stays.
//               First step: what is removed are coefficients up to 2.7 strength. Second step:
//               the share n / (e^2 + n) of each, n = 0.9 strength^2, e that of the first step's
//               result, which also chooses the stacks, by the texels of even rows y whose x has
//               the parity of y / 2. Of chroma strength is 1.1 `chroma` times as much
//   removed     of a texel the mean over the stacks that hold it, of what they remove, at most 8
//               sigma, weighted by 1 / kept; kept is the number of coefficients that stay, in the
//               second step the sum of the squares of the shares that do, in steps of 1/4096
#define AG_DENOISE_FILTER(X)                                                               \
    X(AG_DENOISE_TI_HAAR, 0, "ti_haar", "the mean over the Haar transforms of all shifts") \
    X(AG_DENOISE_HAAR,    1, "haar",    "one Haar transform")                              \
    X(AG_DENOISE_ATROUS,  2, "atrous",  "means that avoid edges")                          \
    X(AG_DENOISE_DWT,     3, "dwt",     "the transform of the setting wavelet")            \
    X(AG_DENOISE_BLOCKS,  4, "blocks",  "stacks of like blocks, filtered together")
AG_NAMED_ENUM(ag_denoise_filter, AG_DENOISE_FILTER)

// What is removed of a coefficient d (the rest stays):
//
//   soft     max(min(d, T), -T)
//   hard     d if |d| <= T, else 0
//   garrote  d if |d| <= T, else T^2 / d
//   firm     d max(min(2 - |d| / T, 1), 0)
#define AG_DENOISE_THRESHOLD(X)             \
    X(AG_DENOISE_SOFT,    0, "soft",    "") \
    X(AG_DENOISE_HARD,    1, "hard",    "") \
    X(AG_DENOISE_GARROTE, 2, "garrote", "") \
    X(AG_DENOISE_FIRM,    3, "firm",    "")
AG_NAMED_ENUM(ag_denoise_threshold, AG_DENOISE_THRESHOLD)

// The threshold T of a band, times `strength`, of chroma also times `chroma`. Sigma, and V over the
// tiles that count, are those of the coefficients of haar, also for ti_haar:
//
//   bayes    sigma^2 / sqrt(max(V - sigma^2, sigma^2 / 25)), where V is the mean of
//            min(d^2, 64 sigma^2), in steps of sigma^2 / 4096, over the coefficients d of the
//            band; of level 6 that of level 5
//   noise    2.4 sigma of level 1, 2.1 of level 2, 2 beyond: with firm, flat parts are clean, and
//            edges keep their contrast
//   visu     sigma sqrt(2 ln(width height))
//   given    sigma
#define AG_DENOISE_RULE(X)                                          \
    X(AG_DENOISE_BAYES, 0, "bayes", "by the variance of each band") \
    X(AG_DENOISE_NOISE, 1, "noise", "2 to 2.4 sigma")               \
    X(AG_DENOISE_VISU,  2, "visu",  "by the size of the image")     \
    X(AG_DENOISE_GIVEN, 3, "given", "sigma")
AG_NAMED_ENUM(ag_denoise_rule, AG_DENOISE_RULE)

// The estimate of sigma, if it is 0. Of each tile of 16 x 16 texels in which half of |HH1| of the
// component is not 0, the rms of each band of 3 levels, over those; q: its 10 % quantile over the
// tiles, times 1.07, 1.15, 1.4 of level 1, 2, 3; of atrous their median; by histograms of eight
// bins an octave, linear within a bin. Then in each component
//
//   HH_1 = q, HH_2 = min(q, 4 HH_1), HH_l = HH_(l-1) max(HH_(l-1) / HH_(l-2), 1)^0.4, and of HH_3
//   at most q: the least of q and 1.05 times that
//   HL_l, LH_l = min(q, c sqrt(HH_l HH_(l+1))), c = 1.2 of level 1, 1.1 of 2 and 3; beyond the
//   third they grow as sqrt(HH_l HH_(l+1)) does
//   of luma: at most HH_1 times the larger of the ratios band : HH_1 of chroma, or 1
//   all of a component, not of atrous, times min(max(5 r - 2.5, 0), 1), r: ratio to the quantile of
//   HH1 of that of 2 %, but of a tile at least. So pictures without noise are kept: their
//   smoothest tiles are less even than those of noise
//
// In linear, not with atrous, noise may grow with brightness, as variance a + b x, x > 0. Then y =
// 2 x / (1 + sqrt(1 + x b / a)) for x > 0. b / a: the line by least squares of relative errors
// through the squared quantiles (as above, of tiles by octaves of their mean, 2^-12 .. 2^4) of
// |HH1| of the first channel, or of (r - 2 g + b) / sqrt(6) over (r + 4 g + b) / 6. It is at least
// 0, a at least an eighth of the least of them, and 0 if variance grows by less than a quarter

// The transform sees y(src), and the result is y's algebraic inverse:
//
//   linear    y = x, but for the curve above
//   log       y = sign(x) log2(1 + |x| / gain): noise that grows with the signal
//   anscombe  y = 2 / gain sqrt(max(gain x + 3/8 gain^2 + offset, 0)): photons; noise of variance
//             gain x + offset becomes noise of sigma 1
#define AG_DENOISE_SPACE(X)                                                   \
    X(AG_DENOISE_LINEAR,   0, "linear",   "noise of one strength")            \
    X(AG_DENOISE_LOG,      1, "log",      "noise that grows with the signal") \
    X(AG_DENOISE_ANSCOMBE, 2, "anscombe", "of photons")
AG_NAMED_ENUM(ag_denoise_space, AG_DENOISE_SPACE)

// The filters with names of their own: see `filter` above, and wavelet.h.
#define AG_DENOISE_WAVELET(X) AG_WAVELET_NAMED(X)

// A change of wavelet needs a new prepare only with dwt, one of sigma only to or from 0.
//
// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_DENOISE_SETTINGS(X)                                                               \
    X(ENUM,  filter,      AG_DENOISE_TI_HAAR, AG_DENOISE_FILTER, PLAN,                       \
      "the transform; ti_haar: the mean over all shifts")                                    \
    X(INT,   levels,      5, 1, 6, "", PLAN,                                                 \
      "of the transform; noise coarser than 2^levels texels stays. blocks: 1 = one step")    \
    X(ENUM,  threshold,   AG_DENOISE_FIRM, AG_DENOISE_THRESHOLD, PLAN,                       \
      "what is removed of a coefficient")                                                    \
    X(ENUM,  rule,        AG_DENOISE_NOISE, AG_DENOISE_RULE, PLAN,                           \
      "how large thresholds are; given: strength times sigma")                               \
    X(FLOAT, strength,    1, 0, 100, "", NOTHING,                                            \
      "factor of the thresholds; with rule = given the threshold in units of sigma")         \
    X(FLOAT, sigma,       0, 0, 1e6, "", PLAN,                                               \
      "the noise's standard deviation, in units of y; 0: estimated")                         \
    X(FLOAT, chroma,      1.2, 0, 100, "", NOTHING,                                            \
      "factor of the thresholds of the two chroma components")                               \
    X(FLOAT, amount,      1, 0, 1, "", NOTHING, "how much of the result replaces the image") \
    X(ENUM,  space,       AG_DENOISE_LINEAR, AG_DENOISE_SPACE, PLAN,                         \
      "the scale in which noise is the same everywhere")                                     \
    X(FLOAT, gain,        0.01, 1e-6, 1e6, "", NOTHING,                                      \
      "log: where it becomes linear; anscombe: variance by signal")                          \
    X(FLOAT, offset,      0, 0, 1e6, "", NOTHING,                                            \
      "anscombe: variance of the noise at x = 0, black")                                     \
    X(FLOAT, adapt,       4, 0, 1000, "1/s", NOTHING,                                        \
      "how fast estimates, sigma and V, follow a change of noise")                           \
    X(FLOAT, edge_normal, 64, 0, 1024, "", NOTHING,                                          \
      "atrous: exponent of the cosine between normals")                                      \
    X(FLOAT, edge_depth,  2, 0.01, 1000, "", NOTHING,                                        \
      "atrous, history: how far depth may be off, in slopes")                             \
    X(FLOAT, frames,      16, 1, 256, "", NOTHING, "with history: most frames that count")   \
    X(FLOAT, clamp,       2, 0.5, 100, "", NOTHING,                                          \
      "with history: how many deviations it may be from the 5 x 5 texels around")            \
    X(BOOL,  exact,       0, PLAN,                                                           \
      "count before each filtering, from this image alone, by further dispatches")           \
    X(BOOL,  scrub,       1, NOTHING, AG_SCRUB_HELP)                                         \
    X(ENUM,  wavelet,     AG_WAVELET_CDF97, AG_DENOISE_WAVELET, PLAN,                        \
      "dwt: the transform; cdf53 and cdf97 are biorthogonal")                                \
    X(FLOAT, firefly,     0, 0, 1000, "", NOTHING,                                           \
      "atrous: how many times as bright as those around it a texel may be; 0: any")
#define AG_DENOISE_TAG AG_TAG('d', 'e', 'n', 'o')
AG_SETTINGS_STRUCT(ag_denoise_settings, AG_DENOISE_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_DENOISE_DEFAULTS \
    {sizeof(ag_denoise_settings), AG_DENOISE_TAG, AG_DENOISE_SETTINGS(AG_DEFAULT)}
#define ag_denoise_params(...) \
    AG_PARAMS(ag_denoise_settings, AG_DENOISE_TAG, AG_DENOISE_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
