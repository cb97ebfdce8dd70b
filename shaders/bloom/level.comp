// bloom/level.comp - between a level of bloom's smaller images and the next one, of half its size
//
//        level   . . . . . . . . .    a texel of the next one is the mean of 5 x 5, by 1 4 6 4 1;
//        next      o   o   o   o      up again, by 1 6 1 and 4 4, and texels of the level times
//                  taps
//
//   PART AG_LEVEL_DOWN makes the next one's light. AG_LEVEL_UP makes the level's bloom: of the next
//   one's, and by direct taps of the level's light.
//
//   in        i_half   the level's light: RGBA16F as RG32UI; with WIDE RGBA32F
//             i_small  up: the next one's bloom, the same
//             b_taps   up: 5 x 5 of the level, row by row, from u_half.z on; times the kernel's
//                      sum
//             u_half, u_small  sizes
//   out       i_small  down: the next one's light
//             i_dst    up: the level's bloom
//   host sets PART
//             TAPS  0, 5 or 7: a side of the direct taps
//             FLAT  1 = the next one has the level's height
//             the defines of bloom/light.glsl
//   dispatch  down: ceil(size of the next one / 8); up: ceil(size of the level / (32, 16)); one
//             layer
//   shared    up: 1.4 KB, and with TAPS 6.8 or 7.8
//   cost      25 loads a texel of the next one; 2 of the level, 25 products
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(PART) || !defined(TAPS) || !defined(FLAT)
#error "PART (AG_LEVEL_*), TAPS (0, 5, 7) and FLAT (0, 1) must be set by the host"
#endif
#include "bloom/light.glsl"
#include "bloom/interface.h"
#include "common/info.glsl"
#include "common/sync.glsl"

layout(SMALL_FORMAT, binding = AG_IMAGE_SRC) readonly uniform SMALL_IMAGE i_half;
layout(location = AG_LOC_HALF) uniform ivec4 u_half;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;

// 0 around the level.
LIGHT light_at(ivec2 p)
{
    ivec2 there = clamp(p, ivec2(0), u_half.xy - 1);
    return masked_light(light_of(imageLoad(i_half, there)), all(equal(p, there)));
}

#if PART == AG_LEVEL_DOWN
layout(local_size_x = 8, local_size_y = 8) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) writeonly uniform SMALL_IMAGE i_small;

void main()
{
    const float WEIGHTS[5] = float[5](1.0, 4.0, 6.0, 4.0, 1.0);
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec3 sum = vec3(0.0);
#if FLAT
    for (int x = 0; x < 5; ++x)
        sum += WEIGHTS[x] * unpack_light(light_at(ivec2(2 * p.x - 4 + x, p.y))) / 16.0;
#else
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x)
            sum += WEIGHTS[x] * WEIGHTS[y] / 256.0 *
                   unpack_light(light_at(2 * p - 4 + ivec2(x, y)));
#endif
    if (all(lessThan(p, u_small.xy)))
        imageStore(i_small, p, texel_of(pack_light(sum)));
}

#else
const int THREADS = 128;
layout(local_size_x = 128) in;
layout(SMALL_FORMAT, binding = AG_IMAGE_SMALL) readonly uniform SMALL_IMAGE i_small;
layout(SMALL_FORMAT, binding = AG_IMAGE_DST) writeonly uniform SMALL_IMAGE i_dst;

// A thread makes four texels of a column, so that they share what they read, and a subgroup stores
// neighbours.
const int TILE_X = 32, TILE_Y = 16;
const int NEXT_X = TILE_X / 2 + 2, NEXT_Y = FLAT == 1 ? TILE_Y : TILE_Y / 2 + 2;
shared LIGHT s_next[NEXT_X * NEXT_Y];
#if TAPS
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { vec4 b_taps[]; };
const int AROUND_X = TILE_X + TAPS - 1, AROUND_Y = TILE_Y + TAPS - 1;
shared LIGHT s_light[AROUND_X * AROUND_Y];
shared vec4 s_taps[TAPS * TAPS]; // turned by 180 degrees
#endif
#define ROUNDS(texels) (((texels) + THREADS - 1) / THREADS)

// A row of the next level at a column: an even one has three texels of it, an odd one two.
vec3 next_row(int at, vec3 weights)
{
    return weights.x * unpack_light(s_next[at]) + weights.y * unpack_light(s_next[at + 1]) +
           weights.z * unpack_light(s_next[at + 2]);
}

void main()
{
    int thread = int(gl_LocalInvocationIndex);
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_X, TILE_Y);
    LIGHT next[ROUNDS(NEXT_X * NEXT_Y)];
    for (int k = 0; k < ROUNDS(NEXT_X * NEXT_Y); ++k) {
        int i = thread + k * THREADS;
        ivec2 p = tile / ivec2(2, FLAT == 1 ? 1 : 2) + ivec2(i % NEXT_X, i / NEXT_X);
        next[k] = light_of(imageLoad(i_small, min(p, u_small.xy - 1)));
    }
#if TAPS
    LIGHT light[ROUNDS(AROUND_X * AROUND_Y)];
    for (int k = 0; k < ROUNDS(AROUND_X * AROUND_Y); ++k) {
        int i = thread + k * THREADS;
        light[k] = light_at(tile - TAPS / 2 + ivec2(i % AROUND_X, i / AROUND_X));
    }
    vec4 tap = b_taps[u_half.z + TAPS * TAPS - 1 - min(thread, TAPS * TAPS - 1)] *
               vec4(b_info.scale.rgb, 0.0);
    for (int k = 0; k < ROUNDS(AROUND_X * AROUND_Y); ++k) {
        if (thread + k * THREADS < AROUND_X * AROUND_Y)
            s_light[thread + k * THREADS] = light[k];
    }
    if (thread < TAPS * TAPS)
        s_taps[thread] = tap;
#endif
    for (int k = 0; k < ROUNDS(NEXT_X * NEXT_Y); ++k)
        if (thread + k * THREADS < NEXT_X * NEXT_Y)
            s_next[thread + k * THREADS] = next[k];
    sync_shared();

    int x = thread % TILE_X, y = thread / TILE_X * 4;
    vec3 sums[4], weights = (x & 1) == 1 ? vec3(0.0, 4.0, 4.0) / 8.0 : vec3(1.0, 6.0, 1.0) / 8.0;
#if FLAT
    for (int o = 0; o < 4; ++o)
        sums[o] = next_row((y + o) * NEXT_X + x / 2, weights);
#else
    vec3 rows[4];
    for (int i = 0; i < 4; ++i)
        rows[i] = next_row((y / 2 + i) * NEXT_X + x / 2, weights) / 8.0;
    for (int o = 0; o < 4; o += 2) {
        sums[o] = rows[o / 2] + 6.0 * rows[o / 2 + 1] + rows[o / 2 + 2];
        sums[o + 1] = 4.0 * (rows[o / 2 + 1] + rows[o / 2 + 2]);
    }
#endif
#if TAPS
    for (int i = 0; i < TAPS; ++i) {
        vec3 column[TAPS + 3];
        for (int j = 0; j < TAPS + 3; ++j)
            column[j] = unpack_light(s_light[(y + j) * AROUND_X + x + i]);
        for (int j = 0; j < TAPS; ++j) {
            vec3 tap = s_taps[j * TAPS + i].rgb;
            for (int o = 0; o < 4; ++o)
                sums[o] += tap * column[j + o];
        }
    }
#endif
    for (int o = 0; o < 4; ++o) {
        ivec2 p = tile + ivec2(x, y + o);
        if (all(lessThan(p, u_half.xy)))
            imageStore(i_dst, p, texel_of(pack_light(sums[o])));
    }
}
#endif
