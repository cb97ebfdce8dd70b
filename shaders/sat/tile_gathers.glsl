// sat/tile_gathers.glsl - reads texels by 2x2 gathers: SRC_PACKING, without CENTER
//
//   out       g_packed (request_tile), g_raw (take_tile). Texels beyond the image are undefined
//   host sets the defines of common/source.glsl and sat/clean.glsl
//   cost      a gather takes as long as a load of one texel (docs/decisions.md, D37)
//
//   request_tile issues all loads. Code between it and take_tile does not wait for them.
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/gather.glsl"
#include "sat/tile_texels.glsl"

PACKED g_packed[TEXELS / 4 * GATHERS];
int gather_at(int i, int j) { return (j / 2 * (ACROSS / 2) + i / 2) * GATHERS; }

void request_tile(part_frame frame, ivec2 first)
{
    for (int j = 0; j < DOWN; j += 2)
        for (int i = 0; i < ACROSS; i += 2) {
            gathered q = gather(image_corner() + first + READ_STEP(i, j));
            for (int c = 0; c < GATHERS; ++c)
                g_packed[gather_at(i, j) + c] = q.at[c];
        }
}

void take_tile()
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            gathered q;
            for (int c = 0; c < GATHERS; ++c)
                q.at[c] = g_packed[gather_at(i, j) + c];
#if PACKED_CODES && SRC_PACKING == AG_PACKING_8888
            g_raw[j * ACROSS + i] = packed_of(q, j % 2 * 2 + i % 2).x;
#else
            take_texel(j * ACROSS + i, from_codes(texel_of(q, j % 2 * 2 + i % 2)));
#endif
        }
}
