// sat/ladder/transpose.comp - scan_transpose_scan's transpose, through a tile in shared memory
//
//   in        i_table
//   out       i_dst, its transpose
//   shared    a tile of 32 x 32 values, which is read along columns (sat/ladder/shared_tile.glsl)
//   host sets the defines of sat/ladder/texels.glsl; TILE: AG_SCAN_*; with _DIRECT there is no
//             tile, and a subgroup stores a column, element by element
//   dispatch  ceil(width / 32), ceil(height / 32); 32 x 8 threads with four texels each
//   cost      each texel read and written once
//   source    Bilgic et al. 2010; G. Ruetsch, P. Micikevicius 2009, "Optimizing matrix transpose in
//             CUDA" (padding)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/ladder/texels.glsl"
#define TILES 1
#define TILE_ROWS 32
#include "sat/ladder/shared_tile.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

void main()
{
    ivec2 t = ivec2(gl_LocalInvocationID.xy), tile = 32 * ivec2(gl_WorkGroupID.xy);
    for (int y = t.y; y < 32; y += 8) {
        ivec2 p = tile + ivec2(t.x, y);
        if (all(lessThan(p, extent()))) {
            VALUE v = load_value(p, false);
            if (TILE == AG_SCAN_DIRECT)
                store_value(p.yx, v);
            else
                s_tile[0][tile_place(y, t.x)] = v;
        }
    }
    sync_shared();
    for (int x = t.y; x < 32 && TILE != AG_SCAN_DIRECT; x += 8) {
        ivec2 p = tile + ivec2(x, t.x);
        if (all(lessThan(p, extent())))
            store_value(p.yx, s_tile[0][tile_place(t.x, x)]);
    }
}
