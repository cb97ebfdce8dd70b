// downsample/blocks.comp - whole ratios, up to four targets from one read of a block of the source
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0 .. 3      the targets
//   host sets TARGETS          1 .. 4
//             FIRST_X, FIRST_Y texels of a thread each way, 1 .. 5: they divide the ratio of every
//                              target
//             and the defines of downsample/sum.glsl
//   how       A thread adds up FIRST_X x FIRST_Y texels: a first cell. The outputs of a target with
//             that ratio are first cells. Cells of the other targets are blocks of first cells,
//             which meet in shared memory:
//
//              block of 16 x 16 first cells      cells of 4 x 4 of them: lanes of threads add up
//              +---+---+---+---+---+-- ..        16, and one of them adds up the lanes
//              | 0 | 1 | 2 | 3 | threads
//              +---+---+---+---+---+-- ..        A block holds whole cells of all targets, so
//              | 16| 17| 18| 19|                 nothing is left for another dispatch
//
//   dispatch  a group of 256 threads a block of u_tile.x x u_tile.y first cells, 256 at most.
//             u_tile.z: 1 = a target has larger cells
//   cost      each texel loaded once, for all targets; loads of a thread do not wait for each
//             other. A sum in shared memory is read once a target
//   exact     whole texels have no weights. A row of at most five texels is added as it is; the
//             rest loses nothing (downsample/sum.glsl). The order of sums is fixed: equal images
//             give equal bits
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(FIRST_X) || !defined(FIRST_Y)
#error "FIRST_X and FIRST_Y must be set by the host"
#endif
#include "common/sync.glsl"
#include "downsample/lanes.glsl"
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"

#pragma optionNV(unroll all)

layout(local_size_x = AG_DOWN_LANES) in;

const ivec2 FIRST = ivec2(FIRST_X, FIRST_Y);

// Sums of large floats stay finite: a cell has 64 x 64 texels at most.
const float PART_OF_TEXEL = SRC_STORE == AG_STORE_32F ? 1.0 / 8192.0 : 1.0;

shared vec4 s_first_hi[PARTS * AG_DOWN_LANES], s_first_lo[PARTS * AG_DOWN_LANES];

// The sum of a first cell. `clean`: non-finite texels are 0, and counted.
void sum_texels(ivec2 from, const bool clean, bool counts, inout uint bad_texels, out Parts hi,
    out Parts lo)
{
    vec4 c[FIRST_X * FIRST_Y];
    for (int j = 0; j < FIRST_Y; ++j)
        for (int i = 0; i < FIRST_X; ++i) {
            ivec2 p = from + ivec2(i, j);
            c[j * FIRST_X + i] = clean ? load_clean(p, counts, bad_texels) : load_number(p);
        }
    hi = lo = Parts(0.0);
    for (int j = 0; j < FIRST_Y; ++j) {
        Parts row = parts_of(c[j * FIRST_X]) * PART_OF_TEXEL;
        for (int i = 1; i < FIRST_X; ++i)
            row += parts_of(c[j * FIRST_X + i]) * PART_OF_TEXEL;
        if (j == 0)
            hi = row;
        else
            add_to(hi, lo, row);
    }
}

// The mean of a cell of `to`, from its sum.
vec4 mean_of_sum(Target to, Parts hi, Parts lo)
{
    // to.scale is for texels that weigh a unit each way: a power of two, so nothing is lost
    float unit = to.ax.unit * to.ay.unit / PART_OF_TEXEL;
    return mean_of(hi * unit, lo * unit, to.scale);
}

// Makes the output of target t in which this thread's lane has a share.
void make_larger(const int t, ivec2 block)
{
    Target to = target_of(t);
    ivec2 each = ivec2(to.ax.from, to.ay.from) / FIRST; // first cells of a cell
    ivec2 outputs = u_tile.xy / each;                   // cells of a block
    int thread = int(gl_LocalInvocationIndex), lanes = to.share.x, place = thread / lanes;
    ivec2 cell = ivec2(place % outputs.x, place / outputs.x), at = block * outputs + cell;
    bool is_output = cell.y < outputs.y && all(lessThan(at, to.dst.zw));
    Parts hi = Parts(0.0), lo = Parts(0.0);
    int count = is_output ? each.x * each.y : 0;
    for (int i = thread & (lanes - 1); i < count; i += lanes) {
        ivec2 first = cell * each + ivec2(i % each.x, i / each.x);
        int from = first.y * u_tile.x + first.x;
        add_sum(hi, lo, LOAD_PARTS(s_first_hi, from, AG_DOWN_LANES),
                LOAD_PARTS(s_first_lo, from, AG_DOWN_LANES));
    }
    sum_lanes(lanes, hi, lo);
    if (is_output && (thread & (lanes - 1)) == 0)
        store_in(t, to.dst.xy + at, stored(mean_of_sum(to, hi, lo)));
}

void main()
{
    // 1. A first cell. Threads beyond the block's or the image's last take its last texels again.
    int thread = int(gl_LocalInvocationIndex);
    ivec2 block = ivec2(gl_WorkGroupID.xy), mine = ivec2(thread % u_tile.x, thread / u_tile.x);
    ivec2 first = block * u_tile.xy + mine, from = first * FIRST;
    bool is_cell = mine.y < u_tile.y && all(lessThan(from, u_src_rect.zw));
    from = min(from, u_src_rect.zw - FIRST);
    Parts hi, lo;
    uint bad_texels = 0u;
    sum_texels(from, false, false, bad_texels, hi, lo);
    if (is_bad(plain_of(hi + lo))) // rare
        sum_texels(from, true, is_cell, bad_texels, hi, lo);
    count_bad(bad_texels);

    // 2. Targets that are made of first cells.
    for (int t = 0; t < TARGETS; ++t) {
        Target to = target_of(t);
        if (is_cell && ivec2(to.ax.from, to.ay.from) == FIRST)
            store_in(t, to.dst.xy + first, stored(mean_of_sum(to, hi, lo)));
    }
    if (u_tile.z == 0)
        return;

    // 3. The others.
    STORE_PARTS(s_first_hi, thread, AG_DOWN_LANES, hi)
    STORE_PARTS(s_first_lo, thread, AG_DOWN_LANES, lo)
    sync_shared();
    for (int t = 0; t < TARGETS; ++t)
        if (ivec2(target_of(t).ax.from, target_of(t).ay.from) != FIRST)
            make_larger(t, block);
}
