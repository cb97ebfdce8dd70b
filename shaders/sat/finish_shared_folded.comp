// sat/finish_shared_folded.comp - the last of two steps, by shared memory: for few tiles
//
//   in        sat/source.glsl                  the image again
//             b_column_sums, b_row_sums        of the first step: carry-ins are added up here
//   out       see sat/store.glsl
//   host sets PACKED_SUM (sat/finish.glsl) and the defines of sat/tile.glsl,
//             sat/store.glsl, sat/values.glsl and sat/source.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers before texels are used, then
//             those of sat/finish_shared.glsl; shared memory: the same, and sat/finish.glsl; and
//             sums of tile x + tile y lines, and a share of tile x tile y totals
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 1
#define RUN 8
#define ALL_RUNS ROLLED(RUNS) // 8 or more
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/carry_ins_summed.glsl"
#include "sat/finish_sections.glsl"
#include "sat/split_border.glsl"
#include "sat/carry_ins.glsl"
#include "sat/finish_shared.glsl"
#include "sat/finish_store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    take_tile();
    find_offset();
    fetch_items(part);
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
    store_border(part, frame.size);
}
