// sat/asked.glsl - the effects' own tables, and sat/query.glsl to ask them
//
//   in        i_table, i_table_low, i_squares, i_squares_low   as far as there are; or t_table, or b_table, as ASKED
//             says; i_mean
//   host sets TABLE        AG_TABLE_FLOAT32, _DOUBLE, _UINT32: how the table is stored
//             ASKED        AG_QUERY_*: where it lies (sat/interface.h)
//             TABLE_CELL   the GLSL type of an entry: float, vec2, vec4, or uint, uvec2, uvec4
//             TABLE_FORMAT the GLSL image format, by image units
//             TABLE_ARRAY  by a texture unit: 1 = t_table has layers; u_table.w says which
//             TABLE_MEAN   1 = i_mean holds what was taken off
//             SQUARES      1 = also of squares
//   may set   INSIDE       1 = is_inside (sat/box.glsl) is true of all boxes
//   why       16 reads a texel are nearly all of the time. Those of an image unit are not cached close by, those
//             of the others are
//
//   The sheets of a table, each as large as the image: sums, what double_float leaves of them, both of squares.
//
//        b_table, t_table   sheet 0       i_table        (t_table: below each other; b_table: one after the other)
//                           sheet 1       i_table_low
//                           sheet 2       i_squares
//                           sheet 3       i_squares_low
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_ASKED_GLSL
#define AG_SAT_ASKED_GLSL
#if !defined(TABLE) || !defined(ASKED) || !defined(TABLE_CELL) || !defined(TABLE_FORMAT) || \
    !defined(TABLE_ARRAY) || !defined(TABLE_MEAN) || !defined(SQUARES)
#error "TABLE, ASKED, TABLE_CELL, TABLE_FORMAT, TABLE_ARRAY, TABLE_MEAN and SQUARES must be set by the host"
#endif
#include "sat/image.glsl"

layout(location = AG_LOC_BOX_TABLE) uniform ivec4 u_table;
layout(location = AG_LOC_BOX_UNITS) uniform vec4 u_units;

ivec2 table_corner() { return u_table.xy; }
int mean_row() { return u_table.z; } // of i_mean
int table_layer() { return u_table.w; } // for a texture unit
float units_of_1() { return u_units.x; } // of integers
float units_of_1_squared() { return u_units.y; }

// ---- an entry of a sheet

#if TABLE == AG_TABLE_UINT32
#define CELL uvec4
#define TABLE_IMAGE uimage2D
#define TABLE_SAMPLER usampler2D
#define TABLE_SAMPLER_ARRAY usampler2DArray
#else
#define CELL vec4
#define TABLE_IMAGE image2D
#define TABLE_SAMPLER sampler2D
#define TABLE_SAMPLER_ARRAY sampler2DArray
#endif

#if ASKED == AG_QUERY_BUFFER
layout(std430, binding = AG_SSBO_TABLE) restrict readonly buffer Table { TABLE_CELL b_table[]; };

vec4 whole_cell(float c) { return vec4(c, 0, 0, 0); }
vec4 whole_cell(vec2 c) { return vec4(c, 0, 0); }
vec4 whole_cell(vec4 c) { return c; }
uvec4 whole_cell(uint c) { return uvec4(c, 0, 0, 0); }
uvec4 whole_cell(uvec2 c) { return uvec4(c, 0, 0); }
uvec4 whole_cell(uvec4 c) { return c; }

CELL plane_cell(const int sheet, ivec2 p)
{
    ivec2 size = image_size();
    return whole_cell(b_table[(sheet * size.y + p.y) * size.x + p.x]);
}
#elif ASKED == AG_QUERY_TEXTURE
#if TABLE_ARRAY
layout(binding = 0) uniform TABLE_SAMPLER_ARRAY t_table;
CELL table_texel(ivec2 p) { return texelFetch(t_table, ivec3(p, table_layer()), 0); }
#else
layout(binding = 0) uniform TABLE_SAMPLER t_table;
CELL table_texel(ivec2 p) { return texelFetch(t_table, p, 0); }
#endif

CELL plane_cell(const int sheet, ivec2 p)
{
    return table_texel(table_corner() + p + ivec2(0, sheet * image_size().y));
}
#else
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE) readonly uniform TABLE_IMAGE i_table;
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_LOW) readonly uniform TABLE_IMAGE i_table_low;
#if SQUARES
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_SQUARES) readonly uniform TABLE_IMAGE i_squares;
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_SQUARES_LOW) readonly uniform TABLE_IMAGE i_squares_low;
#else // box_blur has its texture of radii in that unit
#define i_squares i_table
#define i_squares_low i_table_low
#endif

CELL plane_cell(const int sheet, ivec2 p)
{
    ivec2 at = table_corner() + p;
    CELL cell;
    if (sheet == 0)
        cell = imageLoad(i_table, at);
    else if (sheet == 1)
        cell = imageLoad(i_table_low, at);
    else if (sheet == 2)
        cell = imageLoad(i_squares, at);
    else
        cell = imageLoad(i_squares_low, at);
    return cell;
}
#endif

// ---- asking

#if TABLE_MEAN
layout(rgba32f, binding = AG_IMAGE_TABLE_MEAN) readonly uniform image2D i_mean;
vec4 g_mean = vec4(0.0);
#define AG_SAT_OFFSET g_mean
#endif

// Once, before anything is asked: the mean is on its way beside the reads of the table.
void begin_boxes()
{
#if TABLE_MEAN
    g_mean = imageLoad(i_mean, ivec2(0, mean_row()));
#endif
}

#ifndef INSIDE
#define INSIDE 0
#endif
#define AG_SAT_INSIDE INSIDE
#define AG_SAT_STORAGE (TABLE + 1)
#define AG_SAT_EXACT (TABLE != AG_TABLE_FLOAT32)
#define AG_SAT_SIZE image_size()
#define AG_SAT_UNITS units_of_1()
#define AG_SAT_SQUARE_UNITS units_of_1_squared()
#define AG_SAT_TABLE(p) plane_cell(0, p)
#define AG_SAT_LOW(p) plane_cell(1, p)
#define AG_SAT_SQUARES(p) plane_cell(2, p)
#define AG_SAT_SQUARES_LOW(p) plane_cell(3, p)
#include "sat/query.glsl"

#endif
