// downsample/finish.comp - outputs whose cells lie in several tiles: the sums of their parts, in a
// fixed order
//
//   in        b_partials   what sums.comp left of a target
//   out       i_dst0       those outputs; the others are there already
//   host sets the defines of downsample/weights.glsl; nothing is loaded from the image
//   dispatch  a group of 256 threads for 256 / u_finish.x outputs; so many lanes share one
//   cost      two vec4s of each tile that a cell lies in
//   SPDX-License-Identifier: MIT
#version 430 core
#include "downsample/cells.glsl"
#include "downsample/weights.glsl"
#include "downsample/lanes.glsl"
#include "downsample/partials.glsl"

layout(local_size_x = AG_DOWN_LANES) in;
layout(location = AG_LOC_DOWN_SHARE) uniform ivec4 u_share0;
layout(location = AG_LOC_DOWN_FINISH) uniform ivec4 u_finish; // lanes an output, a power of two
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;

void main()
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    int thread = int(gl_LocalInvocationIndex), lanes = u_finish.x, which = thread & (lanes - 1);
    ivec2 cell = ivec2(int(gl_WorkGroupID.x) * (AG_DOWN_LANES / lanes) + thread / lanes,
        int(gl_WorkGroupID.y));
    bool exists = cell.x < u_dst0.z;
    cell.x = min(cell.x, u_dst0.z - 1);
    ivec2 size = ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    Cell cx = cell_of(ax, cell.x), cy = cell_of(ay, cell.y);
    ivec2 first = ivec2(cx.first, cy.first) / size;
    ivec2 last = (ivec2(cell_end(ax, cx), cell_end(ay, cy)) - 1) / size;
    int row = last.x - first.x + 1, count = row * (last.y - first.y + 1);
    if (!exists || count == 1)
        count = 0;

    vec4 hi[PARTS], lo[PARTS];
    for (int part = 0; part < PARTS; ++part)
        hi[part] = lo[part] = vec4(0.0);
    for (int i = which; i < count; i += lanes) {
        Tile tile = tile_of(ax, ay, first + ivec2(i % row, i / row));
        int place = place_of(tile, cell, u_share0);
        for (int part = 0; part < PARTS; ++part)
            add_sum(hi[part], lo[part], b_partials[place + 2 * part], b_partials[place + 2 * part +
                1]);
    }
    sum_lanes(lanes, hi, lo);
    if (count > 0 && which == 0)
        imageStore(i_dst0, u_dst0.xy + cell, stored(mean_of(hi, lo, u_scale0.xy)));
}
