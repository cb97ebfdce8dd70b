// focus/lens.glsl - how far a texel is out of focus: its radius on the sensor, by a thin lens
//
//   in        i_depth or t_depth (focus/depth.glsl); b_focus, of focus = autofocus
//   out       radius_of(), in texels: near ones are negative; near_part() and far_part(), the
//             weights of a texel in the two layers
//   host sets the defines of focus/depth.glsl
//   source    Potmesil and Chakravarty 1981; docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/texel.glsl"
#include "focus/depth.glsl"

layout(location = AG_LOC_FOCUS_LENS) uniform vec4 u_lens;
layout(location = AG_LOC_FOCUS_DISTANCE) uniform vec4 u_distance;
layout(location = AG_LOC_FOCUS_POINT) uniform ivec4 u_point;
layout(std430, binding = AG_SSBO_FOCUS_DISTANCE) restrict buffer Focus { float b_focus; };

int own_row() { return u_depth.w; } // of the layer in i_near and i_far

// Whether a depth says where a texel is. NaN by its bits: compilers may assume that there are none.
bool is_depth(float d)
{
    bool number = (floatBitsToUint(d) & 0x7fffffffu) <= NOT_FINITE;
    return number && (u_lens.z == 0.0 || d > 0.0);
}

float inverse_z(float d)
{
    float affine = u_lens.x + u_lens.y * d;
    return u_lens.z == 0.0 ? affine : 1.0 / d;
}

float nearest_focus() { return u_distance.y * 1.01; }

// The distance in focus. With a focus point all threads read the same texel.
float focus_distance()
{
    float s = u_distance.x, nearest = nearest_focus();
    if (s == 0.0) {
        float d = depth_at(u_point.xy);
        s = is_depth(d) ? 1.0 / inverse_z(d) : nearest;
    } else if (s < 0.0) {
        s = b_focus;
    }
    return clamp(s, nearest, u_distance.z);
}

// `s`: focus_distance().
float radius_of(float d, float s)
{
    float r = u_lens.w / (s - u_distance.y) * (1.0 - s * inverse_z(d));
    return is_depth(d) ? clamp(r, -u_distance.w, u_distance.w) : 0.0;
}

float radius_of(float d) { return radius_of(d, focus_distance()); }

float near_part(float r) { return clamp(-r - 0.5, 0.0, 1.0); }
float far_part(float r) { return clamp(r - 0.5, 0.0, 1.0); }
