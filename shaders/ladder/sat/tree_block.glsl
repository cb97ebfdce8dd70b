// ladder/sat/tree_block.glsl - a block of texels of LINES lines in the tree, scanned
//
//   host sets the defines of ladder/sat/texels.glsl; AXIS, GROUP, LINES as ladder/sat/lines.glsl
//             TREE_PADDED
//   A group has 2 GROUP / LINES texels of each line; a thread has the texels e and e + BLOCK / 2,
//   so that neighbouring threads read neighbouring texels.
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(AXIS) || !defined(GROUP) || !defined(LINES)
#error "AXIS, GROUP and LINES must be set by the host or defined by the includer"
#endif
#include "ladder/sat/texels.glsl"

#define BLOCK (2 * GROUP / LINES)
#define TREE_VALUE VALUE
#define TREE_ELEMENTS BLOCK
#define TREE_COLUMNS LINES
#include "ladder/sat/tree.glsl"

layout(local_size_x = GROUP) in;

ivec2 texel_at(int place, int line) { return AXIS == 0 ? ivec2(place, line) : ivec2(line, place); }
ivec2 line_size() { return AXIS == 0 ? extent() : extent().yx; } // length of a line, lines

// Scans the block from place `first` of the group's lines and stores it, inclusive, after `carry`.
// Returns its sum.
VALUE scan_block(int first, int first_line, VALUE carry)
{
    int t = int(gl_LocalInvocationIndex), column = t % LINES, node = t / LINES;
    int line = first_line + column;
    RAW raw[2];
    VALUE v[2];
    uint bad = 0u;
    for (int k = 0; k < 2; ++k)
        raw[k] = fetch_raw(texel_at(first + node + k * BLOCK / 2, line));
    for (int k = 0; k < 2; ++k) {
        int e = node + k * BLOCK / 2;
        v[k] = value_of(raw[k], is_inside(texel_at(first + e, line)), bad);
        s_tree[TREE_AT(e, column)] = v[k];
    }
    count_scrubbed(bad);
    sync_shared();
    VALUE sum = scan_tree(node, column);
    for (int k = 0; k < 2; ++k) {
        int e = node + k * BLOCK / 2;
        // Inclusive by adding the texel, never by subtracting.
        VALUE s = carry + (s_tree[TREE_AT(e, column)] + v[k]);
        if (is_inside(texel_at(first + e, line)))
            store_value(texel_at(first + e, line), s);
    }
    return sum;
}
