// ladder/sat/tree_rows.comp - scan_transpose_scan's scan: rows, by a tree in shared memory
//
//   in, out   ladder/sat/texels.glsl
//   shared    2 GROUP values, and a 32nd more
//   host sets the defines of ladder/sat/tree_block.glsl, AXIS 0 and LINES 1
//   dispatch  a group for each row; then ladder/sat/transpose.comp, and both again: four passes
//   cost      i + 7o bytes a texel: two scans, two transposes; 2 (N - 1) additions a block of N,
//             and 2 N to make it inclusive and add the blocks before
//   technique D08 of docs/ladder.md
//   source    B. Bilgic, B. K. P. Horn, I. Masaki 2010, "Efficient integral image computation on
//             the GPU", IEEE Intelligent Vehicles
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/sat/tree_block.glsl"

void main()
{
    VALUE carry = VALUE(0);
    for (int first = 0; first < extent().x; first += BLOCK) {
        carry += scan_block(first, int(gl_WorkGroupID.y), carry);
        sync_shared();
    }
}
