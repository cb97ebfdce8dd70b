// denoise/ti_haar_sums.comp - sums of 8 x 8 texels at every place, for levels beyond the third
//
//   in        t_src or i_src   the image
//   out       b_sums           of each p from -7 to the last texel in x and y, row by row: the
//                              components' sums of the block whose corner is p
//   host sets the defines of denoise/component.glsl and common/source.glsl
//   method    sums of 2, then of 4 and of 8, along x and then along y; of all components at once,
//             because NVIDIA's compiler (driver 580) moved loads of one component's sums beyond the
//             barrier after which the next component took their place
//   dispatch  tiles of 32 x 24 places in x and y; 256 threads
//   shared    26 KiB
//   cost      each texel read 1.6 times, mostly from the cache; 16 bytes written a texel
//   source    Beylkin 1992
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "denoise/component.glsl"

#define TILE_X AG_DENOISE_TI_SUMS_X
#define TILE_Y AG_DENOISE_TI_SUMS_Y
#define TILE ivec2(TILE_X, TILE_Y)
#define BEFORE AG_DENOISE_TI_BEFORE
#define WIDTH (TILE_X + BEFORE)
#define HEIGHT (TILE_Y + BEFORE)
#define THREADS 256

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Sums { vec4 b_sums[]; };

shared float s_texel[COMPONENTS * WIDTH * HEIGHT], s_row[COMPONENTS * TILE_X * HEIGHT];

float sum_of(float v[8])
{
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

void main()
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * TILE - BEFORE, size = u_src_rect.zw + BEFORE;
    float v[8];
    for (int i = t; i < WIDTH * HEIGHT; i += THREADS) {
        uint largest = 0u;
        vec3 value = components_of(load_extended(corner + ivec2(i % WIDTH, i / WIDTH), largest));
        for (int c = 0; c < COMPONENTS; ++c)
            s_texel[c * WIDTH * HEIGHT + i] = value[c];
    }
    sync_shared();
    for (int i = t; i < COMPONENTS * TILE_X * HEIGHT; i += THREADS) {
        for (int k = 0; k < 8; ++k)
            v[k] = s_texel[i / TILE_X * WIDTH + i % TILE_X + k];
        s_row[i] = sum_of(v);
    }
    sync_shared();
    for (int i = t; i < TILE_X * TILE_Y; i += THREADS) {
        vec4 sums = vec4(0.0);
        for (int c = 0; c < COMPONENTS; ++c) {
            for (int k = 0; k < 8; ++k)
                v[k] = s_row[c * TILE_X * HEIGHT + i + k * TILE_X];
            sums[c] = sum_of(v);
        }
        ivec2 p = corner + BEFORE + ivec2(i % TILE_X, i / TILE_X);
        if (all(lessThan(p, size)))
            b_sums[p.y * size.x + p.x] = sums;
    }
}
