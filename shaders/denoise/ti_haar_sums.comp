// denoise/ti_haar_sums.comp - sums of 8 x 8 texels at every place, for levels beyond the third
//
//   in        t_src or i_src   the image
//   out       b_sums           the components' sums of the block with its corner at p, for p from -7
//                              to the last texel in x and y, row by row
//   host sets the defines of denoise/component.glsl and common/load.glsl
//   method    sums of 2, then of 4 and of 8, along x and then along y
//   dispatch  tiles of 32 x 32 places in x and y; 256 threads
//   shared    11 KiB
//   cost      each texel read 1.5 times, mostly from the cache; 16 bytes written a texel
//   source    Beylkin 1992
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "denoise/component.glsl"
#include "denoise/extend.glsl"
#include "denoise/interface.h"

#define TILE 32
#define BEFORE AG_DENOISE_TI_BEFORE
#define SIDE (TILE + BEFORE)
#define THREADS 256
#define TEXELS ((SIDE * SIDE + THREADS - 1) / THREADS)

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Sums { vec4 b_sums[]; };

shared float s_texel[SIDE * SIDE], s_row[SIDE * TILE];

float sum_of(float v[8])
{
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

void main()
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * TILE - BEFORE, size = u_src_rect.zw + BEFORE;
    vec3 value[TEXELS], sums[TILE * TILE / THREADS];
    float v[8];
    for (int k = 0; k < TEXELS; ++k) {
        uint largest = 0u;
        int i = t + k * THREADS;
        value[k] = components_of(load_extended(corner + ivec2(i % SIDE, i / SIDE), largest));
    }
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int k = 0; k < TEXELS; ++k)
            if (t + k * THREADS < SIDE * SIDE)
                s_texel[t + k * THREADS] = value[k][c];
        sync_shared();
        for (int i = t; i < SIDE * TILE; i += THREADS) {
            for (int k = 0; k < 8; ++k)
                v[k] = s_texel[i / TILE * SIDE + i % TILE + k];
            s_row[i] = sum_of(v);
        }
        sync_shared();
        for (int j = 0; j < TILE * TILE / THREADS; ++j) {
            for (int k = 0; k < 8; ++k)
                v[k] = s_row[t + j * THREADS + k * TILE];
            sums[j][c] = sum_of(v);
        }
    }
    for (int j = 0; j < TILE * TILE / THREADS; ++j) {
        int i = t + j * THREADS;
        ivec2 p = corner + BEFORE + ivec2(i % TILE, i / TILE);
        for (int c = COMPONENTS; c < 3; ++c)
            sums[j][c] = 0.0;
        if (all(lessThan(p, size)))
            b_sums[p.y * size.x + p.x] = vec4(sums[j], 0.0);
    }
}
