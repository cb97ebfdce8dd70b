// denoise/energies.glsl - energies of a tile's bands, added up in shared memory
//
//   in        b_denoise    sigma
//   out       s_sums       sums of energies, s_sigma
//   host sets the defines of denoise/memory.glsl
//   includer  defines THREADS
//   cost      shared atomics to one address take a cycle for each lane. So threads add energies in
//             registers, and their sums through rows of shared memory
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef THREADS
#error "THREADS must be defined by the includer"
#endif
#include "denoise/memory.glsl"

shared float s_sigma[4];
shared uint s_sums[AG_DENOISE_ALL_BANDS];

// A sync must follow.
void begin_energies()
{
    int t = int(gl_LocalInvocationIndex);
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        s_sums[i] = 0u;
    if (t < AG_DENOISE_COMPONENTS)
        s_sigma[t] = sigma_of(t);
}

float scale_of(int component)
{
    return s_sigma[component] > 0.0 ? 1.0 / s_sigma[component] : 0.0;
}

void add_energy(int component, int level, int band, uint sum)
{
    if (sum != 0u)
        atomicAdd(s_sums[band_at(component, level, band)], sum);
}

// Blocks of a level whose corner, a multiple of 2^level, is within the tile and the image.
int blocks_of(int level, ivec2 corner, ivec2 tile)
{
    int size = 1 << level;
    ivec2 end = min(corner + tile, u_src_rect.zw);
    ivec2 blocks = (end + size - 1) / size - (corner + size - 1) / size;
    return blocks.x * blocks.y;
}
