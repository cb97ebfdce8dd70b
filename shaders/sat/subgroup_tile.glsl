// sat/subgroup_tile.glsl - subgroups with whole rows of a tile, and selects by masks
//
//   host sets SUBGROUPS    AG_SUBGROUPS_*: how lanes exchange sums (common/subgroups.glsl)
//
//   A subgroup has SUBGROUP_ROWS rows. A thread's texels are place_in_tile() + READ_STEP(i, j). A
//   gather of a subgroup returns 32 x 2 texels of the upper and 32 x 2 of the lower half of
//   these rows:
//
//        lane 0 | lane 1 | .. lane 15 | lane 0 ..     columns 0 1 | 2 3 | .. 30 31 | 32 33 ..
//       --------+--------+------------+-------       row 0, row 1
//        lane 16| lane 17| .. lane 31 | lane 16 ..   row SUBGROUP_ROWS / 2, and the next
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SUBGROUPS
#error "SUBGROUPS must be set by the host"
#endif
#include "sat/tile.glsl"
#include "common/subgroups.glsl"

#define HALF_OF(n) ((n) > 1 ? (n) / 2 : 1)
#define SUBGROUP_COUNT (THREADS / 32)
#define SUBGROUP_ROWS (TILE_H / SUBGROUP_COUNT)

#define READ_STEP(i, j) ivec2((i) / 2 * 32 + (i) % 2, j)

struct part_frame { // the whole image is the only part (sat/parts.glsl)
    ivec2 origin, direction, size;
};

part_frame frame_of_part(int part) { return part_frame(ivec2(0), ivec2(1), image_size()); }

// 32 neighbours are a subgroup
int thread_index() { return subgroup_index() * 32 + subgroup_lane(); }

ivec2 place_in_tile()
{
    int lane = subgroup_lane();
    return ivec2(lane % GROUP_X, lane / GROUP_X) * ivec2(2, DOWN) +
        ivec2(0, subgroup_index() * SUBGROUP_ROWS);
}

// Selects by masks, for the results of shuffles (docs/decisions.md, D9).
uint less_mask(int a, int b) { return uint((a - b) >> 31); } // all ones where a < b, else 0
uint lane_mask(int lane, const uint bit) { return uint(-int(uint(lane) / bit % 2u)); } // where set
uint only(uint mask, uint x) { return x & mask; }
float only(uint mask, float x) { return uintBitsToFloat(floatBitsToUint(x) & mask); }
uvec2 only(uint mask, uvec2 x) { return x & uvec2(mask); }
uint choose(uint mask, uint no, uint yes) { return no ^ ((no ^ yes) & mask); }
float choose(uint mask, float no, float yes)
{
    return uintBitsToFloat(choose(mask, floatBitsToUint(no), floatBitsToUint(yes)));
}
