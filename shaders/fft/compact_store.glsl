// fft/compact_store.glsl - packing into two bytes a component, and the sizes that scales follow from
//
//   how       sizes of those that share a scale meet in shared memory; whoever looks through them leaves the scale's
//             inverse there
//   layout    fft/compact.glsl
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_COMPACT_STORE_GLSL
#define AG_FFT_COMPACT_STORE_GLSL
#include "fft/compact.glsl"
#include "fft/line.glsl"

// Of the scale of a tile and a pair of rows, which rows_r2c.comp writes.
int rows_scale(int column, int pair)
{
    return RUNS * (4 * TILE) + column / TILE * (2 * GATHERS_2X2) + pair;
}

uint to_word(vec2 value, float inverse)
{
    uvec2 bits = floatBitsToUint(value * inverse + OFFSET);
    return bitfieldInsert(bits.x, bits.y, 16, 16);
}

#if SPLIT
#define SHARED_FLOAT(i) s_exchange[i]
#else
#define SHARED_FLOAT(i) s_exchange[i].x
#endif

// Sizes are compared as bits, so that NaN and infinity, the largest, come through.
uint size_of(vec2 value)
{
    uvec2 size = floatBitsToUint(value) & 0x7fffffffu;
    return max(size.x, size.y);
}

// What a scale is stored as, and what values are multiplied with; nothing of less than 1e-33 is kept.
float unit_of(uint size)
{
    return uintBitsToFloat(size) * (1.0 / 32767.0);
}

float inverse_of(uint size)
{
    uint inverse = floatBitsToUint(32767.0 / uintBitsToFloat(size));
    return uintBitsToFloat(inverse & -uint(size >= 0x08a6274cu)); // no ?:, which is a branch on NVIDIA
}

// The order in which thread i looks at its four places: neighbours meet in no bank.
int rotated(int k, int i)
{
    return (k + (i >> 3)) & 3;
}

#endif
