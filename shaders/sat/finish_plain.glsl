// sat/finish_plain.glsl - tables with one section: the offset of carry-ins, and entries
//
//   why       float32 and uint32 without squares have neither low parts nor sums of another plane
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_in_items.glsl"

void take_offset_off()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round));
        g_carry_ins[round] = without_offset(g_carry_ins[round], m, WIDE(area_of(item_of(round))));
        g_corners[round] = without_offset(g_corners[round], m, corner_area());
    }
}

void keep_corner(int plane, int item, WIDE corner) {} // only split does: sat/split_border.glsl

// ---- entries

ENTRY g_entry[TEXELS];

void clear_entry(int k) { g_entry[k] = ENTRY(0); }

void set_entry(int k, LOCAL local, PACKED_SUM above, PACKED_SUM left)
{
    g_entry[k] = pushed(g_entry[k], entry_of(local, above, left));
}

void store_entry(ivec2 place, int k) { store_section(0, place, g_entry[k]); }
void store_zero(ivec2 place) { store_section(0, place, ENTRY(0)); }
