// common/subgroups.glsl - values passed from register to register among 32 neighbouring threads
//
//   host sets SUBGROUPS    AG_SUBGROUPS_OF_DRIVER   GL_KHR_shader_subgroup, of subgroups of 32 that fill the group; the
//                                           #extension lines stand before everything else
//                      AG_SUBGROUPS_EMULATED    the same through shared memory with barriers, so that drivers
//                                           without them can test the code. Not for speed
//             THREADS  of a group, a multiple of 32
//   All threads of a group must come here together. What a thread that has no partner gets is undefined.
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_SUBGROUPS_GLSL
#define AG_COMMON_SUBGROUPS_GLSL
#include "common/interface_subgroups.h"
#include "common/sync.glsl"

#if SUBGROUPS == AG_SUBGROUPS_OF_DRIVER
// Not taken from gl_LocalInvocationIndex, whose relation to these is not promised.
int subgroup_lane() { return int(gl_SubgroupInvocationID); }
int subgroup_index() { return int(gl_SubgroupID); }
float lane_below(float x, const uint distance) { return subgroupShuffleUp(x, distance); }
uint lane_below(uint x, const uint distance) { return subgroupShuffleUp(x, distance); }
uvec2 lane_below(uvec2 x, const uint distance) { return subgroupShuffleUp(x, distance); }
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
uint lane_below(uint x, const uint distance) { return lane_of(x, subgroup_lane() - int(distance)); }
float lane_below(float x, const uint distance) { return lane_of(x, subgroup_lane() - int(distance)); }
uvec2 lane_below(uvec2 x, const uint distance)
{
    uint low = lane_below(x.x, distance), high = lane_below(x.y, distance);
    return uvec2(low, high);
}
uint lane_across(uint x, const uint bits) { return lane_of(x, subgroup_lane() ^ int(bits)); }
float lane_across(float x, const uint bits) { return lane_of(x, subgroup_lane() ^ int(bits)); }
#endif

#endif
