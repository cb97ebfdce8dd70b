// sat/offset_squares.glsl - takes the offset off carry-ins, also off those of squares
//
//   The offset comes off a sum of squares by the sum itself, which is an item of another plane.
//   cost      2 barriers with squares
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/offset.glsl"

// The corner of the plane that this plane has the squares of.
WIDE sum_beside(int round) { return load_wide(b_columns[corner_at(plane_of(round) - CHANNELS)]); }

void take_offset_off()
{
#if SQUARE // squares need the sums with their offset, CHANNELS planes before
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (is_carry(round))
            s_item[carry_index(round)] = pack_wide(g_carry_ins[round]);
    sync_shared();
    WIDE sums[CARRY_ROUNDS];
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        sums[round] = unpack_wide(s_item[clamp(carry_index(round) - CHANNELS * ITEMS, 0,
                                               CARRY_INS - 1)]);
    sync_shared();
#endif
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), channel = SQUARE != 0 ? plane % CHANNELS : plane;
        WIDE m = wide_offset(channel), texels = area_of(item_of(round));
#if SQUARE
        if (plane >= CHANNELS) {
            g_carry_ins[round] = squares_without_offset(g_carry_ins[round], sums[round], m, texels);
            g_corners[round] = squares_without_offset(g_corners[round], sum_beside(round), m,
                                                      corner_area());
        } else
#endif
        {
            g_carry_ins[round] = without_offset(g_carry_ins[round], m, texels);
            g_corners[round] = without_offset(g_corners[round], m, corner_area());
        }
    }
}
