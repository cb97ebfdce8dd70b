// fft/compact_store.glsl - packs half spectra for compact storage, and finds their scales
//   how       the magnitudes of components that share a scale meet in shared memory; the thread
//             that finds their scale leaves its inverse there
//   layout    fft/compact.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/compact.glsl"
#include "fft/line.glsl"

// The place of the scale of a tile and a row pair, which rows_r2c.comp writes.
int rows_scale(int column, int pair)
{
    return RUNS * (4 * TILE) + column / TILE * (2 * ROW_FOURS) + pair;
}

uint quantize(vec2 value, float inverse)
{
    uvec2 bits = floatBitsToUint(value * inverse + OFFSET);
    return bitfieldInsert(bits.x, bits.y, 16, 16);
}

#if SPLIT
#define SHARED_FLOAT(i) s_exchange[i]
#else
#define SHARED_FLOAT(i) s_exchange[i].x
#endif

// Magnitudes are compared as bits, so that NaN and infinity are the largest and reach the scale.
uint magnitude_of(vec2 value)
{
    uvec2 size = floatBitsToUint(value) & 0x7fffffffu;
    return max(size.x, size.y);
}

// The scale as it is stored, and the factor of the values; magnitudes below 1e-33 become 0.
float scale_of(uint size)
{
    return uintBitsToFloat(size) * (1.0 / 32767.0);
}

float inverse_scale_of(uint size)
{
    uint inverse = floatBitsToUint(32767.0 / uintBitsToFloat(size));
    return uintBitsToFloat(inverse & -uint(size >= 0x08a6274cu)); // ?: is a branch on NVIDIA
}

// The order in which thread i reads its four places: neighbours meet in no bank.
int rotated(int k, int i)
{
    return (k + (i >> 3)) & 3;
}
