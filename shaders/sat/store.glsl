// sat/store.glsl - writes an entry of a table as its storage wants it
//
//   out       i_dst, i_low, i_squares, i_squares_low   as far as the storage and SQUARE have them
//             or b_table, or i_dst alone, as ASKED says (common/interface.h)
//   host sets EDGE     1 = exclusive: entries move by (1, 1), and row 0 and column 0 are 0
//             ASKED    AG_ASK_*: where the table lies. Not _IMAGE: float32, double_float or uint32, EDGE 0
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_STORE_GLSL
#define AG_SAT_STORE_GLSL
#ifndef EDGE
#error "EDGE must be set by the host"
#endif
#ifndef ASKED
#error "ASKED (AG_ASK_*) must be set by the host"
#endif
#include "sat/interface.h"
#include "sat/values.glsl"

#if STORAGE == AG_TABLE_UINT32
#define ENTRY uvec4
#define TABLE_IMAGE uimage2D
#else
#define ENTRY vec4
#define TABLE_IMAGE image2D
#endif
#define HAS_LOW (STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE)

#if ASKED == AG_ASK_BUFFER
#if STORAGE == AG_TABLE_UINT32
#define ENTRY_WORD uint
#define ENTRY_PAIR uvec2
#else
#define ENTRY_WORD float
#define ENTRY_PAIR vec2
#endif
#if CHANNELS == 1
layout(std430, binding = AG_SSBO_TABLE) writeonly buffer Table { ENTRY_WORD b_table[]; };
#define STORED(entry) (entry).x
#elif CHANNELS == 2
layout(std430, binding = AG_SSBO_TABLE) writeonly buffer Table { ENTRY_PAIR b_table[]; };
#define STORED(entry) (entry).xy
#else
layout(std430, binding = AG_SSBO_TABLE) writeonly buffer Table { ENTRY b_table[]; };
#define STORED(entry) (entry)
#endif
#else
layout(binding = AG_IMAGE_DST) writeonly uniform TABLE_IMAGE i_dst;
#endif
#if (HAS_LOW || STORAGE == AG_TABLE_SPLIT) && ASKED == AG_ASK_IMAGE
layout(binding = AG_IMAGE_LOW) writeonly uniform image2D i_low;
#endif
#if SQUARE && ASKED == AG_ASK_IMAGE
layout(binding = AG_IMAGE_SQUARES) writeonly uniform TABLE_IMAGE i_squares;
#if HAS_LOW || STORAGE == AG_TABLE_SPLIT
layout(binding = AG_IMAGE_SQUARES_LOW) writeonly uniform image2D i_squares_low;
#endif
#endif
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y, width, height

// What is left of a sum after its float, for a 16-bit one: to nearest, ties to even, clamped here, since
// drivers truncate. (common/store.glsl does it for images of its own.)
vec4 round_residual(vec4 v)
{
#if STORAGE == AG_TABLE_RESIDUAL
    v = clamp(v, -65504.0, 65504.0);
    uvec4 u = floatBitsToUint(v);
    u += 0xfffu + ((u >> 13) & 1u);
    vec4 normal = uintBitsToFloat(u & ~0x1fffu);
    vec4 small = roundEven(v * 16777216.0) * (1.0 / 16777216.0); // below 2^-14
    return mix(normal, small, lessThan(abs(v), vec4(6.103515625e-5)));
#else
    return v;
#endif
}

#if ASKED != AG_ASK_IMAGE
void store_sheet(const int sheet, ivec2 place, ENTRY entry)
{
    ivec2 at = u_dst_rect.xy + place + ivec2(0, sheet * u_dst_rect.w);
#if ASKED == AG_ASK_BUFFER
    b_table[at.y * u_dst_rect.z + at.x] = STORED(entry);
#else
    imageStore(i_dst, at, entry);
#endif
}

void store_entry(ivec2 place, ENTRY high, vec4 low)
{
    store_sheet(0, place, high);
#if HAS_LOW
    store_sheet(1, place, low);
#endif
}

void store_square(ivec2 place, ENTRY high, vec4 low)
{
#if SQUARE
    store_sheet(1 + int(HAS_LOW), place, high);
#if HAS_LOW
    store_sheet(3, place, low);
#endif
#endif
}
#else
// `place`: a texel of the image. `low` matters to storages that have it.
void store_entry(ivec2 place, ENTRY high, vec4 low)
{
    ivec2 at = u_dst_rect.xy + place + EDGE;
    imageStore(i_dst, at, high);
#if HAS_LOW
    imageStore(i_low, at, round_residual(low));
#endif
}

void store_square(ivec2 place, ENTRY high, vec4 low)
{
#if SQUARE
    ivec2 at = u_dst_rect.xy + place + EDGE;
    imageStore(i_squares, at, high);
#if HAS_LOW
    imageStore(i_squares_low, at, round_residual(low));
#endif
#endif
}
#endif

// The row or column of zeros of an exclusive table; `at` counts from the table's corner.
void store_zero(ivec2 at)
{
#if EDGE
    store_entry(at - 1, ENTRY(0), vec4(0.0));
    store_square(at - 1, ENTRY(0), vec4(0.0));
#endif
}

#endif
