// mip/weights.glsl - the texels of an output, and their weights
//
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation";
//             engine_plugin/src/effects/mip/mip_plan.h has the rule. There is no ?: here, see
//             mip/level.glsl
//   SPDX-License-Identifier: MIT

// The offsets of an output's second and third texel: 1, 2 where the size is odd; 1, 1 where it is
// even; 0, 0 where it is 1. A repeated texel has weight 0.
ivec2 texel_1(ivec2 size) { return min(size - 1, 1); }
ivec2 texel_2(ivec2 size) { return texel_1(size) + (size & texel_1(size)); }

// Area weights of the three for output i of an axis.
vec3 odd_weights(int size, int i)
{
    int n = size >> 1;
    return vec3(n - i, n, i + 1) * (1.0 / float(size));
}

vec3 axis_weights(int size, int i)
{
    // Masks of integers: the same in all threads, they take no vector registers of AMD's.
    int n = size >> 1, two = min(n, 1), odd = -(size & two);
    return vec3(1 + (odd & n - 1 - i), two + (odd & n - 1), odd & i + 1) *
        (1.0 / float(1 + two + (odd & size - 2)));
}

// An output from its 3 x 3 `texels` of a level of size `above`.
vec4 weighed(vec4 texels[9], ivec2 above, ivec2 to)
{
    vec3 wx = axis_weights(above.x, to.x), wy = axis_weights(above.y, to.y);
    SUM sum = sum_begin();
    for (int k = 0; k < 9; ++k)
        sum_add(sum, texels[k], wx[k % 3] * wy[k / 3], false);
    return sum_finish(sum);
}
