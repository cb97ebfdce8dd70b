// sat/blur_blocks.glsl - blocks of texels that the programs for most boxes leave to others: part of sat/blur.comp
//
//   A block is what a group of GROUP_X x GROUP_Y threads covers.
//
//   without RADIUS   the host knows which blocks have boxes that are not inside, a frame; BEYOND has a group for each:
//
//                       0  1  2  3  4
//                       5  6  7  8  9      u_inside = 1, 2, 3, 4: the first block of those left out, and what
//                      10 [     ] 11 12                           follows the last
//                      13 [     ] 14 15
//                      16 17 18 19 20
//
//                    dispatch  AG_BLUR_ROW x as many rows as that takes; what is too much falls below the image
//   with RADIUS      CUT marks the blocks that have texels left, a word for BEYOND and one for SMALL, which look
//                    through their words, AG_BLUR_BLOCKS a group, and take them back
//                    dispatch  ceil(blocks / AG_BLUR_BLOCKS)
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_BLUR_BLOCKS_GLSL
#define AG_SAT_BLUR_BLOCKS_GLSL

int blocks_across() { return (u_size.x + GROUP_X - 1) / GROUP_X; }

ivec2 texel_of_block(ivec2 block)
{
    return block * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}

#if RADIUS
layout(std430, binding = AG_SSBO_LEFT) buffer Left { uint b_left[]; }; // the layer's from u_size.z on

int mark_of(int block, int part) { return u_size.z + 2 * block + int(part == AG_BLUR_SMALL); }

#if INSIDE
void leave_block(int part)
{
    b_left[mark_of(int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x), part)] = 1u;
}
#else
shared uint s_left; // of the group's blocks, which have texels left: a bit each

// The group's blocks lie far apart, so that all groups share a place where there is much left.
int block_of(int k) { return k * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x); }

ivec2 texel_left(int k)
{
    return texel_of_block(ivec2(block_of(k) % blocks_across(), block_of(k) / blocks_across()));
}

uint find_left()
{
    int k = int(gl_LocalInvocationIndex), blocks = blocks_across() * ((u_size.y + GROUP_Y - 1) / GROUP_Y);
    if (k == 0)
        s_left = 0u;
    sync_shared();
    if (k < AG_BLUR_BLOCKS && block_of(k) < blocks && b_left[mark_of(block_of(k), PART)] != 0u) {
        b_left[mark_of(block_of(k), PART)] = 0u;
        atomicOr(s_left, 1u << k);
    }
    sync_shared();
    return s_left;
}
#endif
#elif PART == AG_BLUR_BEYOND
layout(location = AG_LOC_BOX_INSIDE) uniform ivec4 u_inside;

// The group's block of the frame.
ivec2 frame_block()
{
    int k = int(gl_WorkGroupID.y) * AG_BLUR_ROW + int(gl_WorkGroupID.x), across = blocks_across();
    ivec2 hole = u_inside.zw - u_inside.xy;
    int beside = across - hole.x, side = k - u_inside.y * across; // among the blocks beside the hole
    if (side >= 0 && side < hole.y * beside) {
        int x = side % beside;
        return ivec2(x < u_inside.x ? x : x + hole.x, u_inside.y + side / beside);
    }
    if (side >= 0)
        k += hole.x * hole.y;
    return ivec2(k % across, k / across);
}
#endif

#endif
