// denoise/arrivals.glsl - energies that all groups add up, and the group that arrives last
//
//   in, out   b_denoise    the counts: 64-bit energies of each band, blocks, arrivals of groups
//   includer  defines note_last() and is_last()
//   host sets the defines of denoise/memory.glsl
//   why       the last group that arrives turns counts into results and sets them back to 0, so no
//             group waits and no further dispatch is needed
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "denoise/interface_counts.h"
#include "denoise/memory.glsl"

// rate; groups that arrive; unused; the step from a tile that is counted to the next one
layout(location = AG_LOC_DENOISE_STATISTICS) uniform vec4 u_statistics;

// In shared memory, which the includer has.
void note_last(bool last);
bool is_last();

// Adds a group's energies of a band (band_at).
void add_to_band(int band, uint sum)
{
    uint before = atomicAdd(b_denoise.sums[2 * band], sum);
    if (before + sum < before)
        atomicAdd(b_denoise.sums[2 * band + 1], 1u);
}

// Whether this group is the last of the dispatches of an execute. All threads call it together.
bool arrives_last()
{
    memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        bool last = atomicAdd(b_denoise.arrived, 1u) + 1u == uint(u_statistics.y);
        note_last(last);
        if (last)
            b_denoise.arrived = 0u; // the next execute starts from 0
    }
    sync_shared();
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    return is_last();
}

// The mean of a band's energies, of the last group; its sum is 0 again.
float take_mean_energy(int band)
{
    uint low = atomicExchange(b_denoise.sums[2 * band], 0u);
    uint high = atomicExchange(b_denoise.sums[2 * band + 1], 0u);
    int level = band / AG_DENOISE_BANDS % AG_DENOISE_MAX_LEVELS;
    float count = max(float(b_denoise.blocks[level]), 1.0);
    return (float(high) * 4294967296.0 + float(low)) / (float(AG_DENOISE_STEPS) * count);
}

// After all means are taken.
void clear_blocks()
{
    barrier(); // all have read the numbers of blocks
    if (gl_LocalInvocationIndex < uint(AG_DENOISE_BLOCKS))
        b_denoise.blocks[gl_LocalInvocationIndex] = 0u;
}
