// sat/image.glsl - the image and the radius, for all programs of box_blur and local_stats
//
//   host sets SAT_CHANNELS   of the table: 1, 2, 4
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SAT_CHANNELS
#error "SAT_CHANNELS must be set by the host"
#endif
#include "sat/interface_box.h"

layout(location = AG_LOC_BOX_SIZE) uniform ivec4 u_size;
layout(location = AG_LOC_BOX) uniform vec4 u_box;

ivec2 image_size() { return u_size.xy; }
int first_mark() { return u_size.z; } // of the layer, in b_left (sat/blur_blocks.glsl)
float set_radius() { return u_box.x; } // of all texels; with a radius texture their common factor

bool in_image(ivec2 p) { return all(lessThan(p, image_size())); }

// A colour of the table. Channels that it lacks become what GL reads for them: 0, and `alpha`.
vec4 complete(vec4 c, float alpha)
{
    if (SAT_CHANNELS == 1)
        c = vec4(c.r, 0.0, 0.0, alpha);
    else if (SAT_CHANNELS == 2)
        c = vec4(c.rg, 0.0, alpha);
    return c;
}
