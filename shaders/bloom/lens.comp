// bloom/lens.comp - the lens: a dirt mask, ghosts, an exposure from a texture, an output that is
// added to a target
//
//   PART
//   AG_LENS_DIRT       packs the host's dirt mask as half floats; one channel is grey. Runs in
//                      prepare, when the mask changes
//   AG_LENS_EXPOSURE   reads one texel, as the effect exposure keeps it: r = EV, a = 1 if it is
//                      valid. Threshold and clamp are measured in it (bloom/filter.glsl). Runs
//                      before the convolution
//   AG_LENS_COMPOSITE  the last step of a frame, where there is a lens
//
//   in        i_src   the mask, or the exposure, or the frame; or dst itself where it is added to
//             i_glow  C, the convolution alone
//   in, out   b_dirt  the mask's texels, row after row
//   out       b_info.unexposed  2^-EV; 1 if the texel is not valid
//             i_dst   keep * base + self * T + gain * C * (1 + dirt * mask) + ghosts
//   host sets PART; the defines of common/source.glsl, or for the composite GLOW_FORMAT (rgba16f or
//             rgba32f) and the defines of fft/composite.glsl, FILTERABLE 1
//   dispatch  ceil(width / 8), ceil(height / 8); of the exposure 1
//   cost      the composite reads a texel of i_src and of i_glow, four of the mask, and 16 of
//             i_glow for a ghost
//   source    docs/bloom.md. Ghosts as scaled, mirrored copies: Chapman 2013, Pseudo Lens Flare
//
// A ghost is the frame, seen through reflections between lens elements: a point at v from the
// middle appears at v * scale. Scales are 0.5 or more, so that four bilinear samples a texel see
// all light:
//
//     scale 1:  .+.   scale 1/2 (1/scale = 2):  + +    each + is bilinear: its 2 x 2 texels
//                                               + +
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_LENS_*) must be set by the host"
#endif
#include "bloom/interface.h"
#if PART == AG_LENS_COMPOSITE
#ifndef GLOW_FORMAT
#error "GLOW_FORMAT (rgba16f, rgba32f) must be set by the host"
#endif
#include "fft/composite.glsl"
#else
#include "common/info.glsl"
#include "common/source.glsl"
#endif

#if PART == AG_LENS_DIRT
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = AG_SSBO_DIRT) writeonly buffer Dirt { uvec2 b_dirt[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint bad = 0u;
    vec4 c = load_texel(p, bad);
    count_bad(bad);
    vec3 mask = clamp(u_src_mode.x == 1 ? c.rrr : c.rgb, 0.0, 65504.0);
    b_dirt[p.y * u_src_rect.z + p.x] =
        uvec2(packHalf2x16(mask.rg), packHalf2x16(vec2(mask.b, 0.0)));
}

#elif PART == AG_LENS_EXPOSURE
layout(local_size_x = 1) in;

void main()
{
    uint not_counted = 0u;
    vec4 c = load_texel(ivec2(0), not_counted);
    bool valid = c.a == 1.0 && abs(c.r) <= 64.0; // NaN is not
    b_info.unexposed = valid ? exp2(-c.r) : 1.0;
}

#elif PART == AG_LENS_COMPOSITE
layout(local_size_x = 8, local_size_y = 8) in;
layout(GLOW_FORMAT, binding = AG_IMAGE_GLOW) readonly uniform image2D i_glow;
layout(location = AG_LOC_LENS) uniform ivec4 u_lens;
layout(location = AG_LOC_DIRT) uniform ivec4 u_dirt;
layout(location = AG_LOC_GHOSTS) uniform vec4 u_ghosts; // x: light of a ghost
#define SIZE u_lens.xy
#define GHOSTS u_lens.z
#define HAS_DIRT (u_lens.w != 0)
layout(std430, binding = AG_SSBO_DIRT) readonly buffer Dirt { uvec2 b_dirt[]; };

// 1 / scale of each ghost, and its colour: coatings reflect what they do not let through.
const vec4 GHOST[8] = vec4[8](vec4(-1.75, 1.0, 0.75, 0.45), vec4(-1.2, 0.5, 0.9, 0.6),
                              vec4(1.5, 0.55, 0.7, 1.0), vec4(-0.8, 0.8, 0.5, 0.9),
                              vec4(1.9, 0.9, 0.9, 0.5), vec4(-1.45, 0.4, 0.8, 0.95),
                              vec4(0.7, 1.0, 0.6, 0.6), vec4(-0.6, 0.5, 0.6, 1.0));

vec3 dirt_texel(ivec2 p)
{
    p = clamp(p, ivec2(0), u_dirt.xy - 1);
    uvec2 words = b_dirt[p.y * u_dirt.x + p.x];
    return vec3(unpackHalf2x16(words.x), unpackHalf2x16(words.y).x);
}

// The mask, stretched over the frame.
vec3 dirt(ivec2 p)
{
    vec2 at = (vec2(p) + 0.5) / vec2(SIZE) * vec2(u_dirt.xy) - 0.5, t = fract(at);
    ivec2 low = ivec2(floor(at));
    return mix(mix(dirt_texel(low), dirt_texel(low + ivec2(1, 0)), t.x),
               mix(dirt_texel(low + ivec2(0, 1)), dirt_texel(low + ivec2(1, 1)), t.x), t.y);
}

vec3 glow_texel(ivec2 p)
{
    bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, SIZE));
    return mix(vec3(0.0), imageLoad(i_glow, p).rgb, bvec3(inside));
}

// C at a place between texels' centres; 0 outside the frame.
vec3 glow_at(vec2 at)
{
    vec2 t = fract(at);
    ivec2 low = ivec2(floor(at));
    return mix(mix(glow_texel(low), glow_texel(low + ivec2(1, 0)), t.x),
               mix(glow_texel(low + ivec2(0, 1)), glow_texel(low + ivec2(1, 1)), t.x), t.y);
}

vec3 ghosts(ivec2 p)
{
    vec2 middle = 0.5 * vec2(SIZE - 1), from_middle = vec2(p) - middle;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < GHOSTS; ++i) {
        float magnifies = GHOST[i].x;
        vec2 at = from_middle * magnifies, edge = at / (0.5 * vec2(SIZE));
        float apart = 0.25 * abs(magnifies);
        vec3 light = vec3(0.0);
        for (int s = 0; s < 4; ++s)
            light += glow_at(middle + at + apart * vec2(2 * (s & 1) - 1, (s & 2) - 1));
        // Lens elements end: light from the corners of the frame misses them.
        float passes = clamp(1.0 - 0.5 * dot(edge, edge), 0.0, 1.0);
        // a smaller image has the same light
        sum += GHOST[i].yzw * light * (0.25 * passes * passes * magnifies * magnifies);
    }
    return sum * u_ghosts.x;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, SIZE)))
        return;
    uint counted_before; // by an earlier step
    vec4 base = colour(load_source(p, counted_before));
    vec3 t = FILTERS ? bloom_filter(base.rgb) : base.rgb;
    vec3 glow = u_gain.rgb * glow_texel(p);
    if (HAS_DIRT)
        glow *= 1.0 + u_gain.a * dirt(p);
    vec3 light = u_keep.rgb * base.rgb + u_self.rgb * t + glow;
    if (GHOSTS > 0)
        light += ghosts(p);
    store_texel(p, compress(vec4(light, u_keep.a * base.a)));
}
#endif
