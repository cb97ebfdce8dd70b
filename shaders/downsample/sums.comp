// downsample/sums.comp - large ratios, and several targets from one read: tiles of the source, summed for every target
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0 .. 3      outputs whose cells lie in a tile
//             b_partials       of the other cells, what they share with a tile; finish.comp adds that up
//   host sets TARGETS          1 .. 4
//             and what downsample/weights.glsl asks for
//   how       a thread walks down a column, four texels at a time. All threads of a group are in the same rows, so a cell
//             ends for all of them at once: then their sums meet in shared memory, and each output adds up its columns:
//
//                256 columns
//                v v v v v v v v v v v v          a cell of target 0 ends: sums across, and goes on from 0
//                v v v v v v v v v v v v
//                -----------------------          a cell of target 1 ends in the middle of a texel: its row counts
//                v v v v v v v v v v v v          for both cells, with other weights
//
//   dispatch  a group of 256 threads a tile of 256 x u_tile.x texels
//   cost      each texel loaded once, for all targets; 4 multiplications and additions a channel and target for four texels
//   exact     weights are whole numbers times a power of two, four texels are added first, then at most eight such sums; the
//             rest loses nothing (downsample/sum.glsl). The order of sums is fixed: equal images give equal bits
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TARGETS
#error "TARGETS must be set by the host"
#endif
#include "common/sync.glsl"
#include "downsample/cells.glsl"
#include "downsample/weights.glsl"
#include "downsample/partials.glsl"

layout(local_size_x = AG_DOWN_SUMS_WIDTH) in;

layout(location = AG_LOC_DOWN_SHARE) uniform ivec4 u_share0;
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;
#if TARGETS > 1
layout(location = AG_LOC_DOWN_AXES1) uniform ivec4 u_axes1;
layout(location = AG_LOC_DOWN_DST1) uniform ivec4 u_dst1;
layout(location = AG_LOC_DOWN_SCALE1) uniform vec4 u_scale1;
layout(location = AG_LOC_DOWN_SHARE1) uniform ivec4 u_share1;
layout(binding = AG_IMAGE_TARGET1) writeonly uniform image2D i_dst1;
#endif
#if TARGETS > 2
layout(location = AG_LOC_DOWN_AXES2) uniform ivec4 u_axes2;
layout(location = AG_LOC_DOWN_DST2) uniform ivec4 u_dst2;
layout(location = AG_LOC_DOWN_SCALE2) uniform vec4 u_scale2;
layout(location = AG_LOC_DOWN_SHARE2) uniform ivec4 u_share2;
layout(binding = AG_IMAGE_TARGET2) writeonly uniform image2D i_dst2;
#endif
#if TARGETS > 3
layout(location = AG_LOC_DOWN_AXES3) uniform ivec4 u_axes3;
layout(location = AG_LOC_DOWN_DST3) uniform ivec4 u_dst3;
layout(location = AG_LOC_DOWN_SCALE3) uniform vec4 u_scale3;
layout(location = AG_LOC_DOWN_SHARE3) uniform ivec4 u_share3;
layout(binding = AG_IMAGE_TARGET3) writeonly uniform image2D i_dst3;
#endif

shared vec4 s_hi[PARTS * AG_DOWN_SUMS_WIDTH]; // sums of columns, then of lanes
shared vec4 s_lo[PARTS * AG_DOWN_SUMS_WIDTH];

// A target is a number that the compiler knows.
struct Target {
    Axis ax, ay;
    ivec4 dst, share;
    vec2 scale;
};

Target target_of(const int t)
{
    ivec4 axes = u_axes0, dst = u_dst0, share = u_share0;
    vec4 scale = u_scale0;
#if TARGETS > 1
    if (t == 1) {
        axes = u_axes1;
        dst = u_dst1;
        share = u_share1;
        scale = u_scale1;
    }
#endif
#if TARGETS > 2
    if (t == 2) {
        axes = u_axes2;
        dst = u_dst2;
        share = u_share2;
        scale = u_scale2;
    }
#endif
#if TARGETS > 3
    if (t == 3) {
        axes = u_axes3;
        dst = u_dst3;
        share = u_share3;
        scale = u_scale3;
    }
#endif
    return Target(axis_x(axes, scale), axis_y(axes, scale), dst, share, scale.xy);
}

void store_in(const int t, ivec2 p, vec4 c)
{
    if (t == 0)
        imageStore(i_dst0, p, c);
#if TARGETS > 1
    if (t == 1)
        imageStore(i_dst1, p, c);
#endif
#if TARGETS > 2
    if (t == 2)
        imageStore(i_dst2, p, c);
#endif
#if TARGETS > 3
    if (t == 3)
        imageStore(i_dst3, p, c);
#endif
}

// What a tile has of a cell: the output, if that is all there is of it.
void deliver(const int t, Target to, Tile tile, ivec2 cell, vec4 hi[PARTS], vec4 lo[PARTS])
{
    bool whole_x = cell_first(to.ax, cell.x) >= tile.first.x && cell_end(to.ax, cell.x) <= tile.end.x;
    bool whole_y = cell_first(to.ay, cell.y) >= tile.first.y && cell_end(to.ay, cell.y) <= tile.end.y;
    if (whole_x && whole_y) {
        store_in(t, to.dst.xy + cell, stored(mean_of(hi, lo, to.scale)));
    } else {
        int place = place_of(tile, cell, to.share);
        for (int part = 0; part < PARTS; ++part) {
            b_partials[place + 2 * part] = hi[part];
            b_partials[place + 2 * part + 1] = lo[part];
        }
    }
}

// A row of cells has ended, or the tile: `sums` of all columns become sums of cells. All threads come here together.
void sum_across(const int t, ivec2 number, int cell_y, vec4 sums[PARTS])
{
    int thread = int(gl_LocalInvocationIndex);
    Target to = target_of(t);
    Tile tile = tile_of(to.ax, to.ay, number);
    int lanes = to.share.x, each = AG_DOWN_SUMS_WIDTH / lanes, which = thread & (lanes - 1);
    sync_shared();
    for (int part = 0; part < PARTS; ++part)
        s_hi[part * AG_DOWN_SUMS_WIDTH + thread] = sums[part];
    sync_shared();
    for (int first = tile.first_cell.x; first <= tile.last_cell.x; first += each) {
        int cell_x = first + thread / lanes;
        bool is_cell = cell_x <= tile.last_cell.x;
        vec4 hi[PARTS], lo[PARTS];
        for (int part = 0; part < PARTS; ++part)
            hi[part] = lo[part] = vec4(0.0);
        if (is_cell)
            for (int x = max(cell_first(to.ax, cell_x), tile.first.x) + which;
                 x < min(cell_end(to.ax, cell_x), tile.end.x); x += lanes)
                for (int part = 0; part < PARTS; ++part)
                    add_product(hi[part], lo[part], s_hi[part * AG_DOWN_SUMS_WIDTH + x - tile.first.x],
                                weight_of(to.ax, cell_x, x));
        if (lanes > 1) { // then there is one round only
            sync_shared();
            for (int part = 0; part < PARTS; ++part) {
                s_hi[part * AG_DOWN_SUMS_WIDTH + thread] = hi[part];
                s_lo[part * AG_DOWN_SUMS_WIDTH + thread] = lo[part];
            }
            sync_shared();
            for (int i = 1; i < lanes; ++i)
                if (which == 0)
                    for (int part = 0; part < PARTS; ++part)
                        add_sum(hi[part], lo[part], s_hi[part * AG_DOWN_SUMS_WIDTH + thread + i],
                                s_lo[part * AG_DOWN_SUMS_WIDTH + thread + i]);
        }
        if (is_cell && which == 0)
            deliver(t, to, tile, ivec2(cell_x, cell_y), hi, lo);
    }
}

void main()
{
    ivec2 number = ivec2(gl_WorkGroupID.xy);
    ivec2 first = number * ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    ivec2 end = min(first + ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), u_src_rect.zw);
    int x = first.x + int(gl_LocalInvocationIndex);
    bool counts = x < end.x;
    x = min(x, end.x - 1);

    int cell[TARGETS]; // that is open, in y
    vec4 sums[TARGETS * PARTS];
    for (int t = 0; t < TARGETS; ++t) {
        cell[t] = cell_at(target_of(t).ay, first.y);
        for (int part = 0; part < PARTS; ++part)
            sums[t * PARTS + part] = vec4(0.0);
    }
    uint bad_texels = 0u;
    for (int y = first.y; y < end.y; y += 4) {
        // 1. Four texels.
        int top = min(y + 4, end.y);
        vec4 c[4];
        for (int k = 0; k < 4; ++k)
            c[k] = load_number(ivec2(x, min(y + k, top - 1)));
        uint size = max(max(size_bits(c[0]), size_bits(c[1])), max(size_bits(c[2]), size_bits(c[3])));
        if (COUNTS != 0 && size >= bad_bits())
            for (int k = 0; k < 4; ++k) {
                bool bad = is_bad(c[k]);
                bad_texels += uint(bad && counts && y + k < top);
                c[k] = mix(c[k], vec4(0.0), bvec4(bad));
            }
        // 2. Into the open cell of each target, and as long as that ends here, into the next one.
        for (int t = 0; t < TARGETS; ++t) {
            Axis ay = target_of(t).ay;
            bool more = true;
            while (more) {
                vec4 four[PARTS];
                for (int part = 0; part < PARTS; ++part)
                    four[part] = vec4(0.0);
                for (int k = 0; k < 4; ++k) {
                    float ky = y + k < top ? weight_of(ay, cell[t], y + k) : 0.0;
                    // Without scrub 0 times infinity would be no number, in a cell that has nothing to do with it.
                    vec4 mine = mix(c[k], vec4(0.0), bvec4(ky == 0.0 && u_src_mode.z == 0));
                    for (int part = 0; part < PARTS; ++part)
                        four[part] += ky * part_of(mine, part);
                }
                vec4 column[PARTS];
                for (int part = 0; part < PARTS; ++part)
                    column[part] = sums[t * PARTS + part] += four[part];
                int reached = top * ay.to, ends = (cell[t] + 1) * ay.from;
                bool closes = ends <= reached || top == end.y;
                more = ends < reached;
                if (closes) {
                    sum_across(t, number, cell[t], column);
                    for (int part = 0; part < PARTS; ++part)
                        sums[t * PARTS + part] = vec4(0.0);
                }
                cell[t] += int(ends <= reached);
            }
        }
    }
    count_bad(bad_texels);
}
