// sat/finish_gathers.comp - the last of three steps to a table, by subgroups and 2x2 gathers
//
//   in        the image again                  sat/tile_gathers.glsl
//             b_columns, b_rows                from carry.comp
//   out       the table                        sat/store.glsl
//             i_mean, 1 x 1                    with OFFSET = mean
//   host sets PACKED_SUM (sat/finish.glsl) and the defines of sat/subgroup_tile.glsl,
//             sat/tile.glsl, sat/store.glsl, sat/types.glsl and sat/tile_gathers.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 1 barrier before texels are used, then
//             those of sat/finish_subgroups.glsl
//   limits    registers: 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5 (docs/gpus.md)
//   why       float32 and uint32 without squares, from the corner
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 0
#define RUN 32
#define ALL_RUNS RUNS
#include "sat/subgroup_tile.glsl"
#include "sat/tile_gathers.glsl"
#include "sat/finish_single.glsl"
#include "sat/finish_plain.glsl"
#include "sat/carry_ins_stored.glsl"
#include "sat/offset.glsl"
#include "sat/scan_gathers.glsl"
#include "sat/finish_subgroups.glsl"
#include "sat/finish_store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void take_offset_off()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round));
        g_carry_ins[round] = without_offset(g_carry_ins[round], m, area_of(item_of(round)));
        g_corners[round] = without_offset(g_corners[round], m, corner_area());
    }
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    request_items(part); // beside the texels
    find_offset();
    take_tile();
    take_items();
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
    store_mean();
}
