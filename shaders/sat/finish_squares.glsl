// sat/finish_squares.glsl - the entries of tables with squares or without: one section or two
//
//   before it entry_of   sat/finish_single.glsl or sat/finish_split.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"
#include "sat/store_squares.glsl"

ENTRY g_entry[TEXELS], g_square[TEXELS];

void clear_entry(int k) { g_entry[k] = g_square[k] = ENTRY(0); }

void set_entry(int k, const bool squared, LOCAL local, PACKED_SUM above, PACKED_SUM left)
{
    COMPONENT sum = entry_of(local, above, left);
    if (squared)
        g_square[k] = pushed(g_square[k], sum);
    else
        g_entry[k] = pushed(g_entry[k], sum);
}

void store_pair(ivec2 place, ENTRY entry, ENTRY square)
{
    store_section(0, place, entry);
    if (SQUARE != 0)
        store_squares(place, square);
}

void store_entry(ivec2 place, int k) { store_pair(place, g_entry[k], g_square[k]); }
void store_zero(ivec2 place) { store_pair(place, ENTRY(0), ENTRY(0)); }
