// downsample/lanczos_columns.comp - the second of two passes: columns of what the first one left
//
//   in        b_partials   rows that lanczos_rows.comp left
//             b_taps       weights in y (downsample/lanczos.glsl)
//   out       i_dst0       the target
//   host sets the defines of downsample/texel.glsl; nothing is loaded from the image
//   dispatch  a group of 32 x 4 threads for 32 x 4 outputs; u_tile.w: where the layer begins
//   cost      2 radius W / w loads of 16 bytes an output, most of them from the cache
//   SPDX-License-Identifier: MIT
#version 430 core
#define EXCEEDS 1
#include "downsample/texel.glsl"
#include "downsample/lanczos.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(location = AG_LOC_DOWN_TILE) uniform ivec4 u_tile;
layout(std430, binding = AG_SSBO_PARTIALS) readonly buffer Rows { vec4 b_rows[]; };
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;

void main()
{
    ivec2 to = ivec2(gl_GlobalInvocationID.xy);
    Axis ay = axis_y(u_axes0, u_scale0);
    if (any(greaterThanEqual(to, u_dst0.zw)))
        return;
    vec4 sum;
#define LINE(j) b_rows[u_tile.w + (j) * u_dst0.z + to.x]
    SUM_TAPS(ay, to.y, u_taps.y - 1, sum)
    imageStore(i_dst0, u_dst0.xy + to, stored(sum));
}
