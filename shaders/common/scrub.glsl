// common/scrub.glsl - bad texels, which scrub takes for 0; docs/convolve.md, 6, has the bound
//   SPDX-License-Identifier: MIT
#pragma once
const uint NOT_FINITE = 0x7f800000u;        // bits of infinity; those of NaNs are greater
const uint TOO_LARGE = 0x5f800000u;         // of 2^64: sums of 2^28 texels, convolved, are finite
const uint TOO_LARGE_SQUARED = 0x57800000u; // of 2^48: so are sums of 2^28 squares

// The bits of the largest magnitude: compilers may assume that there are no NaNs, and drop isnan().
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}
