// ladder/sat/scanrow_brlt.comp - Chen et al.'s ScanRow-BRLT: scans bands of rows, transposes them
//
//   in, out   ladder/sat/texels.glsl; the second of two equal passes transposes back
//   shared    TILES tiles of ROWS x 32 values; the sums of the subgroups
//   host sets the defines of ladder/sat/texels.glsl and common/subgroups.glsl
//             THREADS         32 SCAN_SUBGROUPS
//             SCAN_SUBGROUPS  subgroups a group, 1 to 32: each has a tile of 32 columns
//             TILE            AG_SCAN_PADDED, _UNPADDED, _SWIZZLED
//   dispatch  a group for ROWS rows, which goes along them
//   cost      i + 3o bytes a texel; 80 additions a row of 32 texels, 2 more a texel for what is
//             before; the sums of n subgroups take n (n - 1) / 2 a row, serially. A thread keeps
//             32 values in registers
//   technique D12, D13, D15, D18 of docs/ladder.md
//   source    P. Chen et al. 2018, "Efficient algorithms for the summed area tables primitive on
//             GPUs", ScanRow-BRLT (block-register-local-transpose)
//
//     lane     0 1 .. 31          row 0    lane 0, columns ..     a subgroup stores runs of ROWS
//     row 0    scan by shuffles   row 1    lane 1                 texels, transposed
//     row 1    ..            ->   ..
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef SCAN_SUBGROUPS
#error "SCAN_SUBGROUPS must be set by the host"
#endif
#define ROWS (32 / CHANNELS)
#define TILES (SCAN_SUBGROUPS < 4 ? SCAN_SUBGROUPS : 4)
#define TILE_ROWS ROWS
#include "ladder/sat/lanes.glsl"
#include "ladder/sat/shared_tile.glsl"

#if SUBGROUPS == AG_SUBGROUPS_EMULATED
#define ROW_TURNS ROLLED(ROWS) // barriers are slow to compile
#else
#define ROW_TURNS ROWS
#endif

layout(local_size_x = THREADS) in;
shared VALUE s_sum[SCAN_SUBGROUPS * ROWS];

void store_transposed(ivec2 first, int tile)
{
    int row = subgroup_lane() % ROWS;
    for (int k = 0; k < ROWS; ++k) {
        int column = subgroup_lane() / ROWS + k * CHANNELS;
        ivec2 p = first + ivec2(column, row);
        if (is_inside(p))
            store_value(p.yx, s_tile[tile][tile_place(row, column)]);
    }
}

void main()
{
    int lane = subgroup_lane(), own = subgroup_index();
    VALUE carry = VALUE(0), v[ROWS]; // carry: of row lane % ROWS
    for (int x = 0; x < extent().x; x += THREADS) {
        ivec2 first = ivec2(x + 32 * own, int(gl_WorkGroupID.x) * ROWS);
        RAW raw[ROWS];
        uint bad = 0u;
        for (int r = 0; r < ROWS; ++r)
            raw[r] = fetch_raw(first + ivec2(lane, r));
        for (int r = 0; r < ROWS; ++r)
            v[r] = value_of(raw[r], is_inside(first + ivec2(lane, r)), bad);
        count_scrubbed(bad);
        for (int r = 0; r < ROW_TURNS; ++r)
            v[r] = scan_lanes(v[r]);
        for (int r = 0; r < ROWS; ++r)
            if (lane == 31)
                s_sum[own * ROWS + r] = v[r];
        sync_shared();
        VALUE before = carry;
        for (int k = 0; k < SCAN_SUBGROUPS; ++k) {
            VALUE sum = s_sum[k * ROWS + lane % ROWS];
            if (k < own)
                before += sum;
            carry += sum;
        }
        for (int r = 0; r < ROW_TURNS; ++r)
            v[r] += value_of_lane(before, r);
        for (int turn = 0; turn < SCAN_SUBGROUPS; turn += TILES) {
            bool mine = own >= turn && own < turn + TILES;
            for (int r = 0; r < ROWS; ++r)
                if (mine)
                    s_tile[own - turn][tile_place(r, lane)] = v[r];
            sync_shared();
            if (mine)
                store_transposed(first, own - turn);
            sync_shared();
        }
    }
}
