// denoise/begin.comp - what denoise/atrous.comp filters: light without albedo, and packed guides
//
//   in        t_src or i_src     the image
//             i_albedo, i_normal, i_depth   where the host gave them
//   out       i_dst              rgb: y(src / albedo), with u_firefly at most so many times the
//                                mean around it; a: alpha
//             i_guide            x: the normal, 10 bits an axis (snorm), 0 without one; y: depth
//             b_info.scrubbed
//   host sets NORMAL_FORMAT, DEPTH_FORMAT   GLSL image formats; not set: there is none
//             GUIDES             1 = i_guide is written
//             STORE; the defines of common/source.glsl and denoise/component.glsl
//   why       one path a texel makes many texels that are far brighter than all others. A filter
//             that keeps edges does not mix them, and they stay as single white texels. The mean of
//             a 5 x 5 neighbourhood without its middle gives a bound that edges and highlights stay
//             below
//   dispatch  groups of 16 x 16 texels
//   shared    1.6 KiB
//   cost      reads the image and its guides once (with u_firefly the image and albedo 2.6 times,
//             from the cache), writes 8 or 16 bytes a texel, and 8 with guides
//   source    Zhdan 2021, ReBLUR (a bound by the neighbourhood)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef GUIDES
#error "GUIDES must be set by the host"
#endif
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#include "denoise/component.glsl"

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
layout(location = AG_LOC_DENOISE_PLACES) uniform ivec4 u_places;  // x, y of normal; of depth
layout(location = AG_LOC_DENOISE_FIREFLY) uniform vec4 u_firefly; // of the mean, or 0

#define SIDE 20 // of 16 x 16 texels and two on each side

shared float s_light[SIDE * SIDE]; // the mean of y's channels; OUTSIDE: none
const float OUTSIDE = -1e30;

vec3 light_at(ivec2 p, inout uint largest, out float alpha)
{
    vec4 texel = load_texel_unseen(p, largest);
    alpha = texel.a;
    return to_space(texel.rgb / albedo_at(p));
}

float mean_of(vec3 y) // over the channels of the image
{
    int channels = min(u_src_mode.x, 3);
    return (y.r + (channels > 1 ? y.g : 0.0) + (channels > 2 ? y.b : 0.0)) / float(channels);
}

void load_lights()
{
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * 16 - 2;
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += 256) {
        ivec2 p = corner + ivec2(i % SIDE, i / SIDE);
        bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
        uint largest = 0u;
        float alpha;
        vec3 y = light_at(clamp(p, ivec2(0), u_src_rect.zw - 1), largest, alpha);
        s_light[i] = inside ? max(mean_of(y), 0.0) : OUTSIDE;
    }
}

// The factor that takes y to its bound.
float dimmed(vec3 y)
{
    ivec2 at = ivec2(gl_LocalInvocationID.xy);
    float sum = 0.0, count = 0.0, here = mean_of(y);
    for (int i = 0; i < 25; ++i) {
        float light = s_light[(at.y + i / 5) * SIDE + at.x + i % 5];
        bool counts = light >= 0.0 && i != 12;
        sum += counts ? light : 0.0;
        count += counts ? 1.0 : 0.0;
    }
    float limit = u_firefly.x * sum / max(count, 1.0);
    return here > limit && count > 0.0 ? limit / here : 1.0;
}

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
    if (u_firefly.x > 0.0)
        load_lights();
    sync_shared();
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint largest = 0u;
    float alpha;
    vec3 y = light_at(p, largest, alpha);
    if (u_firefly.x > 0.0)
        y *= dimmed(y);
    store_texel(p, vec4(y, alpha));
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
    count_bad(uint(largest >= TOO_LARGE && u_src_mode.z != 0));
}
