// denoise/statistics.comp - counts the coefficients of an image: its noise, its bands' variances
//
//   in        t_src or i_src   the image
//             b_denoise        sigma, the unit of energies; what new results are blended with
//   out       b_denoise        sigma and variances, by the last group
//   host sets TILE, LEVELS     as denoise/haar_tile.glsl; THRESHOLD is AG_DENOISE_SHRINK_SOFT
//             and the defines of denoise/counts.glsl and common/source.glsl
//   why       decimated coefficients are counted for every filter, as those of all shifts say the
//             same thing many times. It runs beside the filter and makes the other set of results,
//             so neither waits for the other, and filters are programs that count nothing
//   dispatch  tiles of TILE x TILE texels in x and y, 256 threads. Beside the filter of a large
//             image: one tile in four. Before any filter has run: twice if energies are counted,
//             because they are in units of sigma, which the first dispatch finds
//   shared    18 KiB (TILE 32), 30 KiB (TILE 64)
//   cost      each texel of a tile read once
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/extend.glsl"
#include "denoise/haar_tile.glsl"
#include "denoise/counts.glsl"
#include "denoise/haar_coarse.glsl"
#include "denoise/haar_energies.glsl"

ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * TILE * int(u_statistics.w); }

// Coarse coefficients are few: they are added at once.
void add_step(int level)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner) || !is_inside(corner))
        return;
    for (int band = 0; band < 3; ++band) {
        V d = plane_value(component, at[band + 1]);
        for (int i = 0; i < TOGETHER; ++i)
            add_energy(component + i, level, band,
                       energy_of(part_of(d, i), scale_of(component + i)));
    }
}

void main()
{
    vec4 texel[4 * PIECES];
    for (int k = 0; k < 4 * PIECES; ++k) {
        uint largest = 0u;
        ivec2 p = tile_corner() + 2 * piece_of_thread(k / 4) + ivec2(k & 1, k >> 1 & 1);
        texel[k] = load_extended(p, largest);
    }
    begin_counts();
    for (int k = 0; k < PIECES; ++k)
        analyse_piece(k, components_of(texel[4 * k]), components_of(texel[4 * k + 1]),
                      components_of(texel[4 * k + 2]), components_of(texel[4 * k + 3]));
    analyse();
    analyse_coarse();
    sync_shared();
    for (int k = 0; k < PIECES; ++k)
        for (int c = 0; c < COMPONENTS; ++c)
            if (is_inside(tile_corner() + 2 * piece_of_thread(k)))
                count_size(c, g_hh[k][c]);
#if STATISTICS & AG_DENOISE_ENERGIES
    add_energies();
    for (int level = 4; level <= LEVELS; ++level)
        add_step(level);
#endif
    add_counts(tile_corner(), ivec2(TILE));
    finish_counts();
}
