// ladder/sat/lanes.glsl - values of other lanes, and the LF-scan of a subgroup by shuffles
//   host sets the defines of ladder/sat/texels.glsl and common/subgroups.glsl; THREADS
//   cost      of a scan 5 shuffles a channel, 80 additions for 32 values; no barrier
//   source    Chen et al. 2018, "LF-scan"
//   SPDX-License-Identifier: MIT
#pragma once
#include "ladder/sat/texels.glsl"
#include "common/subgroups.glsl"

VALUE value_of_lane(VALUE v, int lane)
{
#if CHANNELS == 1
    return lane_of(v, lane);
#else
    v.x = lane_of(v.x, lane);
    v.y = lane_of(v.y, lane);
#if CHANNELS == 4
    v.z = lane_of(v.z, lane);
    v.w = lane_of(v.w, lane);
#endif
    return v;
#endif
}

VALUE scan_lanes(VALUE v)
{
    int lane = subgroup_lane();
    for (int by = 1; by < 32; by *= 2) {
        VALUE below = value_of_lane(v, (lane & ~(2 * by - 1)) + by - 1);
        if ((lane & by) != 0)
            v += below;
    }
    return v;
}
