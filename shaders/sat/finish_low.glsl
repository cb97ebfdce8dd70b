// sat/finish_low.glsl - sums and entries of tables with low parts: residual, double_float
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"
#include "sat/store_sections.glsl"

uvec2 pack_line(double sum, int plane, double corner) { return pack_wide(sum); }
void keep_corner(int plane, int item, double corner) {} // only split does: sat/finish_split.glsl

ENTRY g_high[TEXELS], g_square_high[TEXELS], g_low[TEXELS], g_square_low[TEXELS];

void clear_entry(int k)
{
    g_high[k] = g_square_high[k] = ENTRY(0);
    g_low[k] = g_square_low[k] = ENTRY(0);
}

void set_entry(int k, const bool squared, double local, uvec2 above, uvec2 left)
{
    double sum = local + (unpack_wide(above) + unpack_wide(left));
    float high = float(sum), low = nearest_less(sum, high);
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
