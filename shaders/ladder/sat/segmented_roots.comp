// ladder/sat/segmented_roots.comp - the second pass: the inclusive segmented scan of the roots
//
//   in, out   b_roots; in: b_flags
//   host sets the defines of ladder/sat/texels.glsl; GROUP
//   dispatch  one group, which goes along the roots
//   cost      3 additions a root
//   technique D07 of docs/ladder.md
//   source    S. Sengupta et al. 2007, algorithms 3 and 4: ladder/sat/segments.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef GROUP
#error "GROUP must be set by the host"
#endif
#include "ladder/sat/texels.glsl"
#define TREE_VALUE VALUE
#define TREE_ELEMENTS (2 * GROUP)
#include "ladder/sat/segments.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = AG_SSBO_SCAN_SUMS) buffer Roots { VALUE b_roots[]; };
layout(std430, binding = AG_SSBO_SCAN_FLAGS) readonly buffer Flags { uint b_flags[]; };
shared VALUE s_last;

bool head(int i) { return i < u_scan.w && b_flags[i] != 0u; }

void main()
{
    int node = int(gl_LocalInvocationIndex);
    VALUE before = VALUE(0), v[2];
    for (int first = 0; first < u_scan.w; first += TREE_ELEMENTS) {
        for (int k = 0; k < 2; ++k) {
            int e = node + k * GROUP;
            v[k] = VALUE(0);
            if (first + e < u_scan.w)
                v[k] = b_roots[first + e];
            set_element(e, v[k], head(first + e));
        }
        sweep_up(node);
        sweep_down(node, first, before);
        for (int k = 0; k < 2; ++k) {
            int e = node + k * GROUP;
            VALUE sum = element_sum(e, v[k], head(first + e));
            if (first + e < u_scan.w)
                b_roots[first + e] = sum;
            if (e == TREE_ELEMENTS - 1)
                s_last = sum;
        }
        sync_shared();
        before = s_last;
        sync_shared();
    }
}
