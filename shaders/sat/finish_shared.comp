// sat/finish_shared.comp - the last of three steps to a table, by shared memory: float32 and uint32
//
//   in        the image again                  sat/tile_loads.glsl
//             b_columns, b_rows                from carry.comp
//   out       the table                        sat/store.glsl and sat/store_squares.glsl
//             i_mean, 1 x 1                    with OFFSET = mean
//   host sets PACKED_SUM (sat/finish.glsl) and the defines of sat/tile.glsl, sat/store.glsl,
//             sat/types.glsl and sat/tile_loads.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers before texels are used, then
//             those of sat/offset_squares.glsl and sat/scan_shared.glsl; shared memory: that of
//             sat/scan_shared.glsl and sat/finish.glsl
//   limits    registers: 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5 (docs/gpus.md)
//   why       what subgroups do not do: squares, origin = center, images that no texture unit
//             reads, and drivers without them
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 0
#define RUN 8
#define ALL_RUNS ROLLED(RUNS) // 8 or more
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/finish_single.glsl"
#include "sat/finish_squares.glsl"
#include "sat/carry_ins_stored.glsl"
#include "sat/offset_squares.glsl"
#include "sat/scan_shared.glsl"
#include "sat/finish_store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    request_items(part); // beside the texels
    find_offset();
    take_items();
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
    store_mean();
}
