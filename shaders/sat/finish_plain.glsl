// sat/finish_plain.glsl - the entries of tables without squares: one section
//
//   before it entry_of   sat/finish_single.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"

ENTRY g_entry[TEXELS];

void clear_entry(int k) { g_entry[k] = ENTRY(0); }

void set_entry(int k, LOCAL local, PACKED_SUM above, PACKED_SUM left)
{
    g_entry[k] = pushed(g_entry[k], entry_of(local, above, left));
}

void store_entry(ivec2 place, int k) { store_section(0, place, g_entry[k]); }
void store_zero(ivec2 place) { store_section(0, place, ENTRY(0)); }
