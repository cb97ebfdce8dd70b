// downsample.h - settings of the effect "downsample": an image at another size, by area averages or
// as samplers take it
//
//   what      one axis of W texels to w outputs, two axes multiply. In units of 1 / w of a texel
//             output i is the cell [i W, (i + 1) W), source texel j covers [j w, (j + 1) w)
//   filter    area      sum over j of a(i,j) src(j), a(i,j) = max(0, min((i+1)W, (j+1)w) - max(iW,
//             jw)) / W: whole numbers over
//                       a whole number, at every ratio. They add up to 1, and every source texel
//                       counts alike. w <= W
//             nearest   the texel that the output's centre (i + 1/2) W / w lies in, of two the
//                       higher
//             bilinear  2 texels around that point, bicubic 4 (Keys 1981, a = -1/2): unfiltered, as
//                       a sampler takes them, so that a ratio beyond 2 or 4 leaves texels out.
//                       Their edges are clamped. Any ratio, also larger images
//             lanczos   radius lobes, stretched by W / w where that is above 1, normalised, edges
//                       clamped. W / w <= 16
//   weight    of area. none; karis: colour weighs 1 / (1 + luminance), against fireflies; alpha:
//             colour weighs its alpha, right for colour that is not premultiplied, and where alpha
//             is 0 throughout it is the plain mean. Alpha itself is always the plain mean. karis
//             takes all formats, alpha those of four channels
//   method    of area, all to the same contract. auto chooses; tile: a thread an output, for small
//             ratios (up to 64); columns: sums down columns, then across, for medium ones;
//             partial_sums: tiles of the source, for large ones, and for all targets from one read;
//             blocks: the same read for ratios that are whole numbers up to 64, whose common
//             multiple is 64 at most, which auto takes for several targets; it refuses the rest;
//             register_columns: the mapping of the document that docs/downsample.md names, 32
//             texels a thread: ratios of 1, 2, 4 .. 32, each axis its own, that divide the source's
//             size; others are refused
//
//   slots     src           the image; a rectangle of it, which is an image of its own; array
//             layers all in one execute
//             dst0          the result, as large as its rectangle
//             dst1 .. dst3  more of them, of other sizes, from the same read; of dst0's format, and
//                           src's layers. Optional
//   formats   any of colour, src and dst their own. Channels that src lacks are 0, alpha 1
//   colour    SRGB8_ALPHA8 is decoded, averaged linear and encoded exactly. Other formats are taken
//             as they are: linear
//   error     against the exact value. 8- and 10-bit and sRGB formats 0.5 of a unit + 2^-14 (of the
//             value 1, linear; of a unit where area averages 8- or 10-bit codes into their own
//             format, weight none); R16F RG16F RGBA16F and R11F_G11F_B10F 0.5 ulp + 8 * 2^-24 of
//             the mean magnitude (of the weighed texels); 32F 8 * 2^-24 of that. Of bicubic and
//             lanczos the magnitude is that of all products. Results beyond a float format's range
//             become its largest value (of 32F infinite; only bicubic and lanczos have such). Equal
//             sizes copy: codes and halves to the same bits. On one GPU equal images give equal
//             bits
//   NaN, Inf  scrub: a texel with one counts as 0 in all channels, and once in ag_health (of the
//             other filters once for each output that reads it). Without it a result with one among
//             its texels is not finite: NaN, or the largest value of R16F RG16F RGBA16F; of
//             R11F_G11F_B10F that or 0
//   cost      1 dispatch a layer and target; blocks 1 for all targets; partial_sums 1 for all, and
//             1 a target more for cells that lie in several tiles of the source; lanczos 2. Each
//             texel is read from memory once, each output written once. Scratch: partial_sums
//             64 (n_x + n_y) bytes a target for each 256 x 32 texels of src, n being the outputs
//             that those meet each way, twice that with a weight; lanczos 16 bytes x dst's width x
//             src's height; a layer
//   limits    16384 each way. 4 targets need 5 image units from image_unit_base on
//   structural all but scrub
//   GL state  as afterglow.h; image units: 5, storage bindings: 6, texture units: 1
//   errors    AG_E_ARG (area with an output larger than the source, by slot and size; weight or
//             method without area; register_columns of other ratios; lanczos beyond 16, tile beyond
//             64), AG_E_SIZE, AG_E_FORMAT (alpha without an alpha; targets of several formats), and
//             those of every effect
//   source    Fant 1986, A Nonaliasing, Real-Time Spatial Transform Technique; Keys 1981; Duchon
//             1979, Lanczos Filtering in One and Two Dimensions; Karis 2013, Real Shading in Unreal
//             Engine 4; docs/downsample.md
// SPDX-License-Identifier: MIT
#ifndef AFTERGLOW_DOWNSAMPLE_H
#define AFTERGLOW_DOWNSAMPLE_H

#include <stdint.h>

enum { // filter
    AG_DOWN_AREA = 0,
    AG_DOWN_NEAREST = 1,
    AG_DOWN_BILINEAR = 2,
    AG_DOWN_BICUBIC = 3,
    AG_DOWN_LANCZOS = 4
};

enum { // weight, with AG_DOWN_AREA
    AG_DOWN_WEIGHT_NONE = 0,
    AG_DOWN_WEIGHT_KARIS = 1,
    AG_DOWN_WEIGHT_ALPHA = 2
};

enum { // method, with AG_DOWN_AREA
    AG_DOWN_AUTO = 0,
    AG_DOWN_TILE = 1,
    AG_DOWN_COLUMNS = 2,
    AG_DOWN_PARTIAL_SUMS = 3,
    AG_DOWN_REGISTER_COLUMNS = 4,
    AG_DOWN_BLOCKS = 5
};

// Slots, in the order of ag_job.slots.
enum {
    AG_DOWNSAMPLE_SRC = 0,
    AG_DOWNSAMPLE_DST0 = 1,
    AG_DOWNSAMPLE_DST1 = 2,
    AG_DOWNSAMPLE_DST2 = 3,
    AG_DOWNSAMPLE_DST3 = 4
};

typedef struct ag_downsample_settings { // fill with ag_api.defaults, then change what you like
    int32_t filter;                     // AG_DOWN_AREA ..
    int32_t weight;                     // AG_DOWN_WEIGHT_*
    int32_t method;                     // AG_DOWN_AUTO ..
    int32_t radius;                     // of lanczos: 2 or 3 (default) lobes
    int32_t scrub; // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_downsample_settings;

// ag_downsample_settings s = AG_DOWNSAMPLE_DEFAULTS; is what ag_api.defaults fills in, for who
// compiles against this header.
#define AG_DOWNSAMPLE_DEFAULTS                                \
    {                                                         \
        AG_DOWN_AREA, AG_DOWN_WEIGHT_NONE, AG_DOWN_AUTO, 3, 1 \
    }

#endif
