// denoise/extend.glsl - texels of the source, which continues beyond its edges as in a mirror
//
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/source.glsl"

// ... 1 0 | 0 1 2 ... n-1 | n-1 n-2 ...: half-sample symmetric, so edges make no coefficients
int reflected(int p, int n)
{
    p ^= p >> 31; // -1 becomes 0, -2 becomes 1
    if (n < 80) // the same for all threads: tiles reach so far that one reflection may be too few
        p %= 2 * n;
    return min(p, 2 * n - 1 - p);
}

vec4 load_extended(ivec2 p, inout uint largest)
{
    return load_texel_unseen(
        ivec2(reflected(p.x, u_src_rect.z), reflected(p.y, u_src_rect.w)), largest);
}
