// focus/compose.comp - depth_of_field: lays the near layer over the far layer and what is in focus
//
//   in        i_src; i_depth or t_depth (focus/lens.glsl)
//             i_near, i_far    from blur.comp
//             b_tiles          from spread.comp
//   out       i_dst
//   host sets the defines of common/source.glsl, focus/lens.glsl and common/store.glsl
//   dispatch  one group a tile
//   cost      a texel of src and of depth read, 8 bytes of each layer that the texel has
//   why       A program of its own, because with the table's queries it would be too large
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/source.glsl"
#include "common/store.glsl"
#include "focus/lens.glsl"
#include "focus/tiles.glsl"

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;
layout(rgba16f, binding = AG_IMAGE_FOCUS_NEAR) readonly uniform image2D i_near;
layout(rgba16f, binding = AG_IMAGE_FOCUS_BLURRED) readonly uniform image2D i_far;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint unseen = 0u; // counted by split.comp
    vec4 c = load_texel(p, unseen), near = vec4(0.0);
    float r = radius_of(depth_at(p)), n = near_part(r), f = far_part(r);
    ivec2 own = p + ivec2(0, own_row());
    if (tile_near(ivec2(gl_WorkGroupID.xy)) > 0.0)
        near = imageLoad(i_near, own);
    vec3 back = c.rgb;
    if (f > 0.0) {
        vec4 far = imageLoad(i_far, own);
        back = mix(c.rgb, far.rgb, f * far.a);
    } else if (n > 0.0) {
        vec4 fill = fill_around(p);
        back = mix(c.rgb, fill.rgb / max(fill.a, 1e-20), fill.a > 0.0 ? n : 0.0);
    }
    if (near.a > 0.0)
        back = near.rgb + (1.0 - near.a) * back;
    store_texel(p, vec4(back, c.a));
}
