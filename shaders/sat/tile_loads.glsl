// sat/tile_loads.glsl - the thread's texels, one a load
//
//   All loads at once. Texels beyond the image are its last ones. They are on their way until they are used.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_TILE_LOADS_GLSL
#define AG_SAT_TILE_LOADS_GLSL
#include "sat/source.glsl"
#include "sat/tile_texels.glsl"

void take_tile() {}

void request_tile(part_frame frame, ivec2 first)
{
    ivec2 last = frame.size - 1;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = min(first + READ_STEP(i, j), last);
            ivec2 place = max(frame.origin + frame.direction * at, ivec2(0));
            take_texel(j * ACROSS + i, source_texel(place));
        }
}

#endif
