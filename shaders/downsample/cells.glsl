// downsample/cells.glsl - which texels an output takes, and how much each weighs, in whole numbers
//
//   in        u_axes*, u_scale*   sizes without common divisors, units of weight (downsample/interface.h)
//   what      an axis of W texels and w outputs, in units of 1 / w of a texel: output i is the cell [i W, (i + 1) W),
//             texel j covers [j w, (j + 1) w). A texel weighs what the two share, 1 .. w; a cell's weights add up to W:
//
//                texels    |  0  |  1  |  2  |  3  |  4  |        W = 5, w = 3
//                cells     |    0    |    1    |    2    |        of 0: 3 2; of 1: 1 3 1; of 2: 2 3
//
//             W and w are at most 2^14, so all of this is exact in 32 bits. As floats weights are multiplied by a power
//             of two, so that a cell's add up to 1 or less, more than 1/2: sums of finite texels stay finite
//   source    Fant 1986, "A Nonaliasing, Real-Time Spatial Transform Technique": intensities by areas, exactly
//   SPDX-License-Identifier: MIT
#ifndef AG_DOWNSAMPLE_CELLS_GLSL
#define AG_DOWNSAMPLE_CELLS_GLSL
#include "downsample/interface.h"

layout(location = AG_LOC_DOWN_AXES) uniform ivec4 u_axes0;
layout(location = AG_LOC_DOWN_DST) uniform ivec4 u_dst0;
layout(location = AG_LOC_DOWN_SCALE) uniform vec4 u_scale0;

// An axis: sizes of source and output without common divisors, and a unit of weight.
struct Axis {
    int from, to;
    float unit;
};

Axis axis_x(ivec4 sizes, vec4 scale) { return Axis(sizes.x, sizes.y, scale.z); }
Axis axis_y(ivec4 sizes, vec4 scale) { return Axis(sizes.z, sizes.w, scale.w); }

int cell_first(Axis a, int i) { return i * a.from / a.to; }                        // its first texel
int cell_end(Axis a, int i) { return ((i + 1) * a.from + a.to - 1) / a.to; }       // the texel after its last
int cell_at(Axis a, int j) { return j * a.to / a.from; }                           // in which texel j begins
int cell_before(Axis a, int j) { return (j * a.to - 1) / a.from; }                 // the last one that begins before texel j
bool begins_in(Axis a, int j, int i) { return j * a.to >= i * a.from; }            // a texel of cell i, or of those before

// Of texel j in cell i; 0 outside of it.
float weight_of(Axis a, int i, int j)
{
    int shared_part = min((i + 1) * a.from, (j + 1) * a.to) - max(i * a.from, j * a.to);
    return float(max(shared_part, 0)) * a.unit;
}

#endif
