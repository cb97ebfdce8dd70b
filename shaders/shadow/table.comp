// shadow/table.comp - soft_shadow: the table into a texture of the host's, for its own shaders
//
//   in        the map's table (sat/table_query.glsl)
//   out       i_out    RGBA32UI, as sat/shadow.glsl reads it
//   host sets the defines of sat/table_query.glsl
//   dispatch  ceil(width / 16), ceil(height / 16) of the map
//   cost      16 bytes read and written a texel
//   SPDX-License-Identifier: MIT
#version 430 core
#include "focus/interface.h"
#define AG_SAT_INSIDE 0
#include "sat/table_query.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = AG_IMAGE_SHADOW_TABLE) writeonly uniform uimage2D i_out;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (in_image(p))
        imageStore(i_out, u_dst_rect.xy + p, section_entry(0, p));
}
