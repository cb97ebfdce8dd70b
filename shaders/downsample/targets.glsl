// downsample/targets.glsl - one to four targets of a dispatch, by number
//
//   out       i_dst0 .. 3   images of the targets
//   host sets TARGETS       1 .. 4
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef TARGETS
#error "TARGETS must be set by the host"
#endif
#include "downsample/cells.glsl"

layout(location = AG_LOC_DOWN_SHARE) uniform ivec4 u_share0;
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;
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

// A target is a number that the compiler knows.
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
    if (t == 0)
        imageStore(i_dst0, p, c);
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
