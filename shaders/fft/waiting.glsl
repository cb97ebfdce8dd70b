// fft/waiting.glsl - a channel of two rows while it waits for its turn, in the smallest form that loses nothing
//
//   does      a thread loads each texel once and holds it while its channels are transformed one after the other; each
//             is unpacked just before its transform
//   host sets SRC_TEXEL, see fft/source.glsl
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_WAITING_GLSL
#define AG_FFT_WAITING_GLSL
#include "fft/source.glsl"

#if SRC_TEXEL == AG_TEXEL_HALF2 || SRC_TEXEL == AG_TEXEL_HALF4
#define WAITING uint
#define WAITS_AS_FLOATS 0
#define wait(pair) packHalf2x16(pair)
#define waited(held) unpackHalf2x16(held)
#elif SRC_TEXEL == AG_TEXEL_UNORM8 // codes of 8 bits have exact codes of 16: 257 times theirs
#define WAITING uint
#define WAITS_AS_FLOATS 0
#define wait(pair) packUnorm2x16(pair)
#define waited(held) unpackUnorm2x16(held)
#else
#define WAITING vec2
#define WAITS_AS_FLOATS 1
#define wait(pair) (pair)
#define waited(held) (held)
#endif

// Channel c of an upper and a lower texel, waiting.
WAITING channel_of(TEXEL upper, TEXEL lower, int c)
{
#if HALVES
    uint shift = uint(c & 1) * 16u, high = -uint(c >> 1); // which word: an index that varies would be a branch
    uint a = upper.x & ~high | upper.y & high, b = lower.x & ~high | lower.y & high;
    return a >> shift & 0xffffu | b >> shift << 16;
#else
    return wait(vec2(upper[c], lower[c]));
#endif
}

#endif
