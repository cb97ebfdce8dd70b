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
    vec4 texel[4 * PIECES];
    if (!counts()) // the same for all threads of a group
        return;
    for (int k = 0; k < 4 * PIECES; ++k) {
        uint largest = 0u;
        ivec2 p = tile_corner() + 2 * piece_of_thread(k / 4) + ivec2(k & 1, k >> 1 & 1);
        texel[k] = load_extended(p, largest);
    }
    begin_statistics();
    for (int k = 0; k < PIECES; ++k)
        analyse_piece(k, components_of(texel[4 * k]), components_of(texel[4 * k + 1]),
                      components_of(texel[4 * k + 2]), components_of(texel[4 * k + 3]));
    analyse();
    add_counts(tile_corner(), ivec2(TILE));
    finish_counts();
}
