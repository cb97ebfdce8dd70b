// downsample/targets.glsl - the targets of a dispatch, and which texels each of their outputs takes
//
//   in        u_axes0 .. 3, u_scale0 .. 3   sizes and units of weight (downsample/interface.h)
//   out       i_dst0 .. 3         images of the targets
//   host sets TARGETS             1 .. 4; 0: nothing is stored in images
//   what      an axis of W texels and w outputs, in units of 1 / w of a texel: output i is the cell
//             [i W, (i + 1) W), texel j covers [j w, (j + 1) w). A texel weighs what the two share,
//             1 .. w; a cell's weights add up to W:
//
//                texels    |  0  |  1  |  2  |  3  |  4  |        W = 5, w = 3
//                cells     |    0    |    1    |    2    |        of 0: 3 2; of 1: 1 3 1; of 2: 2 3
//
//             W and w are at most 2^14, so all of this is exact in 32 bits. As floats weights are
//             multiplied by a power of two, so that a cell's add up to 1 or less, more than 1/2:
//             sums of finite texels stay finite
//   source    Fant 1986, "A Nonaliasing, Real-Time Spatial Transform Technique": intensities by
//             areas, exactly
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef TARGETS
#error "TARGETS must be set by the host"
#endif
#include "downsample/interface.h"

layout(location = AG_LOC_DOWN_TILE) uniform ivec4 u_tile;
layout(location = AG_LOC_DOWN_AXES) uniform ivec4 u_axes0;
layout(location = AG_LOC_DOWN_DST) uniform ivec4 u_dst0;
layout(location = AG_LOC_DOWN_SCALE) uniform vec4 u_scale0;
layout(location = AG_LOC_DOWN_SHARE) uniform ivec4 u_share0;
#if TARGETS
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;
#endif
#if TARGETS > 1
layout(location = AG_LOC_DOWN_AXES1) uniform ivec4 u_axes1;
layout(location = AG_LOC_DOWN_DST1) uniform ivec4 u_dst1;
layout(location = AG_LOC_DOWN_SCALE1) uniform vec4 u_scale1;
layout(location = AG_LOC_DOWN_SHARE1) uniform ivec4 u_share1;
layout(binding = AG_IMAGE_TARGET1) writeonly uniform image2D i_dst1;
#endif
#if TARGETS > 2
layout(location = AG_LOC_DOWN_AXES2) uniform ivec4 u_axes2;
layout(location = AG_LOC_DOWN_DST2) uniform ivec4 u_dst2;
layout(location = AG_LOC_DOWN_SCALE2) uniform vec4 u_scale2;
layout(location = AG_LOC_DOWN_SHARE2) uniform ivec4 u_share2;
layout(binding = AG_IMAGE_TARGET2) writeonly uniform image2D i_dst2;
#endif
#if TARGETS > 3
layout(location = AG_LOC_DOWN_AXES3) uniform ivec4 u_axes3;
layout(location = AG_LOC_DOWN_DST3) uniform ivec4 u_dst3;
layout(location = AG_LOC_DOWN_SCALE3) uniform vec4 u_scale3;
layout(location = AG_LOC_DOWN_SHARE3) uniform ivec4 u_share3;
layout(binding = AG_IMAGE_TARGET3) writeonly uniform image2D i_dst3;
#endif

// ---- cells

// An axis: sizes of source and output without common divisors, one over these, and a unit of
// weight.
struct Axis {
    int from, to;
    float over_from, over_to, unit;
};

Axis axis_of(int from, int to, float unit)
{
    return Axis(from, to, 1.0 / float(from), 1.0 / float(to), unit);
}
Axis axis_x(ivec4 sizes, vec4 scale) { return axis_of(sizes.x, sizes.y, scale.z); }
Axis axis_y(ivec4 sizes, vec4 scale) { return axis_of(sizes.z, sizes.w, scale.w); }

// n / d of whole numbers from 0 on, if that is at most 2^15: by floats, which are then off by one
// at most. GPUs divide whole numbers in some thirty instructions.
int quotient_of(int n, int d, float over_d)
{
    int q = int(float(n) * over_d), rest = n - q * d;
    return q + int(rest >= d) - int(rest < 0);
}

// A cell: its first texel, and how much of that texel lies before the cell.
struct Cell {
    int first, before;
};

Cell cell_of(Axis a, int i)
{
    int at = i * a.from, first = quotient_of(at, a.to, a.over_to);
    return Cell(first, at - first * a.to);
}

// The texel after the cell's last.
int cell_end(Axis a, Cell c)
{
    return c.first + quotient_of(c.before + a.from + a.to - 1, a.to, a.over_to);
}

Cell cell_after(Axis a, Cell c)
{
    int at = c.before + a.from, texels = quotient_of(at, a.to, a.over_to);
    return Cell(c.first + texels, at - texels * a.to);
}

// The cell in which texel j begins.
int cell_at(Axis a, int j) { return quotient_of(j * a.to, a.from, a.over_from); }
// The cell in which the texel before j ends.
int cell_before(Axis a, int j) { return quotient_of(j * a.to - 1, a.from, a.over_from); }

// Whether texel j of the cell begins in it. Each texel begins in one cell.
bool begins_in(Cell c, int j) { return j != c.first || c.before == 0; }

// The weight of texel j, which is the cell's first or one after it; 0 after its last.
float weight_of(Axis a, Cell c, int j)
{
    int begin = (j - c.first) * a.to;
    return float(clamp(c.before + a.from - begin, 0, a.to) - max(c.before - begin, 0)) * a.unit;
}

// ---- targets by number

// Targets are selected by a number that the compiler knows.
struct Target {
    Axis ax, ay;
    ivec4 dst, share;
    vec2 scale;
};

Target target_of(const int t)
{
    ivec4 axes = u_axes0, dst = u_dst0, share = u_share0;
    vec4 scale = u_scale0;
#if TARGETS > 1
    if (t == 1) {
        axes = u_axes1;
        dst = u_dst1;
        share = u_share1;
        scale = u_scale1;
    }
#endif
#if TARGETS > 2
    if (t == 2) {
        axes = u_axes2;
        dst = u_dst2;
        share = u_share2;
        scale = u_scale2;
    }
#endif
#if TARGETS > 3
    if (t == 3) {
        axes = u_axes3;
        dst = u_dst3;
        share = u_share3;
        scale = u_scale3;
    }
#endif
    return Target(axis_x(axes, scale), axis_y(axes, scale), dst, share, scale.xy);
}

void store_in(const int t, ivec2 p, vec4 c)
{
#if TARGETS
    if (t == 0)
        imageStore(i_dst0, p, c);
#endif
#if TARGETS > 1
    if (t == 1)
        imageStore(i_dst1, p, c);
#endif
#if TARGETS > 2
    if (t == 2)
        imageStore(i_dst2, p, c);
#endif
#if TARGETS > 3
    if (t == 3)
        imageStore(i_dst3, p, c);
#endif
}
