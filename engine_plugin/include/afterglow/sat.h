// sat.h - settings of the effect "sat": summed-area tables (SAT) with a stated precision
// SPDX-License-Identifier: MIT
//
//   S(x,y) = sum of src(i,j) - offset over i <= x, j <= y          inclusive, dst of src's size
//   S(x,y) = the same over i < x, j < y                            exclusive, 1 row and column more
//
// The sum over a box takes four entries. shaders/sat/query.glsl, which your shaders include, gives
// boxes, fractional edges, means and standard deviations for every storage.
//
//   slots     src           a colour image: a rectangle, any number of layers
//             dst           the table: R/RG/RGBA32F (uint32: 32UI) with as many channels as src or
//                           fewer (3 count as 4), src's size and layers. It may be src itself, if
//                           storage is float32, edge inclusive, and src has dst's format
//             low           the low parts. float32_residual: R/RG/RGBA16F of dst's size.
//                           double_float: 32F of dst's size. split: 32F of ag_sat_split_width x
//                           ag_sat_split_height. Other storages: must be empty
//             squares       with square: the table of squares (of src - offset), like dst
//             squares_low   with square: like low
//             mean          with offset = mean: 32F, 1 x 1, as many layers: the subtracted mean of
//                           each channel
//             The rectangles of low, squares and squares_low begin where dst's does; those of mean
//             and of split's sums at (0, 0)
//   storage   float32           S rounded once to a float
//             float32_residual  S = dst + low, 24 + 11 bits
//             double_float      S = dst + low, 48 bits
//             uint32            fixed point modulo 2^32: boxes up to max_box are exact to half a
//                               unit a texel, at any image size. Texels are clamped to
//                               0..max_value; 8-bit texels (not sRGB) count as their codes
//             split             dst holds a table for each tile of 32 x 32, low the block prefixes
//             auto              of those that the given slots can store, the one with the fewest
//                               bytes whose bound (ag_api.sat_error) is at most `tolerance`;
//                               refused if there is none
//   origin    center: four tables, S(x,y) = the sum between the centre and the texel. The centre is
//             the low corner of texel (W/2, H/2)
//   in place  src and dst, where the conditions above hold: the same table as apart, within
//             the error. No other two slots may be the same level of a texture: AG_E_ARG
//   error     of the mean over a box: ag_api.sat_error; uint32: exact to the bit. float32 with
//             square and offset = mean has the bound of the sum without offset, because one driver
//             rounds the block prefixes before the mean is subtracted (docs/sat.md). Use
//             double_float, or no squares, where that matters
//   cost      tiles: 3 dispatches, or 2 if there are few tiles and no offset. brlt_scanrow: 2; auto
//             never chooses it: tiles are as fast or faster at every measured size (docs/sat.md)
//   ladder    methods from hensley on are what the documents describe, as they describe it, to
//             compare with (docs/sat.md has their times): storage float32 or uint32 (not auto),
//             offset none, origin corner, edge inclusive, no squares, one layer, not in place; the
//             rest is refused. They keep textures of their own of the table's size, up to three.
//             uint32: the same bits as tiles. float32: an entry is within the number of last places
//             of the largest entry that the plan's text states, for texels of one sign
//   bits      equal from run to run of a job on a device. They may differ with other AG_WITHOUT_*
//             bits, and for a texture that is read another way (in place, where the driver has
//             subgroups), because sums are then added in another order
//   scrub     on: a bad texel (afterglow.h) counts as 0, and ag_health counts it. Off: all entries
//             at the x and y of one that is not finite, or larger ones, are NaN or Inf; with uint32
//             its value is undefined
//   GL state  as in afterglow.h; image units: 7, storage bindings: 6, texture units: 1
//   errors    AG_E_SIZE (a slot is not of the size above; limits), AG_E_FORMAT (dst and low, by
//             storage and channels), AG_E_ARG (combinations without meaning: docs/sat.md lists
//             them), and those of every effect
//   structural formats, size, layers, slots given, all settings but scrub: after a change of these
//             call prepare
//   limits    width and height up to 16384 texels
//   source    Crow 1984; Nehab et al. 2011; Chen et al. 2018; Hensley et al. 2005; docs/sat.md
#ifndef AFTERGLOW_SAT_H
#define AFTERGLOW_SAT_H

#include <stdint.h>

enum {
    AG_SAT_METHOD_AUTO = 0,
    AG_SAT_TILES = 1,
    AG_SAT_BRLT_SCANROW = 2,
    // The documents' scans, to compare with: see `ladder` above. auto never chooses one.
    AG_SAT_HENSLEY = 3,        // recursive doubling, radix 2
    AG_SAT_HENSLEY_RADIX4 = 4, // the same by 4, by 16: more reads, fewer passes
    AG_SAT_HENSLEY_RADIX16 = 5,
    AG_SAT_KOGGE_STONE = 6,
    AG_SAT_LADNER_FISCHER = 7,
    AG_SAT_BLELLOCH = 8,
    AG_SAT_SEGMENTED = 9,
    AG_SAT_SCAN_TRANSPOSE_SCAN = 10,
    AG_SAT_SCANROW_BRLT = 11,
    AG_SAT_SCANROWCOLUMN = 12,
    AG_SAT_LOOKBACK = 13 // one pass
};
enum {
    AG_SAT_AUTO = 0,
    AG_SAT_FLOAT32 = 1,
    AG_SAT_FLOAT32_RESIDUAL = 2,
    AG_SAT_DOUBLE_FLOAT = 3,
    AG_SAT_UINT32 = 4,
    AG_SAT_SPLIT = 5
};
enum { AG_SAT_OFFSET_NONE = 0, AG_SAT_OFFSET_HALF = 1, AG_SAT_OFFSET_MEAN = 2 };
enum { AG_SAT_CORNER = 0, AG_SAT_CENTER = 1 };
enum { AG_SAT_INCLUSIVE = 0, AG_SAT_EXCLUSIVE = 1 };

// Slots, in the order of ag_job.slots.
enum {
    AG_SAT_SRC = 0,
    AG_SAT_DST = 1,
    AG_SAT_LOW = 2,
    AG_SAT_SQUARES = 3,
    AG_SAT_SQUARES_LOW = 4,
    AG_SAT_MEAN = 5
};

typedef struct ag_sat_settings {
    int32_t method;        // AG_SAT_METHOD_AUTO (default) .. AG_SAT_LOOKBACK
    int32_t storage;       // AG_SAT_AUTO (default) .. AG_SAT_SPLIT
    int32_t offset;        // AG_SAT_OFFSET_*: none (default), 1/2, or the image's mean, subtracted
                           // from every texel
    int32_t origin;        // AG_SAT_CORNER (default), AG_SAT_CENTER
    int32_t edge;          // AG_SAT_INCLUSIVE (default), AG_SAT_EXCLUSIVE
    int32_t square;        // 1: also the table of squares, from the same reads; default 0
    int32_t fraction_bits; // uint32: bits after the point, 0..24; -1 (default): as many as
                           // max_value and max_box allow
    float max_value;       // 2^-20..65504, default 1: upper limit of all texels
    int32_t min_box;       // side of the smallest box of a query, 1..16384 texels, default 9
    int32_t max_box;       // side of the largest, 1..16384 texels; 0 (default): the whole image
    float tolerance;       // auto: error bound of the mean over a box of min_box x min_box;
                           // 0: any; default 1/255
    int32_t scrub; // 1 (default): bad texels (afterglow.h) count as 0; ag_health counts them
} ag_sat_settings;

// An initializer with the values that ag_api.defaults gives.
#define AG_SAT_DEFAULTS                                                                          \
    {                                                                                            \
        AG_SAT_METHOD_AUTO, AG_SAT_AUTO, AG_SAT_OFFSET_NONE, AG_SAT_CORNER, AG_SAT_INCLUSIVE, 0, \
            -1, 1, 9, 0, 1.0f / 255, 1                                                           \
    }

// ---- the argument of ag_api.sat_error, sat_fraction_bits and sat_choose ------------------------
//
// sat_error(q, storage): the error bound, in units of texel values, of the mean over any box of at
//     least min_box x min_box texels that shaders/sat/query.glsl reads. Infinite if the storage
//     cannot hold the image.
// sat_fraction_bits(q, power): the fraction bits of uint32, 0..24: q->fraction_bits, or if that is
//     -1 the largest number with which no box of max_box wraps around (0 for codes); -1: even that
//     number wraps. `power` 1: of the table; 2: of the table of squares.
// sat_choose(q, tolerance, allowed): the storage with the fewest bytes, of those in `allowed` (bits
//     1 << AG_SAT_*; 0: all), whose bound is at most `tolerance`; 0: none. Bytes per channel:
//     float32 and uint32 4, split 4.5, float32_residual 6, double_float 8.

typedef struct ag_sat_question {
    uint32_t struct_size;     // must be sizeof(ag_sat_question): else the error is infinite, and no
                              // number of bits and no storage fits
    int32_t width, height;    // of the image, in texels
    int32_t min_box, max_box; // sides of the smallest and the largest box; max_box 0: the image
    int32_t codes;            // 1: 8-bit texels, not sRGB: uint32 sums their codes
    int32_t fraction_bits;    // as in ag_sat_settings
    int32_t offset, origin;   // as in ag_sat_settings
    int32_t square;           // 1: the table of squares is made, too
    double max_value;         // texels are within 0..max_value. Members outside the ranges of
                              // ag_sat_settings give meaningless results
} ag_sat_question;

#endif
