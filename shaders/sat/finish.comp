// sat/finish.comp - a table by tiles, the last step: scans each tile, and adds what lies beside it
//
//   in        the image again      sat/tile_texels.glsl
//             b_columns, b_rows    from carry.comp, FOLDED from reduce.comp (sat/carry_ins.glsl)
//   out       the table            sat/store.glsl; in the storage split also what lies beside
//                                  tiles: store_border of sat/entries.glsl
//             i_mean               with OFFSET = mean: one texel
//   host sets the defines of sat/carry_ins.glsl and sat/store.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      A read of each texel, a write of each entry, and the scan of the tile. Before that 1
//             barrier with subgroups, else 2, and 2 more with squares and an offset. FOLDED also
//             adds up tile x + tile y lines and a share of tile x tile y totals, with 2 barriers
//             more if there are several planes
//   limits    registers: 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5 (docs/gpus.md)
//   why       Subgroups scan tables of float32 and uint32, without squares, from the corner, of
//             images that a texture unit reads. FOLDED saves a step where there are few tiles
//   source    Nehab et al. 2011, stage 4, but with the carry-ins added last; docs/sat.md
//
//   sat/tile.glsl draws the algorithm. The tile is scanned alone, in small numbers. The large
//   numbers A + (B + K) are added last, in twice the precision, so an entry is rounded once. A scan
//   that starts from them is 3 to 5 times less exact.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/carry_ins.glsl"
#include "sat/entries.glsl"
#if SUBGROUPS != AG_SUBGROUPS_NONE
#include "sat/tile_scan_subgroups.glsl"
#else
#include "sat/tile_scan_shared.glsl"
#endif

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// `whole`: the tile lies within the image.
void store_within(part_frame frame, ivec2 first, const bool whole)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = first + STORE_STEP(k % ACROSS, k / ACROSS);
        if (whole || all(lessThan(at, frame.size))) {
            store_entry(frame.origin + frame.direction * at, k);
            if (EDGE != 0)
                store_zeros(at);
        }
    }
}

// For any tile, without a condition: entries beyond the image go to (-32768, -32768) from the
// rectangle's corner. No texture is that large, so GL stores nothing.
void store_anywhere(part_frame frame, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = first + STORE_STEP(k % ACROSS, k / ACROSS),
            place = frame.origin + frame.direction * at;
        ivec2 room = frame.size - 1 - at;
        int beyond = (room.x | room.y) >> 31; // all ones, or 0
        store_entry((place & ~beyond) | (beyond & -32768), k);
    }
}

// docs/decisions.md, D41, has the times.
void store_tile(part_frame frame, ivec2 first)
{
    // the same for all threads, and true for nearly all groups
    bool whole = all(lessThanEqual(tile_corner() + ivec2(TILE_W, TILE_H), frame.size));
    if (QUERY == AG_QUERY_IMAGE && EDGE == 0 && PLANES == 1)
        store_anywhere(frame, first);
    else if (QUERY != AG_QUERY_IMAGE && whole)
        store_within(frame, first, true);
    else
        store_within(frame, first, false);
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    request_items(part);
    take_tile();
    take_items(part);
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    scan_planes();
    store_tile(frame, tile_corner() + place_to_store());
#if STORAGE == AG_TABLE_SPLIT
    store_border(frame.size);
#endif
#if OFFSET == AG_TABLE_MEAN
    store_mean();
#endif
}
