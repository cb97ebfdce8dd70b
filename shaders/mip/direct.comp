// mip/direct.comp - levels as exact area averages of level 0: rows first, then columns
//
//   in        i_src       ROWS 1: level 0 (mip/source.glsl)
//             b_handover  ROWS 0: what ROWS 1 left
//   out       b_handover  ROWS 1: for each row of level 0 the means of this level's columns, fp32
//             i_level1    ROWS 0: the level
//   host sets ROWS        1 = rows, the first of two passes; 0 = columns
//             and the defines of mip/level.glsl; ROWS 1: those of mip/source.glsl
//   dispatch  ceil(level width / 64), ceil(rows / 4), layers: one thread an output. ROWS 1: the
//             rows of level 0; ROWS 0: of the level
//   weights   of source j in output i: max(0, min((i+1) W, (j+1) w) - max(i W, j w)) / W, in
//             integers
//   error     compensated sums (Kahan 1965): the error does not grow with the number of texels
//   cost      Reads level 0 once for every level (from cache), writes and reads a TEXEL for each
//             row of level 0 and column of the level. The chain has counted non-finite texels
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef ROWS
#error "ROWS must be set by the host"
#endif
#include "mip/level.glsl"
#if ROWS
#include "mip/source.glsl"
#endif

layout(local_size_x = 64, local_size_y = 4) in;
layout(location = AG_LOC_HANDOVER) uniform ivec4 u_handover;
layout(std430, binding = AG_SSBO_HANDOVER) buffer Handover { TEXEL b_handover[]; };
#if !ROWS
layout(binding = 0) LEVEL_IMAGE i_level1;
#endif

int overlap(int from, int to, int i, int j)
{
    return min((i + 1) * from, (j + 1) * to) - max(i * from, j * to);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), whole = u_src_rect.zw;
    int level = u_stage.x;
    ivec2 size = level_size(level);
    int base = int(gl_WorkGroupID.z) * u_stage.y + u_handover.x;
    // Along the axis: output i of `to`, of `from` sources.
    int i = ROWS != 0 ? p.x : p.y, from = ROWS != 0 ? whole.x : whole.y;
    int to = ROWS != 0 ? size.x : size.y, lines = ROWS != 0 ? whole.y : size.x;
    if (i >= to || (ROWS != 0 ? p.y : p.x) >= lines)
        return;
    int first = i * from / to, last = min(((i + 1) * from - 1) / to, from - 1);
    precise vec4 sum = vec4(0.0), lost = vec4(0.0);
    for (int j = first; j <= last; ++j) {
#if ROWS
        bool bad;
        vec4 c = load_first(ivec2(j, p.y), bad);
#else
        vec4 c = UNPACK(b_handover[base + j * size.x + p.x]);
#endif
        precise vec4 add = c * (float(overlap(from, to, i, j)) / float(from)) - lost;
        precise vec4 next = sum + add;
        lost = (next - sum) - add;
        sum = next;
    }
#if ROWS
    b_handover[base + p.y * size.x + p.x] = PACK(sum);
#else
    imageStore(i_level1, PLACE(level_corner(level) + p), stored(sum));
#endif
}
