// sat/interface.h - bindings, locations and choices that the C and GLSL of summed-area tables share
// SPDX-License-Identifier: MIT
//
// The source's and the output's units, b_info and the rectangles are those of common/interface.h.
#pragma once
#include "common/interface.h"

// ---- storages and offsets of tables, in the order of AG_SAT_* in sat.h, auto left out
#define AG_TABLE_FLOAT32 0
#define AG_TABLE_RESIDUAL 1
#define AG_TABLE_DOUBLE 2
#define AG_TABLE_UINT32 3
#define AG_TABLE_SPLIT 4
#define AG_TABLE_PLAIN 0
#define AG_TABLE_HALF 1
#define AG_TABLE_MEAN 2

// SRC_TEXEL, beside those of common/interface.h: a depth, of whose code z (shadow/light.glsl) the
// table sums z, z^2 / 2^16 (whole part) and z^2 modulo 2^16. z itself follows the three sums
#define AG_TEXEL_MOMENTS 7

// ---- QUERY: where a table lies and what reads it. Its sections are the sums, their low parts
// (double_float), the squares, and the low parts of these
#define AG_QUERY_IMAGE 0   // each section in an image of its own
#define AG_QUERY_TEXTURE 1 // sections below each other in one texture, which a texture unit reads
#define AG_QUERY_BUFFER 2  // sections one after the other in b_table, without gaps

// ---- programs that make a table: image units, beside the table's at AG_IMAGE_DST
#define AG_IMAGE_LOW 2     // low parts
#define AG_IMAGE_SQUARES 3 // squares
#define AG_IMAGE_SQUARES_LOW 4
#define AG_IMAGE_MEAN 5 // the mean, where it is the offset

// ---- shader storage
#define AG_SSBO_COLUMN_SUMS 0  // transient: sums of each column of each tile (sat/reduce.comp)
#define AG_SSBO_ROW_SUMS 1     // transient: sums of each row of each tile
#define AG_SSBO_COLUMN_CARRY 2 // transient: block prefixes above each tile (sat/carry.comp)
#define AG_SSBO_ROW_CARRY 3    // transient: block prefixes left of it
#define AG_SSBO_TABLE 4        // transient: a layer of the table (AG_QUERY_BUFFER), also to read

// ---- uniform locations
#define AG_LOC_SAT_GRID 20  // ivec4: tiles in x, in y; pitch of the sums of columns, of rows
#define AG_LOC_SAT_VALUE 21 // vec4: fixed-point units of 1, of 1 squared; max_value; offset (half)
#define AG_LOC_SAT_MEAN 22  // ivec4: row of i_mean

// ---- programs that ask a table for boxes: image units, beside the output's at AG_IMAGE_DST
#define AG_IMAGE_TABLE 2 // the table that is read
#define AG_IMAGE_TABLE_LOW 3
#define AG_IMAGE_TABLE_MEAN 4
#define AG_IMAGE_RADIUS 5
#define AG_IMAGE_TABLE_SQUARES 5
#define AG_IMAGE_TABLE_SQUARES_LOW 6
#define AG_IMAGE_TABLES 7 // image units that these effects use

// ---- shader storage
#define AG_SSBO_LEFT 0 // persistent: marks of sat/blur.comp; 0 between executes

// ---- uniform locations
#define AG_LOC_BOX 23        // vec4: radius
#define AG_LOC_BOX_RADIUS 24 // ivec4: x, y of the radius texture's rectangle
#define AG_LOC_BOX_TABLE 25  // ivec4: x, y of the table; row of its mean; layer, for a texture unit
#define AG_LOC_BOX_SIZE 26   // ivec4: width, height of the image; the layer's first place in b_left
#define AG_LOC_BOX_UNITS 27  // vec4: fixed-point units of 1, of 1 squared
// ivec4: blocks whose boxes all lie inside: first x, y; one past the last
#define AG_LOC_BOX_INSIDE 28

// ---- BOXES: which boxes a program of sat/blur.comp takes, in the order in which they run
#define AG_BLUR_WHOLE 0  // at least one texel within the image, edges whole
#define AG_BLUR_CUT 1    // the same, any edges
#define AG_BLUR_BEYOND 2 // those that reach the edge of the image
#define AG_BLUR_SMALL 3  // those of a radius below AG_BOX_DIRECT
#define AG_BLUR_PARTS 4
#define AG_BLUR_BLOCKS 32 // marks that a group of the last two tests, at most 32
#define AG_BLUR_ROW 1024  // groups in a row of a dispatch of BEYOND
#define AG_BOX_DIRECT 2.0 // boxes of a smaller radius are added up without a table
#define AG_BOX_LARGEST 16384.0
