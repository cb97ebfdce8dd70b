// fft/rows_c2r.glsl - the body of rows_c2r.comp and rows_c2r_compact.comp
//   SPDX-License-Identifier: MIT
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#include "fft/composite.glsl"

// Texels that a turn of the last loop makes of each row: enough loads to overlap, few enough for a small program.
const int TURN = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST;

vec2 done[3 * PLACES]; // the channels before the last, one behind the other

// The convolution at element e of what waits: imaginary parts hold the upper row, see fft/rows_load.glsl.
void channels_at(int e, out vec4 above, out vec4 below)
{
    vec2 c[4] = vec2[4](vec2(0.0), vec2(0.0), vec2(0.0), vec2(0.0));
    if (CHANNELS > 1)
        c[0] = done[e];
    if (CHANNELS > 2)
        c[1] = done[PLACES + e];
    if (CHANNELS > 3)
        c[2] = done[2 * PLACES + e];
    c[CHANNELS - 1] = v[e];
    above = vec4(c[0].y, c[1].y, c[2].y, c[3].y);
    below = vec4(c[0].x, c[1].x, c[2].x, c[3].x);
}

// Texels go out a few at a time, from the first registers; each turn moves the others down (rows_r2c.glsl).
void store_rows(int pair, uint thread, bool alive)
{
    ivec2 last = u_src_rect.zw - 1;
    factors f = composite_factors();
#if HALVES
    for (int turn = 0; turn < ROLLED(PLACES / TURN); ++turn) {
#else // texels of floats take the registers that a rolled loop needs
    for (int turn = 0; turn < PLACES / TURN; ++turn) {
#endif
        int i = turn * TURN / LAST, k = turn * TURN % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT);
        TEXEL upper[TURN], lower[TURN];
        for (int t = 0; t < TURN; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uint counted_before; // by rows_r2c.comp
            upper[t] = load_texel(min(p, last), counted_before);
            lower[t] = load_texel(min(p + ivec2(0, 1), last), counted_before);
        }
        for (int t = 0; t < TURN; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            vec4 above, below;
            channels_at(t, above, below);
            vec3 filtered_above = vec3(0.0), filtered_below = vec3(0.0);
            if (FILTERS) {
                filtered_above = bloom_filter(colour(upper[t]).rgb);
                filtered_below = bloom_filter(colour(lower[t]).rgb);
            }
            above = composite(f, colour(upper[t]), filtered_above, above);
            below = composite(f, colour(lower[t]), filtered_below, below);
            if (stores && p.x <= last.x)
                store_texel(p, above);
            if (stores && p.x <= last.x && p.y < last.y)
                store_texel(p + ivec2(0, 1), below);
        }
        for (int e = 0; e < PLACES - TURN; ++e)
            v[e] = v[e + TURN];
        for (int e = 0; e < (CHANNELS - 1) * PLACES - TURN; ++e)
            done[e] = done[e + TURN];
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < PAIRS_OF_ROWS;
    pair = min(pair, PAIRS_OF_ROWS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: see rows_r2c.glsl
        for (int e = 0; e < (CHANNELS - 2) * PLACES; ++e)
            done[e] = done[e + PLACES];
        if (CHANNELS > 1)
            for (int e = 0; e < PLACES; ++e)
                done[max(CHANNELS - 2, 0) * PLACES + e] = v[e];
        load_spectra(c, thread, pair);
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
    }
    store_rows(pair, thread, alive);
}
