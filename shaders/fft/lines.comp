// fft/lines.comp - transforms lines of an image, each as a whole in shared memory (method tiled)
//
//   in, out   textures or cells, see fft/lines_load.glsl and fft/lines_store.glsl
//             b_info       while scrub is on: adds the number of non-finite texels
//   host sets the defines of fft/line.glsl (forward), fft/lines_load.glsl, fft/lines_store.glsl
//   dispatch  x * y >= ceil(LINE_COUNT / LINES); a group transforms LINES lines with all channels
//   cost      reads and writes each texel once; a channel after the other goes through the same
//             shared memory. Registers: 2 * CHANNELS * ELEMENTS, and those of a transform
//   source    docs/fft.md; Govindaraju et al. 2008
//   SPDX-License-Identifier: MIT
#version 430 core
#define HELD ELEMENTS
#include "fft/lines_load.glsl"
#include "fft/lines_store.glsl"

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int index = line_index(line), across = min(index, LINE_COUNT - 1);
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            load_position(i * R0 + k, b + k * (N / R0), across, HAS_BUTTERFLY(i, N / R0, false),
                          bad);
    }
    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        take_channel();
#include "fft/transform.glsl"
        return_channel();
    }
    if (index >= LINE_COUNT)
        return;
#if !FROM_CELLS
    if (SCRUBS != 0)
        count_bad(bad);
#endif
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < LAST; ++k)
            if (HAS_BUTTERFLY(i, N / LAST, false))
                store_position(i * LAST + k, b + k * (N / LAST), across);
    }
}
