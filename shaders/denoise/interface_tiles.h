// denoise/interface_tiles.h - tiles of ti_haar, which C and GLSL share
// SPDX-License-Identifier: MIT
#pragma once

// ---- tiles of ti_haar: a thread for each column and component, STEP rows at a time
#define AG_DENOISE_TI_STRIP_COLUMNS 80 // HALO on each side makes no texels
#define AG_DENOISE_TI_STRIP_STEP 8
#define AG_DENOISE_TI_STRIP_ROWS 128   // of the tallest tiles
#define AG_DENOISE_TI_STRIP_LEAST 32   // of the lowest ones, for small images
#define AG_DENOISE_TI_STRIP_GROUPS 256 // that an image has at least, where tiles are taller

// ---- tiles of denoise/ti_haar_tile.glsl: a thread for each of COLUMNS columns in each of SEGMENTS
// runs of rows
#define AG_DENOISE_TI_SEGMENTS 8
#define AG_DENOISE_TI_COLUMNS 32
#define AG_DENOISE_TI_ROWS 37          // of a tile
#define AG_DENOISE_TI_GROUP_COLUMNS 16 // with a joint threshold: three components at once
#define AG_DENOISE_TI_GROUP_ROWS 13
#define AG_DENOISE_TI_FINE 3    // levels of the one dispatch; coarser ones take two more
#define AG_DENOISE_TI_BEFORE 7  // places before the first texel at which blocks of 8 begin
#define AG_DENOISE_TI_PHASES 8  // along each axis, of blocks of 8
#define AG_DENOISE_TI_SUMS_X 32 // places of a group that makes sums of 8 x 8
#define AG_DENOISE_TI_SUMS_Y 24
// Texels of a tile in x: columns, but for those left of it in which its blocks begin.
#define AG_DENOISE_TI_WIDTH(columns, levels) ((columns) + 1 - (1 << (levels)))
