// sat/blur_blocks.glsl - blocks of texels that the programs for most texels leave to others: part of sat/blur.comp
//
//   A block is what a group of GROUP_X x GROUP_Y threads covers.
//
//   without RADIUS   the host knows which blocks have boxes that reach the image's edge, a frame; a group has one:
//
//                       0  1  2  3  4
//                       5  6  7  8  9      u_inner = 1, 2, 3, 4: the first inner block, and what follows the last
//                      10 [inner] 11 12
//                      13 [     ] 14 15
//                      16 17 18 19 20
//
//                    dispatch  ceil(blocks / AG_BLUR_ROW), in rows of AG_BLUR_ROW
//   with RADIUS      AG_BLUR_CUT marks the blocks that have texels left, a word for BEYOND and one for SMALL, which look
//                    through their words, AG_BLUR_BLOCKS a group, and take them back
//                    dispatch  ceil(blocks / AG_BLUR_BLOCKS)
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_BLUR_BLOCKS_GLSL
#define AG_SAT_BLUR_BLOCKS_GLSL

ivec2 texel_of_block(ivec2 block)
{
    return block * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}

#if RADIUS
layout(std430, binding = AG_SSBO_LEFT) buffer Left { uint b_left[]; }; // the layer's from u_size.z on

int mark_of(int block, const int part) { return u_size.z + 2 * block + int(part == AG_BLUR_SMALL); }

void leave_block(int part)
{
    int block = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);
    b_left[u_size.z + 2 * block + int(part == AG_BLUR_SMALL)] = 1u;
}
#endif

#if RADIUS && (PART == AG_BLUR_BEYOND || PART == AG_BLUR_SMALL)
shared uint s_left; // of the group's blocks, which have texels left: a bit each
uint g_left;

int blocks_across() { return (u_size.x + GROUP_X - 1) / GROUP_X; }

// A group's blocks lie far apart, so that all groups share a place where there is much left.
int block_of(int k) { return k * int(gl_NumWorkGroups.x) + int(gl_WorkGroupID.x); }

void begin_blocks()
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
    g_left = s_left;
}

bool next_block(out ivec2 p)
{
    int block = block_of(max(findLSB(g_left), 0));
    bool some = g_left != 0u;
    p = texel_of_block(ivec2(block % blocks_across(), block / blocks_across()));
    g_left &= g_left - 1u;
    return some;
}
#elif PART == AG_BLUR_BEYOND
layout(location = AG_LOC_BOX_INNER) uniform ivec4 u_inner;
bool g_done = false;

void begin_blocks() {}

bool next_block(out ivec2 p)
{
    int k = int(gl_WorkGroupID.y) * AG_BLUR_ROW + int(gl_WorkGroupID.x), across = (u_size.x + GROUP_X - 1) / GROUP_X;
    int above = u_inner.y * across, beside = across - (u_inner.z - u_inner.x);
    int sides = (u_inner.w - u_inner.y) * beside, side = k - above;
    ivec2 block = ivec2(k % across, k / across);
    if (side >= sides) { // below, as if there were no sides
        k -= sides - (u_inner.w - u_inner.y) * across;
        block = ivec2(k % across, k / across);
    } else if (side >= 0) {
        block = ivec2(side % beside, u_inner.y + side / beside);
        block.x += block.x < u_inner.x ? 0 : u_inner.z - u_inner.x;
    }
    p = texel_of_block(block); // beyond the image where the last row of groups has too many
    bool some = !g_done;
    g_done = true;
    return some;
}
#endif

#endif
