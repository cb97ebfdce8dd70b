// sat/finish_shared_folded.comp - the last of two steps to a table, by shared memory: of few tiles
//
//   in        sat/source.glsl                  the image again
//             b_column_sums, b_row_sums        from the first step: the carries are added up here
//   out       see sat/store.glsl
//   host sets CELL (sat/finish.glsl), and what sat/tile.glsl, sat/store.glsl,
//             sat/values.glsl and sat/source.glsl want
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers while the texels are on their way, then
//             what sat/finish_shared.glsl says; shared memory beside that: sat/finish.glsl; and adding up tile x + tile y sums
//             of lines, and of the corner its share of tile x tile y totals
//   source    Nehab et al. 2011, stage 4, but with the carries added late; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define FOLDED 1
#define RUN 8
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/carries_folded.glsl"
#include "sat/carries_squares.glsl"
#include "sat/carries.glsl"
#include "sat/finish_shared.glsl"
#include "sat/store_planes.glsl"
#include "sat/finish_store.glsl"
#include "sat/split_border.glsl"

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
