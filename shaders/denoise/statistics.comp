// denoise/statistics.comp - counts the coefficients of an image before any frame has counted them
//
//   in        t_src or i_src   the image
//   out       b_denoise        sigma and variances, by the last group
//   host sets the defines of denoise/haar_tile.glsl; THRESHOLD is AG_DENOISE_SHRINK_SOFT, LOCAL 0
//   dispatch  as denoise/haar.comp; twice if energies are counted, because they are in units of
//             sigma, which the first dispatch finds
//   cost      each texel read once a dispatch
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/haar_tile.glsl"

void main()
{
    vec3 value[4];
    begin_statistics();
    for (int k = 0; k < 4; ++k) {
        uint largest = 0u;
        value[k] = components_of(load_extended(tile_corner() + texel_of_thread(k), largest));
    }
    for (int first = 0; first < COMPONENTS; first += AT_ONCE) {
        for (int k = 0; k < 4; ++k)
            for (int c = 0; c < AT_ONCE; ++c)
                s_plane[c * STRIDE + place_of(texel_of_thread(k))] = value[k][first + c];
        sync_shared();
        analyse(first); // ends with a sync
    }
    end_statistics();
}
