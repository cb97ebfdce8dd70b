// mip/arrive.glsl - groups that go on by themselves: which of them is the last of a tile's
//
//   in, out   b_arrived  groups that have arrived, of each of the second stage's tiles and, with a third stage,
//                        of those that have made one; 0 between executes
//   host sets THIRD      1 = groups that arrive last make a third stage, too
//   source    last group by an atomic: AMD's SPD 2020, here for every tile of a second stage, with the
//             ordering that GL asks for
//   SPDX-License-Identifier: MIT

layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;

// Whether this group is the last of `groups` that arrive at counter `at` of this layer. All threads come here
// together; what they stored before can be read by the last group afterwards.
bool arrives_last(int at, int groups)
{
    at += int(gl_WorkGroupID.z) * (second_tiles().x * second_tiles().y + THIRD);
    // Every thread's stores come before the arrival of its group is counted.
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        s_arrived = atomicAdd(b_arrived[at], 1u) + 1u;
        if (s_arrived == uint(groups))
            b_arrived[at] = 0u; // nobody else comes; the next execute finds it so
    }
    sync_shared();
    bool last = s_arrived == uint(groups);
    sync_shared(); // before s_arrived is written again
    memoryBarrierBuffer(); // the loads of the last one after it has seen all others counted
    return last;
}
