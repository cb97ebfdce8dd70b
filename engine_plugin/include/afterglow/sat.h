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
//   cost      3 dispatches, or 2 if there are few tiles and no offset
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
//   limits    width and height up to 16384 texels
//   source    Crow 1984; Nehab et al. 2011; Chen et al. 2018; Hensley et al. 2005; docs/sat.md
#ifndef AFTERGLOW_SAT_H
#define AFTERGLOW_SAT_H

#include <afterglow/settings.h>

// clang-format off
#define AG_SAT_STORAGE(X)                                                        \
    X(AG_SAT_AUTO,             0, "auto",                                        \
      "the fewest bytes whose bound is at most tolerance")                       \
    X(AG_SAT_FLOAT32,          1, "float32",          "")                        \
    X(AG_SAT_FLOAT32_RESIDUAL, 2, "float32_residual", "24 + 11 bits")            \
    X(AG_SAT_DOUBLE_FLOAT,     3, "double_float",     "48 bits")                 \
    X(AG_SAT_UINT32,           4, "uint32",           "fixed point modulo 2^32") \
    X(AG_SAT_SPLIT,            5, "split",                                       \
      "a table for each tile of 32 x 32, and block prefixes")
AG_NAMED_ENUM(ag_sat_storage, AG_SAT_STORAGE)

#define AG_SAT_OFFSET(X)                    \
    X(AG_SAT_OFFSET_NONE, 0, "none", "0")   \
    X(AG_SAT_OFFSET_HALF, 1, "half", "1/2") \
    X(AG_SAT_OFFSET_MEAN, 2, "mean", "the image's mean")
AG_NAMED_ENUM(ag_sat_offset, AG_SAT_OFFSET)

#define AG_SAT_ORIGIN(X)                       \
    X(AG_SAT_CORNER, 0, "corner", "one table") \
    X(AG_SAT_CENTER, 1, "center", "four, from the centre outward")
AG_NAMED_ENUM(ag_sat_origin, AG_SAT_ORIGIN)

#define AG_SAT_EDGE(X)                                     \
    X(AG_SAT_INCLUSIVE, 0, "inclusive", "up to the texel") \
    X(AG_SAT_EXCLUSIVE, 1, "exclusive", "before the texel: 1 row and column more")
AG_NAMED_ENUM(ag_sat_edge, AG_SAT_EDGE)

// Slots, in the order of ag_job.slots.
enum ag_sat_slot {
    AG_SAT_SRC = 0,
    AG_SAT_DST = 1,
    AG_SAT_LOW = 2,
    AG_SAT_SQUARES = 3,
    AG_SAT_SQUARES_LOW = 4,
    AG_SAT_MEAN = 5
};

// kind, member, default, least, most, unit, what a change makes prepare do, help: settings.h
#define AG_SAT_SETTINGS(X)                                                                        \
    X(ENUM,  storage,       AG_SAT_AUTO, AG_SAT_STORAGE, PLAN,                                    \
      "what the table is made of; auto: the cheapest within tolerance")                           \
    X(ENUM,  offset,        AG_SAT_OFFSET_NONE, AG_SAT_OFFSET, PLAN,                              \
      "taken off every texel first")                                                              \
    X(ENUM,  origin,        AG_SAT_CORNER, AG_SAT_ORIGIN, PLAN,                                   \
      "one table, or four from the centre outward")                                               \
    X(ENUM,  edge,          AG_SAT_INCLUSIVE, AG_SAT_EDGE, PLAN,                                  \
      "exclusive: a row and a column of zeros first")                                             \
    X(BOOL,  square,        0, PLAN, "a table of squares, too, from the same reads")              \
    X(INT,   fraction_bits, -1, -1, 24, "bits", PLAN,                                             \
      "of uint32 after the point; -1: as many as max_value and max_box allow")                    \
    X(FLOAT, max_value,     1, 9.5367431640625e-07, 65504, "", PLAN,                              \
      "no texel is larger; at least 2^-20")                                                       \
    X(INT,   min_box,       9, 1, 16384, "texels", PLAN, "side of the smallest box of a query")   \
    X(INT,   max_box,       0, 0, 16384, "texels", PLAN, "side of the largest box; 0: the image") \
    X(FLOAT, tolerance,     1 / 255.0, 0, 65504, "", PLAN,                                        \
      "error of the mean of a box of min_box x min_box, for storage = auto; 0: any")              \
    X(BOOL,  scrub,         1, NOTHING, AG_SCRUB_HELP)
#define AG_SAT_TAG AG_TAG('s', 'a', 't', ' ')
AG_SETTINGS_STRUCT(ag_sat_settings, AG_SAT_SETTINGS)

// Where settings start: an initializer, and for C a pointer to a struct with members by name.
#define AG_SAT_DEFAULTS {sizeof(ag_sat_settings), AG_SAT_TAG, AG_SAT_SETTINGS(AG_DEFAULT)}
#define ag_sat_params(...) AG_PARAMS(ag_sat_settings, AG_SAT_TAG, AG_SAT_SETTINGS, __VA_ARGS__)
// clang-format on

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
