// fft/rows_c2r.comp - C2R row pass: half spectra to rows of texels, two rows at a time, composited
//
//   in        b_spectrum      see fft/spectrum.glsl
//             t_src or i_src  the source again: for alpha, the composite and the centre weight
//   out       i_dst           see fft/composite.glsl
//   host sets the defines of fft/rows_load.glsl, fft/source.glsl and fft/composite.glsl
//             CHANNELS     1 .. 4 are transformed
//             PER_CHANNEL  0 = one after the other; 1 = at once, for small images: LINES is their
//                          number, and a group transforms the channels of one row pair side by side
//                          (docs/decisions.md, D15)
//             FILTERABLE   1 = bloom, 0 = T is src
//   dispatch  ceil(row pairs / LINES), or row pairs if PER_CHANNEL
//   cost      reads the KEPT columns once and each texel of src once; writes each texel of dst
//             once. The channels of a texel meet in registers, or in shared memory if PER_CHANNEL.
//             Compact storage has about half of the spectrum's bytes
//   limits    registers: 112 VGPRs, 4 waves a SIMD on RDNA 2; 128, 2 on GCN 5 (docs/gpus.md)
//   source    docs/convolve.md 3, 5 and 6
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef CHANNELS
#error "CHANNELS (1..4) must be set by the host"
#endif
#define CHANNEL_BUFFERS 4
#include "fft/rows_load.glsl"
#include "fft/composite.glsl"

#if !PER_CHANNEL

// Texels of each row that the storing loop takes at a time, as in rows_r2c.comp.
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
            upper[t] = load_source(min(p, last), counted_before);
            lower[t] = load_source(min(p + ivec2(0, 1), last), counted_before);
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

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: see rows_r2c.comp
        move_convolved_down(PLACES);
        if (CHANNELS > 1)
            for (int e = 0; e < PLACES; ++e)
                convolved[max(CHANNELS - 2, 0) * PLACES + e] = v[e];
        load_spectra(c, thread, pair);
        transform(line, thread);
    }
    store_rows(pair, thread, alive);
}

#else

#if SPLIT // a place of shared memory holds one row, the rows take turns; else it holds both
#define PARTS 2
#define PART(value, row) ((row) == 0 ? (value).y : (value).x)
#define ROW_OF(place, row) (place)
#else
#define PARTS 1
#define PART(value, row) (value)
#define ROW_OF(place, row) ((row) == 0 ? (place).y : (place).x)
#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x);
    load_spectra(int(line), thread, pair);
    transform(line, thread);

    ivec2 last = u_src_rect.zw - 1;
    factors f = composite_factors();
    for (int part = 0; part < PARTS; ++part) {
        sync_shared(); // the last exchange, or the upper row, has been read
        for (int i = 0; i < ROUNDS(LAST, MIRROR_OUT); ++i)
            for (int k = 0; k < LAST; ++k)
                if (HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT))
                    s_exchange[line * uint(STRIDE) + BUTTERFLY(i, OUT_STEP, MIRROR_OUT) +
                               uint(k * OUT_STEP)] = PART(v[i * LAST + k], part);
        sync_shared();
        for (int row = part; row < (PARTS == 2 ? part + 1 : 2); ++row)
            for (int x = int(gl_LocalInvocationID.x); x <= last.x; x += GROUP) {
                ivec2 p = ivec2(x, 2 * pair + row);
                uint counted_before; // by rows_r2c.comp
                TEXEL texel = load_source(min(p, last), counted_before);
                vec4 convolution = vec4(0.0);
                for (int c = 0; c < LINES; ++c)
                    convolution[c] = ROW_OF(s_exchange[c * STRIDE + x], row);
                vec3 filtered = vec3(0.0);
                if (FILTERS)
                    filtered = bloom_filter(colour(texel).rgb);
                if (p.y <= last.y)
                    store_texel(p, composite(f, colour(texel), filtered, convolution));
            }
    }
}

#endif
