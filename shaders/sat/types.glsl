// sat/types.glsl - the types and uniforms of a table, the values of texels, and the image's parts
//
//   host sets CHANNELS     1, 2, 4: of the table
//             SQUARE       1 = also a table of squares: planes CHANNELS .. 2 CHANNELS - 1
//             OFFSET       AG_TABLE_PLAIN, _HALF, _MEAN: what is subtracted from every texel
//             COUNTS       1 = 8-bit codes are added up as they are (storage uint32 only)
//             CENTER       1 = four tables from the centre outward
//             SUM          type of sums of a tile's columns and rows      float | WIDE
//             LOCAL        type of the scan within a tile                 float | WIDE
//             WIDE         type of sums of everything above or left       vec2 | double | uint
//             DOUBLES      1 = some of these are double
//   why       Floats hold sums over a tile within the bounds of float32 and split, not of squares
//             and residual. WIDE sums are pairs of floats (common/pair.glsl), because some drivers
//             emulate doubles. Only the bound of double_float, 2^-47 of a sum, needs doubles
//   wide      sat/wide.glsl has the arithmetic of WIDE sums
//   Functions that depend on a type exist for each: the last argument, of any value, selects one.
//
//   With CENTER the image has four parts, each with a table that begins at the centre:
//
//        part 3 | part 2      part 0: right and down, 1: left and down, 2: right, up, 3: left
//                             and up
//        -------+-------      (drawn with row 0 at the bottom)
//        part 1 | part 0      centre: texel (w / 2, h / 2) is the first of part 0
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(SQUARE) || !defined(OFFSET) || !defined(COUNTS) || \
    !defined(CENTER) || !defined(SUM) || !defined(LOCAL) || !defined(WIDE) || !defined(DOUBLES)
#error "CHANNELS, SQUARE, OFFSET, COUNTS, CENTER, SUM, LOCAL, WIDE, DOUBLES: set by the host"
#endif
#include "sat/interface.h"
#include "common/source.glsl"

#define MOMENTS 0 // 1 = AG_TEXEL_MOMENTS
#ifdef SRC_TEXEL
#if SRC_TEXEL == AG_TEXEL_MOMENTS
#undef MOMENTS
#define MOMENTS 1
#endif
#endif
#define PLANES (CHANNELS * (1 + SQUARE) - MOMENTS) // the fourth of moments is not summed
#define PARTS (CENTER != 0 ? 4 : 1)

layout(location = AG_LOC_SAT_VALUE) uniform vec4 u_value;

float units_of_1() { return u_value.x; }
float units_of_1_squared() { return u_value.y; }
float largest_value() { return u_value.z; } // texels are clamped to it, so that boxes do not wrap
float fixed_offset() { return u_value.w; }  // AG_TABLE_HALF

ivec2 image_corner() { return u_src_rect.xy; }
ivec2 image_size() { return u_src_rect.zw; }
bool scrubs() { return u_src_mode.z != 0; }
uint no_bits() { return uint(u_src_mode.y); } // 0, which no compiler knows
// the bound of a loop that is not unrolled (docs/decisions.md, D48)
#define ROLLED(turns) ((turns) + int(no_bits()))

// The same value through an exclusive or, which is opaque to compilers. NVIDIA's driver 580
// computes doubles wrongly otherwise (docs/decisions.md, D4).
float opaque(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ no_bits()); }
#if DOUBLES
double opaque(uvec2 d) { return packDouble2x32(d ^ uvec2(no_bits())); }
double opaque(double d) { return opaque(unpackDouble2x32(d)); }
#endif

float added(float a, float b) { return a + b; } // of WIDE types: sat/wide.glsl
uint added(uint a, uint b) { return a + b; }

// The value of a texel: less the offset or not, squared or not. As a pair: sat/wide.glsl
float number(float x, const bool less, float offset, const bool squared, float type)
{
    if (less)
        x -= offset;
    return squared ? x * x : x;
}
#if DOUBLES
double number(float x, const bool less, float offset, const bool squared, double type)
{
    double d = double(opaque(x));
    if (less)
        d -= double(offset);
    return squared ? d * d : d;
}
#endif

// The value of a texel, rounded to the nearest unit.
uint number(float x, const bool less, float offset, const bool squared, uint type)
{
    x = clamp(x, 0.0, largest_value());
    uint code = uint(x * units_of_1() + 0.5);
    if (squared && COUNTS != 0)
        code = code * code;
    else if (squared)
        // x * x is rounded before it is multiplied
        code = uint(opaque(x * x) * units_of_1_squared() + 0.5);
    return code;
}

// That of a whole number is the number.
uint number(uint x, const bool less, float offset, const bool squared, uint type) { return x; }

// x or 0, without a branch (docs/decisions.md, D13) and without a product, because 0 times Inf is
// NaN. Doubles are masked: NVIDIA's driver 580 makes a branch of mix(double).
float only(bool b, float x) { return mix(0.0, x, b); }
vec2 only(bool b, vec2 x) { return mix(vec2(0.0), x, bvec2(b)); }
uint only(bool b, uint x) { return x * uint(b); }
#if DOUBLES
double only(bool b, double x) { return packDouble2x32(unpackDouble2x32(x) & uvec2(-int(b))); }
#endif

// ---- where a part of the image lies

struct part_frame {
    ivec2 origin, direction, size; // the texel of the part's (0,0); directions; size
};

part_frame frame_of_part(int part)
{
    ivec2 size = image_size();
    part_frame frame = part_frame(ivec2(0), ivec2(1), size);
    if (CENTER != 0) {
        ivec2 centre = size / 2, side = ivec2(part & 1, part >> 1);
        frame = part_frame(centre - side, 1 - 2 * side,
                           side * centre + (1 - side) * (size - centre));
    }
    return frame;
}
