// sat/carry_ins_squares.glsl - takes the offset off carry-ins of squares
// SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_in_items.glsl"

#if SQUARE
// Squares need the sums with their offset: the carry-ins CHANNELS planes before.
void take_offset_off()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (is_carry(round))
            s_item[carry_index(round)] = pack_wide(g_carry_ins[round]);
    sync_shared();
    WIDE sums[CARRY_ROUNDS];
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        sums[round] = unpack_wide(s_item[clamp(carry_index(round) - CHANNELS * ITEMS, 0,
                                               CARRY_INS - 1)]);
    sync_shared();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round) % CHANNELS), texels = WIDE(area_of(item_of(round)));
        if (plane_of(round) >= CHANNELS) {
            g_carry_ins[round] = squares_without_offset(g_carry_ins[round], sums[round], m, texels);
            g_corners[round] = squares_without_offset(g_corners[round], sum_beside(round), m,
                                                      corner_area());
        } else {
            g_carry_ins[round] = without_offset(g_carry_ins[round], m, texels);
            g_corners[round] = without_offset(g_corners[round], m, corner_area());
        }
    }
}
#endif
