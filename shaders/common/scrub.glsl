// common/scrub.glsl - bad texels, which scrub takes for 0: not finite, or too large to be summed
//
//   why       one texel of 3e38 makes all sums over its line infinite, and those are the whole
//             frame after an FFT. Below 2^64 no sum is: over the 2^28 texels of 16384 x 16384 it is
//             below 2^92, which leaves 2^35 for a kernel's weights and for what a transform adds
//   how       bits are compared, of magnitudes, because compilers may assume that there are no
//             NaNs, and drop isnan(). So one comparison finds NaN, infinity, and what is too large.
//             Such a texel becomes 0, not 2^64, whose light would still hide the whole frame
//             (docs/convolve.md)
//   SPDX-License-Identifier: MIT
#pragma once

const uint NOT_FINITE = 0x7f800000u;        // bits of infinity; those of NaNs are greater
const uint TOO_LARGE = 0x5f800000u;         // of 2^64
const uint TOO_LARGE_SQUARED = 0x57800000u; // of 2^48, whose square 2^28 times is below 2^128

// The bits of the largest magnitude of four channels.
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}
