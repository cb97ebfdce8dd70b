// sat/finish_shared.comp - the last step to a table, by shared memory: doubles, and drivers without subgroups
//
//   in        sat/source.glsl                  the image again
//             b_column_carry, b_row_carry      from carry.comp; with FOLDED the sums of the first step
//   out       see sat/store.glsl; with OFFSET = mean also i_mean, 1 x 1
//   host sets FOLDED, CELL (sat/finish.glsl), and what sat/tile.glsl, sat/store.glsl, sat/values.glsl and
//             sat/source.glsl want
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers while the texels are on their way, then 5 a
//             plane; shared memory, with what sat/finish.glsl has: for 32 x 32 of four floats 8 KiB, for 64 x 64 of one
//             21 KiB
//
//   Two rows of a tile lie 16 banks apart, and pairs of rows 17 (mod 32): what a warp accesses falls into
//   32 banks, be it a row, a column, or 16 x 2 texels.
//
//        pair 0    row 0, 16 free, row 1, 1 free
//        pair 1    row 2 ...
//   source    Nehab et al. 2011, stage 4, but with the carries added late; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define RUN 8
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/carries_items.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// 8 items a run, by a thread.
void scan_runs()
{
    int thread = thread_index();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            if (thread + round * THREADS < ITEMS)
                s_item[p * ITEMS + thread + round * THREADS] = pack_wide(g_items[p * ROUNDS + round]);
    sync_shared();
    for (int first = 0; first < PLANES * RUNS; first += THREADS) {
        int run = first + thread;
        if (run < PLANES * RUNS) {
            CELL cells[RUN];
            for (int k = 0; k < RUN; ++k)
                cells[k] = s_item[run * RUN + k];
            WIDE sum = unpack_wide(cells[0]);
            for (int k = 1; k < RUN; ++k) {
                sum += unpack_wide(cells[k]);
                s_item[run * RUN + k] = pack_wide(sum);
            }
            s_run[run] = pack_wide(sum);
        }
    }
    sync_shared();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                unpack_wide(s_item[p * ITEMS + min(thread + round * THREADS, ITEMS - 1)]);
}

#define AT_ONCE 1 // plane

#define ROW_STEP (TILE_W + 16)
#define PAIR_STEP (2 * TILE_W + 17)
#define ROW_AT(y) (((y) >> 1) * PAIR_STEP + ((y) & 1) * ROW_STEP)

#define COLUMN_SEGMENTS (THREADS / TILE_W)
#define COLUMN_RUN (TILE_H / COLUMN_SEGMENTS)
#define ROW_SEGMENTS (THREADS / TILE_H)
#define ROW_RUN (TILE_W / ROW_SEGMENTS)

#define STORE_STEP READ_STEP
ivec2 place_to_store() { return place_in_tile(); }

shared LOCAL s_tile[TILE_H / 2 * PAIR_STEP];
shared LOCAL s_segment[THREADS];

void scan_columns()
{
    int thread = int(gl_LocalInvocationIndex), column = thread % TILE_W, segment = thread / TILE_W;
    int base = ROW_AT(segment * COLUMN_RUN) + column;
    LOCAL run[COLUMN_RUN];
    for (int k = 0; k < COLUMN_RUN; ++k)
        run[k] = s_tile[base + ROW_AT(k)];
    for (int k = 1; k < COLUMN_RUN; ++k)
        run[k] += run[k - 1];
    s_segment[thread] = run[COLUMN_RUN - 1];
    sync_shared();
    LOCAL before = LOCAL(0);
    for (int k = 0; k < COLUMN_SEGMENTS - 1; ++k)
        before += only(k < segment, s_segment[k * TILE_W + column]);
    for (int k = 0; k < COLUMN_RUN; ++k)
        s_tile[base + ROW_AT(k)] = run[k] + before;
}

void scan_rows()
{
    int thread = int(gl_LocalInvocationIndex), row = thread % TILE_H, segment = thread / TILE_H;
    int base = ROW_AT(row) + segment * ROW_RUN;
    LOCAL run[ROW_RUN];
    for (int k = 0; k < ROW_RUN; ++k)
        run[k] = s_tile[base + k];
    for (int k = 1; k < ROW_RUN; ++k)
        run[k] += run[k - 1];
    s_segment[thread] = run[ROW_RUN - 1];
    sync_shared();
    LOCAL before = LOCAL(0);
    for (int k = 0; k < ROW_SEGMENTS - 1; ++k)
        before += only(k < segment, s_segment[k * TILE_H + row]);
    for (int k = 0; k < ROW_RUN; ++k)
        s_tile[base + k] = run[k] + before;
}

void take_entries(const int plane, ivec2 local)
{
    CELL above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + local.x + i * GROUP_X];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + local.y + j * GROUP_Y];
    int base = ROW_AT(local.y) + local.x;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i)
            keep(plane, j * ACROSS + i, s_tile[base + ROW_AT(j * GROUP_Y) + i * GROUP_X], above[i],
                 left[j]);
}

void scan_planes(const int plane)
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    int base = ROW_AT(local.y) + local.x;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i)
            s_tile[base + ROW_AT(j * GROUP_Y) + i * GROUP_X] =
                texel_value(j * ACROSS + i, plane);
    sync_shared();
    scan_columns();
    sync_shared();
    scan_rows();
    sync_shared();
    take_entries(plane, local); // the same places that the next plane overwrites
}

#include "sat/finish_store.glsl"
#include "sat/split_border.glsl"

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    take_tile();
    find_offset();
    fetch_items(part);
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    for (int plane = 0; plane < PLANES; plane += AT_ONCE)
        scan_planes(plane);
    store_tile(frame, tile_corner() + place_to_store());
    store_border(part, frame.size);
    store_mean();
}
