// sat/finish_single.glsl - sums and entries of tables of one word an entry: float32 and uint32
//
//   The sum d of a line is held as two floats: h, a multiple of a grid that all lines of the tile
//   and plane share, and d - h. The sum of two h is exact: an entry takes four additions instead
//   of ten (D39).
//
//        h = (d + M) - M, M = 1.5 * 2^(e + 11): a multiple of 2^(e - 12), and |d - h| <= 2^(e - 13)
//
//   2^e is the power of two of the largest run sum or corner. Lines that cancel along a run may
//   exceed 2^(e + 10); h + h' is rounded then (ag_sat_error includes it). Rump, Ogita, Oishi 2008.
//
//   includer  ALL_RUNS    RUNS, or ROLLED(RUNS) where they are too many to unroll
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/values_uint.glsl"
#include "sat/finish.glsl"

#if STORAGE == AG_TABLE_FLOAT32
float grid_of(int plane, WIDE corner) // M
{
    uint peak = size_of(pack_wide(corner));
    for (int k = 0; k < ALL_RUNS; ++k)
        peak = max(peak, size_of(s_run[plane * RUNS + k]));
    int exponent = clamp(exponent_of(peak) + 127, 1, 230) + 11;
    return uintBitsToFloat(uint(exponent) << 23 | 0x400000u);
}

uvec2 pack_line(WIDE d, int plane, WIDE corner)
{
    // not simplified to d; any float near d will do
    float grid = grid_of(plane, corner), high = opaque(nearest(d) + grid) - grid;
    return floatBitsToUint(vec2(high, nearest_less(d, high)));
}
#else
uint pack_line(uint sum, int plane, uint corner) { return sum; }
#endif

void keep_corner(int plane, int item, WIDE corner) {} // only split does: sat/finish_split.glsl

// float32: the large parts add up exactly, and the sum is rounded once. Without products or
// cancelling sums compilers cannot change the result; not `precise`: D28.
float entry_of(float local, uvec2 above, uvec2 left)
{
    vec2 a = uintBitsToFloat(above), b = uintBitsToFloat(left);
    return (a.x + b.x) + ((a.y + b.y) + local);
}

uint entry_of(uint local, uint above, uint left) { return local + above + left; }
