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
//             auto              the cheapest that holds `tolerance` by the bound of ag_sat_error, among
//                               those that the given slots can store; refused when none does
//   origin    center: four tables, S(x,y) = the sum between the centre and the texel, the centre being the
//             low corner of texel (W/2, H/2)
//   error     of the mean of a box: ag_sat_error, below; uint32: to the bit. Not float32 with square and offset =
//             mean by tiles on NVIDIA's driver 580, which rounds too early (docs/sat.md)
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

#include <math.h>
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

// ---- which storage holds ----------------------------------------------------------------------

typedef struct ag_sat_question {
    int32_t width, height;    // of the image
    int32_t min_box, max_box; // sides of the smallest and largest box; max_box 0: the whole image
    int32_t codes;            // 1: 8-bit texels, not sRGB: uint32 counts codes
    int32_t fraction_bits;    // -1: chosen
    int32_t offset, origin;   // AG_SAT_*
    double max_value;         // texels are within 0..max_value
} ag_sat_question;

// The distance of neighbouring floats around x.
static inline double ag_sat_ulp(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent - 24);
}

// Fraction bits of uint32: the most, up to 24, with which no box of max_box wraps; -1: not even 0 do.
// `power` 2: of the table of squares.
static inline int32_t ag_sat_fraction_bits(const ag_sat_question *q, int32_t power)
{
    double w = q->max_box && q->max_box < q->width ? q->max_box : q->width;
    double h = q->max_box && q->max_box < q->height ? q->max_box : q->height;
    double most = power == 2 ? q->max_value * q->max_value : q->max_value;
    int32_t bits = 24;
    if (q->codes)
        return w * h * (power == 2 ? 65025.0 : 255.0) < 4294967296.0 ? 0 : -1;
    if (q->fraction_bits >= 0)
        return w * h * (ldexp(most, (int)q->fraction_bits) + 0.5) < 4294967296.0 ? q->fraction_bits
                                                                                 : -1;
    while (bits >= 0 && w * h * (ldexp(most, (int)bits) + 0.5) >= 4294967296.0)
        --bits;
    return bits;
}

// Bound of |error| of the mean of any box of min_box x min_box texels or more, asked with
// shaders/sat/query.glsl. Infinite where the storage cannot hold the image at all.
static inline double ag_sat_error(const ag_sat_question *q, int32_t storage)
{
    double texels = (double)q->width * q->height, area = (double)q->min_box * q->min_box;
    double share = 1, largest, tile = 4096 * q->max_value, ask = ldexp(q->max_value, -22);
    int32_t bits = ag_sat_fraction_bits(q, 1);
    if (q->origin == AG_SAT_CENTER)
        texels = ((q->width + 1) / 2) * (double)((q->height + 1) / 2);
    if (q->offset == AG_SAT_OFFSET_HALF)
        share = fmax(0.5, fabs(q->max_value - 0.5)) / q->max_value;
    if (q->offset == AG_SAT_OFFSET_MEAN) // f of the image at max_value, the rest 0: f (1 - f)
        share = q->origin == AG_SAT_CENTER ? 0.75 : 0.25;
    largest = texels * q->max_value * share;
    tile = fmin(tile, largest);
    switch (storage) {
    case AG_SAT_FLOAT32: // four entries, each half a unit off, and a tile's own roundings
        return 2 * (ag_sat_ulp(largest) + 12 * ag_sat_ulp(tile)) / area + ask;
    case AG_SAT_FLOAT32_RESIDUAL:
        return largest >= ldexp(1.0, 40)
                   ? HUGE_VAL
                   : 4 * (ldexp(ag_sat_ulp(largest), -12) + ldexp(1.0, -25)) / area + ask;
    case AG_SAT_DOUBLE_FLOAT: return 4 * ldexp(largest, -47) / area + ask;
    case AG_SAT_UINT32:
        return bits < 0 || q->offset || q->origin ? HUGE_VAL
                                                  : (q->codes ? 0 : ldexp(0.5, -(int)bits)) + ask;
    case AG_SAT_SPLIT:
        return q->origin ? HUGE_VAL : 4 * 7 * ag_sat_ulp(1024 * q->max_value) / area + ask;
    default: return HUGE_VAL;
    }
}

// The cheapest storage of those in `allowed` (bits 1 << AG_SAT_*; 0: all) whose bound is at most
// `tolerance`; 0: none. Bytes a channel: float32 and uint32 4, split 4.5, residual 6, double 8.
static inline int32_t ag_sat_choose(const ag_sat_question *q, double tolerance, uint32_t allowed)
{
    static const int32_t cheapest_first[5] = {AG_SAT_FLOAT32, AG_SAT_UINT32, AG_SAT_SPLIT,
                                              AG_SAT_FLOAT32_RESIDUAL, AG_SAT_DOUBLE_FLOAT};
    int i;
    for (i = 0; i < 5; ++i) {
        int32_t storage = cheapest_first[i];
        if ((!allowed || (allowed >> storage & 1u)) && ag_sat_error(q, storage) <= tolerance)
            return storage;
    }
    return 0;
}

// Size of `low` and `squares_low` for split.
static inline int32_t ag_sat_split_width(int32_t width, int32_t height)
{
    return width > height ? width : height;
}

static inline int32_t ag_sat_split_height(int32_t width, int32_t height)
{
    return 2 * ((width + 31) / 32 + (height + 31) / 32);
}

#endif
