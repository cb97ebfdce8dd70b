// sat/store_sections.glsl - stores sums, low parts, squares and theirs in one call, store_texel
//
//   out       where each section is an image, also i_low, i_squares_low (sat/store.glsl)
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/store_squares.glsl"

#if QUERY != AG_QUERY_IMAGE
void store_low(ivec2 place, ENTRY low) { store_section(1, place, low); }
void store_squares_low(ivec2 place, ENTRY low) { store_section(3, place, low); }
#else
layout(binding = AG_IMAGE_LOW) writeonly uniform image2D i_low;
layout(binding = AG_IMAGE_SQUARES_LOW) writeonly uniform image2D i_squares_low;

// A low part as a 16-bit float: clamped, and rounded to nearest, ties to even, because drivers
// truncate (D6).
vec4 round_residual(vec4 v)
{
    v = clamp(v, -65504.0, 65504.0);
    uvec4 u = floatBitsToUint(v);
    u += 0xfffu + ((u >> 13) & 1u);
    vec4 normal = uintBitsToFloat(u & ~0x1fffu);
    vec4 small = roundEven(v * 16777216.0) * (1.0 / 16777216.0); // below 2^-14
    return mix(normal, small, lessThan(abs(v), vec4(6.103515625e-5)));
}

vec4 stored_low(ENTRY entry)
{
    vec4 low = vec4(entry);
    return STORAGE == AG_TABLE_RESIDUAL ? round_residual(low) : low;
}

void store_low(ivec2 p, ENTRY e) { imageStore(i_low, table_corner() + p + EDGE, stored_low(e)); }
void store_squares_low(ivec2 place, ENTRY low)
{
    imageStore(i_squares_low, table_corner() + place + EDGE, stored_low(low));
}
#endif

void store_texel(ivec2 place, ENTRY high, ENTRY low, ENTRY square_high, ENTRY square_low)
{
    store_section(0, place, high);
    if (HAS_LOW)
        store_low(place, low);
    if (SQUARE != 0)
        store_squares(place, square_high);
    if (SQUARE != 0 && HAS_LOW)
        store_squares_low(place, square_low);
}

void store_zero(ivec2 place) { store_texel(place, ENTRY(0), ENTRY(0), ENTRY(0), ENTRY(0)); }
