// sat/table_query.glsl - gives sat/query.glsl the tables that the effects read
//
//   in        i_table, i_table_low, i_squares, i_squares_low, those that exist; or t_table; or
//             b_table (QUERY); i_mean
//   host sets SAT_STORAGE  AG_TABLE_FLOAT32, _DOUBLE, _UINT32: how the table is stored
//             QUERY        AG_QUERY_*: where it lies (sat/interface.h)
//             SAT_ENTRY    the GLSL type of an entry: float, vec2, vec4, or uint, uvec2, uvec4
//             SAT_FORMAT   the GLSL image format, where image units read
//             SAT_ARRAY    1 = t_table has layers; u_table.w is the layer
//             SAT_MEAN     1 = i_mean holds the offset
//             SQUARES      1 = there is also a table of squares
//             and the defines of sat/box.glsl
//   includer  AG_SAT_INSIDE  1 = is_inside (sat/box.glsl) holds for all boxes; 0
//   cost      up to 16 reads a texel, which are nearly all of the time. Texture units and storage
//             blocks cache close to the multiprocessor, image units do not
//
//   A table has one to four sections (sat/interface.h), each as large as the image. With two, the
//   second one has the low parts or the squares.
//
//        b_table, t_table   section 0     i_table        t_table: below each other
//                           section 1     i_table_low    b_table: one after the other
//                           section 2     i_squares
//                           section 3     i_squares_low
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SAT_STORAGE) || !defined(QUERY) || !defined(SAT_ENTRY) || !defined(SAT_FORMAT) || \
    !defined(SAT_ARRAY) || !defined(SAT_MEAN) || !defined(SQUARES)
#error "SAT_STORAGE, QUERY, SAT_ENTRY, SAT_FORMAT, SAT_ARRAY, SAT_MEAN and SQUARES must be set"
#endif
#ifndef AG_SAT_INSIDE
#error "AG_SAT_INSIDE (0 or 1) must be defined by the includer"
#endif
#include "sat/box.glsl"

layout(location = AG_LOC_BOX_TABLE) uniform ivec4 u_table;
layout(location = AG_LOC_BOX_UNITS) uniform vec4 u_units;

ivec2 table_corner() { return u_table.xy; }
int mean_row() { return u_table.z; } // of i_mean
int table_layer() { return u_table.w; } // for a texture unit
float units_of_1() { return u_units.x; } // of uint32
float units_of_1_squared() { return u_units.y; }

// ---- an entry of a section

#if SAT_STORAGE == AG_TABLE_UINT32
#define ENTRY uvec4
#define TABLE_IMAGE uimage2D
#define TABLE_SAMPLER usampler2D
#define TABLE_SAMPLER_ARRAY usampler2DArray
#else
#define ENTRY vec4
#define TABLE_IMAGE image2D
#define TABLE_SAMPLER sampler2D
#define TABLE_SAMPLER_ARRAY sampler2DArray
#endif

#if QUERY == AG_QUERY_BUFFER
layout(std430, binding = AG_SSBO_TABLE) restrict readonly buffer Table { SAT_ENTRY b_table[]; };

vec4 whole_entry(float c) { return vec4(c, 0, 0, 0); }
vec4 whole_entry(vec2 c) { return vec4(c, 0, 0); }
vec4 whole_entry(vec4 c) { return c; }
uvec4 whole_entry(uint c) { return uvec4(c, 0, 0, 0); }
uvec4 whole_entry(uvec2 c) { return uvec4(c, 0, 0); }
uvec4 whole_entry(uvec4 c) { return c; }

ENTRY section_entry(const int section, ivec2 p)
{
    ivec2 size = image_size();
    return whole_entry(b_table[(section * size.y + p.y) * size.x + p.x]);
}
#elif QUERY == AG_QUERY_TEXTURE
#if SAT_ARRAY
layout(binding = 0) uniform TABLE_SAMPLER_ARRAY t_table;
ENTRY table_texel(ivec2 p) { return texelFetch(t_table, ivec3(p, table_layer()), 0); }
#else
layout(binding = 0) uniform TABLE_SAMPLER t_table;
ENTRY table_texel(ivec2 p) { return texelFetch(t_table, p, 0); }
#endif

ENTRY section_entry(const int section, ivec2 p)
{
    return table_texel(table_corner() + p + ivec2(0, section * image_size().y));
}
#else
layout(SAT_FORMAT, binding = AG_IMAGE_TABLE) readonly uniform TABLE_IMAGE i_table;
layout(SAT_FORMAT, binding = AG_IMAGE_TABLE_LOW) readonly uniform TABLE_IMAGE i_table_low;
#if SQUARES
layout(SAT_FORMAT, binding = AG_IMAGE_TABLE_SQUARES) readonly uniform TABLE_IMAGE i_squares;
layout(SAT_FORMAT, binding = AG_IMAGE_TABLE_SQUARES_LOW) readonly uniform TABLE_IMAGE i_squares_low;
#else // box_blur binds its radius texture to that unit
#define i_squares i_table
#define i_squares_low i_table_low
#endif

ENTRY section_entry(const int section, ivec2 p)
{
    ivec2 at = table_corner() + p;
    ENTRY entry;
    if (section == 0)
        entry = imageLoad(i_table, at);
    else if (section == 1)
        entry = imageLoad(i_table_low, at);
    else if (section == 2)
        entry = imageLoad(i_squares, at);
    else
        entry = imageLoad(i_squares_low, at);
    return entry;
}
#endif

// ---- queries

#if SAT_MEAN
layout(rgba32f, binding = AG_IMAGE_TABLE_MEAN) readonly uniform image2D i_mean;
vec4 g_mean = vec4(0.0);
#define AG_SAT_OFFSET g_mean
#endif

// Called once, before the first query, so that the load of the mean overlaps those of the table.
void begin_boxes()
{
#if SAT_MEAN
    g_mean = imageLoad(i_mean, ivec2(0, mean_row()));
#endif
}

#define AG_SAT_STORAGE (SAT_STORAGE + 1)
#define AG_SAT_EXACT (SAT_STORAGE != AG_TABLE_FLOAT32)
#define AG_SAT_SIZE image_size()
#define AG_SAT_UNITS units_of_1()
#define AG_SAT_SQUARE_UNITS units_of_1_squared()
#define AG_SAT_TABLE(p) section_entry(0, p)
#define AG_SAT_LOW(p) section_entry(1, p)
#define AG_SAT_SQUARES(p) section_entry(2, p)
#define AG_SAT_SQUARES_LOW(p) section_entry(3, p)
#include "sat/query.glsl"
