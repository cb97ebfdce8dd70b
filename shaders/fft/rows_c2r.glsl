// fft/rows_c2r.glsl - the body of rows_c2r.comp and rows_c2r_compact.comp
//   SPDX-License-Identifier: MIT
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#include "fft/composite.glsl"

// Texels of each row that the storing loop takes at a time, as in rows_texels.glsl.
const int WIDEST = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST;
#if SRC_IS_RGBA16F
const int BATCH = WIDEST;
#else // fewer where AMD's GCN has no registers for two times four floats each, and 13 for addresses
const int REGISTERS = GROUP > 768 ? 64 : GROUP > 512 ? 84 : GROUP > 256 ? 128 : 256; // of a thread
const int TEXELS = (REGISTERS - 13 - 2 * CHANNELS * PLACES) / 8;
const int BATCH = WIDEST <= TEXELS ? WIDEST : LAST % 2 == 0 && TEXELS >= 2 ? 2 : 1;
#endif

vec2 convolved[3 * PLACES]; // the channels before the last, one behind the other

// Three loops: Mesa unrolls at most 32 turns, and puts arrays with a varying index into memory.
void move_convolved_down(const int by)
{
    const int MOVED = (CHANNELS - 1) * PLACES - by;
    for (int e = 0; e < min(PLACES, MOVED); ++e)
        convolved[e] = convolved[e + by];
    for (int e = PLACES; e < min(2 * PLACES, MOVED); ++e)
        convolved[e] = convolved[e + by];
    for (int e = 2 * PLACES; e < MOVED; ++e)
        convolved[e] = convolved[e + by];
}

// The convolution at element e of the registers. Imaginary parts hold the upper row.
void channels_at(int e, out vec4 above, out vec4 below)
{
    vec2 c[4] = vec2[4](vec2(0.0), vec2(0.0), vec2(0.0), vec2(0.0));
    if (CHANNELS > 1)
        c[0] = convolved[e];
    if (CHANNELS > 2)
        c[1] = convolved[PLACES + e];
    if (CHANNELS > 3)
        c[2] = convolved[2 * PLACES + e];
    c[CHANNELS - 1] = v[e];
    above = vec4(c[0].y, c[1].y, c[2].y, c[3].y);
    below = vec4(c[0].x, c[1].x, c[2].x, c[3].x);
}

// Stores batches of texels from the first registers; each batch moves the others down.
void store_rows(int pair, uint thread, bool alive)
{
    ivec2 last = u_src_rect.zw - 1;
    factors f = composite_factors();
#if SRC_IS_RGBA16F
    for (int batch = 0; batch < ROLLED(PLACES / BATCH); ++batch) {
#else // texels of floats leave no registers for a rolled loop
    for (int batch = 0; batch < PLACES / BATCH; ++batch) {
#endif
        int i = batch * BATCH / LAST, k = batch * BATCH % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT);
        TEXEL upper[BATCH], lower[BATCH];
        for (int t = 0; t < BATCH; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uint counted_before; // by rows_r2c.comp
            upper[t] = load_texel(min(p, last), counted_before);
            lower[t] = load_texel(min(p + ivec2(0, 1), last), counted_before);
        }
        for (int t = 0; t < BATCH; ++t) {
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
        for (int e = 0; e < PLACES - BATCH; ++e)
            v[e] = v[e + BATCH];
        move_convolved_down(BATCH);
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: see rows_r2c.glsl
        move_convolved_down(PLACES);
        if (CHANNELS > 1)
            for (int e = 0; e < PLACES; ++e)
                convolved[max(CHANNELS - 2, 0) * PLACES + e] = v[e];
        load_spectra(c, thread, pair);
#include "fft/transform.glsl"
    }
    store_rows(pair, thread, alive);
}
