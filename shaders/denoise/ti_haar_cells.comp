// denoise/ti_haar_cells.comp - sums of cells of 4 x 4 texels, for levels beyond the third
//
//   in        t_src or i_src   the image, which goes on beyond its edges as in a mirror
//   out       b_cells          the components' sums of each cell, row by row
//   host sets the defines of denoise/component.glsl, denoise/memory.glsl and common/source.glsl
//   dispatch  16 x 16 cells a group; u_grid.xy cells, u_grid.z of them before the image
//   cost      each texel is read once; 1 byte written a texel
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/memory.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Cells { vec4 b_cells[]; };
layout(location = AG_LOC_DENOISE_GRID) uniform ivec4 u_grid;

void main()
{
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, u_grid.xy)))
        return;
    begin_space();
    vec4 texel[16];
    for (int i = 0; i < 16; ++i) { // all first, so that they overlap
        uint largest = 0u;
        ivec2 p = (cell - u_grid.z) * AG_DENOISE_TI_CELL + ivec2(i % 4, i / 4);
        texel[i] = load_extended(p, largest);
    }
    vec3 row[4];
    for (int y = 0; y < 4; ++y)
        row[y] = (components_of(texel[4 * y]) + components_of(texel[4 * y + 1])) +
            (components_of(texel[4 * y + 2]) + components_of(texel[4 * y + 3]));
    b_cells[cell.y * u_grid.x + cell.x] = vec4((row[0] + row[1]) + (row[2] + row[3]), 0.0);
}
