// downsample/lanes.glsl - adds up the sums of lanes: neighbouring threads that share an output
//
//   host sets the defines of downsample/sum.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "downsample/sum.glsl"

// Sums of 256 threads, part by part. Until sum_lanes the includer may use them.
shared vec4 s_hi[PARTS * AG_DOWN_LANES];
shared vec4 s_lo[PARTS * AG_DOWN_LANES];

// Adds up the sums of `lanes` neighbouring threads, a power of two, by halves in a fixed order. The
// first of them then has the sum. All threads call this together, with the same `lanes`.
void sum_lanes(int lanes, inout Parts hi, inout Parts lo)
{
    int thread = int(gl_LocalInvocationIndex), which = thread & (lanes - 1);
    for (int half_of = lanes >> 1; half_of > 0; half_of >>= 1) {
        sync_shared();
        STORE_PARTS(s_hi, thread, AG_DOWN_LANES, hi)
        STORE_PARTS(s_lo, thread, AG_DOWN_LANES, lo)
        sync_shared();
        int other = thread + half_of;
        if (which < half_of)
            add_sum(hi, lo, LOAD_PARTS(s_hi, other, AG_DOWN_LANES),
                    LOAD_PARTS(s_lo, other, AG_DOWN_LANES));
    }
}
