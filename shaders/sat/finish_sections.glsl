// sat/finish_sections.glsl - tables of any storage, with squares or without: the offset, entries
//
//   The offset comes off a sum of squares by the sum itself, which is an item of another plane.
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_in_items.glsl"
#include "sat/store_sections.glsl"

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
        WIDE m = wide_offset(channel), texels = WIDE(area_of(item_of(round)));
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

// ---- entries

ENTRY g_high[TEXELS], g_square_high[TEXELS], g_low[TEXELS], g_square_low[TEXELS];

void clear_entry(int k)
{
    g_high[k] = g_square_high[k] = ENTRY(0);
    g_low[k] = g_square_low[k] = ENTRY(0);
}

// split: only the tile's sum.
void find_entry(float local, uvec2 above, uvec2 left, out float high, out float low)
{
    high = local;
    low = 0.0;
    if (STORAGE == AG_TABLE_FLOAT32)
        high = entry_of(local, above, left);
}

void find_entry(double local, uvec2 above, uvec2 left, out float high, out float low)
{
    double all = local + (unpack_wide(above) + unpack_wide(left));
    high = float(all);
    low = float(all - double(high));
}

void find_entry(uint local, uint above, uint left, out uint high, out uint low)
{
    high = entry_of(local, above, left);
    low = 0u;
}

void set_entry(int k, const bool squared, LOCAL local, PACKED_SUM above, PACKED_SUM left)
{
    COMPONENT high, low;
    find_entry(local, above, left, high, low);
    if (squared) {
        g_square_high[k] = pushed(g_square_high[k], high);
        g_square_low[k] = pushed(g_square_low[k], low);
    } else {
        g_high[k] = pushed(g_high[k], high);
        g_low[k] = pushed(g_low[k], low);
    }
}

void store_entry(ivec2 place, int k)
{
    store_texel(place, g_high[k], g_low[k], g_square_high[k], g_square_low[k]);
}
