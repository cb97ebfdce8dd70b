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
#include "sat/wide.glsl"

layout(binding = AG_IMAGE_MEAN) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int mean_row() { return u_span.w; } // of i_mean

WIDE wide_offset(int channel)
{
    WIDE m = wide(fixed_offset(), WIDE(0));
    if (OFFSET == AG_TABLE_MEAN)
        m = load_wide(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
    return m;
}

void find_offset()
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = nearest(wide_offset(c));
}

// After scan_planes, which leaves the first channel first.
void store_mean()
{
    if (OFFSET == AG_TABLE_MEAN && thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}

// The number of texels in an item of the tile, and in its corner.
WIDE area_of(int item)
{
    ivec2 corner = tile_corner();
    return wide(item < TILE_W ? corner.y : corner.x, WIDE(0));
}

WIDE corner_area()
{
    ivec2 corner = tile_corner();
    return product(corner.x, corner.y, WIDE(0));
}
