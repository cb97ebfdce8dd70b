// pass/pass.glsl - what `#include "pass.glsl"` gives to each pass from a folder (docs/passes.md)
//
//   out       the functions and uniforms that the declarations of slots, textures and settings
//             use; those follow this file, generated for each step (passes/block.c)
//   host sets STORE   any: common/texel.glsl has its roundings then, of which `rounded` takes
//             those of each output
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef STORE
#error "STORE must be set by the host"
#endif
#include "common/info.glsl"
#include "common/texel.glsl"
#include "pass/interface.h"

layout(location = AG_LOC_PASS_RUN) uniform ivec4 u_run;
layout(location = AG_LOC_PASS_FRAME) uniform ivec4 u_frame;
layout(location = AG_LOC_PASS_TIME) uniform vec4 u_time;

#define layer_number u_run.x
#define frame_number uint(u_frame.x)
#define frame_reset (u_frame.y != 0)
#define frame_seconds u_time.x

// The texel of this thread, where a group covers as many texels as it has threads.
#define this_texel ivec2(gl_GlobalInvocationID.xy)

// ---- reading

uint bad_texels = 0u; // of this thread, not counted yet

// Where a texel lies in its level: outside of the rectangle, the nearest one.
ivec2 inside(ivec4 rect, ivec2 p) { return rect.xy + clamp(p, ivec2(0), rect.zw - 1); }

// Behind the firewall: a bad texel is 0, and counts with the thread's next store inside.
vec4 clean(vec4 c)
{
    uint size = size_bits(c);
    bad_texels += uint(size >= TOO_LARGE && u_run.z != 0);
    return firewall(c, size, bad_from(TOO_LARGE, u_run.z));
}

vec4 decoded(vec4 c) { return vec4(srgb_decode(c.rgb), c.a); }

// What a texture unit reads of a slot, as an image load returns it.
vec4 of_8888(uvec4 w)
{
    return quotient(vec4(w.xxxx >> uvec4(0u, 8u, 16u, 24u) & 255u), vec4(255.0));
}
vec4 of_10_10_10_2(uvec4 w)
{
    return quotient(vec4(w.xxxx >> uvec4(0u, 10u, 20u, 30u) & uvec4(1023u, 1023u, 1023u, 3u)),
        vec4(1023.0, 1023.0, 1023.0, 3.0));
}
vec4 of_11_11_10(uvec4 w) { return decode_11_11_10(w.x); }
vec4 of_halves(uvec4 w) { return vec4(unpackHalf2x16(w.x), 0.0, 1.0); }
// Four halves: behind the firewall, which is cheaper for packed ones.
vec4 clean_halves(uvec4 w)
{
    uint bad;
    uvec2 halves = firewall(w.xy, u_run.z, bad);
    bad_texels += bad & uint(u_run.z);
    return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
}

// The function `bilinear` of a slot or a texture of type T: between four texels, whose centres are
// at halves.
#define BILINEAR(T) \
    vec4 bilinear(T s, vec2 p) \
    { \
        vec2 at = p - 0.5; \
        ivec2 q = ivec2(floor(at)); \
        vec2 part = at - vec2(q); \
        vec4 low = mix(load(s, q), load(s, q + ivec2(1, 0)), part.x); \
        vec4 high = mix(load(s, q + ivec2(0, 1)), load(s, q + ivec2(1, 1)), part.x); \
        return mix(low, high, part.y); \
    }

// The same where a texture unit reads words W: four texels at once, by `gathers`, which are GATHER
// of each component. All four lie inside of the rectangle; where p does not, one side has all the
// weight.
#define GATHERED(T, W, t, rect, gathers) \
    vec4 bilinear(T s, vec2 p) \
    { \
        vec2 at = p - 0.5; \
        ivec2 q = clamp(ivec2(floor(at)), ivec2(0), max(rect.zw - 2, 0)); \
        vec2 part = clamp(at - vec2(q), 0.0, 1.0); \
        vec2 corner = vec2(rect.xy + q + 1) / vec2(textureSize(t, 0)); \
        W a = W(0, 0, 0, 1), b = a, c = a, d = a; \
        gathers \
        vec4 low = mix(value_of(s, a), value_of(s, b), part.x); \
        vec4 high = mix(value_of(s, c), value_of(s, d), part.x); \
        return mix(low, high, part.y); \
    }
// Component n, called m. The order of a gather is (0, 1), (1, 1), (1, 0), (0, 0); where the
// rectangle is one texel wide or high, its neighbour is itself.
#define GATHER(W, t, rect, n, m) \
    { \
        W g = textureGather(t, corner, n); \
        g = rect.z == 1 ? g.xxww : g; \
        g = rect.w == 1 ? g.wzzw : g; \
        a.m = g.w; \
        b.m = g.z; \
        c.m = g.x; \
        d.m = g.y; \
    }

// ---- writing

bool within(ivec4 rect, ivec2 p) { return all(lessThan(uvec2(p), uvec2(rect.zw))); }

void count_texels()
{
    count_bad(bad_texels);
    bad_texels = 0u;
}

// As a format holds a colour; `store`: AG_STORE_*, a constant.
vec4 rounded(const int store, vec4 c)
{
    if (store == AG_STORE_16F)
        return round_number(c, 13u, 65504.0, uint(u_frame.z), true);
    if (store == AG_STORE_11_11_10F) {
        vec4 positive = max(c, 0.0);
        c.rg = round_float(positive, 17u, 1048576.0, 65024.0).rg;
        c.b = round_float(positive, 18u, 524288.0, 64512.0).b;
        return c;
    }
    if (store == AG_STORE_32F)
        return c;
    if (store == AG_STORE_SRGB8)
        c.rgb = srgb_encode(clamp(c.rgb, 0.0, 1.0));
    return round_unorm(c, store == AG_STORE_10_10_10_2 ? vec4(1023.0, 1023.0, 1023.0, 3.0)
                                                       : vec4(255.0));
}
