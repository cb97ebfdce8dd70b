// pyramid_down.comp - a level of the chain from the one above: 13 bilinear taps (Jimenez 2014)
//
//        a   b   c        the larger level's texels lie on a grid of half steps: each letter is one
//          j   k          bilinear tap of four of them. Five boxes share the taps:
//        d   e   f          j k l m              weighs 1/2
//          l   m            a b d e, b c e f,
//        g   h   i          d e g h, e f h i     weigh 1/8 each
//
//        Neighbours share taps too: e of a texel is d of the next one, k is its j. So a group of
//        32 x 8 texels takes the taps a .. i of 34 x 10 and j .. m of 33 x 9 once, 2.5 a texel
//        instead of 13, and passes them through shared memory.
//
//   in        t_src, linear filter, clamped to its edge
//   out       i_dst, half the size
//   host sets KARIS  0 | 1; 1: boxes also have the weight 1 / (1 + luma), against flicker
//   dispatch  ceil(size of dst / (32, 8))
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(location = 2) uniform ivec2 u_size;    // of dst
layout(location = 3) uniform vec2 u_dst_step; // a texel of dst, in the coordinates of both

const int SIDE = 34, CORNERS = 33, THREADS = 256;
shared vec3 s_taps[SIDE * 10];      // e of the group's texels, and of those around them
shared vec3 s_corners[CORNERS * 9]; // j of the same, m of the last ones

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
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(32, 8), here = ivec2(gl_LocalInvocationID.xy);
    int thread = int(gl_LocalInvocationIndex);
    for (int i = thread; i < SIDE * 10; i += THREADS)
        s_taps[i] = textureLod(t_src, (vec2(tile + ivec2(i % SIDE, i / SIDE)) - 0.5) * u_dst_step,
                               0.0).rgb;
    for (int i = thread; i < CORNERS * 9; i += THREADS)
        s_corners[i] = textureLod(
            t_src, vec2(tile + ivec2(i % CORNERS, i / CORNERS)) * u_dst_step, 0.0).rgb;
    memoryBarrierShared();
    barrier();
    ivec2 p = tile + here;
    if (any(greaterThanEqual(p, u_size)))
        return;
    int at = here.y * SIDE + here.x, corner = here.y * CORNERS + here.x;
#define TAP(x, y) s_taps[at + (y) * SIDE + (x)]
#define CORNER(x, y) s_corners[corner + (y) * CORNERS + (x)]
    vec3 b = TAP(1, 0), d = TAP(0, 1), e = TAP(1, 1), f = TAP(2, 1), h = TAP(1, 2);
    vec4 sum = box(CORNER(0, 0), CORNER(1, 0), CORNER(0, 1), CORNER(1, 1), 0.5) +
               box(TAP(0, 0), b, d, e, 0.125) + box(b, TAP(2, 0), e, f, 0.125) +
               box(d, e, TAP(0, 2), h, 0.125) + box(e, f, h, TAP(2, 2), 0.125);
    imageStore(i_dst, p, vec4(sum.rgb / sum.a, 1.0));
}
