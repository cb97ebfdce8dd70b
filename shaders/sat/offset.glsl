// sat/offset.glsl - the offset that a table is less, and how much of it lies in each carry-in
//
//   in        b_columns   the mean, with OFFSET = mean, at its end (sat/carry.comp)
//   out       i_mean      the mean, with OFFSET = mean
//
//   Texels are less the offset when the tile is scanned. Carry-ins are sums of whole texels: the
//   offset comes off them once for each texel, by take_offset_off of the includer.
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_ins_stored.glsl"
#include "sat/without_offset.glsl"

layout(binding = AG_IMAGE_MEAN) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int mean_row() { return u_span.w; } // of i_mean

WIDE wide_offset(int channel)
{
    WIDE m = WIDE(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        m = load_wide(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
    return m;
}

void find_offset()
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = float(wide_offset(c));
}

// After scan_planes, which leaves the first channel first.
void store_mean()
{
    if (OFFSET == AG_TABLE_MEAN && thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}

// The number of texels in an item of the tile, and in its corner.
int area_of(int item)
{
    ivec2 tile = this_tile();
    return item < TILE_W ? tile.y * TILE_H : tile.x * TILE_W;
}

WIDE corner_area() { return WIDE(this_tile().x * TILE_W) * WIDE(this_tile().y * TILE_H); }
