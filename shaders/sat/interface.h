// sat/interface.h - bindings, locations and choices that the C and GLSL of summed-area tables share
// SPDX-License-Identifier: MIT
//
// The source's and the output's units, b_info and the rectangles are those of common/interface.h.
#pragma once
#include "common/interface.h"

// ---- image units
#define AG_IMAGE_LOW 2     // low parts
#define AG_IMAGE_SQUARES 3 // squares
#define AG_IMAGE_SQUARES_LOW 4
#define AG_IMAGE_MEAN 5 // the mean, where it is the offset

// ---- shader storage
#define AG_SSBO_COLUMN_SUMS 0  // transient: sums of each column of each tile (sat/reduce.glsl)
#define AG_SSBO_ROW_SUMS 1     // transient: sums of each row of each tile
#define AG_SSBO_COLUMN_CARRY 2 // transient: block prefixes above each tile (sat/carry.comp)
#define AG_SSBO_ROW_CARRY 3    // transient: block prefixes left of it
#define AG_SSBO_LINES 2        // transient: scanned rows, transposed (sat/scan_rows.comp)
#define AG_SSBO_TABLE 4        // persistent: a layer of the table that is read (AG_QUERY_BUFFER)

// ---- uniform locations
#define AG_LOC_SAT_GRID 20  // ivec4: tiles in x, in y; pitch of the sums of columns, of rows
#define AG_LOC_SAT_VALUE 21 // vec4: fixed-point units of 1, of 1 squared; max_value; offset (half)
#define AG_LOC_SAT_SPAN 22  // ivec4: longest column, row of a part; pitch of b_lines; row of i_mean

// ---- storages and offsets of tables, in the order of AG_SAT_* in sat.h, auto left out
#define AG_TABLE_FLOAT32 0
#define AG_TABLE_RESIDUAL 1
#define AG_TABLE_DOUBLE 2
#define AG_TABLE_UINT32 3
#define AG_TABLE_SPLIT 4
#define AG_TABLE_PLAIN 0
#define AG_TABLE_HALF 1
#define AG_TABLE_MEAN 2

// ---- QUERY: where a table lies and what reads it. Its sections are the sums, their low parts
// (double_float), the squares, and the low parts of these
#define AG_QUERY_IMAGE 0   // each section in an image of its own
#define AG_QUERY_TEXTURE 1 // sections below each other in one texture, which a texture unit reads
#define AG_QUERY_BUFFER 2  // sections one after the other in b_table, without gaps
