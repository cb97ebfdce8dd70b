// downsample/lanczos_rows.comp - the first of two passes: each row of the source, filtered to the
// output's width
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//             b_taps           weights in x (downsample/lanczos.glsl)
//   out       b_partials       the output's width x the source's height, vec4 in fp32
//   host sets the defines of downsample/texel.glsl
//   dispatch  a group of 32 x 4 threads for 32 x 4 texels of b_partials; u_tile.w: where the layer
//             begins
//   cost      2 radius W / w loads a texel, most of them from the cache
//   SPDX-License-Identifier: MIT
#version 430 core
#define EXCEEDS 1
#include "downsample/texel.glsl"
#include "downsample/lanczos.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(location = AG_LOC_DOWN_TILE) uniform ivec4 u_tile;
layout(std430, binding = AG_SSBO_PARTIALS) writeonly buffer Rows { vec4 b_rows[]; };

void main()
{
    ivec2 to = ivec2(gl_GlobalInvocationID.xy);
    Axis ax = axis_x(u_axes0, u_scale0);
    bool inside = to.x < u_dst0.z && to.y < u_taps.y;
    if (!inside)
        return;
    uint bad_texels = 0u;
    vec4 sum;
#define LINE(j) load_clean(ivec2(j, to.y), true, bad_texels)
    SUM_TAPS(ax, to.x, u_taps.x - 1, sum)
#if COUNTS
    count_bad(bad_texels);
#endif
    b_rows[u_tile.w + to.y * u_dst0.z + to.x] = sum;
}
