// sat/carries_squares.glsl - the offset taken off carries of squares, which takes those of what was squared
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_SQUARES_GLSL
#define AG_SAT_CARRIES_SQUARES_GLSL
#include "sat/lots.glsl"

#if SQUARE
// Squares want the sums as they are: those are the lots CHANNELS planes before.
void take_offset_off()
{
    for (int round = 0; round < LOT_ROUNDS; ++round)
        if (is_lot(round))
            s_item[lot_of(round)] = pack_wide(g_lots[round]);
    sync_shared();
    WIDE sums[LOT_ROUNDS];
    for (int round = 0; round < LOT_ROUNDS; ++round)
        sums[round] = unpack_wide(s_item[clamp(lot_of(round) - CHANNELS * ITEMS, 0, LOTS - 1)]);
    sync_shared();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round) % CHANNELS), texels = WIDE(area_of(item_of(round)));
        if (plane_of(round) >= CHANNELS) {
            g_lots[round] = squares_without_offset(g_lots[round], sums[round], m, texels);
            g_corners[round] = squares_without_offset(g_corners[round], sum_beside(round), m, corner_area());
        } else {
            g_lots[round] = without_offset(g_lots[round], m, texels);
            g_corners[round] = without_offset(g_corners[round], m, corner_area());
        }
    }
}
#endif

#endif
