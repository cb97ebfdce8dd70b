// denoise/haar_filter.glsl - thresholds of the decimated Haar transform of a tile, and its inverse
//
//   host sets the defines of denoise/haar_tile.glsl, common/source.glsl and common/store.glsl
//   includer  defines the functions below
//   SPDX-License-Identifier: MIT
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "common/store.glsl"
#include "denoise/extend.glsl"
#include "denoise/haar_tile.glsl"
#include "denoise/thresholds.glsl"

void begin(); // once, for thresholds; a sync follows
// Once, after the analysis of up to three levels. When it returns, thresholds are complete, and
// with more than three levels s_plane has what is removed of LL3.
void analysed();

ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * TILE; }

void shrink(inout V hl, inout V lh, inout V hh, int component, int level)
{
    hl = removed_of(hl, threshold_at(component, level, 0));
    lh = removed_of(lh, threshold_at(component, level, 1));
    hh = removed_of(hh, threshold_at(component, level, 2));
}

void synthesise_patch()
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    if (LEVELS > 2) {
        g_patch[0] = LEVELS > 3 ? plane_value(component, patch_) : V(0.0);
        shrink(g_patch[2], g_patch[8], g_patch[10], component, 3);
        haar(g_patch[0], g_patch[2], g_patch[8], g_patch[10]);
    }
    for (int i = 0; i < 4; ++i) {
        int at = i / 2 * 8 + i % 2 * 2;
        if (LEVELS == 2)
            g_patch[at] = V(0.0);
        shrink(g_patch[at + 1], g_patch[at + 4], g_patch[at + 5], component, 2);
        haar(g_patch[at], g_patch[at + 1], g_patch[at + 4], g_patch[at + 5]);
    }
    for (int i = 0; i < 16; ++i)
        set_plane(component, i * PITCH + patch_, g_patch[i]);
}

void main()
{
    TEXEL kept[4 * PIECES];
    uint bad = 0u;
    for (int k = 0; k < 4 * PIECES; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 p = tile_corner() + 2 * piece_of_thread(k / 4) + ivec2(k & 1, k >> 1 & 1);
        vec4 texel = load_extended(p, largest);
        bad += uint(largest >= TOO_LARGE && all(lessThan(p, u_src_rect.zw)));
        kept[k] = pack_texel(texel);
    }
    begin();
    for (int k = 0; k < PIECES; ++k)
        analyse_piece(k, components_of(unpack_texel(kept[4 * k])),
                      components_of(unpack_texel(kept[4 * k + 1])),
                      components_of(unpack_texel(kept[4 * k + 2])),
                      components_of(unpack_texel(kept[4 * k + 3])));
    analyse();
    analysed();
    if (LEVELS > 1) {
        synthesise_patch();
        sync_shared();
    }
    vec3 t_hl = thresholds_at(1, 0), t_lh = thresholds_at(1, 1), t_hh = thresholds_at(1, 2);
    for (int k = 0; k < PIECES; ++k) {
        ivec2 piece = piece_of_thread(k);
        vec3 removed[4];
        removed[0] = vec3(0.0);
        for (int c = 0; c < COMPONENTS && LEVELS > 1; ++c)
            removed[0][c] = s_plane[place_of(piece) + c * PATCHES];
        removed[1] = removed_of(g_hl[k], t_hl);
        removed[2] = removed_of(g_lh[k], t_lh);
        removed[3] = removed_of(g_hh[k], t_hh);
        haar(removed[0], removed[1], removed[2], removed[3]);
        for (int i = 0; i < 4; ++i) {
            ivec2 p = tile_corner() + 2 * piece + ivec2(i & 1, i >> 1);
            if (all(lessThan(p, u_src_rect.zw)))
                store_texel(p, without(unpack_texel(kept[4 * k + i]), removed[i]));
        }
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
}
