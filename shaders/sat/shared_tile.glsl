// sat/shared_tile.glsl - a group that passes sums on by shared memory
//
//   A thread's texels are place_in_tile() + READ_STEP(i, j): 16 x 2 of a subgroup a load, rows GROUP_Y apart, whole sectors
//   of a texture in every format (docs/decisions.md, D37, has what other shapes cost).
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SHARED_TILE_GLSL
#define AG_SAT_SHARED_TILE_GLSL
#include "sat/tile.glsl"
#include "common/sync.glsl"

#define READ_STEP(i, j) ivec2((i) * GROUP_X, (j) * GROUP_Y)

int thread_index() { return int(gl_LocalInvocationIndex); }
ivec2 place_in_tile() { return ivec2(gl_LocalInvocationID.xy); }

#endif
