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
#define STRIDE AG_BLOCKS_STRIDE
#define REACH AG_BLOCKS_REACH
#define WINDOW (2 * REACH + 1)
#define STACK AG_BLOCKS_STACK
#define FIRST_BLOCK -4 // where the first reference block begins, in x and y

int plane_size() { return u_src_rect.z * u_src_rect.w; }

// Reference blocks in x and y: those that begin before the image's last texel.
ivec2 reference_blocks() { return (u_src_rect.zw - FIRST_BLOCK + STRIDE - 1) / STRIDE; }

// Where the texel at p is in a plane, which continues beyond its edges as in a mirror.
int place_in_plane(ivec2 p)
{
    return reflected(p.y, u_src_rect.w) * u_src_rect.z + reflected(p.x, u_src_rect.z);
}
