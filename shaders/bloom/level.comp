// bloom/level.comp - between a level of bloom's smaller images and the next one, of half its size
//
//        level   . . . . . . . . .    a texel of the next one is the mean of 5 x 5, by 1 4 6 4 1; up
//        next      o   o   o   o      again, by 1 6 1 and 4 4, and 5 x 5 of the level times taps
//
//   PART AG_LEVEL_DOWN makes the next one's light. AG_LEVEL_UP makes the level's bloom: of the next
//   one's, and by direct taps of the level's light.
//
//   in        i_half   the level's light: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_small  up: the next one's bloom, the same
//             b_taps   up: 5 x 5 of the level, row by row, from u_small.z on; times the kernel's sum
//             u_half, u_small  sizes
//   out       i_small  down: the next one's light
//             i_dst    up: the level's bloom
//   host sets PART; TAPS: 0, or 5 for direct taps; the defines of bloom/light.glsl
//   dispatch  down: ceil(size of the next one / 8); up: ceil(size of the level / 16); one layer
//   shared    up: 6.4 KB
//   cost      25 loads a texel of the next one; 2 of the level, 25 products
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(PART) || !defined(TAPS)
#error "PART (AG_LEVEL_*) and TAPS (0 or 5) must be set by the host"
#endif
#include "bloom/light.glsl"
#include "bloom/interface.h"
#include "common/info.glsl"
#include "common/sync.glsl"

layout(SMALL_FORMAT, binding = AG_IMAGE_HALF) readonly uniform SMALL_IMAGE i_half;
layout(location = AG_LOC_HALF) uniform ivec4 u_half;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;

// 0 around the level.
vec3 light_at(ivec2 p)
{
    ivec2 there = clamp(p, ivec2(0), u_half.xy - 1);
    return unpack_light(masked_light(light_of(imageLoad(i_half, there)), all(equal(p, there))));
}

#if PART == AG_LEVEL_DOWN
layout(local_size_x = 8, local_size_y = 8) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;

void main()
{
    const float WEIGHTS[5] = float[5](1.0, 4.0, 6.0, 4.0, 1.0);
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
            sum += WEIGHTS[x] * WEIGHTS[y] * light_at(2 * p - 4 + ivec2(x, y));
    if (all(lessThan(p, u_small.xy)))
        imageStore(i_small, p, texel_of(pack_light(sum / 256.0)));
}

#else
layout(local_size_x = 16, local_size_y = 16) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) readonly uniform SMALL_IMAGE i_small;
layout(SMALL_FORMAT, binding = AG_IMAGE_DST) writeonly uniform SMALL_IMAGE i_dst;
const int TILE = 16;
#if TAPS
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { vec4 b_taps[]; };
const int AROUND = TILE + TAPS - 1;
shared vec4 s_light[AROUND * AROUND];
#endif

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * TILE, here = ivec2(gl_LocalInvocationID.xy),
          p = tile + here;
#if TAPS
    for (int i = int(gl_LocalInvocationIndex); i < AROUND * AROUND; i += TILE * TILE)
        s_light[i] = vec4(light_at(tile - TAPS / 2 + ivec2(i % AROUND, i / AROUND)), 0.0);
#endif
    // Even texels have three of the next one along an axis, odd ones two: docs/bloom.md.
    bvec2 odd = equal(p & 1, ivec2(1));
    vec3 x = odd.x ? vec3(0.0, 4.0, 4.0) : vec3(1.0, 6.0, 1.0),
         y = odd.y ? vec3(0.0, 4.0, 4.0) : vec3(1.0, 6.0, 1.0), sum = vec3(0.0);
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            ivec2 there = min(p / 2 + ivec2(i, j), u_small.xy - 1);
            sum += x[i] * y[j] / 64.0 * unpack_light(light_of(imageLoad(i_small, there)));
        }
#if TAPS
    sync_shared();
    for (int j = 0; j < TAPS; ++j)
        for (int i = 0; i < TAPS; ++i)
            sum += b_taps[u_small.z + TAPS * TAPS - 1 - j * TAPS - i].rgb * b_info.scale.rgb *
                   s_light[(here.y + j) * AROUND + here.x + i].rgb;
#endif
    if (all(lessThan(p, u_half.xy)))
        imageStore(i_dst, p, texel_of(pack_light(sum)));
}
#endif
