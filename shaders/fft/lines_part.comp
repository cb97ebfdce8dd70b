// fft/lines_part.comp - transforms one of the two parts of lines (method multipass)
//
//   in, out   as fft/lines.comp; b_factors: see fft/factors.glsl
//   how       n = n1 n2 points are a matrix of n1 rows, of positions p and frequencies q:
//                 first part    p = e n2 + s, n1 points e of each column s; then times
//                               exp(-2 pi i q s / n), in place
//                 second part   p = s n2 + e, n2 points e of each row s; q = e n1 + s
//             N points of LINE_PARTS lines: n1 of n2, then n2 of n1. Two such pairs make a chirp's
//   order     the points of a part lie far apart, and those of the next part lie beside them. So a
//             part of four lines is followed by the next part of the same lines, and groups that
//             run at once are in the same tiles:
//
//                 across    0 1 2 3 | 0 1 2 3 | ...  then the next four lines
//                 part      0 0 0 0 | 1 1 1 1 | ...
//
//   host sets as fft/lines.comp; SECOND_PART (0, 1); PART_DOES (AG_PART_*)
//   dispatch  x * y >= ceil(LINE_COUNT / LINES)
//   source    docs/fft.md; Bailey 1990, "FFTs in External or Hierarchical Memory"
//   SPDX-License-Identifier: MIT
#version 430 core
#define HELD ELEMENTS
#include "fft/lines_load.glsl"
#include "fft/lines_store.glsl"
#include "fft/factors.glsl"

void load_line(uint thread, int across, int part, inout uint bad)
{
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k) {
            int at = b + k * (N / R0);
            int position = SECOND_PART == 1 ? part * N + at : at * LINE_PARTS + part;
            int inside = DOES(AG_PART_CHIRP_IN) ? min(position, LINE_LENGTH - 1) : position;
            bool own = HAS_BUTTERFLY(i, N / R0, false) && position == inside;
            load_position(i * R0 + k, inside, across, own, bad);
            if (DOES(AG_PART_CHIRP_IN))
                scale_texel(i * R0 + k, own ? b_factors[CHIRP + inside] : vec2(0.0));
        }
    }
}

// Frequency `at` of a part, in registers e, before it is stored at `position`.
void finish(int e, int at, int part, int position)
{
    if (DOES(AG_PART_TWIDDLE))
        scale_texel(e, b_factors[TWIDDLE + at * part]);
    if (DOES(AG_PART_PRODUCT))
        scale_texel(e, b_factors[PRODUCT + position]);
    if (DOES(AG_PART_PRODUCT | AG_PART_CHIRP_OUT))
        swap_texel(e);
    if (DOES(AG_PART_CHIRP_OUT))
        scale_texel(e, b_factors[CHIRP + min(position, LINE_LENGTH - 1)]);
}

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int index = line_index(line), own = min(index, LINE_COUNT - 1);
    // CELL_TILE lines across, then their next parts (docs/decisions.md, D53).
    int lines = LINE_COUNT / LINE_PARTS, tile = own / (CELL_TILE * LINE_PARTS) * CELL_TILE;
    int within = own - tile * LINE_PARTS, wide = min(CELL_TILE, lines - tile);
    int across = tile + within % wide, part = within / wide;
    load_line(thread, across, part, bad);
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
        for (int k = 0; k < LAST; ++k) {
            int at = b + k * (N / LAST), position = at * LINE_PARTS + part;
            if (HAS_BUTTERFLY(i, N / LAST, false) && (TO_CELLS == 1 || position < LINE_LENGTH)) {
                finish(i * LAST + k, at, part, position);
                store_position(i * LAST + k, position, across);
            }
        }
    }
}
