// denoise/ti_haar_cells.comp - sums of cells of 4 x 4 texels, for levels beyond the third
//
//   in        t_src or i_src   the image, which goes on beyond its edges as in a mirror
//   out       b_cells          the sums of each cell, a plane a component; with STATE_FORMAT one
//                              more: the factor of thresholds
//   host sets the defines of denoise/component.glsl, denoise/frames.glsl and common/source.glsl
//   threads   one adds up a column of a cell, then one a row of sums and component
//   dispatch  16 x 4 cells a group of 256 threads; u_grid.xy cells, u_grid.z of them before the
//             image
//   shared    3 KiB
//   cost      each texel is read once; 12 bytes written a cell
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "denoise/frames.glsl"

#define CELL AG_DENOISE_TI_CELL
#define CELLS_X AG_DENOISE_TI_CELLS_X
#define CELLS_Y AG_DENOISE_TI_CELLS_Y

layout(local_size_x = 64, local_size_y = 4) in;
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Cells { float b_cells[]; };
layout(location = AG_LOC_DENOISE_GRID) uniform ivec4 u_grid;

shared float s_column[COMPONENTS * 256];

void main()
{
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(CELLS_X, CELLS_Y);
    ivec2 p = (first - u_grid.z) * CELL + ivec2(gl_LocalInvocationID.xy) * ivec2(1, CELL);
    int t = int(gl_LocalInvocationIndex);
    vec4 texel[CELL];
    for (int i = 0; i < CELL; ++i) { // all first, so that they overlap
        uint largest = 0u;
        texel[i] = load_extended(p + ivec2(0, i), largest);
    }
    begin_space();
    vec3 sum = (components_of(texel[0]) + components_of(texel[1])) +
        (components_of(texel[2]) + components_of(texel[3]));
    for (int c = 0; c < COMPONENTS; ++c)
        s_column[c * 256 + t] = sum[c];
    sync_shared();
    ivec2 cell = first + ivec2(t % CELLS_X, t / CELLS_X % CELLS_Y);
    int c = t / (CELLS_X * CELLS_Y), at = t * CELL;
    if (c < COMPONENTS && all(lessThan(cell, u_grid.xy)))
        b_cells[(c * u_grid.y + cell.y) * u_grid.x + cell.x] =
            (s_column[at] + s_column[at + 1]) + (s_column[at + 2] + s_column[at + 3]);
#ifdef STATE_FORMAT
    if (t < CELLS_X * CELLS_Y && all(lessThan(cell, u_grid.xy))) {
        ivec2 first_texel = (cell - u_grid.z) * CELL;
        float factor = 0.0;
        for (int i = 0; i < 4; ++i)
            factor += 0.25 * factor_of_frames(first_texel + 2 * ivec2(i & 1, i >> 1));
        b_cells[(COMPONENTS * u_grid.y + cell.y) * u_grid.x + cell.x] = factor;
    }
#endif
}
