// sat.h - settings of the effect "sat": summed-area tables with a stated precision
// SPDX-License-Identifier: MIT
//
//   S(x,y) = sum of src(i,j) - offset over i <= x, j <= y          inclusive, dst of src's size
//   S(x,y) = the same over i < x, j < y                            exclusive, one row and column more
//
// The sum over any box is then four entries: see shaders/sat/query.glsl, made to be included by your
// shaders, for boxes, fractional edges, means and standard deviations from every storage.
//
//   slots     src           a colour image; a rectangle, as many layers as you like
//             dst           the table, R/RG/RGBA32F (uint32: 32UI), with src's number of channels or fewer
//                           (3 count as 4), src's size and layers. May be src itself where the storage is
//                           float32, the format its own and the edge inclusive
//             low           float32_residual: R/RG/RGBA16F, double_float: 32F, of dst's size; split: 32F,
//                           ag_sat_split_width x ag_sat_split_height. Others: must be empty
//             squares       square on: the table of squares (of src - offset), like dst
//             squares_low   square on: like low
//             mean          offset = mean: 32F, 1 x 1, as many layers: what was taken off each channel
//             Rectangles of low, squares and squares_low begin where dst's does; split's sums and mean at 0, 0
//   storage   float32           S rounded once to a float
//             float32_residual  S = dst + low, 24 + 11 bits
//             double_float      S = dst + low, 48 bits
//             uint32            fixed point modulo 2^32: boxes up to max_box are exact to half a unit a
//                               texel, whatever the image's size. Texels are clamped to 0..max_value;
//                               8-bit texels (not sRGB) count as their codes
//             split             dst holds a table for each tile of 32 x 32, low the sums beside them
//             auto              the cheapest that holds `tolerance` by the bound of ag_api.sat_error, among
//                               those that the given slots can store; refused when none does
//   origin    center: four tables, S(x,y) = the sum between the centre and the texel, the centre being the
//             low corner of texel (W/2, H/2)
//   error     of the mean of a box: ag_api.sat_error; uint32: to the bit. float32 with square and offset = mean has
//             the bound of the whole sum, as if no mean came off: a driver rounds early there (docs/sat.md). Take
//             double_float, or no squares, where that matters
//   cost      tiles: 3 dispatches, or 2 while tiles are few; brlt_scanrow (never chosen by auto, as tiles
//             are as quick or quicker at every size that was timed: docs/sat.md): 2
//   bits      the same from run to run of a job on a device. Not with other AG_WITHOUT_* bits, nor of a texture that
//             is read another way: in place, where the driver has subgroups, sums are added in another order
//             than apart. Each is within the error above
//   scrub     on: a non-finite texel counts as 0 and in ag_health. Off: it makes every entry right and
//             below NaN or Inf; with uint32 its value is undefined
//   refused   by name: combinations without meaning (docs/sat.md lists them), sizes above 16384
//   source    Crow 1984; Nehab et al. 2011; Chen et al. 2018; Hensley et al. 2005; docs/sat.md
#ifndef AFTERGLOW_SAT_H
#define AFTERGLOW_SAT_H

#include <stdint.h>

enum { AG_SAT_METHOD_AUTO = 0, AG_SAT_TILES = 1, AG_SAT_BRLT_SCANROW = 2 };
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

typedef struct ag_sat_settings { // fill with ag_api.defaults, then change what you like
    int32_t method;        // AG_SAT_METHOD_AUTO, AG_SAT_TILES, AG_SAT_BRLT_SCANROW
    int32_t storage;       // AG_SAT_AUTO ...
    int32_t offset;        // AG_SAT_OFFSET_*: none, 1/2, or the image's mean, taken off every texel
    int32_t origin;        // AG_SAT_CORNER, AG_SAT_CENTER
    int32_t edge;          // AG_SAT_INCLUSIVE, AG_SAT_EXCLUSIVE
    int32_t square;        // 1: also the table of squares, from the same reads; default 0
    int32_t fraction_bits; // uint32: bits after the point, 0..24; -1 (default): as many as max_value and
                           // max_box leave
    float max_value;       // 2^-20..65504, default 1: no texel is larger
    int32_t min_box;       // texels a side of the smallest box you will ask for; 1.., default 9
    int32_t max_box;       // of the largest; 0 (default): the whole image
    float tolerance;       // auto: of the mean of a min_box square; 0: any; default 1/255
    int32_t scrub;         // 1 (default): non-finite texels count as 0, and are counted in ag_health
} ag_sat_settings;

// ag_sat_settings s = AG_SAT_DEFAULTS; is what ag_api.defaults fills in, for who compiles against this header.
#define AG_SAT_DEFAULTS \
    {AG_SAT_METHOD_AUTO, AG_SAT_AUTO, AG_SAT_OFFSET_NONE, AG_SAT_CORNER, AG_SAT_INCLUSIVE, 0, -1, 1, 9, 0, 1.0f / 255, 1}

// ---- which storage holds: what ag_api.sat_error, sat_fraction_bits and sat_choose are asked -------

typedef struct ag_sat_question {
    uint32_t struct_size;     // sizeof(ag_sat_question); of another size nothing holds and nothing fits
    int32_t width, height;    // of the image
    int32_t min_box, max_box; // sides of the smallest and largest box; max_box 0: the whole image
    int32_t codes;            // 1: 8-bit texels, not sRGB: uint32 counts codes
    int32_t fraction_bits;    // -1: chosen
    int32_t offset, origin;   // AG_SAT_*
    int32_t square;           // 1: the table of squares is made, too
    double max_value;         // texels are within 0..max_value; all else is in range, or the answers mean nothing
} ag_sat_question;

#endif
