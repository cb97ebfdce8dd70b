// sat/finish_gathers.comp - the last of three steps to a table, by subgroups and 2x2 gathers
//
//   in        sat/source.glsl                  the image again
//             b_column_carry, b_row_carry      from carry.comp
//   out       see sat/store.glsl; with OFFSET = mean also i_mean, 1 x 1
//   host sets PACKED_SUM (sat/finish.glsl) and those of sat/subgroup_tile.glsl, sat/tile.glsl,
//             sat/store.glsl, sat/values.glsl and sat/source.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 1 barrier before texels are used, then
//             those of sat/finish_subgroups.glsl
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 0
#define RUN 32
#define ALL_RUNS RUNS
#include "sat/subgroup_tile.glsl"
#include "sat/tile_gathers.glsl"
#include "sat/carry_ins_stored.glsl"
#include "sat/finish_plain.glsl"
#include "sat/carry_ins.glsl"
#include "sat/scan_gathers.glsl"
#include "sat/finish_subgroups.glsl"
#include "sat/finish_store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    request_items(part); // beside the texels
    find_offset();
    take_tile();
    take_items();
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
    store_mean();
}
