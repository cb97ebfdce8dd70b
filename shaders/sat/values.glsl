// sat/values.glsl - the numbers that a table adds up: their types, what a texel counts as, and where a part lies
//
//   host sets CHANNELS     1, 2, 4: of the table
//             SQUARE       1 = also a table of squares: planes CHANNELS .. 2 CHANNELS - 1
//             OFFSET       AG_TABLE_PLAIN, _HALF, _MEAN: what is taken off every texel first
//             COUNTS       1 = 8-bit codes are counted as they are (integers only)
//             CENTER       1 = four tables from the centre outward
//             SUM          type of sums of a tile's columns and rows      float | double | uint
//             LOCAL        type of the scan within a tile                 float | double | uint
//             WIDE         type of sums of everything above or left       double | uint
//   why       a sum over a tile has 12 more bits than a texel, and a float has them for what float32 and
//             split promise; the others promise more. Squares lose half of their bits to the offset
//   Functions that depend on a type are there for each: the last argument, of any value, says which.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_VALUES_GLSL
#define AG_SAT_VALUES_GLSL
#if !defined(CHANNELS) || !defined(SQUARE) || !defined(OFFSET) || !defined(COUNTS) || !defined(CENTER) || \
    !defined(SUM) || !defined(LOCAL) || !defined(WIDE)
#error "CHANNELS, SQUARE, OFFSET, COUNTS, CENTER, SUM, LOCAL and WIDE must be set by the host"
#endif
#include "sat/interface.h"
#include "common/source.glsl"

#define PLANES (CHANNELS * (1 + SQUARE))
#define PARTS (CENTER != 0 ? 4 : 1)

layout(location = AG_LOC_SAT_VALUE) uniform vec4 u_value;

float units_of_1() { return u_value.x; }
float units_of_1_squared() { return u_value.y; }
float largest_value() { return u_value.z; } // a texel beyond it may not wrap the boxes around it
float fixed_offset() { return u_value.w; }  // AG_TABLE_HALF

ivec2 image_corner() { return u_src_rect.xy; }
ivec2 image_size() { return u_src_rect.zw; }
bool scrubs() { return u_src_mode.z != 0; }
uint no_bits() { return uint(u_src_mode.y); } // 0, which no compiler knows
#define ROLLED(turns) ((turns) + int(no_bits())) // the bound of a loop that stays one: less code is compiled sooner

// The same float or double, as bits that no compiler can look through. NVIDIA's
// driver 580 turned unpackUnorm4x8 and unpackHalf2x16 that become doubles at once into garbage, and used
// doubles rounded to floats where sums are also stored as floats (docs/sat.md).
float settled(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ no_bits()); }
double settled(uvec2 d) { return packDouble2x32(d ^ uvec2(no_bits())); }
double settled(double d) { return settled(unpackDouble2x32(d)); }

// ---- what a texel counts as: less the offset or not, squared or not

float number(float x, const bool less, float offset, const bool squared, float type)
{
    if (less)
        x -= offset;
    return squared ? x * x : x;
}

double number(float x, const bool less, float offset, const bool squared, double type)
{
    double d = double(settled(x));
    if (less)
        d -= double(offset);
    return squared ? d * d : d;
}

// Rounded to the nearest unit.
uint number(float x, const bool less, float offset, const bool squared, uint type)
{
    x = clamp(x, 0.0, largest_value());
    uint code = uint(x * units_of_1() + 0.5);
    if (squared && COUNTS != 0)
        code = code * code;
    else if (squared)
        code = uint(settled(x * x) * units_of_1_squared() + 0.5); // x * x is rounded before it is multiplied
    return code;
}

// What the sums of tiles add up: the offset is taken off those later.
SUM raw_value(vec4 c, const int plane)
{
    return number(c[plane % CHANNELS], false, 0.0, plane >= CHANNELS, SUM(0));
}

// The same, as wide as what lines add up that are scanned whole.
WIDE wide_value(vec4 c, const int plane)
{
    return number(c[plane % CHANNELS], false, 0.0, plane >= CHANNELS, WIDE(0));
}

// What the scan of a tile adds up: a texel's channel without the offset.
LOCAL local_value(float x, float offset, const bool squared)
{
    return number(x, OFFSET != AG_TABLE_PLAIN, offset, squared, LOCAL(0));
}

// A sum of `texels` texels without the offset m, and a sum of their squares: of (x - m)^2. Integers have no offset.
double without_offset(double sum, double m, double texels) { return sum - m * texels; }
uint without_offset(uint sum, uint m, uint texels) { return sum; }
double squares_without_offset(double squares, double sum, double m, double texels)
{
    return squares + m * (m * texels - (sum + sum));
}
uint squares_without_offset(uint squares, uint sum, uint m, uint texels) { return squares; }

// A select without a branch, whatever the compiler makes of ?:. Not a product, as 0 times Inf is NaN. Of doubles by
// their bits: NVIDIA's driver 580 makes a branch of mix(double).
float only(bool b, float x) { return mix(0.0, x, b); }
double only(bool b, double x) { return packDouble2x32(unpackDouble2x32(x) & uvec2(-int(b))); }
uint only(bool b, uint x) { return x * uint(b); }

// ---- where a part of the image lies
//
// With CENTER the image falls into four parts, one table each; a part counts from the centre outward:
//
//        part 3 | part 2      part = 0: right and down, 1: left and down, 2: right and up, 3: left and up
//        -------+-------      (drawn with row 0 at the bottom)
//        part 1 | part 0      centre: texel (w / 2, h / 2) is the first of part 0

struct part_frame {
    ivec2 origin, direction, size; // texel of the part's (0,0); its axes; its size
};

part_frame frame_of_part(int part)
{
    ivec2 size = image_size();
    part_frame frame = part_frame(ivec2(0), ivec2(1), size);
    if (CENTER != 0) {
        ivec2 centre = size / 2, side = ivec2(part & 1, part >> 1);
        frame = part_frame(centre - side, 1 - 2 * side, side * centre + (1 - side) * (size - centre));
    }
    return frame;
}

#endif
