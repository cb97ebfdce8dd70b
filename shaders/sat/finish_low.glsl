// sat/finish_low.glsl - sums and entries of tables with low parts: residual, double_float
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"
#include "sat/store_sections.glsl"

uvec2 pack_line(WIDE sum, int plane, WIDE corner) { return pack_wide(sum); }
void keep_corner(int plane, int item, WIDE corner) {} // only split does: sat/finish_split.glsl

ENTRY g_high[TEXELS], g_square_high[TEXELS], g_low[TEXELS], g_square_low[TEXELS];

void clear_entry(int k)
{
    g_high[k] = g_square_high[k] = ENTRY(0);
    g_low[k] = g_square_low[k] = ENTRY(0);
}

void set_entry(int k, const bool squared, LOCAL local, uvec2 above, uvec2 left)
{
    WIDE sum = tidy(added(local, added(unpack_wide(above), unpack_wide(left))));
    float high = nearest(sum), low = nearest_less(sum, high);
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
