// denoise/begin.comp - what denoise/atrous.comp filters: light without albedo, and packed guides
//
//   in        t_src or i_src     the image
//             i_albedo, i_normal, i_depth   where the host gave them
//   out       i_dst              rgb: y(src / albedo); a: alpha
//             i_guide            x: the normal, 10 bits an axis (snorm), 0 without one; y: depth
//             b_info.scrubbed
//   host sets ALBEDO_FORMAT, NORMAL_FORMAT, DEPTH_FORMAT   GLSL image formats, of guides given
//             GUIDES             1 = i_guide is written
//             the defines of denoise/component.glsl, common/load.glsl and common/store.glsl
//   dispatch  groups of 16 x 16 texels
//   cost      reads the image and its guides once, writes 8 or 16 bytes a texel, and 8 with guides
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/load.glsl"
#include "common/store.glsl"
#include "denoise/albedo.glsl"
#include "denoise/component.glsl"
#include "denoise/interface.h"
#include "denoise/interface_atrous.h"

layout(local_size_x = 16, local_size_y = 16) in;

#ifdef NORMAL_FORMAT
layout(NORMAL_FORMAT, binding = AG_IMAGE_NORMAL) readonly uniform image2D i_normal;
#endif
#ifdef DEPTH_FORMAT
layout(DEPTH_FORMAT, binding = AG_IMAGE_DEPTH) readonly uniform image2D i_depth;
#endif
#if GUIDES
layout(binding = AG_IMAGE_GUIDE) writeonly uniform uimage2D i_guide;
#endif
layout(location = AG_LOC_DENOISE_PLACES) uniform ivec4 u_places; // x, y of normal; of depth

uint packed_normal(vec3 n)
{
    float square = dot(n, n);
    if (!(square > 1e-12 && square < 1e12)) // none, or not finite
        return 0u;
    ivec3 code = ivec3(roundEven(n * inversesqrt(square) * 511.0)) & 1023;
    return uint(code.x | code.y << 10 | code.z << 20);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint bad = 0u;
    vec4 texel = load_texel(p, bad);
    store_texel(p, vec4(to_space(texel.rgb / albedo_at(p)), texel.a));
#if GUIDES
    uvec2 guide = uvec2(0u);
#ifdef NORMAL_FORMAT
    guide.x = packed_normal(imageLoad(i_normal, u_places.xy + p).xyz);
#endif
#ifdef DEPTH_FORMAT
    float depth = imageLoad(i_depth, u_places.zw + p).x;
    guide.y = size_bits(vec4(depth)) < NOT_FINITE ? floatBitsToUint(depth) : 0u;
#endif
    imageStore(i_guide, p, uvec4(guide, 0u, 0u));
#endif
    count_bad(bad);
}
