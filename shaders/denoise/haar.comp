// denoise/haar.comp - denoises by thresholding the decimated Haar transform: one dispatch
//
//   in        t_src or i_src   the image
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_info.scrubbed
//   host sets the defines of denoise/haar_filter.glsl
//   dispatch  tiles of TILE x TILE texels in x and y; 256 threads
//   shared    3.5 KiB (TILE 32), 12.5 KiB (TILE 64)
//   cost      each texel read once and written once; no halo, because tiles are whole blocks of the
//             coarsest level
//   source    Donoho, Johnstone 1994; denoise/shrink.glsl; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/haar_filter.glsl"
#include "denoise/band_thresholds.glsl"
#include "denoise/haar_coarse.glsl"

void begin() { begin_thresholds(); }

// From coefficients to what is removed: of the values that a step of level 4 to 6 transformed.
void synthesise_step_in_place(int level)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner))
        return;
    V a = level == LEVELS ? V(0.0) : plane_value(component, at.x);
    V b = plane_value(component, at.y), c = plane_value(component, at.z);
    V d = plane_value(component, at.w);
    shrink(b, c, d, component, level);
    haar(a, b, c, d);
    set_plane(component, at.x, a);
    set_plane(component, at.y, b);
    set_plane(component, at.z, c);
    set_plane(component, at.w, d);
}

void analysed()
{
    analyse_coarse();
    for (int level = LEVELS; level > 3; --level) {
        sync_shared();
        synthesise_step_in_place(level);
    }
    if (LEVELS > 3)
        sync_shared();
}
