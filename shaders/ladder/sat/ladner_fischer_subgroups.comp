// ladder/sat/ladner_fischer_subgroups.comp - the same for rows, by shuffles
//
//   in, out   ladder/sat/texels.glsl
//   shared    the sums of the subgroups
//   host sets the defines of ladder/sat/lines.glsl (GROUP), AXIS 0 and LINES 1; SUBGROUPS, THREADS
//   dispatch  a group for each row
//   cost      as ladder/sat/ladner_fischer.comp, but two barriers; the subgroups' sums are added up
//             serially by each thread
//   technique D11 of docs/ladder.md
//   source    Chen et al. 2018, Fig 2c
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef GROUP
#error "GROUP must be set by the host"
#endif
#include "ladder/sat/lines.glsl"
#include "ladder/sat/lanes.glsl"

shared VALUE s_subgroup[GROUP / 32];

VALUE scan_chunk(VALUE v)
{
    v = scan_lanes(v);
    if (subgroup_lane() == 31)
        s_subgroup[subgroup_index()] = v;
    sync_shared();
    VALUE before = VALUE(0);
    for (int k = 0; k < GROUP / 32; ++k)
        if (k < subgroup_index())
            before += s_subgroup[k];
    return before + v;
}

void main() { scan_lines(); }
