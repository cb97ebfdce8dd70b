// common/pair_sum.glsl - adds up pairs of floats over the threads of a group, by halves
//
//   includer  THREADS   of the group, a power of two
//   shared    32 THREADS bytes
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef THREADS
#error "THREADS must be defined by the includer"
#endif
#include "common/pair.glsl"
#include "common/sync.glsl"

shared pairs s_sums[THREADS];

// The sum of a value over all threads, which call this together.
pairs sum_of(pairs value)
{
    uint thread = gl_LocalInvocationIndex;
    sync_shared();
    s_sums[thread] = value;
    for (uint half_size = THREADS / 2u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] = add(s_sums[thread], s_sums[thread + half_size]);
    }
    sync_shared();
    return s_sums[0];
}
