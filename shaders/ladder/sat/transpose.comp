// ladder/sat/transpose.comp - scan_transpose_scan's transpose, through a tile in shared memory
//
//   in        i_table
//   out       i_dst, its transpose
//   shared    a tile of 32 x 32 values, which is read along columns (ladder/sat/shared_tile.glsl)
//   host sets the defines of ladder/sat/texels.glsl; TILE: AG_SCAN_*; with _DIRECT there is no
//             tile, and a subgroup stores a column, element by element
//   dispatch  ceil(width / 32), ceil(height / 32); 32 x 8 threads with four texels each
//   cost      each texel read and written once
//   technique D08, D14, D22 of docs/ladder.md
//   source    Bilgic et al. 2010; G. Ruetsch, P. Micikevicius 2009, "Optimizing matrix transpose in
//             CUDA" (padding)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TILE
#error "TILE must be set by the host"
#endif
#include "ladder/sat/texels.glsl"
#define TILES 1
#define TILE_ROWS 32
#include "ladder/sat/shared_tile.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

void main()
{
    ivec2 t = ivec2(gl_LocalInvocationID.xy), tile = 32 * ivec2(gl_WorkGroupID.xy);
    RAW raw[4];
    for (int k = 0; k < 4; ++k)
        raw[k] = fetch_raw(tile + t + ivec2(0, 8 * k));
    for (int k = 0; k < 4; ++k) {
        ivec2 p = tile + t + ivec2(0, 8 * k);
        if (TILE != AG_SCAN_DIRECT)
            s_tile[0][tile_place(t.y + 8 * k, t.x)] = raw[k];
        else if (is_inside(p))
            store_value(p.yx, raw[k]);
    }
    sync_shared();
    for (int x = t.y; x < 32 && TILE != AG_SCAN_DIRECT; x += 8) {
        ivec2 p = tile + ivec2(x, t.x);
        if (is_inside(p))
            store_value(p.yx, s_tile[0][tile_place(t.x, x)]);
    }
}
