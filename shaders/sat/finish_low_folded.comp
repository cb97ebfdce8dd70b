// sat/finish_low_folded.comp - the last of two steps, by shared memory: low parts
//
//   in        the image again                  sat/tile_loads.glsl
//             b_columns, b_rows                of the first step: carry-ins are added up here
//   out       the table                        sat/store.glsl and sat/store_sections.glsl
//   host sets PACKED_SUM (sat/finish.glsl) and the defines of sat/tile.glsl, sat/store.glsl,
//             sat/types.glsl and sat/tile_loads.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers before texels are used, then
//             those of sat/carry_ins_summed.glsl and sat/scan_shared.glsl; shared memory: that of
//             sat/scan_shared.glsl and sat/finish.glsl;
//             and sums of tile x + tile y lines, and a share of tile x tile y totals
//   why       few tiles, and no offset: one step less
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 1
#define RUN 8
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/finish_low.glsl"
#include "sat/carry_ins_summed.glsl"
#include "sat/scan_shared.glsl"
#include "sat/finish_store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    fetch_items(part);
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
}
