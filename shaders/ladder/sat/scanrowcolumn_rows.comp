// ladder/sat/scanrowcolumn_rows.comp - Chen et al.'s ScanRowColumn: a subgroup goes along a row
//
//   in, out   ladder/sat/texels.glsl
//   host sets the defines of ladder/sat/texels.glsl and common/subgroups.glsl
//             THREADS         32 SCAN_SUBGROUPS
//             SCAN_SUBGROUPS  subgroups a group, each with a row of its own
//   dispatch  rows / SCAN_SUBGROUPS rounded up; then ladder/sat/scanrowcolumn_columns.comp
//   cost      i + o bytes a texel, both passes i + 3o; 80 additions for 32 texels, and 32 for what
//             is before, which the last lane knows; no barrier
//   technique D17, D18 of docs/ladder.md
//   source    P. Chen et al. 2018, register-based ScanRowColumn
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef SCAN_SUBGROUPS
#error "SCAN_SUBGROUPS must be set by the host"
#endif
#include "ladder/sat/lanes.glsl"

layout(local_size_x = THREADS) in;

void main()
{
    int row = int(gl_WorkGroupID.x) * SCAN_SUBGROUPS + subgroup_index();
    VALUE carry = VALUE(0);
    for (int x = 0; x < extent().x; x += 32) {
        ivec2 p = ivec2(x + subgroup_lane(), row);
        VALUE v = carry + scan_lanes(load_value(p, true));
        carry = value_of_lane(v, 31);
        if (is_inside(p))
            store_value(p, v);
    }
}
