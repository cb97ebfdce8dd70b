// mip/arrive.glsl - finds the group that arrives last at a tile of the next stage
//
//   in, out   b_arrived  arrived groups for each tile of the second stage; 0 between executes
//   source    last group by an atomic: AMD's SPD 2020, here for every tile of a second stage, with
//             the memory ordering that GL requires
//   SPDX-License-Identifier: MIT

layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;

// Whether this group is the last of `groups` that arrive at counter `at` of this layer. All threads
// call this together. The last group can then read what all groups stored before.
bool arrives_last(int at, int groups)
{
    at += int(gl_WorkGroupID.z) * second_tiles().x * second_tiles().y;
    // Every thread's stores come before the arrival of its group is counted.
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        s_arrived = atomicAdd(b_arrived[at], 1u) + 1u;
        if (s_arrived == uint(groups))
            b_arrived[at] = 0u; // all have arrived; the next execute starts from 0
    }
    sync_shared();
    bool last = s_arrived == uint(groups);
    sync_shared(); // before s_arrived is written again
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    return last;
}
