// downsample/sums.comp - large ratios, and several targets from one read, by sums of tiles
//
//   in        t_src or i_src   the image (downsample/texel.glsl); with FINISHES nothing of it
//   out       i_dst0 .. 3      outputs whose cells lie in a tile; with FINISHES i_dst0: the others
//   in, out   b_partials       of those others, what they share with a tile: two vec4s, hi and lo,
//                              for each part of a texel (downsample/sum.glsl)
//   host sets FINISHES         0 = sums tiles of the source for every target; 1 = adds up what they
//                              left of one target's outputs whose cells lie in several tiles
//             TARGETS          1 .. 4
//             and the defines of downsample/sum.glsl
//   how       A thread walks down a column, four texels at a time. All threads of a group are in
//             the same rows, so a cell ends for all of them at once: then their sums meet in shared
//             memory, and the columns of each output are added up:
//
//                256 columns
//                v v v v v v v v v v v v
//                -----------------------   a cell of target 0 ends: sums go across and start anew
//                v v v v v v v v v v v v
//                v v v-v-v-v-v-v-v v v v   a cell of target 1 ends within a texel: that row counts
//                v v v v v v v v v v v v   for both cells, with other weights
//
//   partials  a tile of the source has sums only of those cells that reach beyond it: they lie in
//             its first or last row of cells, or in its first or last column. Each tile has four
//             strips for them:
//
//                | NX: first row | NX: last row | NY: first column | NY: last column |
//
//             NX and NY are the most cells of a tile, each way
//   dispatch  a group of 256 threads a tile of 256 x u_tile.x texels. With FINISHES a group of 256
//             threads for 256 / u_finish.x outputs; so many lanes share one
//   cost      each texel loaded once, for all targets; 4 multiplications and additions a channel
//             and target for four texels. FINISHES: two vec4s of each tile that a cell lies in
//   exact     weights are whole numbers times a power of two, four texels are added first, then at
//             most eight such sums; the rest loses nothing (downsample/sum.glsl). The order of sums
//             is fixed: equal images give equal bits
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef FINISHES
#error "FINISHES must be set by the host"
#endif
#include "common/sync.glsl"
#include "downsample/lanes.glsl"
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"

#if !FINISHES
#pragma optionNV(unroll all) // arrays of constant indices stay in registers
#endif

layout(local_size_x = AG_DOWN_SUMS_WIDTH) in;
layout(std430, binding = AG_SSBO_PARTIALS) buffer Partials { vec4 b_partials[]; };

// ---- tiles. u_tile: rows of a tile, tiles in x, in y; where the layer begins

struct Tile {
    ivec2 number, first, end;       // which; its texels
    ivec2 first_cell, last_cell;    // of a target
};

Tile tile_of(Axis ax, Axis ay, ivec2 number)
{
    ivec2 size = ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), first = number * size;
    ivec2 end = min(first + size, u_src_rect.zw);
    return Tile(number, first, end, ivec2(cell_at(ax, first.x), cell_at(ay, first.y)),
                ivec2(cell_before(ax, end.x), cell_before(ay, end.y)));
}

// Where the sums of a tile's cell begin. `share`: that of the target.
int place_of(Tile t, ivec2 cell, ivec4 share)
{
    int strips = 2 * (share.z + share.w);
    ivec2 in_tile = cell - t.first_cell;
    int entry = cell.y == t.first_cell.y  ? in_tile.x
                : cell.y == t.last_cell.y ? share.z + in_tile.x
                : cell.x == t.first_cell.x ? 2 * share.z + in_tile.y
                                           : 2 * share.z + share.w + in_tile.y;
    return 2 * PARTS * (u_tile.w + share.y + (t.number.y * u_tile.y + t.number.x) * strips + entry);
}

// ---- sums of a tile

#if !FINISHES

// What a thread knows of a target in x for as long as the tile lasts.
struct Across {
    int first, last, end; // cells of the tile; the texel after the thread's own cell
    Cell cell;            // the thread's, in the first round
};

Across across_of(const int t, ivec2 number)
{
    Target to = target_of(t);
    Tile tile = tile_of(to.ax, to.ay, number);
    int cell = tile.first_cell.x + int(gl_LocalInvocationIndex) / to.share.x;
    Cell cx = cell_of(to.ax, min(cell, tile.last_cell.x));
    return Across(tile.first_cell.x, tile.last_cell.x, cell_end(to.ax, cx), cx);
}

// A row of cells has ended, or the tile: `sums` of all columns become sums of cells. All threads
// come here together.
void sum_across(const int t, ivec2 number, Across mine, Cell cy, int cell_y, Parts sums)
{
    int thread = int(gl_LocalInvocationIndex);
    Target to = target_of(t);
    ivec2 first_texel = number * ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    ivec2 last_texel = min(first_texel + ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), u_src_rect.zw);
    int lanes = to.share.x, each = AG_DOWN_SUMS_WIDTH / lanes, which = thread & (lanes - 1);
    bool whole_y = cy.first >= first_texel.y && cell_end(to.ay, cy) <= last_texel.y;
    sync_shared();
    STORE_PARTS(s_hi, thread, AG_DOWN_LANES, sums)
    sync_shared();
    for (int first = mine.first; first <= mine.last; first += each) {
        ivec2 cell = ivec2(first + thread / lanes, cell_y);
        bool is_cell = cell.x <= mine.last;
        if (first != mine.first) { // more cells than threads: rare
            mine.cell = cell_of(to.ax, min(cell.x, mine.last));
            mine.end = cell_end(to.ax, mine.cell);
        }
        Parts hi = Parts(0.0), lo = Parts(0.0), few = Parts(0.0);
        int n = 0, end = is_cell ? min(mine.end, last_texel.x) : 0;
        for (int x = max(mine.cell.first, first_texel.x) + which; x < end; x += lanes) {
            float kx = weight_of(to.ax, mine.cell, x);
            Parts v = LOAD_PARTS(s_hi, x - first_texel.x, AG_DOWN_LANES);
            ADD_BY_FOURS(hi, lo, few, n, v, kx)
        }
        if (!EXACT_PRODUCTS)
            add_to(hi, lo, few);
        sum_lanes(lanes, hi, lo); // of more than one there is one round only
        bool whole = whole_y && mine.cell.first >= first_texel.x && mine.end <= last_texel.x;
        if (is_cell && which == 0 && whole) {
            store_in(t, to.dst.xy + cell, stored(mean_of(hi, lo, to.scale)));
        } else if (is_cell && which == 0) {
            int place = place_of(tile_of(to.ax, to.ay, number), cell, to.share);
            STORE_PARTS(b_partials, place, 2, hi)
            STORE_PARTS(b_partials, place + 1, 2, lo)
        }
    }
}

// Texels of a column of the tile, four from y on; those after the tile's last are the last again.
void load_four(int x, int y, int end, out vec4 c[4])
{
    for (int k = 0; k < 4; ++k)
        c[k] = load_number(ivec2(x, min(y + k, end - 1)));
}

// Sums of two texels. A quarter of each is added, so that sums of large floats stay finite.
const float QUARTER = SRC_STORE == AG_STORE_32F ? 0.25 : 1.0;
void add_pairs(vec4 c[4], out Parts upper, out Parts lower)
{
    upper = parts_of(c[0]) * QUARTER + parts_of(c[1]) * QUARTER;
    lower = parts_of(c[2]) * QUARTER + parts_of(c[3]) * QUARTER;
}

void main()
{
    ivec2 number = ivec2(gl_WorkGroupID.xy);
    ivec2 first = number * ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    ivec2 end = min(first + ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), u_src_rect.zw);
    int x = first.x + int(gl_LocalInvocationIndex);
    bool counts = x < end.x;
    x = min(x, end.x - 1);

    int open_cell[TARGETS]; // in y
    Cell open_at[TARGETS];
    Across across[TARGETS];
    Parts sums[TARGETS];
    for (int t = 0; t < TARGETS; ++t) {
        open_cell[t] = cell_at(target_of(t).ay, first.y);
        open_at[t] = cell_of(target_of(t).ay, open_cell[t]);
        across[t] = across_of(t, number);
        sums[t] = Parts(0.0);
    }
    uint bad_texels = 0u;
    for (int y = first.y; y < end.y; y += 4) {
        // 1. Four texels. Sums of two and of four, for all targets.
        int top = min(y + 4, end.y);
        vec4 c[4];
        load_four(x, y, end.y, c);
        Parts upper, lower;
        add_pairs(c, upper, lower);
        if (is_bad(plain_of(upper + lower))) { // rare: a texel is not finite
            for (int k = 0; k < 4; ++k) {
                bool bad = is_bad(c[k]);
                bad_texels += uint(bad && counts && y + k < top);
                c[k] = mix(c[k], vec4(0.0), bvec4(bad));
            }
            add_pairs(c, upper, lower);
        }
        // 2. Into the open cell of each target; where that ends, into the next one, too.
        for (int t = 0; t < TARGETS; ++t) {
            Axis ay = target_of(t).ay;
            Cell cy = open_at[t];
            float one = float(ay.to) * ay.unit / QUARTER; // a whole texel weighs
            bool more = true;
            while (more) {
                int reached = (top - cy.first) * ay.to, ends = cy.before + ay.from;
                bool full = y + 4 == top, from_top = (y - cy.first) * ay.to >= cy.before;
                // ratios of whole numbers: cells may end after two texels
                bool half_way = ay.to == 1 && full;
                if (full && from_top && ends >= reached) {
                    sums[t] += (upper + lower) * one;
                } else if (half_way && from_top && cy.first + ay.from == y + 2) {
                    sums[t] += upper * one;
                } else if (half_way && cy.first == y + 2 && ends >= reached) {
                    sums[t] += lower * one;
                } else {
                    for (int k = 0; k < 4; ++k) {
                        bool inside = y + k < top && y + k >= cy.first;
                        float ky = inside ? weight_of(ay, cy, y + k) : 0.0;
                        // Without scrub 0 times infinity would make a NaN of a cell that the texel
                        // does not touch.
                        if (ky > 0.0)
                            sums[t] += parts_of(c[k]) * ky;
                    }
                }
                more = ends < reached;
                if (ends <= reached || top == end.y) {
                    sum_across(t, number, across[t], cy, open_cell[t], sums[t]);
                    sums[t] = Parts(0.0);
                }
                if (ends <= reached) {
                    cy = cell_after(ay, cy);
                    ++open_cell[t];
                }
            }
            open_at[t] = cy;
        }
    }
    count_bad(bad_texels);
}

// ---- of all tiles

#else
layout(location = AG_LOC_DOWN_FINISH) uniform ivec4 u_finish; // lanes an output, a power of two

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

    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (int i = which; i < count; i += lanes) {
        Tile tile = tile_of(ax, ay, first + ivec2(i % row, i / row));
        int place = place_of(tile, cell, u_share0);
        add_sum(hi, lo, LOAD_PARTS(b_partials, place, 2), LOAD_PARTS(b_partials, place + 1, 2));
    }
    sum_lanes(lanes, hi, lo);
    if (count > 0 && which == 0)
        imageStore(i_dst0, u_dst0.xy + cell, stored(mean_of(hi, lo, u_scale0.xy)));
}
#endif
