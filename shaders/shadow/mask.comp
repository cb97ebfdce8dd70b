// shadow/mask.comp - soft_shadow: how much of the light reaches what the camera sees
//
//   in        the map's table (sat/table_query.glsl); i_depth or t_depth: the camera's
//   out       i_dst    1 lit, 0 in shadow
//   host sets the defines of focus/depth.glsl, sat/table_query.glsl and common/store.glsl
//   dispatch  ceil(width / 16), ceil(height / 16) of the frame
//   cost      a depth and 24 entries of the table read a texel; 12 entries where nothing lies in
//             front
//   source    docs/soft_shadow.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "focus/depth.glsl"
#include "shadow/light.glsl"
#define AG_SAT_INSIDE 0
#include "sat/table_query.glsl"

#define AG_SHADOW_TABLE(p) section_entry(0, p)
#define AG_SHADOW_SIZE image_size()
#include "sat/shadow.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(location = AG_LOC_SHADOW_X) uniform vec4 u_of_x;
layout(location = AG_LOC_SHADOW_Y) uniform vec4 u_of_y;
layout(location = AG_LOC_SHADOW_D) uniform vec4 u_of_d;
layout(location = AG_LOC_SHADOW_1) uniform vec4 u_of_1;
layout(location = AG_LOC_SHADOW_BOX) uniform vec4 u_boxes;

// A point of the frame in the light's clip space, with 0..1 across the map.
vec4 seen_by_light(vec2 at, float d)
{
    vec2 across = at;
    if (u_mode.y != 0)
        across *= d; // metres along the axis: the ray's direction grows with them
    return u_of_x * across.x + u_of_y * across.y + u_of_d * d + u_of_1;
}

float visibility(ivec2 p)
{
    vec4 h = seen_by_light((vec2(p) + 0.5) / vec2(u_dst_rect.zw), depth_at(p));
    vec3 c = h.xyz / h.w;
    // Also false for NaN: what has no place in the map is lit.
    bool inside = h.w > 0.0 && all(greaterThanEqual(c.xy, vec2(0.0))) &&
                  all(lessThanEqual(c.xy, vec2(1.0)));
    float t = linear_depth(c.z) - u_boxes.w;
    if (!(inside && t > 0.0))
        return 1.0;
    return ag_shadow_soft(c.xy * vec2(image_size()), min(t, 1.0), u_light, u_boxes.xy, u_boxes.z);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_dst_rect.zw)))
        store_texel(p, vec4(vec3(visibility(p)), 1.0));
}
