// pyramid_up.comp - adds a 3 x 3 tent of the smaller level to this level, or to the frame
//
//        1 2 1        the tent's nine weights are the mean of four bilinear taps, half a texel of
//        2 4 2 / 16   the smaller level off in x and y
//        1 2 1
//
//   in        t_small, linear filter; t_same, of dst's size: this level going down, or the frame
//   out       i_dst
//   host sets COMPOSITE 0: t_same + tent; 1: mix(t_same, tent * u_mix.x, u_mix.y), alpha of t_same
//   dispatch  ceil(size of dst / (32, 8))
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_small;
layout(binding = 1) uniform sampler2D t_same;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(location = 0) uniform vec2 u_step; // a texel of small, in its coordinates
layout(location = 1) uniform vec2 u_mix;  // a level's part of their sum; the share that blooms
layout(location = 2) uniform ivec2 u_size;    // of dst
layout(location = 3) uniform vec2 u_dst_step; // a texel of dst, in the coordinates of both

vec3 tap(vec2 at, float x, float y)
{
    return textureLod(t_small, at + vec2(x, y) * u_step, 0.0).rgb;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_size)))
        return;
    vec2 at = (vec2(p) + 0.5) * u_dst_step;
    vec3 tent =
        (tap(at, -0.5, -0.5) + tap(at, 0.5, -0.5) + tap(at, -0.5, 0.5) + tap(at, 0.5, 0.5)) * 0.25;
    vec4 same = texelFetch(t_same, p, 0);
#if COMPOSITE
    imageStore(i_dst, p, vec4(mix(same.rgb, tent * u_mix.x, u_mix.y), same.a));
#else
    imageStore(i_dst, p, vec4(same.rgb + tent, 1.0));
#endif
}
