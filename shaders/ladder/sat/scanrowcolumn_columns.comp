// ladder/sat/scanrowcolumn_columns.comp - the second pass: threads scan runs of columns
//
//   in, out   ladder/sat/texels.glsl
//   shared    a sum for each thread
//   host sets the defines of ladder/sat/texels.glsl
//             SCAN_SUBGROUPS  parts of 32 threads a group; each has ROWS rows of 32 columns
//   dispatch  columns / 32 rounded up; a group goes down its columns
//   cost      2o bytes a texel; N - 1 additions for N texels, N more for what is before
//   technique D09, D12, D17 of docs/ladder.md
//   source    P. Chen et al. 2018, register-based ScanRowColumn
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef SCAN_SUBGROUPS
#error "SCAN_SUBGROUPS must be set by the host"
#endif
#include "ladder/sat/texels.glsl"
#include "common/sync.glsl"
#define ROWS (32 / CHANNELS)

layout(local_size_x = 32, local_size_y = SCAN_SUBGROUPS) in;
shared VALUE s_sum[SCAN_SUBGROUPS][32];

void main()
{
    int lane = int(gl_LocalInvocationID.x), own = int(gl_LocalInvocationID.y);
    VALUE carry = VALUE(0), v[ROWS];
    for (int y = 0; y < extent().y; y += ROWS * SCAN_SUBGROUPS) {
        ivec2 first = ivec2(int(gl_WorkGroupID.x) * 32 + lane, y + own * ROWS);
        VALUE sum = VALUE(0);
        for (int r = 0; r < ROWS; ++r)
            v[r] = fetch_raw(first + ivec2(0, r)); // beyond the image nothing is stored
        for (int r = 0; r < ROWS; ++r) {
            sum += v[r];
            v[r] = sum;
        }
        s_sum[own][lane] = sum;
        sync_shared();
        VALUE before = carry;
        for (int k = 0; k < SCAN_SUBGROUPS; ++k) {
            if (k < own)
                before += s_sum[k][lane];
            carry += s_sum[k][lane];
        }
        for (int r = 0; r < ROWS; ++r) {
            ivec2 p = first + ivec2(0, r);
            if (is_inside(p))
                store_value(p, before + v[r]);
        }
        sync_shared();
    }
}
