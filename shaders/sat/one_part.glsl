// sat/one_part.glsl - the whole image as its only part: sat/parts.glsl without CENTER
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/values.glsl"

struct part_frame {
    ivec2 origin, direction, size; // the texel of the part's (0,0); directions; size
};

part_frame frame_of_part(int part) { return part_frame(ivec2(0), ivec2(1), image_size()); }
