// fft/rows_back.comp - half spectra back to rows of texels, two rows at a time (C2R), and the composite
//
//   in        b_spectrum      see fft/rows_load.glsl
//             t_src or i_src  the scene again, for alpha, the composite and the kernel's centre weight
//   out       i_dst           see fft/composite.glsl
//   host sets the defines of fft/line.glsl (its radices from last to first), fft/spectrum.glsl, fft/rows_load.glsl,
//             fft/source.glsl and fft/composite.glsl
//             CHANNELS    1 .. 4 come back, one after the other
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows
//   cost      reads the spectrum once, up to KEPT, and each texel of src once; writes each texel of dst once
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#include "fft/rows_load.glsl"
#include "fft/composite.glsl"

// Texels that a turn of the last loop makes of each row: enough loads to overlap, few enough for a small program.
const int TURN = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST;

vec2 done[max(CHANNELS - 1, 1) * ELEMENTS]; // the channels before the last, one behind the other

// Texels go out a few at a time, from the first registers; each turn moves the others down (rows_forward.comp).
void store_rows(int pair, uint thread, bool alive)
{
    ivec2 last = u_src_rect.zw - 1;
    vec4 self = factor_of_self();
    int never = min(PAIRS_OF_ROWS, 0); // 0, which no compiler knows: the loop is not unrolled
    for (int turn = 0; turn < PLACES / TURN + never; ++turn) {
        int i = turn * TURN / LAST, k = turn * TURN % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HOLDS(i, OUT_STEP, MIRROR_OUT);
        TEXEL upper[TURN], lower[TURN];
        for (int t = 0; t < TURN; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uint counted_before; // by rows_forward.comp
            upper[t] = load_texel(min(p, last), counted_before);
            lower[t] = load_texel(min(p + ivec2(0, 1), last), counted_before);
        }
        for (int t = 0; t < TURN; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            vec4 above = vec4(0.0), below = vec4(0.0); // imaginary parts hold the upper row, see fft/rows_load.glsl
            for (int c = 0; c < CHANNELS - 1; ++c) {
                above[c] = done[c * ELEMENTS + t].y;
                below[c] = done[c * ELEMENTS + t].x;
            }
            above[CHANNELS - 1] = v[t].y;
            below[CHANNELS - 1] = v[t].x;
            if (stores && p.x <= last.x) {
                store_composite(p, colour(upper[t]), self, above);
                if (p.y < last.y)
                    store_composite(p + ivec2(0, 1), colour(lower[t]), self, below);
            }
        }
        for (int e = 0; e < PLACES - TURN; ++e) {
            v[e] = v[e + TURN];
            for (int c = 0; c < CHANNELS - 1; ++c)
                done[c * ELEMENTS + e] = done[c * ELEMENTS + e + TURN];
        }
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < PAIRS_OF_ROWS;
    pair = min(pair, PAIRS_OF_ROWS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + min(PAIRS_OF_ROWS, 0); ++c) { // not unrolled: see rows_forward.comp
        for (int e = 0; e < ELEMENTS; ++e) {
            for (int d = 0; d < CHANNELS - 2; ++d)
                done[d * ELEMENTS + e] = done[(d + 1) * ELEMENTS + e];
            if (CHANNELS > 1)
                done[max(CHANNELS - 2, 0) * ELEMENTS + e] = v[e];
        }
        load_spectra(c, thread, pair);
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
    }
    store_rows(pair, thread, alive);
}
