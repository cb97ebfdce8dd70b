// fft/spline_table.glsl - what cubic B-splines do to a kernel: w, g and the core's matrix
//
//   in        b_splines  fill_table of effects/bloom/bloom_reduced.c
//             u_ratio    texels of the frame for one of the smaller image, along x and y
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_bloom.h"

layout(location = AG_LOC_RATIO) uniform ivec4 u_ratio;
layout(std430, binding = AG_SSBO_SPLINE) readonly buffer Splines { float b_splines[]; };

const int ALONG_X = 0, ALONG_Y = 1, MATRIX = 2;

// Where the table of x, the table of y, or the matrix begins.
int table_of(int part)
{
    ivec2 lengths = (AG_SPLINE_REACH + 4) * u_ratio.xy + 2;
    return part == ALONG_X ? 0 : part == ALONG_Y ? lengths.x : lengths.x + lengths.y;
}

// w: how much of a texel of the kernel goes to a texel of the smaller one, at this distance.
float weight(int axis, int distance)
{
    bool reaches = abs(distance) <= AG_SPLINE_REACH * u_ratio[axis];
    return reaches ? b_splines[table_of(axis) + abs(distance)] : 0.0;
}

// g / ratio: how much of a texel of the smaller kernel comes back at this distance.
float blend(int axis, int distance)
{
    int first = table_of(axis) + AG_SPLINE_REACH * u_ratio[axis] + 1;
    return abs(distance) <= 4 * u_ratio[axis] ? b_splines[first + abs(distance)] : 0.0;
}
