// downsample.h - settings of the effect "downsample": an image at another size, by exact area
// averages or by a sampler's filters
// SPDX-License-Identifier: MIT
//
//   axes      each axis by itself: W texels become w outputs, and the weights of both axes
//             multiply. In units of 1 / w of a texel, output i is the cell [i W, (i + 1) W), and
//             source texel j covers [j w, (j + 1) w)
//
//   slots     src           the image: a rectangle, which is an image of its own; any number of
//                           layers, all in one execute
//             dst0          the result, at the size of this texture's rectangle
//             dst1 .. dst3  optional: more results of other sizes. All targets have dst0's format
//                           and src's layers
//   formats   any colour format, for src and targets. Channels that src lacks are 0, alpha 1
//   colour    SRGB8_ALPHA8 is decoded, averaged in linear light and encoded exactly. Values of
//             other formats are taken as linear
//   in place  src may be another level of a target's texture, but never the same: AG_E_ARG
//   error     against the exact value. 8- and 10-bit and sRGB formats: 0.5 of a unit + 2^-14 (of
//             the value 1, linear; of a unit where area, without weight, averages 8- or 10-bit
//             codes into their own format). R16F RG16F RGBA16F R11F_G11F_B10F: 0.5 ulp + 8 * 2^-24
//             of the mean magnitude of the weighted texels. 32F: 8 * 2^-24 of that; of bicubic and
//             lanczos the magnitude is that of all products. Results beyond a float format's range
//             become its largest value (of 32F infinite: without scrub, of bicubic and lanczos).
//             Equal sizes copy: codes and halves to the same bits. On one GPU equal images give
//             equal bits
//   NaN, Inf  scrub on: a texel with one counts as 0 in all channels, and once in ag_health (with
//             filters other than area, once for each output that reads it); with bicubic, lanczos
//             or a weight every bad texel (afterglow.h). Otherwise finite texels are kept, because
//             means never exceed the largest. Off: a result that has one among its texels is not
//             finite: NaN, or the largest value of R16F RG16F RGBA16F; of R11F_G11F_B10F that or 0
//   cost      1 dispatch a layer and target; blocks: 1 for all targets; partial_sums: 1 for all,
//             and 1 more a target for cells that lie in several tiles of the source; lanczos: 2.
//             Each texel is read from memory once, each output written once
//   memory    scratch a layer: partial_sums 64 (n_x + n_y) bytes, twice that with a weight, for
//             each target with such cells and each tile of src, n being the outputs that a tile
//             meets each way; tiles have 256 x 32 texels, or down to 256 x 8 where src has few.
//             lanczos: 16 bytes x dst's width x src's height a target
//   limits    16384 texels each way
//   GL state  as in afterglow.h; image units: 5, storage bindings: 6, texture units: 1
//   errors    AG_E_ARG (area with an output larger than the source; weight or method without area;
//             ratios that the method or lanczos does not take; layers), AG_E_SIZE (limits),
//             AG_E_FORMAT (weight alpha without alpha; targets of several formats), and those of
//             every effect
//   source    Fant 1986, A Nonaliasing, Real-Time Spatial Transform Technique; Keys 1981; Duchon
//             1979, Lanczos Filtering in One and Two Dimensions; Karis 2013, Real Shading in Unreal
//             Engine 4; docs/downsample.md
#ifndef AFTERGLOW_DOWNSAMPLE_H
#define AFTERGLOW_DOWNSAMPLE_H

#include <afterglow/settings.h>

// clang-format off
//   area      sum over j of a(i,j) src(j), where
//             a(i,j) = max(0, min((i+1) W, (j+1) w) - max(i W, j w)) / W:
//             whole numbers over a whole number, at every ratio. They add up to 1, and
//             every source texel counts alike. w <= W
//   nearest   the texel in which the output's centre (i + 1/2) W / w lies; on an edge,
//             the higher one
//   bilinear  2 texels around that point, bicubic 4 (Keys 1981, a = -1/2), not filtered
//             before, as a sampler takes them: so a ratio beyond 2 or 4 leaves texels
//             out. Beyond the image lies its edge's texel. Any ratio, also larger images
//   lanczos   `radius` lobes, stretched by W / w where that is above 1, normalised.
//             Beyond the image lies its edge's texel. W / w <= 16
#define AG_DOWN_FILTER(X)                                                     \
    X(AG_DOWN_AREA,     0, "area",     "the mean over the area of an output") \
    X(AG_DOWN_NEAREST,  1, "nearest",  "the texel at its centre")             \
    X(AG_DOWN_BILINEAR, 2, "bilinear", "2 texels an axis")                    \
    X(AG_DOWN_BICUBIC,  3, "bicubic",  "4 texels an axis")                    \
    X(AG_DOWN_LANCZOS,  4, "lanczos",  "a windowed sinc, stretched by the ratio")
AG_NAMED_ENUM(ag_down_filter, AG_DOWN_FILTER)

// Of area. none: all texels alike. karis: colour weighs 1 / (1 + luminance), against
// fireflies. alpha: colour weighs its alpha, which is right for colour that is not
// premultiplied; where alpha is 0 throughout, the plain mean. Alpha itself is always
// the plain mean. karis takes all formats, alpha those with four channels
#define AG_DOWN_WEIGHT(X)                                                         \
    X(AG_DOWN_WEIGHT_NONE,  0, "none",  "all texels alike")                       \
    X(AG_DOWN_WEIGHT_KARIS, 1, "karis", "1 / (1 + luminance), against fireflies") \
    X(AG_DOWN_WEIGHT_ALPHA, 2, "alpha", "for colour that is not premultiplied")
AG_NAMED_ENUM(ag_down_weight, AG_DOWN_WEIGHT)

// Of area; all give the same result within `error`:
//   auto          chooses among the others
//   tile          a thread an output, for small ratios; up to 64
//   columns       sums down columns, then across, for medium ratios
//   partial_sums  tiles of the source, for large ratios, and for several targets from one read
//   blocks        several targets from one read, if all ratios are whole numbers whose common
//                 multiple is at most 64; others are refused
#define AG_DOWN_METHOD(X)                                                       \
    X(AG_DOWN_AUTO,         0, "auto",         "chooses among the others")      \
    X(AG_DOWN_TILE,         1, "tile",         "small ratios")                  \
    X(AG_DOWN_COLUMNS,      2, "columns",      "medium ratios")                 \
    X(AG_DOWN_PARTIAL_SUMS, 3, "partial_sums", "large ratios, several targets") \
    X(AG_DOWN_BLOCKS,       4, "blocks",       "several targets of whole ratios")
AG_NAMED_ENUM(ag_down_method, AG_DOWN_METHOD)

// Slots, in the order of ag_job.slots.
enum ag_downsample_slot {
    AG_DOWNSAMPLE_SRC = 0,
    AG_DOWNSAMPLE_DST0 = 1,
    AG_DOWNSAMPLE_DST1 = 2,
    AG_DOWNSAMPLE_DST2 = 3,
    AG_DOWNSAMPLE_DST3 = 4
};

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_DOWNSAMPLE_SETTINGS(X)                                                      \
    X(ENUM, filter, AG_DOWN_AREA, AG_DOWN_FILTER, PLAN,                                \
      "what becomes of the texels that an output covers")                              \
    X(ENUM, weight, AG_DOWN_WEIGHT_NONE, AG_DOWN_WEIGHT, PLAN,                         \
      "of area: equal, against fireflies, or colour by alpha")                         \
    X(ENUM, method, AG_DOWN_AUTO, AG_DOWN_METHOD, PLAN, "of area: how it is computed") \
    X(INT,  radius, 3, 2, 3, "lobes", PLAN, "of lanczos, stretched by the ratio")      \
    X(BOOL, scrub,  1, NOTHING, AG_SCRUB_HELP)
#define AG_DOWNSAMPLE_TAG AG_TAG('d', 'o', 'w', 'n')
AG_SETTINGS_STRUCT(ag_downsample_settings, AG_DOWNSAMPLE_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_DOWNSAMPLE_DEFAULTS \
    {sizeof(ag_downsample_settings), AG_DOWNSAMPLE_TAG, AG_DOWNSAMPLE_SETTINGS(AG_DEFAULT)}
#define ag_downsample_params(...) \
    AG_PARAMS(ag_downsample_settings, AG_DOWNSAMPLE_TAG, AG_DOWNSAMPLE_SETTINGS, __VA_ARGS__)
// clang-format on

#endif
