// sat/blur_blocks.glsl - blocks of texels that sat/blur_inside.comp leaves to the other programs
//
//   A block is the texels of one group of GROUP_X x GROUP_Y threads.
//
//   without RADIUS   the host knows the blocks with boxes that are not inside. They form a frame,
//                    and each has a group:
//
//                       0  1  2  3  4
//                       5  6  7  8  9      u_inside = 1, 2, 3, 4: the first block of the hole, and
//                      10 [     ] 11 12               one past its last
//                      13 [     ] 14 15
//                      16 17 18 19 20
//
//                    dispatch  AG_BLUR_ROW x the rows needed; surplus groups fall below the image
//   with RADIUS      blur_inside.comp marks blocks that still have texels: one mark for blur_edges
//                    or blur_mirror, one for blur_small. Those programs test AG_BLUR_BLOCKS marks a
//                    group and clear the marks that they find
//
//                       b_left   first_mark()  0: edges  0: small  1: edges  1: small  2: edges ..
//
//                    dispatch  ceil(blocks / AG_BLUR_BLOCKS)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(GROUP_X) || !defined(GROUP_Y)
#error "GROUP_X and GROUP_Y must be set by the host"
#endif
#include "sat/image.glsl"
#include "common/sync.glsl"

layout(std430, binding = AG_SSBO_LEFT) buffer Left { uint b_left[]; };
layout(location = AG_LOC_BOX_INSIDE) uniform ivec4 u_inside;

ivec2 inside_from() { return u_inside.xy; }
ivec2 inside_size() { return u_inside.zw - u_inside.xy; }

int blocks_across() { return (image_size().x + GROUP_X - 1) / GROUP_X; }
int blocks_down() { return (image_size().y + GROUP_Y - 1) / GROUP_Y; }

ivec2 texel_of_block(ivec2 block)
{
    return block * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}

// ---- with RADIUS: marks. `part` is AG_BLUR_BEYOND or AG_BLUR_SMALL

int mark_of(int block, int part) { return first_mark() + 2 * block + int(part == AG_BLUR_SMALL); }

void leave_block(int part)
{
    b_left[mark_of(int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x), part)] = 1u;
}

shared uint s_left; // bit k: the group's block k has texels left

// The group's blocks lie far apart, so that all groups share the work of a region with many marks.
int block_of(int k) { return k * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x); }

ivec2 texel_left(int k)
{
    return texel_of_block(ivec2(block_of(k) % blocks_across(), block_of(k) / blocks_across()));
}

uint find_left(const int part)
{
    int k = int(gl_LocalInvocationIndex), blocks = blocks_across() * blocks_down();
    if (k == 0)
        s_left = 0u;
    sync_shared();
    if (k < AG_BLUR_BLOCKS && block_of(k) < blocks && b_left[mark_of(block_of(k), part)] != 0u) {
        b_left[mark_of(block_of(k), part)] = 0u;
        atomicOr(s_left, 1u << k);
    }
    sync_shared();
    return s_left;
}

// ---- without RADIUS: the group's block of the frame

ivec2 frame_block()
{
    int k = int(gl_WorkGroupID.y) * AG_BLUR_ROW + int(gl_WorkGroupID.x), across = blocks_across();
    ivec2 from = inside_from(), hole = inside_size();
    int beside = across - hole.x, side = k - from.y * across; // among the blocks beside the hole
    if (side >= 0 && side < hole.y * beside) {
        int x = side % beside;
        return ivec2(x < from.x ? x : x + hole.x, from.y + side / beside);
    }
    if (side >= 0)
        k += hole.x * hole.y;
    return ivec2(k % across, k / across);
}
