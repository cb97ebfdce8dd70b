// denoise/ti_haar_coarse.comp - levels beyond the third of the Haar transforms of all shifts
//
//   in        b_sums           M_3 (denoise/ti_haar_sums.comp)
//             b_denoise        sigma and variances of the last counts
//   out       b_coarse         16 R_3: what is removed of M_3, at the same places
//   host sets LEVELS           1..3: those beyond the third
//             FINER            3; COARSER and LOCAL are 0
//             the defines of denoise/ti_haar_tile.glsl
//   method    blocks of these levels are made of sums that are 8 texels apart. So each of the 64
//             phases of places is an image of its own, filtered as texels are
//             (denoise/ti_haar_tile.glsl). Phase (7, 7) has the places that are multiples of 8
//   border    the image is a mirror at its edges, so a block outside is one inside, mirrored
//   dispatch  8 x 8 phases of tiles of TILE places, in x and y; 256 threads, 128 with a joint
//             threshold
//   shared    30 KiB at most
//   cost      reads 16 bytes a texel 2.15 times or more (with fewer levels less, with a joint
//             threshold more), mostly from the cache, and writes 16
//   source    Coifman, Donoho 1995; Beylkin 1992; Shensa 1992 (phases)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/ti_haar_tile.glsl"

#define PHASES AG_DENOISE_TI_PHASES
#define BEFORE AG_DENOISE_TI_BEFORE

layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Sums { vec4 b_sums[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Coarse { vec4 b_coarse[]; };

// Where the block of 8 texels that begins at p of a line of n texels is stored.
int stored_at(int p, int n)
{
    int negative = p >> 31; // -1: then p ^ negative = -1 - p
    p = ((p ^ negative) % (2 * n) ^ negative) + (2 * n & negative);
    return BEFORE + (p < n ? p : 2 * n - PHASES - p);
}

void main()
{
    ivec2 phase = ivec2(gl_WorkGroupID.xy) % PHASES, image = u_src_rect.zw;
    vec3 results[RUN];
    make_thresholds();
    sync_shared();
    for (int first = 0; first < COMPONENTS; first += TOGETHER) {
        V made[RUN];
        for (int k = 0; k < TEXELS; ++k) {
            int at = int(gl_LocalInvocationIndex) + k * THREADS;
            ivec2 i = tile_corner() - HALO + place_of_texel(k), p = i * PHASES + phase - BEFORE;
            vec4 value = b_sums[stored_at(p.y, image.y) * (image.x + BEFORE) +
                                stored_at(p.x, image.x)];
            if (at < PLANE)
                set_plane(0, at, PART(value.rgb, first));
        }
        sync_shared();
        make_planes();
        filter_planes(first, made);
        for (int k = 0; k < RUN; ++k)
            PART(results[k], first) = made[k];
    }
    for (int k = 0; k < RUN; ++k) {
        ivec2 p = (tile_corner() + place_of_result(k)) * PHASES + phase, size = image + BEFORE;
        for (int c = COMPONENTS; c < 3; ++c)
            results[k][c] = 0.0;
        if (is_result(k) && all(lessThan(p, size)))
            b_coarse[p.y * size.x + p.x] = vec4(results[k], 0.0);
    }
}
