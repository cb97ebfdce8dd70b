// fft/packed_pair.glsl - one channel of two rows' texels, packed until its transform
//   why       each channel is unpacked just before its transform (docs/decisions.md, D11)
//   host sets SRC_TEXEL, see fft/source.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/source.glsl"

#if SRC_TEXEL == AG_TEXEL_HALF2 || SRC_TEXEL == AG_TEXEL_HALF4
#define PACKED_PAIR uint
#define PAIRS_ARE_FLOATS 0
#define pack_pair(pair) packHalf2x16(pair)
#define unpack_pair(held) unpackHalf2x16(held)
#elif SRC_TEXEL == AG_TEXEL_UNORM8 // each 8-bit code has an exact 16-bit code: 257 times its value
#define PACKED_PAIR uint
#define PAIRS_ARE_FLOATS 0
#define pack_pair(pair) packUnorm2x16(pair)
#define unpack_pair(held) unpackUnorm2x16(held)
#else
#define PACKED_PAIR vec2
#define PAIRS_ARE_FLOATS 1
#define pack_pair(pair) (pair)
#define unpack_pair(held) (held)
#endif

// Channel c of an upper and a lower texel, packed.
PACKED_PAIR channel_of(TEXEL upper, TEXEL lower, int c)
{
#if SRC_IS_RGBA16F
    // selects the word: an index that varies would be a branch
    uint shift = uint(c & 1) * 16u, high = -uint(c >> 1);
    uint a = upper.x & ~high | upper.y & high, b = lower.x & ~high | lower.y & high;
    return a >> shift & 0xffffu | b >> shift << 16;
#else
    return pack_pair(vec2(upper[c], lower[c]));
#endif
}
