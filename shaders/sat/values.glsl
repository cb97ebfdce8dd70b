// sat/values.glsl - the numbers that a table adds up: their types, and what a texel counts as
//
//   host sets STORAGE      AG_TABLE_*: how the table is stored
//             CHANNELS     1, 2, 4: of the table
//             SQUARE       1 = also a table of squares: planes CHANNELS .. 2 CHANNELS - 1
//             OFFSET       AG_TABLE_PLAIN, _HALF, _MEAN: what is taken off every texel first
//             COUNTS       1 = 8-bit codes are counted as they are (uint32 only)
//             CENTER       1 = four tables from the centre outward
//   types     SUM          sums of a tile's columns and rows      float | double | uint
//             LOCAL        the scan within a tile                 float | double | uint
//             WIDE         sums of everything above or left       double | uint
//   why       a sum over a tile has 12 more bits than a texel, and a float has them for what float32 and
//             split promise; the others promise more. Squares lose half of their bits to the offset
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_VALUES_GLSL
#define AG_SAT_VALUES_GLSL
#if !defined(STORAGE) || !defined(CHANNELS) || !defined(SQUARE) || !defined(OFFSET) || \
    !defined(COUNTS) || !defined(CENTER)
#error "STORAGE, CHANNELS, SQUARE, OFFSET, COUNTS and CENTER must be set by the host"
#endif
#include "sat/interface.h"
#include "sat/source.glsl"

#define PLANES (CHANNELS * (1 + SQUARE))

#define SUM_IS_DOUBLE (STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE || \
                       (SQUARE && STORAGE != AG_TABLE_UINT32))
#if STORAGE == AG_TABLE_UINT32
#define SUM uint
#define LOCAL uint
#define WIDE uint
#elif STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE
#define SUM double
#define LOCAL double
#define WIDE double
#elif SQUARE
#define SUM double
#define LOCAL float
#define WIDE double
#else
#define SUM float
#define LOCAL float
#define WIDE double
#endif

layout(location = AG_LOC_SAT_VALUE) uniform vec4 u_value; // units, units of squares, max, offset

// The same float or double, as bits that no compiler can look through (u_src_mode.y is 0 here). NVIDIA's
// driver 580 turned unpackUnorm4x8 and unpackHalf2x16 that become doubles at once into garbage, and used
// doubles rounded to floats where sums are also stored as floats (docs/sat.md).
float settled(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ uint(u_src_mode.y)); }
double settled(uvec2 d) { return packDouble2x32(d ^ uvec2(u_src_mode.y)); }
double settled(double d) { return settled(unpackDouble2x32(d)); }

#if STORAGE == AG_TABLE_UINT32
// Rounded to the nearest unit. Clamped first: a texel beyond max_value may not wrap the boxes around it.
uint units(float x, const int plane)
{
    x = clamp(x, 0.0, u_value.z);
    if (plane < CHANNELS)
        return uint(x * u_value.x + 0.5);
#if COUNTS
    uint code = uint(x * u_value.x + 0.5);
    return code * code;
#else
    precise float square = x * x;
    return uint(square * u_value.y + 0.5);
#endif
}

uint raw_value(vec4 c, const int plane) { return units(c[plane % CHANNELS], plane); }
#else
// What reduce.comp adds up; the offset is taken off its sums later (finish.comp).
SUM raw_value(vec4 c, const int plane)
{
#if SUM_IS_DOUBLE
    SUM x = SUM(settled(c[plane % CHANNELS]));
#else
    SUM x = c[plane % CHANNELS];
#endif
    return plane < CHANNELS ? x : x * x;
}
#endif

// The same, as wide as what scan_lines.comp adds up.
WIDE wide_value(vec4 c, const int plane)
{
#if STORAGE == AG_TABLE_UINT32
    return raw_value(c, plane);
#else
    WIDE x = WIDE(settled(c[plane % CHANNELS]));
    return plane < CHANNELS ? x : x * x;
#endif
}

// What the tile's scan adds up: the texel without the offset.
LOCAL local_value(vec4 c, const int plane, float offset)
{
#if STORAGE == AG_TABLE_UINT32
    return raw_value(c, plane);
#else
#if STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE
    LOCAL x = LOCAL(settled(c[plane % CHANNELS]));
#else
    LOCAL x = c[plane % CHANNELS];
#endif
#if OFFSET != AG_TABLE_PLAIN
    x -= LOCAL(offset);
#endif
    return plane < CHANNELS ? x : x * x;
#endif
}

// A sum of `texels` texels without the offset m, and a sum of their squares: of (x - m)^2.
#if STORAGE != AG_TABLE_UINT32 && OFFSET != AG_TABLE_PLAIN
double without_offset(double sum, double m, double texels) { return sum - m * texels; }
double squares_without_offset(double squares, double sum, double m, double texels)
{
    return squares + m * (m * texels - (sum + sum));
}
#endif

// ---- where a tile lies
//
// With CENTER the image falls into four parts, one table each; a part counts from the centre outward:
//
//        part 3 | part 2      part = 0: right and down, 1: left and down, 2: right and up, 3: left and up
//        -------+-------      (drawn with row 0 at the bottom)
//        part 1 | part 0      centre: texel (w / 2, h / 2) is the first of part 0

struct part_frame {
    ivec2 origin, direction, size; // texel of the part's (0,0); its axes; its size
};

part_frame frame_of_part(int part, ivec2 size)
{
#if CENTER
    ivec2 centre = size / 2, side = ivec2(part & 1, part >> 1);
    return part_frame(centre - side, 1 - 2 * side, side * centre + (1 - side) * (size - centre));
#else
    return part_frame(ivec2(0), ivec2(1), size);
#endif
}

#define PARTS (CENTER != 0 ? 4 : 1)

#endif
