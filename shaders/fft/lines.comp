// fft/lines.comp - transforms lines of an image in shared memory: whole (method tiled), of any
// length by Bluestein's chirp, or one of two parts of them (method multipass)
//
//   in, out   textures or cells, see fft/lines.glsl
//   in        b_factors    of a chirp and of parts, see below
//             b_info       while scrub is on: adds the number of non-finite texels
//   host sets the defines of fft/lines.glsl
//             LINE_KIND    AG_LINES_WHOLE, AG_LINES_CHIRP (with Q0 .. Q4) or AG_LINES_PART
//             SECOND_PART  (0, 1) and PART_DOES (AG_PART_*), of parts
//   whole     a line has N points
//   chirp     any length is a convolution: F(k) = w(k) * sum of (f(n) w(n)) * conj(w(k - n)).
//             LINE_LENGTH values times the chirp, zeros up to N; transform; times the spectrum of
//             the conjugate chirp; inverse transform, with the radices in reversed order, so that
//             nothing is exchanged between the two; times the chirp
//   parts     n = n1 n2 points are a matrix of n1 rows, of positions p and frequencies q:
//                 first part    p = e n2 + s, n1 points e of each column s; then times
//                               exp(-2 pi i q s / n), in place
//                 second part   p = s n2 + e, n2 points e of each row s; q = e n1 + s
//             N and LINE_PARTS are n1 and n2, then n2 and n1. A chirp takes two such pairs.
//             The points of a part lie far apart, and those of the next part lie beside them. So a
//             part of four lines is followed by the next part of the same lines, and groups that
//             run at once are in the same tiles:
//
//                 across    0 1 2 3 | 0 1 2 3 | ...  then the next four lines
//                 part      0 0 0 0 | 1 1 1 1 | ...
//
//   factors   vec2 each, from the places in u_factors on:
//                 CHIRP    w(n) = exp(-pi i n n / length)              n < length
//                 PRODUCT  the spectrum of its conjugate, over points  k < points
//                 TWIDDLE  exp(-2 pi i m / points)                     m < points
//   dispatch  x * y >= ceil(LINE_COUNT / LINES); a group transforms LINES lines with all channels
//   cost      reads and writes each texel once; a channel after the other goes through the same
//             shared memory. Registers: 2 * CHANNELS * ELEMENTS, and those of a transform. A chirp
//             takes two transforms of N >= 2 LINE_LENGTH - 1 points
//   source    docs/fft.md; Govindaraju et al. 2008; Bluestein 1970; Bailey 1990, "FFTs in External
//             or Hierarchical Memory"
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#ifndef LINE_KIND
#error "LINE_KIND (AG_LINES_*) must be set by the host"
#endif
#if LINE_KIND == AG_LINES_CHIRP
#define HELD (ROUNDS(R0, false) * R0)
#else
#define HELD ELEMENTS
#endif
#if LINE_KIND == AG_LINES_PART && (!defined(SECOND_PART) || !defined(PART_DOES))
#error "SECOND_PART and PART_DOES (AG_PART_*) must be set by the host"
#endif
#define SPREAD 0
#include "fft/lines.glsl"

#if LINE_KIND != AG_LINES_WHOLE
layout(std430, binding = AG_SSBO_FACTORS) readonly buffer Factors {
    vec2 b_factors[];
};
layout(location = AG_LOC_FACTORS) uniform ivec4 u_factors;
#define CHIRP u_factors.x
#define PRODUCT u_factors.y
#define TWIDDLE u_factors.z
#endif

#if LINE_KIND == AG_LINES_WHOLE

void load_line(uint thread, int across, int part, inout uint bad)
{
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            load_position(i * R0 + k, b + k * (N / R0), across, HAS_BUTTERFLY(i, N / R0, false),
                          bad);
    }
}

void store_line(uint thread, int across, int part)
{
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < LAST; ++k)
            if (HAS_BUTTERFLY(i, N / LAST, false))
                store_position(i * LAST + k, b + k * (N / LAST), across);
    }
}

#elif LINE_KIND == AG_LINES_CHIRP

void load_line(uint thread, int across, int part, inout uint bad)
{
    for (int e = 0; e < HELD; ++e) {
        int i = e / R0, b = min(int(thread) + i * THREADS, N / R0 - 1);
        int position = b + e % R0 * (N / R0), inside = min(position, LINE_LENGTH - 1);
        bool own = HAS_BUTTERFLY(i, N / R0, false) && position == inside;
        load_position(e, inside, across, own, bad);
        scale_texel(e, own ? b_factors[CHIRP + inside] : vec2(0.0));
    }
}

void convolve_with_chirp(uint line, uint thread)
{
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / LAST - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] =
                cmul(v[i * LAST + k], b_factors[PRODUCT + b + k * (N / LAST)]).yx;
    }
    transform_back(line, thread);
}

void store_line(uint thread, int across, int part)
{
    for (int e = 0; e < HELD; ++e) {
        int i = e / R0, position = int(thread) + i * THREADS + e % R0 * (N / R0);
        if (HAS_BUTTERFLY(i, N / R0, false) && position < LINE_LENGTH) {
            swap_texel(e);
            scale_texel(e, b_factors[CHIRP + position]);
            store_position(e, position, across);
        }
    }
}

#else // one of two parts

#define DOES(what) ((PART_DOES & (what)) != 0)

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

void store_line(uint thread, int across, int part)
{
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

#endif

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int index = line_index(line), across = min(index, LINE_COUNT - 1), part = 0;
#if LINE_KIND == AG_LINES_PART
    // CELL_TILE lines across, then their next parts (docs/decisions.md, D53).
    int lines = LINE_COUNT / LINE_PARTS, tile = across / (CELL_TILE * LINE_PARTS) * CELL_TILE;
    int within = across - tile * LINE_PARTS, wide = min(CELL_TILE, lines - tile);
    across = tile + within % wide;
    part = within / wide;
#endif
    load_line(thread, across, part, bad);
    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: a small program
        take_channel();
        transform(line, thread);
#if LINE_KIND == AG_LINES_CHIRP
        convolve_with_chirp(line, thread);
#endif
        return_channel();
    }
    if (index >= LINE_COUNT)
        return;
#if !FROM_CELLS
    if (SCRUBS != 0)
        count_bad(bad);
#endif
    store_line(thread, across, part);
}
