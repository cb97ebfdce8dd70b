// sat/ladder/interface.h - what C and GLSL of the documents' scans share (sat/ladder/)
// SPDX-License-Identifier: MIT
#pragma once
#include "sat/interface.h"

// lookback: what tiles publish; tickets and the groups of the repair; AG_LOC_SCAN.w is the silent
// tile of a test, or -1.
#define AG_SSBO_SCAN_SUMS 2  // transient: sums of blocks (blelloch), roots of trees (segmented)
#define AG_SSBO_SCAN_FLAGS 3 // transient: whether a block has the head of a segment (segmented)
#define AG_LOC_SCAN 32       // ivec4: width, height of what is read; distance (hensley); blocks
#define AG_SCAN_ROW 1024     // work groups in a row of a dispatch over blocks (segmented)

#define AG_LOC_SCAN_REPAIR \
    33 // 3 ivec4: groups of each step of tiles; turns of a wait, of the first
#define AG_LOC_SCAN_REPAIR_1 34
#define AG_LOC_SCAN_REPAIR_2 35

// TILE: how sat/ladder/transpose.comp and scanrow_brlt.comp keep a tile in shared memory
#define AG_SCAN_PADDED 0   // 33 places a row
#define AG_SCAN_UNPADDED 1 // 32: a column lies in one bank
#define AG_SCAN_SWIZZLED 2 // 32, columns exchanged by an exclusive or with the row
#define AG_SCAN_DIRECT 3   // no tile: texels are stored where they go (transpose.comp only)
