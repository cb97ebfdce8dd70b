// downsample/interface.h - bindings, locations and sizes that the C and GLSL of downsample share
// SPDX-License-Identifier: MIT
//
// The source's unit, b_info and the rectangle of the source are those of common/interface.h. Four
// uniforms in a row are those of the four targets.
#pragma once
#include "common/interface.h"

#define AG_DOWN_TARGETS 4
#define AG_IMAGE_TARGET 1 // .. 4: image units of the targets; AG_IMAGE_SRC is before them
#define AG_IMAGE_TARGET1 2
#define AG_IMAGE_TARGET2 3
#define AG_IMAGE_TARGET3 4
#define AG_DOWN_IMAGES 5 // image units that the effect uses

// ---- shader storage
// transient: sums of parts of cells (sums.comp); rows of lanczos.comp
#define AG_SSBO_PARTIALS 0
#define AG_SSBO_TAPS 1 // persistent: weights of lanczos

// ---- sizes
#define AG_DOWN_TILE_WIDTH 16 // outputs of a group of tile.comp and taps.comp
#define AG_DOWN_TILE_HEIGHT 16
#define AG_DOWN_TILE_ROWS 8    // of its threads, which make two outputs each
#define AG_DOWN_RUN 64         // columns that a group of columns.comp sums at a time
#define AG_DOWN_SUMS_WIDTH 256 // columns of a tile of sums.comp
#define AG_DOWN_LANES 256      // threads of a group; the most that share an output

// ---- uniform locations
// .. 7: ivec4: W, w in x; W, w in y: sizes of source and output without their common divisors
#define AG_LOC_DOWN_AXES 4
#define AG_LOC_DOWN_AXES1 5
#define AG_LOC_DOWN_AXES2 6
#define AG_LOC_DOWN_AXES3 7
#define AG_LOC_DOWN_DST 8 // .. 11: ivec4: x, y, width, height of the output's rectangle
#define AG_LOC_DOWN_DST1 9
#define AG_LOC_DOWN_DST2 10
#define AG_LOC_DOWN_DST3 11
// .. 15: ivec4: lanes that share an output, a power of two; of sums.comp also where
// the target's partial sums begin, and the largest number of cells of a tile, in x and in y
#define AG_LOC_DOWN_SHARE 12
#define AG_LOC_DOWN_SHARE1 13
#define AG_LOC_DOWN_SHARE2 14
#define AG_LOC_DOWN_SHARE3 15
// .. 19: vec4: 1 over the sum of a cell's weights, as two floats; a unit of weight, in x and in y
#define AG_LOC_DOWN_SCALE 16
#define AG_LOC_DOWN_SCALE1 17
#define AG_LOC_DOWN_SCALE2 18
#define AG_LOC_DOWN_SCALE3 19
#define AG_LOC_DOWN_TILE 20   // ivec4: how work is cut; each shader says
#define AG_LOC_DOWN_MODE 21   // ivec4: 1 = weight karis, else alpha
#define AG_LOC_DOWN_FINISH 22 // ivec4 of sums.comp: lanes that share an output, a power of two
// ivec4 of lanczos.comp: width and height of the source; taps of an output; radius
#define AG_LOC_DOWN_TAPS 23
