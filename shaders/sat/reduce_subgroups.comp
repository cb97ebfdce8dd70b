// sat/reduce_subgroups.comp - sums of columns and rows of tiles, by subgroups: the first step
//
//   in        the image: sat/tile_gathers.glsl
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//   host sets the defines of sat/reduce.glsl, sat/subgroup_tile.glsl, sat/tile.glsl, sat/types.glsl
//             and sat/tile_gathers.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, TILE_W TILE_H / threads texels in flight a thread; 10 shuffles
//             for 16 texels of one plane, 22 for 32 of four; 1 barrier for all planes; shared
//             memory PLANES (THREADS / 32) (TILE_W + 1) sums: 2 KiB for 64 x 64 floats and 256
//             threads
//
//   A subgroup has whole rows of the tile. The lanes of a half share the sums of its rows, of all
//   planes. Columns are added over the halves of a subgroup, then over all subgroups through shared
//   memory. The tile's total is the sum of its rows, subgroup by subgroup.
//
//   16 lanes with ROWS sums each, by halves (drawn for four lanes with sums a b c d):
//
//        lane 0   a b c d   -- lanes 2 apart give    -->   a b   -- lanes 1 apart -->   a
//        lane 1   a b c d      each other the half         a b                          b
//        lane 2   a b c d      that the other keeps        c d                          c
//        lane 3   a b c d                                  c d                          d
//
//   That takes ROWS / 2 + ROWS / 4 .. shuffles instead of 4 ROWS, and each lane ends with its own
//   sum.
//   source    Nehab, Maximo, Lima, Hoppe 2011, algorithm SAT, stage 1; recursive halving:
//             Rabenseifner 2004, reduce-scatter
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/subgroup_tile.glsl"
#include "sat/tile_gathers.glsl"
#include "sat/reduce.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#define ROWS (PLANES * DOWN) // sums of a lane: row j of plane p is p * DOWN + j
#define COPIES (ROWS < 16 ? 16 / ROWS : 1) // lanes that end with the same sum
#define OWN (ROWS < 16 ? 1 : ROWS / 16)    // sums that a lane ends with

shared SUM s_column[PLANES * SUBGROUP_COUNT * TILE_W];
shared SUM s_total[PLANES * SUBGROUP_COUNT];

// Both halves of the subgroup have every column. Each completes half of them, and gives away its
// sums of the others.
void share_columns(int lane)
{
    int half_subgroup = lane / GROUP_X;
    uint lower = lane_mask(lane, 16u);
    for (int plane = 0; plane < PLANES; ++plane) {
        int base = (plane * SUBGROUP_COUNT + subgroup_index()) * TILE_W + place_in_tile().x;
        for (int i = 0; i < ACROSS; i += 2) {
            SUM first = g_column[plane * ACROSS + i], second = g_column[plane * ACROSS + i + 1];
            SUM other = lane_across(choose(lower, second, first), 16u);
            s_column[base + READ_STEP(i, 0).x + half_subgroup * READ_STEP(1, 0).x] =
                choose(lower, first, second) + other;
        }
    }
}

// Lanes `bit` apart add up `count` sums of g_row. If there are two or more, each keeps half of
// them.
void fold_rows(int lane, const int count, const uint bit)
{
    uint upper = lane_mask(lane, bit);
    const int left = HALF_OF(count);
    for (int k = 0; k < left; ++k) {
        SUM mine = g_row[k], other = g_row[k];
        if (count > 1) {
            mine = choose(upper, g_row[k], g_row[k + count / 2]);
            other = choose(upper, g_row[k + count / 2], g_row[k]);
        }
        g_row[k] = mine + lane_across(other, bit);
    }
}

void share_rows(int part, int lane)
{
    fold_rows(lane, ROWS, 8u);
    fold_rows(lane, HALF_OF(ROWS), 4u);
    fold_rows(lane, HALF_OF(HALF_OF(ROWS)), 2u);
    fold_rows(lane, HALF_OF(HALF_OF(HALF_OF(ROWS))), 1u);
    // Lanes with the same sum store the same value: no condition depends on shuffled values (D9).
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int first = lane % 16 / COPIES * OWN;
    for (int k = 0; k < OWN; ++k) {
        int plane = (first + k) / DOWN,
            row = place_in_tile().y + (first + k) % DOWN * READ_STEP(0, 1).y;
        b_row_sums[rows_at(plane, part, tiles().x, tile.x) + tile.y * TILE_H + row] = g_row[k];
    }
    // The totals: over the lanes of one plane, then over both halves of the subgroup.
    SUM all = g_row[0];
    for (int k = 1; k < OWN; ++k)
        all += g_row[k];
    for (int bit = COPIES; bit < COPIES * DOWN / OWN; bit *= 2)
        all += lane_across(all, uint(bit));
    all += lane_across(all, 16u);
    s_total[first / DOWN * SUBGROUP_COUNT + subgroup_index()] = all;
}

void add_subgroups(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    for (int first = 0; first < PLANES * TILE_W; first += THREADS) {
        int item = first + thread, plane = item / TILE_W, x = item % TILE_W;
        if (item < PLANES * TILE_W) {
            SUM sum = s_column[plane * SUBGROUP_COUNT * TILE_W + x];
            for (int w = 1; w < SUBGROUP_COUNT; ++w)
                sum += s_column[(plane * SUBGROUP_COUNT + w) * TILE_W + x];
            b_column_sums[columns_at(plane, part, tiles().y, tile.y) + tile.x * TILE_W + x] = sum;
        }
    }
    // The last threads do this, because they are mostly idle.
    int plane = THREADS - 1 - thread;
    if (plane < PLANES) {
        SUM sum = s_total[plane * SUBGROUP_COUNT];
        for (int w = 1; w < SUBGROUP_COUNT; ++w)
            sum += s_total[plane * SUBGROUP_COUNT + w];
        b_column_sums[columns_at(plane, part, tiles().y, tile.y) + totals_at() + tile.x] = sum;
    }
}

void add_tile(int part)
{
    int lane = subgroup_lane();
    share_columns(lane);
    share_rows(part, lane);
    sync_shared();
    add_subgroups(part);
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_W, TILE_H) + place_in_tile();
    request_tile(frame, first);
    take_tile();
    add_texels(frame, first);
    add_tile(part);
}
