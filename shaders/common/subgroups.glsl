// common/subgroups.glsl - exchanges registers among the 32 threads of a subgroup
//
//   out       lane_below(x, by)       x of the lane `by` below
//             lane_across(x, bits)    x of the lane whose index differs in these bits
//             lane_of(x, lane)        x of that lane
//   host sets SUBGROUPS  AG_SUBGROUPS_OF_DRIVER   GL_KHR_shader_subgroup, of 32 lanes;
//                                                 #extension lines come before everything
//                        AG_SUBGROUPS_EMULATED    the same through shared memory with barriers:
//                                                 slow, for tests on other drivers
//   includer  THREADS    of a group, a multiple of 32
//   All threads of a group call these together. A lane without a partner gets an undefined value.
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SUBGROUPS) || !defined(THREADS)
#error "SUBGROUPS (AG_SUBGROUPS_*) must be set by the host, THREADS defined by the includer"
#endif
#include "common/interface.h"
#include "common/sync.glsl"

#if SUBGROUPS == AG_SUBGROUPS_OF_DRIVER
// GL does not promise how these relate to gl_LocalInvocationIndex.
int subgroup_lane() { return int(gl_SubgroupInvocationID); }
int subgroup_index() { return int(gl_SubgroupID); }
uint lane_below(uint x, const uint by) { return subgroupShuffleUp(x, by); }
uvec2 lane_below(uvec2 x, const uint by) { return subgroupShuffleUp(x, by); }
float lane_across(float x, const uint bits) { return subgroupShuffleXor(x, bits); }
uint lane_across(uint x, const uint bits) { return subgroupShuffleXor(x, bits); }
float lane_of(float x, int lane) { return subgroupShuffle(x, uint(lane)); }
uint lane_of(uint x, int lane) { return subgroupShuffle(x, uint(lane)); }
#else
shared uint s_lanes[THREADS];

int subgroup_lane() { return int(gl_LocalInvocationIndex) % 32; }
int subgroup_index() { return int(gl_LocalInvocationIndex) / 32; }

uint lane_of(uint x, int lane)
{
    sync_shared();
    s_lanes[gl_LocalInvocationIndex] = x;
    sync_shared();
    return s_lanes[subgroup_index() * 32 + (lane & 31)];
}

float lane_of(float x, int lane) { return uintBitsToFloat(lane_of(floatBitsToUint(x), lane)); }
uint lane_below(uint x, const uint by) { return lane_of(x, subgroup_lane() - int(by)); }
uvec2 lane_below(uvec2 x, const uint by)
{
    uint low = lane_below(x.x, by), high = lane_below(x.y, by);
    return uvec2(low, high);
}
uint lane_across(uint x, const uint bits) { return lane_of(x, subgroup_lane() ^ int(bits)); }
float lane_across(float x, const uint bits) { return lane_of(x, subgroup_lane() ^ int(bits)); }
#endif
