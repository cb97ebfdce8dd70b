// sat/shared_tile.glsl - a group that exchanges sums through shared memory
//
//   A thread's texels are place_in_tile() + READ_STEP(i, j). A subgroup loads 16 x 2, whole sectors
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/parts.glsl"
#include "sat/tile.glsl"
#include "common/sync.glsl"

#define READ_STEP(i, j) ivec2((i) * GROUP_X, (j) * GROUP_Y)

int thread_index() { return int(gl_LocalInvocationIndex); }
ivec2 place_in_tile() { return ivec2(gl_LocalInvocationID.xy); }
