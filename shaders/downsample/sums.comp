// downsample/sums.comp - large ratios, and several targets from one read: tiles of the source,
// summed for every target
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0 .. 3      outputs whose cells lie in a tile
//             b_partials       of the other cells, what they share with a tile; finish.comp adds
//                              that up
//   host sets TARGETS          1 .. 4
//             and the defines of downsample/weights.glsl
//   how       a thread walks down a column, four texels at a time. All threads of a group are in
//             the same rows, so a cell ends for all of them at once: then their sums meet in shared
//             memory, and each output adds up its columns:
//
//                256 columns
//                v v v v v v v v v v v v
//                -----------------------   a cell of target 0 ends: sums go across and start anew
//                v v v v v v v v v v v v
//                v v v-v-v-v-v-v-v v v v   a cell of target 1 ends within a texel: that row counts
//                v v v v v v v v v v v v   for both cells, with other weights
//
//   dispatch  a group of 256 threads a tile of 256 x u_tile.x texels
//   cost      each texel loaded once, for all targets; 4 multiplications and additions a channel
//             and target for four texels
//   exact     weights are whole numbers times a power of two, four texels are added first, then at
//             most eight such sums; the rest loses nothing (downsample/sum.glsl). The order of sums
//             is fixed: equal images give equal bits
//   SPDX-License-Identifier: MIT
#version 430 core
#include "downsample/cells.glsl"
#include "downsample/weights.glsl"
#include "downsample/lanes.glsl"
#include "downsample/partials.glsl"
#include "downsample/targets.glsl"

#pragma optionNV(unroll all) // arrays of constant indices stay in registers

layout(local_size_x = AG_DOWN_SUMS_WIDTH) in;

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
void sum_across(const int t, ivec2 number, Across mine, Cell cy, int cell_y, vec4 sums[PARTS])
{
    int thread = int(gl_LocalInvocationIndex);
    Target to = target_of(t);
    ivec2 first_texel = number * ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x);
    ivec2 last_texel = min(first_texel + ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), u_src_rect.zw);
    int lanes = to.share.x, each = AG_DOWN_SUMS_WIDTH / lanes, which = thread & (lanes - 1);
    bool whole_y = cy.first >= first_texel.y && cell_end(to.ay, cy) <= last_texel.y;
    sync_shared();
    for (int part = 0; part < PARTS; ++part)
        s_hi[part * AG_DOWN_SUMS_WIDTH + thread] = sums[part];
    sync_shared();
    for (int first = mine.first; first <= mine.last; first += each) {
        ivec2 cell = ivec2(first + thread / lanes, cell_y);
        bool is_cell = cell.x <= mine.last;
        if (first != mine.first) { // more cells than threads: rare
            mine.cell = cell_of(to.ax, min(cell.x, mine.last));
            mine.end = cell_end(to.ax, mine.cell);
        }
        vec4 hi[PARTS], lo[PARTS], few[PARTS];
        for (int part = 0; part < PARTS; ++part)
            few[part] = hi[part] = lo[part] = vec4(0.0);
        int n = 0, end = is_cell ? min(mine.end, last_texel.x) : 0;
        for (int x = max(mine.cell.first, first_texel.x) + which; x < end; x += lanes) {
            float kx = weight_of(to.ax, mine.cell, x);
            bool fifth = n == 4; // four at a time are added as they are
            n = fifth ? 1 : n + 1;
            for (int part = 0; part < PARTS; ++part) {
                vec4 v = s_hi[part * AG_DOWN_SUMS_WIDTH + x - first_texel.x];
                if (EXACT_PRODUCTS) {
                    add_product(hi[part], lo[part], v, kx);
                } else {
                    if (fifth) {
                        add_to(hi[part], lo[part], few[part]);
                        few[part] = vec4(0.0);
                    }
                    few[part] += v * kx;
                }
            }
        }
        for (int part = 0; part < PARTS; ++part)
            if (!EXACT_PRODUCTS)
                add_to(hi[part], lo[part], few[part]);
        sum_lanes(lanes, hi, lo); // of more than one there is one round only
        bool whole = whole_y && mine.cell.first >= first_texel.x && mine.end <= last_texel.x;
        if (is_cell && which == 0 && whole) {
            store_in(t, to.dst.xy + cell, stored(mean_of(hi, lo, to.scale)));
        } else if (is_cell && which == 0) {
            int place = place_of(tile_of(to.ax, to.ay, number), cell, to.share);
            for (int part = 0; part < PARTS; ++part) {
                b_partials[place + 2 * part] = hi[part];
                b_partials[place + 2 * part + 1] = lo[part];
            }
        }
    }
}

// Texels of a column of the tile, four from y on; those after the tile's last are the last again.
void load_four(int x, int y, int end, out vec4 c[4])
{
    for (int k = 0; k < 4; ++k)
        c[k] = load_number(ivec2(x, min(y + k, end - 1)));
}

// Sums of two. Those of large floats stay finite: a quarter of each.
const float QUARTER = SRC_STORE == AG_STORE_32F ? 0.25 : 1.0;
void add_pairs(vec4 c[4], out vec4 upper[PARTS], out vec4 lower[PARTS])
{
    for (int part = 0; part < PARTS; ++part) {
        upper[part] = part_of(c[0], part) * QUARTER + part_of(c[1], part) * QUARTER;
        lower[part] = part_of(c[2], part) * QUARTER + part_of(c[3], part) * QUARTER;
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
    vec4 next[4];
    load_four(x, first.y, end.y, next);

    int open_cell[TARGETS]; // in y
    Cell open_at[TARGETS];
    Across across[TARGETS];
    vec4 sums[TARGETS * PARTS];
    for (int t = 0; t < TARGETS; ++t) {
        open_cell[t] = cell_at(target_of(t).ay, first.y);
        open_at[t] = cell_of(target_of(t).ay, open_cell[t]);
        across[t] = across_of(t, number);
        for (int part = 0; part < PARTS; ++part)
            sums[t * PARTS + part] = vec4(0.0);
    }
    uint bad_texels = 0u;
    for (int y = first.y; y < end.y; y += 4) {
        // 1. Four texels; those of the next turn are under way meanwhile. Sums of two and of four,
        // for all targets.
        int top = min(y + 4, end.y);
        vec4 c[4];
        for (int k = 0; k < 4; ++k)
            c[k] = next[k];
        load_four(x, y + 4, end.y, next);
        vec4 upper[PARTS], lower[PARTS];
        add_pairs(c, upper, lower);
        if (is_bad(upper[PARTS - 1] + lower[PARTS - 1])) { // rare: a texel is not finite
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
                    for (int part = 0; part < PARTS; ++part)
                        sums[t * PARTS + part] += (upper[part] + lower[part]) * one;
                } else if (half_way && from_top && cy.first + ay.from == y + 2) {
                    for (int part = 0; part < PARTS; ++part)
                        sums[t * PARTS + part] += upper[part] * one;
                } else if (half_way && cy.first == y + 2 && ends >= reached) {
                    for (int part = 0; part < PARTS; ++part)
                        sums[t * PARTS + part] += lower[part] * one;
                } else {
                    for (int k = 0; k < 4; ++k) {
                        float ky = y + k < top && y + k >= cy.first ? weight_of(ay, cy, y +
                            k) : 0.0;
                        // Without scrub 0 times infinity would be no number, in a cell that has
                        // nothing to do with it.
                        if (ky > 0.0)
                            for (int part = 0; part < PARTS; ++part)
                                sums[t * PARTS + part] += part_of(c[k], part) * ky;
                    }
                }
                more = ends < reached;
                if (ends <= reached || top == end.y) {
                    vec4 column[PARTS];
                    for (int part = 0; part < PARTS; ++part)
                        column[part] = sums[t * PARTS + part];
                    sum_across(t, number, across[t], cy, open_cell[t], column);
                    for (int part = 0; part < PARTS; ++part)
                        sums[t * PARTS + part] = vec4(0.0);
                }
                if (ends <= reached) {
                    cy = cell_after(ay, cy);
                    ++open_cell[t];
                }
            }
            open_at[t] = cy;
        }
    }
#if COUNTS
    count_bad(bad_texels);
#endif
}
