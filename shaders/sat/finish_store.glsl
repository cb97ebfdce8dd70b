// sat/finish_store.glsl - stores the entries of a tile: part of the last step
//
//   includer  store_entry, store_zero: sat/finish_plain.glsl, _squares.glsl or _low.glsl
//             STORE_STEP(i, j): offset of the thread's entry in column i, row j from its first one
//   SPDX-License-Identifier: MIT
#pragma once

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
    // the same for all threads
    bool whole = all(lessThanEqual(tile_corner() + ivec2(TILE_W, TILE_H), frame.size));
    if (QUERY == AG_QUERY_IMAGE && EDGE == 0 && PLANES == 1)
        store_anywhere(frame, first);
    else if (QUERY == AG_QUERY_IMAGE)
        store_within(frame, first, false);
    else if (whole) // true for nearly all groups
        store_within(frame, first, true);
    else
        store_within(frame, first, false);
}
