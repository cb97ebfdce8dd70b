// fft/spread_in.comp - transforms lines from textures into cells, a channel a set of threads
//
//   in        textures, see fft/lines_load.glsl
//   out       b_cells_out (fft/cells.glsl): positions 0 .. KEPT - 1
//             b_info       while scrub is on: adds the number of non-finite texels
//   how       fft/lines.comp keeps whole texels in registers, and its channels take turns. Here
//             they are transformed at once, by CHANNELS times as many threads: for images of so few
//             lines that a GPU has threads to spare, one channel's waits instead of four.
//             Texels are taken apart through shared memory:
//
//                 textures      r g b a | r g b a | ..      a thread a texel
//                 shared        r r r .. | g g g .. | ..    a line for each channel
//                 registers     r r r ..                    ELEMENTS values of one channel
//                 cells         r g b a | r g b a | ..      a cell by neighbouring threads
//   host sets as fft/lines.comp, but LINES counts each channel as a line; SPLIT 0
//   dispatch  x * y >= ceil(LINE_COUNT / (LINES / CHANNELS))
//   cost      as fft/lines.comp, and one more exchange through shared memory
//   source    docs/fft.md; Govindaraju et al. 2008
//   SPDX-License-Identifier: MIT
#version 430 core
#define SPREAD
#include "common/info.glsl"
#include "fft/spread.glsl"
#include "fft/lines_load.glsl"
#include "fft/cells.glsl"

layout(std430, binding = AG_SSBO_CELLS_OUT) writeonly buffer CellsOut {
    vec2 b_cells_out[];
};

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int first = line_index(0u) / CHANNELS, index = first + int(line) / CHANNELS;
    for (int i = 0; i < HELD; ++i) {
        ivec2 at = min(held(i), ivec2(WHOLE_LINES - 1, N - 1));
        load_position(i, at.y, min(first + at.x, LINE_COUNT - 1),
                      IS_HELD(i) && first + at.x < LINE_COUNT, bad);
    }
    for (int i = 0; i < HELD; ++i)
        for (int c = 0; c < CHANNELS; ++c)
            if (IS_HELD(i))
                HELD_PLACE(i, c) = HELD_TEXEL(c, i);
    sync_shared();
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = OWN_PLACE(b + k * (N / R0));
    }
#include "fft/transform.glsl"
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < LAST; ++k) {
            int position = b + k * (N / LAST);
            if (HAS_BUTTERFLY(i, N / LAST, false) && index < LINE_COUNT && position < KEPT)
                b_cells_out[cell_at(texel_at(position, index)) + OWN_CHANNEL] = v[i * LAST + k];
        }
    }
    if (SCRUBS != 0)
        count_bad(bad);
}
