// sat/interface.h - bindings, locations and choices that the C and GLSL of summed-area tables share
// SPDX-License-Identifier: MIT
//
// The source's and the output's units, b_info and the rectangles are those of common/interface.h.
#ifndef AG_SAT_INTERFACE_H
#define AG_SAT_INTERFACE_H
#include "common/interface.h"
#include "common/interface_subgroups.h"

// ---- image units
#define AG_IMAGE_LOW 2     // sat: what the table's own format does not hold
#define AG_IMAGE_SQUARES 3 // sat: the table of squares
#define AG_IMAGE_SQUARES_LOW 4
#define AG_IMAGE_TOOK_OFF 5 // sat: the mean, if that is the offset
#define AG_IMAGE_TABLE 2    // box_blur, local_stats: what is asked
#define AG_IMAGE_TABLE_LOW 3
#define AG_IMAGE_TABLE_MEAN 4
#define AG_IMAGE_RADIUS 5
#define AG_IMAGE_TABLE_SQUARES 5
#define AG_IMAGE_TABLE_SQUARES_LOW 6
#define AG_IMAGE_TABLES 7 // units of sat, box_blur, local_stats

// ---- shader storage
#define AG_SSBO_COLUMN_SUMS 0  // transient: of each column in each tile (sat/reduce.glsl)
#define AG_SSBO_LEFT 0         // persistent: blocks that blur_inside.comp left texels of; else 0
#define AG_SSBO_ROW_SUMS 1     // transient: of each row in each tile
#define AG_SSBO_COLUMN_CARRY 2 // transient: of what lies above each tile (sat/carry.comp)
#define AG_SSBO_ROW_CARRY 3    // transient: of what lies left of it
#define AG_SSBO_LINES 2        // transient: scanned rows, transposed (sat/scan_rows.comp)
#define AG_SSBO_TABLE 4        // persistent: a layer of the table that boxes ask (AG_QUERY_BUFFER)

// ---- uniform locations
#define AG_LOC_SAT_GRID 20  // ivec4: tiles in x, in y; pitch of the sums of columns, of rows
#define AG_LOC_SAT_VALUE 21 // vec4: fixed-point units of 1, of 1 squared; max_value; offset (half)
#define AG_LOC_SAT_SPAN 22  // ivec4: longest column, row of a part; pitch of b_lines; row of i_mean
#define AG_LOC_BOX 23       // vec4: radius
#define AG_LOC_BOX_RADIUS 24 // ivec4: x, y of the radius texture's rectangle
#define AG_LOC_BOX_TABLE 25  // ivec4: x, y of the table; row of its mean; layer, for a texture unit
#define AG_LOC_BOX_SIZE 26   // ivec4: width, height of the image; the layer's first place in b_left
#define AG_LOC_BOX_UNITS 27  // vec4: fixed-point units of 1, of 1 squared
#define AG_LOC_BOX_INSIDE 28 // ivec4: blocks of boxes inside the image: first x, y; end x, y

// ---- storages and offsets of tables, as AG_SAT_* in sat.h
#define AG_TABLE_FLOAT32 0
#define AG_TABLE_RESIDUAL 1
#define AG_TABLE_DOUBLE 2
#define AG_TABLE_UINT32 3
#define AG_TABLE_SPLIT 4
#define AG_TABLE_PLAIN 0
#define AG_TABLE_HALF 1
#define AG_TABLE_MEAN 2

// ---- ASKED: how a query reads the table, and therefore where the table's planes lie: sums, their
// low parts (double_float), squares, their low parts
#define AG_QUERY_IMAGE 0   // each in an image of its own
#define AG_QUERY_TEXTURE 1 // below each other in one, which a texture unit reads
#define AG_QUERY_BUFFER 2  // one after the other in b_table, without gaps

// ---- boxes that a program of box_blur takes, in order; all but SMALL: of radius >= AG_BOX_DIRECT
#define AG_BLUR_WHOLE 0  // inside by a texel or more, with whole edges: blur_inside.comp
#define AG_BLUR_CUT 1    // inside, with any edges: blur_inside.comp
#define AG_BLUR_BEYOND 2 // not inside: blur_edges.comp, blur_mirror.comp
#define AG_BLUR_SMALL 3  // boxes of a smaller radius: blur_small.comp
#define AG_BLUR_PARTS 4
#define AG_BLUR_BLOCKS 32 // that a group of the last two looks at, at most 32
#define AG_BLUR_ROW 1024  // groups in a row of a dispatch of BEYOND
#define AG_BOX_DIRECT 2.0 // radius below which a box is added up without a table
#define AG_BOX_LARGEST 16384.0

#endif
