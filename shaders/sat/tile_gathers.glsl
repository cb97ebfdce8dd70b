// sat/tile_gathers.glsl - the thread's texels by gathers, four at once: with subgroups, SRC_PACKING, without CENTER
//
//   why       a texture unit brings a texel of every lane or four of them in the same time: 16.8 million
//             loads take an H200 19 us, whatever their bytes
//
//   All loads at once. Texels beyond the image are any. Until take_tile they are on their way: what comes between need
//   not wait for them.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_TILE_GATHERS_GLSL
#define AG_SAT_TILE_GATHERS_GLSL
#include "common/source.glsl"
#define SRC_LAYER u_src_mode.w
#include "common/gather.glsl"
#include "sat/tile_texels.glsl"

PACKED g_packed[TEXELS / 4 * GATHERS];
int quad_at(int i, int j) { return (j / 2 * (ACROSS / 2) + i / 2) * GATHERS; }

void request_tile(part_frame frame, ivec2 first)
{
    for (int j = 0; j < DOWN; j += 2)
        for (int i = 0; i < ACROSS; i += 2) {
            quad q = gather(image_corner() + first + READ_STEP(i, j));
            for (int c = 0; c < GATHERS; ++c)
                g_packed[quad_at(i, j) + c] = q.at[c];
        }
}

void take_tile()
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            quad q;
            for (int c = 0; c < GATHERS; ++c)
                q.at[c] = g_packed[quad_at(i, j) + c];
#if IN_WORDS && SRC_PACKING == AG_PACKING_8888
            g_raw[j * ACROSS + i] = words_of(q, j % 2 * 2 + i % 2).x;
#else
            take_texel(j * ACROSS + i, from_codes(texel_of(q, j % 2 * 2 + i % 2)));
#endif
        }
}

#endif
