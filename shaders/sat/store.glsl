// sat/store.glsl - writes an entry of a table in the form of its storage
//
//   out       i_dst, or b_table (QUERY)
//   host sets STORAGE     AG_TABLE_*: how the table is stored
//             EDGE        1 = exclusive: entries move by (1, 1), and row 0 and column 0 are 0
//             QUERY       AG_QUERY_*: where the table lies. _TEXTURE and _BUFFER need EDGE 0 and
//                         float32, double_float or uint32
//             SAT_ENTRY   the GLSL type of an entry in b_table
//
//   The sections of a table lie in images of their own, below each other, or one after the other:
//
//        sums | their low parts | squares | their low parts
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

// In all sections: sat/finish_plain.glsl, sat/finish_squares.glsl or sat/store_sections.glsl.
void store_zero(ivec2 place);

// Exclusive: for `at` in the first row or column, stores the zeros left of it, above it, and both.
void store_zeros(ivec2 at)
{
    for (int k = 1; k < 4; ++k) {
        ivec2 back = ivec2(k & 1, k >> 1);
        if (at * back == ivec2(0))
            store_zero(at - back);
    }
}
