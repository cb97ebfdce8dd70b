// ladder/sat/interface.h - what C and GLSL of the documents' scans share (ladder/sat/)
// SPDX-License-Identifier: MIT
#pragma once
#include "sat/interface.h"

// transient: sums of blocks (blelloch), roots of trees (segmented), rows (brlt_scanrow), what tiles
// publish (lookback)
#define AG_SSBO_SCAN_SUMS 2
// transient: whether a block has the head of a segment (segmented); tickets, and the groups of the
// repair (lookback)
#define AG_SSBO_SCAN_FLAGS 3
// ivec4: width, height of what is read; distance (hensley); blocks, or places of a line
// (brlt_scanrow)
#define AG_LOC_SCAN 32
#define AG_SCAN_ROW 1024 // work groups in a row of a dispatch over blocks (segmented, lookback)

// 3 ivec4: groups of each step of tiles; turns of a wait, of the first
#define AG_LOC_SCAN_REPAIR 33
#define AG_LOC_SCAN_REPAIR_1 34
#define AG_LOC_SCAN_REPAIR_2 35

// TILE: how a tile lies in shared memory (ladder/sat/shared_tile.glsl); in the order of
// AG_SCAN_TILE_* in ladder_sat.h
#define AG_SCAN_PADDED 0   // 33 places a row
#define AG_SCAN_UNPADDED 1 // 32: a column lies in one bank
#define AG_SCAN_SWIZZLED 2 // 32, columns exchanged by an exclusive or with the row
#define AG_SCAN_DIRECT 3   // no tile: texels are stored where they go (transpose.comp only)
