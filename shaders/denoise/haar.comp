// denoise/haar.comp - denoises by thresholding the decimated Haar transform: one dispatch
//
//   in        t_src or i_src   the image
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_denoise        with STATISTICS: the counts of this image
//             b_info.scrubbed
//   host sets the defines of denoise/haar_tile.glsl and common/store.glsl
//   dispatch  tiles of TILE x TILE texels in x and y; TILE^2 / 4 threads
//   cost      each texel read once and written once; no halo, because tiles are whole blocks of the
//             coarsest level
//   source    Donoho, Johnstone 1994; denoise/shrink.glsl; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/haar_tile.glsl"
#include "common/store.glsl"

V threshold_at(int component, int level, int band)
{
#if TOGETHER == 1
    return s_threshold[band_at(component, level, band)];
#else
    return V(s_threshold[band_at(0, level, band)], s_threshold[band_at(1, level, band)],
             s_threshold[band_at(2, level, band)]);
#endif
}

void shrink(inout V hl, inout V lh, inout V hh, int component, int level)
{
    hl = removed_of(hl, threshold_at(component, level, 0));
    lh = removed_of(lh, threshold_at(component, level, 1));
    hh = removed_of(hh, threshold_at(component, level, 2));
}

// From g_value and the coarse part to what is removed of each texel, in s_plane. Nothing is removed
// of the coarsest LL.
void synthesise(int first)
{
    int block, component;
    for (int level = LEVELS; level >= 3; --level) {
        ivec4 at;
        ivec2 corner;
        if (owns_step(level, at, component, corner)) {
            V a = level == LEVELS ? V(0.0) : value_at(component, at.x);
            V b = value_at(component, at.y), c = value_at(component, at.z);
            V d = value_at(component, at.w);
            shrink(b, c, d, first + component, level);
            haar(a, b, c, d);
            set_value(component, at.x, a);
            set_value(component, at.y, b);
            set_value(component, at.z, c);
            set_value(component, at.w, d);
        }
        sync_shared();
    }
    if (owns_block(block, component)) {
#if LEVELS > 1
        g_value[0] = LEVELS > 2 ? value_at(component, COARSE + block) : V(0.0);
        shrink(g_value[2], g_value[8], g_value[10], first + component, 2);
        haar(g_value[0], g_value[2], g_value[8], g_value[10]);
#endif
        for (int i = 0; i < 4; ++i) {
            int at = i / 2 * 8 + i % 2 * 2;
            if (LEVELS == 1)
                g_value[at] = V(0.0);
            shrink(g_value[at + 1], g_value[at + 4], g_value[at + 5], first + component, 1);
            haar(g_value[at], g_value[at + 1], g_value[at + 4], g_value[at + 5]);
        }
        for (int i = 0; i < 16; ++i)
            set_value(component, i * PITCH + block, g_value[i]);
    }
    sync_shared();
}

void main()
{
    TEXEL kept[4];
    vec3 value[4];
    uint bad = 0u;
    begin_statistics();
    for (int k = 0; k < 4; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 p = tile_corner() + texel_of_thread(k);
        vec4 texel = load_extended(p, largest);
        bad += uint(largest >= NOT_FINITE && all(lessThan(p, u_src_rect.zw)));
        kept[k] = pack_texel(texel);
        value[k] = components_of(texel);
    }
    for (int first = 0; first < COMPONENTS; first += AT_ONCE) {
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < AT_ONCE; ++c)
                s_plane[c * STRIDE + place_of(texel_of_thread(k))] = value[k][first + c];
        sync_shared();
        analyse(first);
        synthesise(first);
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < AT_ONCE; ++c)
                value[k][first + c] = s_plane[c * STRIDE + place_of(texel_of_thread(k))];
        if (first + AT_ONCE < COMPONENTS)
            sync_shared(); // before s_plane is written again
    }
    for (int k = 0; k < 4; ++k) {
        ivec2 p = tile_corner() + texel_of_thread(k);
        if (all(lessThan(p, u_src_rect.zw)))
            store_texel(p, without(unpack_texel(kept[k]), value[k]));
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
    end_statistics();
}
