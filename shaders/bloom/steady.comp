// bloom/steady.comp - light that flickers becomes its mean over former frames
//
//        light   0 1 0 0 0 1 0 1 1 0 ..   a lamp that passes is bright once; one that flickers
//        range   0 0 0 0 0 a a a a a ..   comes back after a dip, and `a` is how deep that was
//        recent  0 0 0 0 0 a b a a b ..   the same, soon forgotten: by the square of `steady`
//
//   mean   = light + steady * (mean - light)                of each colour
//   light' = light + (mean - light), at most `range` long, and within what its 3 x 3 neighbours
//            have, and `recent` more. The largest colour counts
//   dip    = min(high, brightness) - low, before these change; the largest so far are range, recent
//   high   = the brightest so far, low = the darkest since then; range and high fade by `steady`
//
//   in        i_half   the light that the last level has: RGBA16F as RG32UI; with WIDE RGBA32F
//             u_half  size
//   in, out   b_state  planes of floats: mean (3), range, high, low, recent. It starts anew, and
//                      the light stays, with u_steady.y = 1, and where any of these is not finite
//   out       i_small  what of it the FFT transforms
//   host sets the defines of bloom/light.glsl
//   dispatch  ceil(size / 8), one layer
//   cost      9 loads, of which neighbours share most, 1 store, and 56 bytes of the buffer a texel
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "bloom/light.glsl"
#include "bloom/interface.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SRC) readonly uniform SMALL_IMAGE i_half;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;
layout(std430, binding = AG_SSBO_STEADY) buffer State { float b_state[]; };
layout(location = AG_LOC_HALF) uniform ivec4 u_half;
layout(location = AG_LOC_DETAIL) uniform vec4 u_steady;

// 0 around the image.
vec3 light_at(ivec2 p)
{
    ivec2 there = clamp(p, ivec2(0), u_half.xy - 1);
    return unpack_light(masked_light(light_of(imageLoad(i_half, there)), all(equal(p, there))));
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_half.xy)))
        return;
    int plane = u_half.x * u_half.y;
    int at = p.y * u_half.x + p.x;
    vec3 light = light_at(p);
    float bright = brightness(light), least = bright, most = bright;
    for (int i = 0; i < 9; ++i) {
        float near = brightness(light_at(p + ivec2(i % 3, i / 3) - 1));
        least = min(least, near);
        most = max(most, near);
    }
    vec3 mean = vec3(b_state[at], b_state[at + plane], b_state[at + 2 * plane]);
    float range = b_state[at + 3 * plane], recent = b_state[at + 6 * plane];
    float high = b_state[at + 4 * plane], low = b_state[at + 5 * plane], fades = u_steady.x;

    uint size = max(size_bits(vec4(mean, range)), size_bits(vec4(light, recent)));
    size = max(size, size_bits(vec4(high, low, 0.0, 0.0)));
    bool starts = u_steady.y != 0.0 || size >= NOT_FINITE;
    vec3 away = starts ? vec3(0.0) : (mean - light) * fades;
    float dip = min(high, bright) - low;
    range = starts ? 0.0 : max(range * fades, dip);
    recent = starts ? 0.0 : max(recent * fades * fades, dip);
    low = starts || bright >= high ? bright : min(low, bright);
    high = starts ? bright : max(high * fades, bright);

    mean = light + away;
    b_state[at] = mean.r;
    b_state[at + plane] = mean.g;
    b_state[at + 2 * plane] = mean.b;
    b_state[at + 3 * plane] = range;
    b_state[at + 4 * plane] = high;
    b_state[at + 5 * plane] = low;
    b_state[at + 6 * plane] = recent;
    float room = (brightness(mean) > bright ? most - bright : bright - least) + recent;
    float length = max(max(abs(away.r), abs(away.g)), max(abs(away.b), 1e-20));
    // With no range the light stays what it was.
    light = range > 0.0 ? light + away * min(min(range, room) / length, 1.0) : light;
    imageStore(i_small, p, texel_of(pack_light(light)));
}
