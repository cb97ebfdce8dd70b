// downsample/finish.comp - outputs whose cells lie in several tiles: the sums of their parts, in a fixed order
//
//   in        b_partials   what sums.comp left of a target
//   out       i_dst0       those outputs; the others are there already
//   host sets what downsample/weights.glsl asks for; nothing is loaded from the image
//   dispatch  a group of 256 threads for 256 / u_finish.x outputs; so many lanes share one
//   cost      two vec4s of each tile that a cell lies in
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "downsample/cells.glsl"
#include "downsample/weights.glsl"
#include "downsample/partials.glsl"

layout(local_size_x = AG_DOWN_LANES) in;
layout(location = AG_LOC_DOWN_SHARE) uniform ivec4 u_share0;
layout(location = AG_LOC_DOWN_FINISH) uniform ivec4 u_finish; // lanes an output, a power of two
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;

shared vec4 s_hi[PARTS * AG_DOWN_LANES];
shared vec4 s_lo[PARTS * AG_DOWN_LANES];

void main()
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    int thread = int(gl_LocalInvocationIndex), lanes = u_finish.x, which = thread & (lanes - 1);
    ivec2 cell = ivec2(int(gl_WorkGroupID.x) * (AG_DOWN_LANES / lanes) + thread / lanes, int(gl_WorkGroupID.y));
    ivec2 size = ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    ivec2 first = ivec2(cell_first(ax, cell.x), cell_first(ay, cell.y)) / size;
    ivec2 last = (ivec2(cell_end(ax, cell.x), cell_end(ay, cell.y)) - 1) / size;
    int row = last.x - first.x + 1, count = row * (last.y - first.y + 1);
    if (cell.x >= u_dst0.z || count == 1)
        count = 0;

    vec4 hi[PARTS], lo[PARTS];
    for (int part = 0; part < PARTS; ++part)
        hi[part] = lo[part] = vec4(0.0);
    for (int i = which; i < count; i += lanes) {
        Tile tile = tile_of(ax, ay, first + ivec2(i % row, i / row));
        int place = place_of(tile, cell, u_share0);
        for (int part = 0; part < PARTS; ++part)
            add_sum(hi[part], lo[part], b_partials[place + 2 * part], b_partials[place + 2 * part + 1]);
    }
    if (lanes > 1) {
        for (int half_of = lanes / 2; half_of > 0; half_of /= 2) {
            sync_shared();
            for (int part = 0; part < PARTS; ++part) {
                s_hi[part * AG_DOWN_LANES + thread] = hi[part];
                s_lo[part * AG_DOWN_LANES + thread] = lo[part];
            }
            sync_shared();
            if (which < half_of)
                for (int part = 0; part < PARTS; ++part)
                    add_sum(hi[part], lo[part], s_hi[part * AG_DOWN_LANES + thread + half_of],
                            s_lo[part * AG_DOWN_LANES + thread + half_of]);
        }
    }
    if (count > 0 && which == 0)
        imageStore(i_dst0, u_dst0.xy + cell, stored(mean_of(hi, lo, u_scale0.xy)));
}
