// ladder/sat/segmented_block.glsl - the image as one vector: each line of it is a segment
//   host sets the defines of ladder/sat/texels.glsl; AXIS; GROUP: threads, of two texels each
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(AXIS) || !defined(GROUP)
#error "AXIS and GROUP must be set by the host or defined by the includer"
#endif
#include "ladder/sat/texels.glsl"
#define TREE_VALUE VALUE
#define TREE_ELEMENTS (2 * GROUP)
#include "ladder/sat/segments.glsl"

layout(local_size_x = GROUP) in;

int length_of_line() { return AXIS == 0 ? extent().x : extent().y; }
int elements() { return extent().x * extent().y; }
bool head(int i) { return i % length_of_line() == 0; }

ivec2 texel_of(int i)
{
    ivec2 p = ivec2(i % length_of_line(), i / length_of_line());
    return AXIS == 0 ? p : p.yx;
}

int block_of_group() { return int(gl_WorkGroupID.y) * AG_SCAN_ROW + int(gl_WorkGroupID.x); }

VALUE g_values[2];

// Fills the tree; texels beyond the image are 0.
void load_block(int first, bool counts)
{
    for (int k = 0; k < 2; ++k) {
        int e = int(gl_LocalInvocationIndex) + k * GROUP, i = first + e;
        g_values[k] = load_value(texel_of(i), counts); // 0 beyond the last line
        set_element(e, g_values[k], i < elements() && head(i));
    }
}
