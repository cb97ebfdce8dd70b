// sat/store.glsl - writes an entry of a table as its storage wants it
//
//   out       i_dst, i_low, i_squares, i_squares_low   as far as the storage and SQUARE have them
//             or b_table, or i_dst alone, as ASKED says
//   host sets STORAGE     AG_TABLE_*: how the table is stored
//             EDGE        1 = exclusive: entries move by (1, 1), and row 0 and column 0 are 0
//             ASKED       AG_ASK_*: where the table lies. Not _IMAGE: float32, double_float or uint32, EDGE 0
//             TABLE_CELL  the GLSL type of an entry in b_table
//
//   The sheets of a table, which lie below each other or one after the other where they have no images of their own:
//
//        sums | what those leave over (low) | squares | what those leave over
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_STORE_GLSL
#define AG_SAT_STORE_GLSL
#if !defined(STORAGE) || !defined(EDGE) || !defined(ASKED) || !defined(TABLE_CELL)
#error "STORAGE, EDGE, ASKED and TABLE_CELL must be set by the host"
#endif
#include "sat/values.glsl"

#if STORAGE == AG_TABLE_UINT32
#define ENTRY uvec4
#define WORD uint // a channel of an entry
#define TABLE_IMAGE uimage2D
#else
#define ENTRY vec4
#define WORD float
#define TABLE_IMAGE image2D
#endif
#define HAS_LOW (STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE)

layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;

ivec2 table_corner() { return u_dst_rect.xy; }
int table_width() { return u_dst_rect.z; }
int table_height() { return u_dst_rect.w; } // of a sheet

#if ASKED == AG_ASK_BUFFER
layout(std430, binding = AG_SSBO_TABLE) writeonly buffer Table { TABLE_CELL b_table[]; };

float stored(vec4 entry, float type) { return entry.x; }
vec2 stored(vec4 entry, vec2 type) { return entry.xy; }
vec4 stored(vec4 entry, vec4 type) { return entry; }
uint stored(uvec4 entry, uint type) { return entry.x; }
uvec2 stored(uvec4 entry, uvec2 type) { return entry.xy; }
uvec4 stored(uvec4 entry, uvec4 type) { return entry; }

void store_sheet(const int sheet, ivec2 place, ENTRY entry)
{
    ivec2 at = table_corner() + place + ivec2(0, sheet * table_height());
    b_table[at.y * table_width() + at.x] = stored(entry, TABLE_CELL(0));
}

void store_low(const int sheet, ivec2 place, vec4 low) { store_sheet(sheet, place, ENTRY(low)); }
#else
layout(binding = AG_IMAGE_DST) writeonly uniform TABLE_IMAGE i_dst;
layout(binding = AG_IMAGE_LOW) writeonly uniform image2D i_low;
layout(binding = AG_IMAGE_SQUARES) writeonly uniform TABLE_IMAGE i_squares;
layout(binding = AG_IMAGE_SQUARES_LOW) writeonly uniform image2D i_squares_low;

void store_sheet(const int sheet, ivec2 place, ENTRY entry)
{
    ivec2 at = table_corner() + place + EDGE;
    if (ASKED == AG_ASK_TEXTURE)
        imageStore(i_dst, at + ivec2(0, sheet * table_height()), entry);
    else if (sheet == 0)
        imageStore(i_dst, at, entry);
    else
        imageStore(i_squares, at, entry);
}

// What is left of a sum after its float; for a 16-bit one rounded to nearest, ties to even, clamped here, since
// drivers truncate.
vec4 round_residual(vec4 v)
{
    v = clamp(v, -65504.0, 65504.0);
    uvec4 u = floatBitsToUint(v);
    u += 0xfffu + ((u >> 13) & 1u);
    vec4 normal = uintBitsToFloat(u & ~0x1fffu);
    vec4 small = roundEven(v * 16777216.0) * (1.0 / 16777216.0); // below 2^-14
    return mix(normal, small, lessThan(abs(v), vec4(6.103515625e-5)));
}

void store_low(const int sheet, ivec2 place, vec4 low)
{
    ivec2 at = table_corner() + place + EDGE;
    if (STORAGE == AG_TABLE_RESIDUAL)
        low = round_residual(low);
    if (ASKED == AG_ASK_TEXTURE)
        imageStore(i_dst, at + ivec2(0, sheet * table_height()), ENTRY(low));
    else if (sheet == 1)
        imageStore(i_low, at, low);
    else
        imageStore(i_squares_low, at, low);
}
#endif

// `place`: a texel of the image. `low` matters to storages that have it.
void store_entry(ivec2 place, ENTRY high, vec4 low)
{
    store_sheet(0, place, high);
    if (HAS_LOW)
        store_low(1, place, low);
}

void store_square(ivec2 place, ENTRY high, vec4 low)
{
    if (SQUARE != 0)
        store_sheet(1 + int(HAS_LOW), place, high);
    if (SQUARE != 0 && HAS_LOW)
        store_low(3, place, low);
}

// At the table's first row and column: the zeros before texel `at`, to the left, above, and both.
void store_zeros(ivec2 at)
{
    for (int k = 1; k < 4; ++k) {
        ivec2 back = ivec2(k & 1, k >> 1);
        if (at * back == ivec2(0)) {
            store_entry(at - back, ENTRY(0), vec4(0.0));
            store_square(at - back, ENTRY(0), vec4(0.0));
        }
    }
}

#endif
