// pyramid_down.comp - a level of the chain from the one above: 13 bilinear taps (Jimenez 2014)
//
//        a   b   c        the larger level's texels lie on a grid of half steps: each letter is one
//          j   k          bilinear tap of four of them. Five boxes share the taps:
//        d   e   f          j k l m              weighs 1/2
//          l   m            a b d e, b c e f,
//        g   h   i          d e g h, e f h i     weigh 1/8 each
//
//   in        t_src, linear filter, clamped to its edge
//   out       i_dst, half the size
//   host sets KARIS  0 | 1; 1: boxes also have the weight 1 / (1 + luma), against flicker
//   dispatch  ceil(size of dst / 16)
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(location = 0) uniform vec2 u_step; // a texel of src, in its coordinates

vec3 tap(vec2 at, float x, float y)
{
    return textureLod(t_src, at + vec2(x, y) * u_step, 0.0).rgb;
}

vec4 box(vec3 a, vec3 b, vec3 c, vec3 d, float weight)
{
    vec3 mean = (a + b + c + d) * 0.25;
#if KARIS
    weight /= 1.0 + dot(mean, vec3(0.2126, 0.7152, 0.0722));
#endif
    return vec4(mean, 1.0) * weight;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(i_dst);
    if (any(greaterThanEqual(p, size)))
        return;
    vec2 at = (vec2(p) + 0.5) / vec2(size);
    vec3 a = tap(at, -2.0, -2.0), b = tap(at, 0.0, -2.0), c = tap(at, 2.0, -2.0);
    vec3 d = tap(at, -2.0, 0.0), e = tap(at, 0.0, 0.0), f = tap(at, 2.0, 0.0);
    vec3 g = tap(at, -2.0, 2.0), h = tap(at, 0.0, 2.0), i = tap(at, 2.0, 2.0);
    vec3 j = tap(at, -1.0, -1.0), k = tap(at, 1.0, -1.0);
    vec3 l = tap(at, -1.0, 1.0), m = tap(at, 1.0, 1.0);
    vec4 sum = box(j, k, l, m, 0.5) + box(a, b, d, e, 0.125) + box(b, c, e, f, 0.125) +
               box(d, e, g, h, 0.125) + box(e, f, h, i, 0.125);
    imageStore(i_dst, p, vec4(sum.rgb / sum.a, 1.0));
}
