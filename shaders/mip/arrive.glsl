// mip/arrive.glsl - groups that go on by themselves: which of them is the last of a tile's
//
//   in, out   b_arrived  groups that have arrived, of each of the second stage's tiles and, with THIRD, of
//                        those that have made one; 0 between executes
//   host sets what level.glsl wants, SECOND among it
//   source    last group by an atomic: AMD's SPD 2020, here for every tile of a second stage, with the
//             ordering that GL asks for
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ARRIVE_GLSL
#define AG_MIPCHAIN_ARRIVE_GLSL

layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;

// Whether this group is the last of `groups` that arrive at counter `at`. All threads come here together;
// what they stored before can be read by the last group afterwards.
bool arrives_last(int at, int groups)
{
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

int first_counter() // of this layer
{
    return int(gl_WorkGroupID.z) * (u_second.x * u_second.y + THIRD);
}

// The same for a tile of the second stage. Its texels begin at a multiple of `owned`, and a group has
// `owned` of them each way.
bool last_of_second(ivec2 tile, ivec2 size, int owned)
{
    ivec2 from = tile * 64;
    ivec2 most = min(from + 64 + u_second.zw, size);
    ivec2 end = most + (size - most) * ivec2(equal(tile, u_second.xy - 1));
    ivec2 groups = (end - 1) / owned - from / owned + 1;
    return arrives_last(first_counter() + tile.y * u_second.x + tile.x, groups.x * groups.y);
}

#if THIRD
// And for the third stage, one tile, that each of the second's contributes to.
bool last_of_third()
{
    int tiles = u_second.x * u_second.y;
    return arrives_last(first_counter() + tiles, tiles);
}
#endif

#endif
