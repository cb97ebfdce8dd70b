// sat/ladder/lookback.comp - a table in one pass: tiles look back at what those before them found
//
//   in        sat/ladder/texels.glsl, the image
//   out       the table; b_words: what tiles publish; b_state.failed, and the groups of the repair
//   shared    32 x 33 values, and 400 more: 22 KiB of four channels
//   host sets the defines of sat/ladder/texels.glsl
//             DOWN    rows of a tile, by eights: 4 or 8
//             LOOK    tiles that a thread looks at in a turn of its wait; 32 / DOWN as many a group
//   dispatch  tiles x, tiles y; sat/ladder/lookback_clear.comp before; then the steps of `tiles`,
//             indirectly, whose groups are 0 unless this pass failed
//   cost      i + o bytes a texel, and 3 times 4 (64 DOWN + 128) / (1024 DOWN) a channel (integers
//             twice): cleared, published, read. Each texel is read once and each entry stored once
//   why       A tile waits for tiles with earlier tickets, which have begun. GL does not promise
//             that they go on, so no wait is longer than u_repair[0].w turns: then the pass fails,
//             all groups leave, and `tiles` makes the table. A failed pass has counted bad texels
//   source    D. Merrill, M. Garland 2016, "Single-pass parallel prefix scan with decoupled
//             look-back"; Y. Emoto et al. 2018, IPDPSW (tables); docs/sat.md
//
//     S | top      left(y)  what is left of the tile in its rows up to y:     waits leftward, for
//     --+----               the sums of several tiles at a time
//     l | L        top(x)   the table's entries above the tile:               waits for one tile
//                  L + (left + top)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/ladder/texels.glsl"
#include "sat/ladder/lookback.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

shared VALUE s_tile[32 * 33];
shared VALUE s_left[ROWS], s_top[32], s_right[ROWS], s_bottom[32];
shared uint s_ticket;

// Columns, each thread DOWN rows of one.
void scan_columns(inout VALUE v[DOWN])
{
    int x = int(gl_LocalInvocationID.x), own = int(gl_LocalInvocationID.y);
    for (int j = 1; j < DOWN; ++j)
        v[j] += v[j - 1];
    s_part[own * 32 + x] = v[DOWN - 1];
    sync_shared();
    VALUE before = VALUE(0);
    for (int k = 0; k < 7; ++k)
        if (k < own)
            before += s_part[k * 32 + x];
    for (int j = 0; j < DOWN; ++j)
        v[j] += before;
    sync_shared();
}

// Rows, 32 at a time: a thread has four texels of one.
void scan_rows(inout VALUE v[DOWN])
{
    int x = int(gl_LocalInvocationID.x), own = int(gl_LocalInvocationID.y);
    for (int first = 0; first < DOWN; first += 4) {
        for (int j = 0; j < 4; ++j)
            s_tile[(own * 4 + j) * 33 + x] = v[first + j];
        sync_shared();
        VALUE run[4];
        run[0] = s_tile[x * 33 + own * 4];
        for (int k = 1; k < 4; ++k)
            run[k] = run[k - 1] + s_tile[x * 33 + own * 4 + k];
        s_part[own * 32 + x] = run[3];
        sync_shared();
        VALUE before = VALUE(0);
        for (int k = 0; k < 7; ++k)
            if (k < own)
                before += s_part[k * 32 + x];
        for (int k = 0; k < 4; ++k)
            s_tile[x * 33 + own * 4 + k] = before + run[k];
        sync_shared();
        for (int j = 0; j < 4; ++j)
            v[first + j] = s_tile[(own * 4 + j) * 33 + x];
        sync_shared();
    }
    if (x == 31)
        for (int j = 0; j < DOWN; ++j)
            s_right[own * DOWN + j] = v[j];
    if (own == 7)
        s_bottom[x] = v[DOWN - 1];
    sync_shared();
}

void main()
{
    RAW raw[DOWN];
    VALUE v[DOWN], left;
    uint bad = 0u;
    if (thread() == 0) {
        s_ticket = atomicAdd(b_state.ticket, 1u);
        s_failed = b_state.failed;
        s_turn = 0u;
    }
    sync_shared();
    int t = thread(), tiles_x = int(gl_NumWorkGroups.x);
    ivec2 tile = tile_of(int(s_ticket));
    int index = tile.y * tiles_x + tile.x;
    ivec2 first = tile * ivec2(32, ROWS) + ivec2(gl_LocalInvocationID.xy) * ivec2(1, DOWN);
    for (int j = 0; j < DOWN; ++j)
        raw[j] = fetch_raw(first + ivec2(0, j));
    for (int j = 0; j < DOWN; ++j)
        v[j] = value_of(raw[j], is_inside(first + ivec2(0, j)), bad);
    count_scrubbed(bad);
    scan_columns(v);
    scan_rows(v);
    bool speaks = index != u_scan.w; // a test's tile is silent
    if (t < ROWS && speaks)
        publish(place_of_sum(index) + t, s_right[t]);
    bool good = look_left(tile.x, index, left);
    if (t < ROWS) {
        s_left[t] = left;
        if (good && speaks)
            publish(place_of_left(index) + t, left + s_right[t]);
    }
    sync_shared();
    if (t < 32) {
        VALUE top = VALUE(0);
        if (good && tile.y > 0)
            good = look_up(index - tiles_x, t, top);
        s_top[t] = top;
        if (good && speaks)
            publish(place_of_bottom(index) + t, top + (s_left[ROWS - 1] + s_bottom[t]));
    }
    if (!good) {
        s_failed = 1u;
        fail();
    }
    sync_shared();
    for (int j = 0; j < DOWN; ++j) {
        int y = int(gl_LocalInvocationID.y) * DOWN + j;
        if (s_failed == 0u && is_inside(first + ivec2(0, j)))
            store_value(first + ivec2(0, j), v[j] + (s_left[y] + s_top[first.x & 31]));
    }
}
