// sat/store.glsl - writes an entry of a table in the form of its storage
//
//   out       the sections of a table (sat/interface.h), in the image i_dst or in b_table (QUERY)
//             i_low, i_squares, i_squares_low, those that the table has, with AG_QUERY_IMAGE
//   host sets STORAGE     AG_TABLE_FLOAT32, _RESIDUAL, _DOUBLE, _UINT32, _SPLIT: how the table is
//                         stored
//             EDGE        1 = exclusive: entries move by (1, 1), and row 0 and column 0 are 0
//             QUERY       AG_QUERY_*: where the table lies. _TEXTURE and _BUFFER need EDGE 0 and
//                         float32, double_float or uint32
//             SAT_ENTRY   the GLSL type of an entry in b_table
//             and the defines of sat/types.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(STORAGE) || !defined(EDGE) || !defined(QUERY) || !defined(SAT_ENTRY)
#error "STORAGE, EDGE, QUERY and SAT_ENTRY must be set by the host"
#endif
#include "sat/types.glsl"

#if STORAGE == AG_TABLE_UINT32
#define ENTRY uvec4
#define COMPONENT uint // a channel of an entry
#define TABLE_IMAGE uimage2D
#else
#define ENTRY vec4
#define COMPONENT float
#define TABLE_IMAGE image2D
#endif

layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;

ivec2 table_corner() { return u_dst_rect.xy; }
int table_width() { return u_dst_rect.z; }
int table_height() { return u_dst_rect.w; } // of a section

#define HAS_LOW (STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE)

#if QUERY == AG_QUERY_BUFFER
layout(std430, binding = AG_SSBO_TABLE) writeonly buffer Table { SAT_ENTRY b_table[]; };

float stored(vec4 entry, float type) { return entry.x; }
vec2 stored(vec4 entry, vec2 type) { return entry.xy; }
vec4 stored(vec4 entry, vec4 type) { return entry; }
uint stored(uvec4 entry, uint type) { return entry.x; }
uvec2 stored(uvec4 entry, uvec2 type) { return entry.xy; }
uvec4 stored(uvec4 entry, uvec4 type) { return entry; }

void store_section(const int section, ivec2 place, ENTRY entry)
{
    ivec2 at = table_corner() + place + ivec2(0, section * table_height());
    b_table[at.y * table_width() + at.x] = stored(entry, SAT_ENTRY(0));
}

#else
layout(binding = AG_IMAGE_DST) writeonly uniform TABLE_IMAGE i_dst;

void store_section(const int section, ivec2 place, ENTRY entry)
{
    ivec2 at = table_corner() + place + EDGE;
    if (QUERY == AG_QUERY_TEXTURE)
        at.y += section * table_height();
    imageStore(i_dst, at, entry);
}
#endif

#if QUERY == AG_QUERY_IMAGE // images that the table lacks are not declared
#if HAS_LOW || STORAGE == AG_TABLE_SPLIT
layout(binding = AG_IMAGE_LOW) writeonly uniform image2D i_low;
#endif
#if SQUARE
layout(binding = AG_IMAGE_SQUARES) writeonly uniform TABLE_IMAGE i_squares;
void store_squares(ivec2 p, ENTRY e) { imageStore(i_squares, table_corner() + p + EDGE, e); }
#if HAS_LOW || STORAGE == AG_TABLE_SPLIT
layout(binding = AG_IMAGE_SQUARES_LOW) writeonly uniform image2D i_squares_low;
#endif
#endif

#if HAS_LOW
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

vec4 stored_low(vec4 low) { return STORAGE == AG_TABLE_RESIDUAL ? round_residual(low) : low; }
void store_low(ivec2 p, vec4 e) { imageStore(i_low, table_corner() + p + EDGE, stored_low(e)); }
#if SQUARE
void store_squares_low(ivec2 p, vec4 e)
{
    imageStore(i_squares_low, table_corner() + p + EDGE, stored_low(e));
}
#endif
#endif
#else
void store_low(ivec2 place, ENTRY low) { store_section(1, place, low); }
void store_squares(ivec2 place, ENTRY entry) { store_section(1 + int(HAS_LOW), place, entry); }
void store_squares_low(ivec2 place, ENTRY low) { store_section(3, place, low); }
#endif

// Stores the sections that the table has.
void store_texel(ivec2 place, ENTRY high, ENTRY low, ENTRY square_high, ENTRY square_low)
{
    store_section(0, place, high);
#if HAS_LOW
    store_low(place, low);
#endif
#if SQUARE
    store_squares(place, square_high);
#endif
#if SQUARE && HAS_LOW
    store_squares_low(place, square_low);
#endif
}

// Exclusive: for `at` in the first row or column, stores the zeros left of it, above it, and both.
void store_zeros(ivec2 at)
{
    for (int k = 1; k < 4; ++k) {
        ivec2 back = ivec2(k & 1, k >> 1);
        if (at * back == ivec2(0))
            store_texel(at - back, ENTRY(0), ENTRY(0), ENTRY(0), ENTRY(0));
    }
}
