// denoise/ti_haar.comp - denoises by thresholding the Haar transforms of all shifts: one dispatch
//
//   in        t_src or i_src   the image
//             b_coarse         with COARSER: 16 R_3 (denoise/ti_haar_coarse.comp)
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_denoise        with STATISTICS: the counts of this image
//             b_info.scrubbed
//   host sets LEVELS           1..3
//             COARSER          1 = there are coarser levels; LEVELS is 3, FINER 0
//             the defines of denoise/ti_haar_tile.glsl and common/store.glsl
//   method    denoise/ti_haar_tile.glsl
//   dispatch  tiles of TILE texels in x and y; 256 threads, 128 with a joint threshold
//   shared    33 KiB at most
//   cost      each texel is read 2.15 times, mostly from the cache; for each texel, component and
//             level some 9 accesses to shared memory and 25 instructions
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/extend.glsl"
#include "denoise/ti_haar_tile.glsl"
#include "common/store.glsl"

#if COARSER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Coarse { vec4 b_coarse[]; };

V coarse_value(ivec2 q, int component)
{
    ivec2 size = u_src_rect.zw + AG_DENOISE_TI_BEFORE;
    ivec2 p = min(tile_corner() - HALO + q + AG_DENOISE_TI_BEFORE, size - 1);
    vec4 value = b_coarse[p.y * size.x + p.x];
    return PART(value.rgb, component);
}
#else
V coarse_value(ivec2 q, int component) { return V(0.0); }
#endif

ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * TILE; }

ivec2 count_end() { return u_src_rect.zw; }

void main()
{
    TEXEL kept[TEXELS];
    vec3 removed[RUN];
    uint bad = 0u;
    for (int k = 0; k < TEXELS; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 place = place_of_texel(k), p = tile_corner() - HALO + place;
        kept[k] = pack_texel(load_extended(p, largest));
        bool mine = all(greaterThanEqual(place, ivec2(HALO))) &&
            all(lessThan(place, TILE + HALO)) && all(lessThan(p, u_src_rect.zw));
        bad += uint(largest >= NOT_FINITE && mine);
    }
    begin_statistics();
    for (int first = 0; first < COMPONENTS; first += TOGETHER) {
        V made[RUN];
        for (int k = 0; k < TEXELS; ++k) {
            int at = int(gl_LocalInvocationIndex) + k * THREADS;
            vec3 value = components_of(unpack_texel(kept[k]));
            if (at < PLANE)
                set_plane(0, at, PART(value, first));
        }
        sync_shared();
        filter_planes(first, made);
        for (int k = 0; k < RUN; ++k)
            PART(removed[k], first) = made[k] * 0.0625;
    }
    for (int k = 0; k < RUN; ++k) {
        ivec2 p = tile_corner() + place_of_result(k);
        if (is_result(k) && all(lessThan(p, u_src_rect.zw))) {
            uint largest = 0u;
            store_texel(p, without(load_texel_unseen(p, largest), removed[k]));
        }
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
    if (counts()) {
        add_counts(tile_corner(), TILE);
        finish_counts();
    }
}
