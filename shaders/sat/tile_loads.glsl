// sat/tile_loads.glsl - reads the thread's texels by single loads
//
//   in        the image: common/source.glsl. By an image unit, where GL makes no view of it, and in
//             place: a texture unit's cache may miss stores of this dispatch
//   host sets the defines of common/source.glsl and sat/clean.glsl
//   out       g_raw: request_tile issues all loads; texels beyond the image are its last ones
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/source.glsl"
#include "sat/tile_texels.glsl"

void request_tile(part_frame frame, ivec2 first)
{
    ivec2 last = frame.size - 1;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = min(first + READ_STEP(i, j), last);
            ivec2 place = max(frame.origin + frame.direction * at, ivec2(0));
            take_texel(j * ACROSS + i, raw_texel(image_corner() + place));
        }
}
