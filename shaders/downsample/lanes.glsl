// downsample/lanes.glsl - the sums of lanes that share an output become one
//
//   host sets or includer  PARTS (downsample/weights.glsl)
//   shared    s_hi, s_lo: 256 of each part; before sum_lanes the includer's own
//   exact     by halves, in a fixed order; nothing is lost (downsample/sum.glsl)
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"

shared vec4 s_hi[PARTS * AG_DOWN_LANES];
shared vec4 s_lo[PARTS * AG_DOWN_LANES];

// `lanes` neighbouring threads, a power of two, the same for all: the first of them has the sum
// then. All come here.
void sum_lanes(int lanes, inout vec4 hi[PARTS], inout vec4 lo[PARTS])
{
    int thread = int(gl_LocalInvocationIndex), which = thread & (lanes - 1);
    for (int half_of = lanes >> 1; half_of > 0; half_of >>= 1) {
        sync_shared();
        for (int part = 0; part < PARTS; ++part) {
            s_hi[part * AG_DOWN_LANES + thread] = hi[part];
            s_lo[part * AG_DOWN_LANES + thread] = lo[part];
        }
        sync_shared();
        if (which < half_of)
            for (int part = 0; part < PARTS; ++part) {
                int other = part * AG_DOWN_LANES + thread + half_of;
                add_sum(hi[part], lo[part], s_hi[other], s_lo[other]);
            }
    }
}
