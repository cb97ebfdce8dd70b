// mip/coverage.glsl - what the three coverage passes share: histograms of alpha, and thresholds
//
//   The bin of an alpha is its code as a 16-bit float, 0 .. 15360 for 0 .. 1: each 8- and 10-bit
//   code has a bin of its own, and so has each alpha of 16-bit formats. Per layer and level:
//
//      | 15361 counts | threshold t, as a bin | factor, as a float | unused |
//      AG_COVERAGE_WORDS integers
//
//   Level 0 has only the number of covered texels, alpha >= reference, in its first integer.
//   source    Castano 2010, "Computing Alpha Mipmaps", scales alpha until a level covers as much as
//             level 0; here the threshold is read off the histogram, without a search over scales
//   SPDX-License-Identifier: MIT
#include "mip/interface.h"
#define SRC_LAYER (gl_WorkGroupID.z + uint(u_texture.z))
#include "common/source.glsl" // u_src_rect: of level 0

#define BINS 15361

// width, height of level 0, first layer, levels
layout(location = AG_LOC_TEXTURE) uniform ivec4 u_texture;
layout(location = AG_LOC_STAGE) uniform ivec4 u_stage;     // level
// reference; the format's first alpha that is not below it; the one before; 1 = scrub
layout(location = AG_LOC_COVERAGE) uniform vec4 u_coverage;
layout(std430, binding = AG_SSBO_HANDOVER) buffer Histograms { uint b_histogram[]; };

int histogram_of(int layer, int level)
{
    return (layer * (u_texture.w + 1) + level) * AG_COVERAGE_WORDS;
}

uint bin_of(float alpha)
{
    return packHalf2x16(vec2(clamp(alpha, 0.0, 1.0), 0.0)) & 0xffffu;
}

float alpha_of(uint bin)
{
    return unpackHalf2x16(bin).x;
}

ivec2 level_size(int level)
{
    return max(u_src_rect.zw >> level, 1);
}

ivec2 level_corner(int level)
{
    return min(u_src_rect.xy >> level, max(u_texture.xy >> level, 1) - 1);
}
