// denoise/haar.comp - denoises by thresholding the decimated Haar transform: one dispatch
//
//   in        t_src or i_src   the image
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise; b_info.scrubbed
//   host sets STORE; the defines of denoise/haar_tile.glsl, denoise/thresholds.glsl and
//             common/packed_texel.glsl
//   method    denoise/haar_tile.glsl makes the coefficients of a tile. Thresholds remove a part of
//             them (denoise/shrink.glsl), whose inverse transform is taken from the texels
//   dispatch  tiles of TILE x TILE texels in x and y; 256 threads
//   shared    3.5 KiB (TILE 32), 12.5 KiB (TILE 64)
//   cost      each texel is read once and written once; there is no halo, because tiles are whole
//             blocks of the coarsest level
//   source    Donoho, Johnstone 1994; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 256
#define SCALED 0
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "common/store.glsl"
#include "denoise/haar_tile.glsl"
#include "denoise/thresholds.glsl"

void shrink(inout float hl, inout float lh, inout float hh, int component, int level)
{
    hl = removed_of(hl, threshold_at(component, level, 0));
    lh = removed_of(lh, threshold_at(component, level, 1));
    hh = removed_of(hh, threshold_at(component, level, 2));
}

// From coefficients of a step of level 4 to 6 to what is removed of the values that it transformed.
void synthesise_step_in_place(int level)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner))
        return;
    float a = level == LEVELS ? 0.0 : plane_value(component, at.x);
    float b = plane_value(component, at.y), c = plane_value(component, at.z);
    float d = plane_value(component, at.w);
    shrink(b, c, d, component, level);
    haar(a, b, c, d);
    set_plane(component, at.x, a);
    set_plane(component, at.y, b);
    set_plane(component, at.z, c);
    set_plane(component, at.w, d);
}

// Makes what levels 4 to 6 remove of LL3, in its place in s_plane.
void filter_coarse()
{
    analyse_coarse();
    for (int level = LEVELS; level > 3; --level) {
        sync_shared();
        synthesise_step_in_place(level);
    }
    if (LEVELS > 3)
        sync_shared();
}

void synthesise_patch()
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    if (LEVELS > 2) {
        g_patch[0] = LEVELS > 3 ? plane_value(component, patch_) : 0.0;
        shrink(g_patch[2], g_patch[8], g_patch[10], component, 3);
        haar(g_patch[0], g_patch[2], g_patch[8], g_patch[10]);
    }
    for (int i = 0; i < 4; ++i) {
        int at = i / 2 * 8 + i % 2 * 2;
        if (LEVELS == 2)
            g_patch[at] = 0.0;
        shrink(g_patch[at + 1], g_patch[at + 4], g_patch[at + 5], component, 2);
        haar(g_patch[at], g_patch[at + 1], g_patch[at + 4], g_patch[at + 5]);
    }
    for (int i = 0; i < 16; ++i)
        set_plane(component, i * PITCH + patch_, g_patch[i]);
}

void main()
{
    TEXEL kept[4 * PIECES];
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * TILE; // its first texel
    uint bad = 0u;
    for (int k = 0; k < 4 * PIECES; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 p = tile + place_of_texel(k);
        vec4 texel = load_extended(p, largest);
        bad += uint(largest >= TOO_LARGE && all(lessThan(p, u_src_rect.zw)));
        kept[k] = pack_texel(texel);
    }
    begin_space();
    make_thresholds();
    for (int k = 0; k < PIECES; ++k)
        analyse_piece(k, components_of(unpack_texel(kept[4 * k])),
                      components_of(unpack_texel(kept[4 * k + 1])),
                      components_of(unpack_texel(kept[4 * k + 2])),
                      components_of(unpack_texel(kept[4 * k + 3])));
    analyse();
    filter_coarse();
    if (LEVELS > 1) {
        synthesise_patch();
        sync_shared();
    }
    vec3 t_hl = thresholds_at(1, 0), t_lh = thresholds_at(1, 1), t_hh = thresholds_at(1, 2);
    for (int k = 0; k < PIECES; ++k) {
        vec3 removed[4];
        removed[0] = vec3(0.0);
        for (int c = 0; c < COMPONENTS && LEVELS > 1; ++c)
            removed[0][c] = s_plane[place_of(piece_of_thread(k)) + c * PATCHES];
        removed[1] = removed_of(g_hl[k], t_hl);
        removed[2] = removed_of(g_lh[k], t_lh);
        removed[3] = removed_of(g_hh[k], t_hh);
        haar(removed[0], removed[1], removed[2], removed[3]);
        for (int i = 0; i < 4; ++i) {
            ivec2 p = tile + place_of_texel(4 * k + i);
            if (all(lessThan(p, u_src_rect.zw)))
                store_texel(p, without(unpack_texel(kept[4 * k + i]), removed[i]));
        }
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
}
