// sat/finish_shared.glsl - the scan of a tile by shared memory: part of the last step
//
//   cost      5 barriers a plane; shared memory for 32 x 32 floats 6 KiB, for 64 x 64 20 KiB, of doubles twice that
//
//   Two rows of a tile lie 16 banks apart, and pairs of rows 17 (mod 32): what a subgroup accesses falls into
//   32 banks, be it a row, a column, or 16 x 2 texels.
//
//        pair 0    row 0, 16 free, row 1, 1 free
//        pair 1    row 2 ...
//
//   A thread scans a run of a column, then of a row; the runs' sums pass through s_segment (drawn for columns):
//
//        segment 0   a thread a column   COLUMN_RUN texels    + 0
//        segment 1                                            + segment 0's sum
//        ..                                                   + those of segments 0 and 1
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_SHARED_GLSL
#define AG_SAT_FINISH_SHARED_GLSL

// 8 lots a run, by a thread.
void scan_runs()
{
    int thread = thread_index();
    for (int round = 0; round < LOT_ROUNDS; ++round)
        if (is_lot(round))
            s_item[lot_of(round)] = pack_wide(g_lots[round]);
    sync_shared();
    for (int run = thread; run < LOTS / RUN; run += THREADS) {
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
    sync_shared();
    for (int round = 0; round < LOT_ROUNDS; ++round)
        g_lots[round] = unpack_wide(s_item[min(lot_of(round), LOTS - 1)]);
}

#define ROW_STEP (TILE_W + 16)
#define PAIR_STEP (2 * TILE_W + 17)
#define ROW_AT(y) (((y) >> 1) * PAIR_STEP + ((y) & 1) * ROW_STEP)

#define COLUMN_SEGMENTS (THREADS / TILE_W)
#define COLUMN_RUN (TILE_H / COLUMN_SEGMENTS)
#define ROW_SEGMENTS (THREADS / TILE_H)
#define ROW_RUN (TILE_W / ROW_SEGMENTS)

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

void keep_plane(int plane, const bool squared)
{
    ivec2 local = place_in_tile();
    CELL above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + local.x + i * GROUP_X];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + local.y + j * GROUP_Y];
    int base = ROW_AT(local.y) + local.x;
    for (int k = 0; k < TEXELS; ++k) {
        int i = k % ACROSS, j = k / ACROSS;
        keep(k, squared, s_tile[base + ROW_AT(j * GROUP_Y) + i * GROUP_X], above[i], left[j]);
    }
}

void scan_plane(int plane, const bool squared)
{
    ivec2 local = place_in_tile();
    int base = ROW_AT(local.y) + local.x;
    for (int k = 0; k < TEXELS; ++k)
        s_tile[base + ROW_AT(k / ACROSS * GROUP_Y) + k % ACROSS * GROUP_X] = texel_value(k, squared);
    next_plane();
    sync_shared(); // s_item is complete, too
    scan_columns();
    sync_shared();
    scan_rows();
    sync_shared();
    keep_plane(plane, squared); // the same places that the next plane overwrites
}

void scan_planes()
{
    for (int plane = 0; plane < ROLLED(CHANNELS); ++plane)
        scan_plane(plane, false);
    if (SQUARE != 0)
        for (int plane = CHANNELS; plane < ROLLED(PLANES); ++plane)
            scan_plane(plane, true);
}

#define STORE_STEP READ_STEP
ivec2 place_to_store() { return place_in_tile(); }

#endif
