// denoise/haar_local.comp - as denoise/haar.comp, with thresholds from the variance in each tile
//
//   in, out, dispatch, source   as denoise/haar.comp; of b_denoise sigma alone is read
//   host sets LEVELS   1..3, because a tile has too few coefficients of coarser levels
//             the defines of denoise/haar_filter.glsl; TILE is AG_DENOISE_TILE
//   shared    15 KiB
//   cost      three barriers more
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/haar_filter.glsl"
#include "denoise/haar_energies.glsl"
#include "denoise/local.glsl"

void begin() { begin_energies(); }

void analysed()
{
    add_energies();
    sync_shared();
    local_thresholds(0, COMPONENTS, tile_corner(), ivec2(TILE));
    sync_shared();
}
