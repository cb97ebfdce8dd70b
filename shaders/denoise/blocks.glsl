// denoise/blocks.glsl - what the dispatches of the filter "blocks" share
//
//   host sets the defines of denoise/component.glsl
//   memory    planes of the image's size, row by row. b_planes: the components of the noisy image
//             in units of their sigma, then those of the first estimate. b_sums: of each component
//             sums of weighted removals, and of weights. b_matches: of each reference block the
//             places in its window of the blocks of its stack, the most alike first
//   source    Dabov, Foi, Katkovnik, Egiazarian 2007; Lebrun 2012
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/component.glsl"

#define BLOCK 8 // texels of a block, in x and y
#define REACH AG_BLOCKS_REACH
#define WINDOW (2 * REACH + 1)
#define STACK AG_BLOCKS_STACK
#define FIRST_BLOCK -4 // where the first reference block begins, in x and y

int plane_size() { return u_src_rect.z * u_src_rect.w; }

// In x and y. The last one of a row may begin beside the image.
ivec2 reference_blocks()
{
    ivec2 step_ = ivec2(AG_BLOCKS_STEP_X, AG_BLOCKS_STEP_Y);
    return (u_src_rect.zw - FIRST_BLOCK + step_ - 1) / step_;
}

// Where block (x, y) of a group begins, from the group's first one. Groups begin with an even row.
ivec2 place_in_group(ivec2 block)
{
    return ivec2(block.x * AG_BLOCKS_STEP_X + (block.y & 1) * AG_BLOCKS_STEP_X / 2,
                 block.y * AG_BLOCKS_STEP_Y);
}

// The tile of a group of `blocks` x `blocks` reference blocks, with their windows: texels in x, y.
#define TILE_WIDTH(blocks) (AG_BLOCKS_STEP_X * (blocks) - AG_BLOCKS_STEP_X / 2 + BLOCK + 2 * REACH)
#define TILE_HEIGHT(blocks) (AG_BLOCKS_STEP_Y * ((blocks) - 1) + BLOCK + 2 * REACH)

ivec2 tile_corner(const int blocks)
{
    return ivec2(gl_WorkGroupID.xy) * blocks * ivec2(AG_BLOCKS_STEP_X, AG_BLOCKS_STEP_Y) +
        FIRST_BLOCK - REACH;
}

// Where the texel at p is in a plane, which continues beyond its edges as in a mirror.
int place_in_plane(ivec2 p)
{
    return reflected(p.y, u_src_rect.w) * u_src_rect.z + reflected(p.x, u_src_rect.z);
}
