// sat/parts.glsl - where a part of the image lies
//
//   With CENTER the image has four parts, each with a table that begins at the centre:
//
//        part 3 | part 2      part 0: right and down, 1: left and down, 2: right, up, 3: left
//                             and up
//        -------+-------      (drawn with row 0 at the bottom)
//        part 1 | part 0      centre: texel (w / 2, h / 2) is the first of part 0
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/types.glsl"

struct part_frame {
    ivec2 origin, direction, size; // the texel of the part's (0,0); directions; size
};

part_frame frame_of_part(int part)
{
    ivec2 size = image_size();
    part_frame frame = part_frame(ivec2(0), ivec2(1), size);
    if (CENTER != 0) {
        ivec2 centre = size / 2, side = ivec2(part & 1, part >> 1);
        frame = part_frame(centre - side, 1 - 2 * side,
                           side * centre + (1 - side) * (size - centre));
    }
    return frame;
}
