// ladder/sat/shared_tile.glsl - tiles of TILE_ROWS x 32 values: written by rows, read by columns
//   host sets TILE: AG_SCAN_*
//   includer  TILES, TILE_ROWS; VALUE: their type
//
//     bank of row r, column c (32 banks):   unpadded  c             a column is in one bank
//                                           padded    r + c mod 32  33 places a row
//                                           swizzled  r xor c       32 places a row
//   source    the documents' [32][33]; docs/ladder.md, D13 and D22, has what each costs
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TILE) || !defined(TILES) || !defined(TILE_ROWS) || !defined(VALUE)
#error "TILE, TILES, TILE_ROWS and VALUE must be set by the host or defined by the includer"
#endif
#include "common/sync.glsl"
#include "ladder/sat/interface.h"
#if TILE == AG_SCAN_PADDED
#define TILE_PITCH 33
#else
#define TILE_PITCH 32
#endif
shared VALUE s_tile[TILES][TILE == AG_SCAN_DIRECT ? 1 : TILE_ROWS * TILE_PITCH];

int tile_place(int row, int column)
{
    return row * TILE_PITCH + (TILE == AG_SCAN_SWIZZLED ? column ^ row : column);
}
