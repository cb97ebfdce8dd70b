// denoise/ti_haar_filter.glsl - from the image to the image, through the planes of a tile
//
//   host sets the defines of denoise/ti_haar_tile.glsl, common/source.glsl and common/store.glsl
//   includer  defines begin() and, of denoise/ti_haar_tile.glsl, sums_made() and with COARSER
//             coarse_value()
//   SPDX-License-Identifier: MIT
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "common/store.glsl"
#include "denoise/extend.glsl"
#include "denoise/ti_haar_tile.glsl"

void begin(); // once, for thresholds; a sync follows

ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * TILE; }

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
        bad += uint(largest >= TOO_LARGE && mine);
    }
    begin();
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
}
