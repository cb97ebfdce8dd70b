// bloom/steady.comp - light that flickers becomes its mean over former frames
//
//        light  0 1 0 0 0 1 0 1 1 0 ..   a lamp that passes is bright once; one that flickers comes
//        range  0 0 0 0 0 a a a a a ..   back after a dip, and `a` is how deep that was
//
//   mean  = light + steady * (mean - light)                of each colour
//   light = light + (mean - light), at most `range` long   the largest colour counts
//   range = the largest dip so far: min(high, brightness) - low, before these change
//   high  = the brightest so far, low = the darkest since then; range and high fade by `steady`
//
//   in, out   i_small  the light that the FFT transforms: RGBA16F as RG32UI; with WIDE RGBA32F
//             b_state  planes of floats: mean (3), range, high, low. It starts anew, and the light
//                      stays, with u_steady.y = 1, and where any of these is not finite
//             u_small  size
//   host sets the defines of bloom/light.glsl
//   dispatch  ceil(size / 8), one layer
//   cost      1 load, at most 1 store, and 48 bytes of the buffer a texel
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "bloom/light.glsl"
#include "bloom/interface.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) uniform SMALL_IMAGE i_small;
layout(std430, binding = AG_SSBO_STEADY) buffer State { float b_state[]; };
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
layout(location = AG_LOC_STEADY) uniform vec4 u_steady;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    int plane = u_small.x * u_small.y;
    int at = p.y * u_small.x + p.x;
    vec3 light = unpack_light(light_of(imageLoad(i_small, p)));
    float bright = max(max(light.r, light.g), max(light.b, 0.0));
    vec3 mean = vec3(b_state[at], b_state[at + plane], b_state[at + 2 * plane]);
    float range = b_state[at + 3 * plane];
    float high = b_state[at + 4 * plane], low = b_state[at + 5 * plane];

    uint size = max(size_bits(vec4(mean, range)), size_bits(vec4(light, 0.0)));
    size = max(size, size_bits(vec4(high, low, 0.0, 0.0)));
    bool starts = u_steady.y != 0.0 || size >= NOT_FINITE;
    vec3 away = starts ? vec3(0.0) : (mean - light) * u_steady.x;
    range = starts ? 0.0 : max(range * u_steady.x, min(high, bright) - low);
    low = starts || bright >= high ? bright : min(low, bright);
    high = starts ? bright : max(high * u_steady.x, bright);

    mean = light + away;
    b_state[at] = mean.r;
    b_state[at + plane] = mean.g;
    b_state[at + 2 * plane] = mean.b;
    b_state[at + 3 * plane] = range;
    b_state[at + 4 * plane] = high;
    b_state[at + 5 * plane] = low;
    float length = max(max(abs(away.r), abs(away.g)), max(abs(away.b), 1e-20));
    if (range > 0.0) // else the light is what it was
        imageStore(i_small, p, texel_of(pack_light(light + away * min(range / length, 1.0))));
}
