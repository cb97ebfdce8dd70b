// fft/lines_chirp.comp - transforms lines of any length, each in shared memory: Bluestein's chirp
//
//   in, out   as fft/lines.comp; b_factors: see fft/factors.glsl
//   how       LINE_LENGTH values times the chirp, zeros up to N; transform; times the spectrum of
//             the conjugate chirp; inverse transform, with the radices in reversed order, so that
//             nothing is exchanged between the two; times the chirp
//   host sets as fft/lines.comp, both orders of radices
//   dispatch  as fft/lines.comp
//   cost      two transforms of N >= 2 LINE_LENGTH - 1 points
//   source    docs/fft.md; Bluestein 1970
//   SPDX-License-Identifier: MIT
#version 430 core
#define HELD (ROUNDS(R0, false) * R0)
#include "fft/lines_load.glsl"
#include "fft/lines_store.glsl"
#include "fft/factors.glsl"

void load_line(uint thread, int across, inout uint bad)
{
    for (int e = 0; e < HELD; ++e) {
        int i = e / R0, b = min(int(thread) + i * THREADS, N / R0 - 1);
        int position = b + e % R0 * (N / R0), inside = min(position, LINE_LENGTH - 1);
        bool own = HAS_BUTTERFLY(i, N / R0, false) && position == inside;
        load_position(e, inside, across, own, bad);
        scale_texel(e, own ? b_factors[CHIRP + inside] : vec2(0.0));
    }
}

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int index = line_index(line), across = min(index, LINE_COUNT - 1);
    load_line(thread, across, bad);
    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        take_channel();
#include "fft/transform.glsl"
        for (int i = 0; i < ROUNDS(LAST, false); ++i) {
            int b = min(int(thread) + i * THREADS, N / LAST - 1);
            for (int k = 0; k < LAST; ++k)
                v[i * LAST + k] =
                    cmul(v[i * LAST + k], b_factors[PRODUCT + b + k * (N / LAST)]).yx;
        }
#include "fft/transform_back.glsl"
        return_channel();
    }
    if (index >= LINE_COUNT)
        return;
#if !FROM_CELLS
    if (SCRUBS != 0)
        count_bad(bad);
#endif
    for (int e = 0; e < HELD; ++e) {
        int i = e / R0, position = int(thread) + i * THREADS + e % R0 * (N / R0);
        if (HAS_BUTTERFLY(i, N / R0, false) && position < LINE_LENGTH) {
            swap_texel(e);
            scale_texel(e, b_factors[CHIRP + position]);
            store_position(e, position, across);
        }
    }
}
