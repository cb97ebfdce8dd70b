// atrous_permuted.comp - a level of an edge-avoiding a-trous filter whose texels are permuted
//
//   in        t_src    the image, in which each of 4^LEVEL phases is a block of its own
//   out       i_dst    the filtered image, in 4^(LEVEL + 1) blocks; of the last level in place
//   host sets LEVEL, LAST   from 0
//   method    texels that a level filters together are neighbours in memory, so each level is a 5 x
//             5 filter of a tile with a halo of 2. A texel at (x, y) of its block goes to the block
//             of its parities:
//
//                 0 1 2 3                0 2 | 1 3
//                 0 1 2 3       ->       0 2 | 1 3
//                                        ----+----
//                                        0 2 | 1 3
//
//   dispatch  work groups of 16 x 16 texels of a block, a block a z
//   source    Dammertz, Sewtz, Hanika, Lensch 2010; Dolp, Hanika, Dachsbacher 2024 (permutation)
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D t_src;
layout(rgba16f, binding = 0) writeonly uniform image2D i_dst;
layout(location = 0) uniform ivec4 u_size; // of a block
layout(location = 1) uniform float u_unit; // of distances of colours

#define SIDE 20
shared float s_red[SIDE * SIDE], s_green[SIDE * SIDE], s_blue[SIDE * SIDE];

const float OUTSIDE = 1e30; // its weight is 0

vec3 colour_at(int at)
{
    return vec3(s_red[at], s_green[at], s_blue[at]);
}

void main()
{
    ivec2 block = ivec2(int(gl_WorkGroupID.z) & ((1 << LEVEL) - 1), int(gl_WorkGroupID.z) >> LEVEL);
    ivec2 origin = block * u_size.xy, corner = ivec2(gl_WorkGroupID.xy) * 16 - 2;
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += 256) {
        ivec2 p = corner + ivec2(i % SIDE, i / SIDE);
        bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_size.xy));
        vec3 c = texelFetch(t_src, origin + clamp(p, ivec2(0), u_size.xy - 1), 0).rgb * u_unit;
        s_red[i] = inside ? c.r : OUTSIDE;
        s_green[i] = c.g;
        s_blue[i] = c.b;
    }
    memoryBarrierShared();
    barrier();
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int at = (int(gl_LocalInvocationID.y) + 2) * SIDE + int(gl_LocalInvocationID.x) + 2;
    vec3 centre = colour_at(at), sum = vec3(0.0);
    float weights = 0.0;
    const float log2_h[3] = float[3](2.5849625, 2.0, 0.0); // of 6, 4, 1
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            vec3 c = colour_at(at + y * SIDE + x), d = c - centre;
            float weight = exp2(log2_h[abs(x)] + log2_h[abs(y)] - 8.0 - dot(d, d));
            sum += weight * c;
            weights += weight;
        }
    if (any(greaterThanEqual(p, u_size.xy)))
        return;
#if LAST // a block's bits are parities, that of level 0 the highest
    ivec2 to = (p << LEVEL) | (bitfieldReverse(block) >> (32 - LEVEL) & ((1 << LEVEL) - 1));
#else
    ivec2 to = origin + (p & 1) * (u_size.xy / 2) + p / 2;
#endif
    float alpha = texelFetch(t_src, origin + p, 0).a;
    imageStore(i_dst, to, vec4(sum / (weights * u_unit), alpha));
}
