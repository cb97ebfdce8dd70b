// fft/rows_back.comp - half spectra back to rows of texels, two rows at a time, and the composite
//
//   in        b_spectrum  from columns.comp, one range a channel, see fft/spectrum.glsl
//             i_src       the scene again (t_src with SRC_WORDS), for alpha, the composite and the kernel's centre
//                         weight; with ALONE none of it
//             b_alpha     with ALONE: alpha, from rows_forward.comp
//   out       i_dst       keep * src + self * T + direct * centre * T + gain * convolution
//   host sets the defines of fft/line.glsl, fft/spectrum.glsl, common/load.glsl and common/store.glsl
//             CHANNELS    1 .. 4 come back, one after the other
//             FILTERED    1 = bloom's T
//             BANDED      1 = frequencies from u_spectrum.y on are zero
//             ALONE       1 = three channels of 16-bit floats that are the convolution and nothing else: done ones
//                         wait as they will be stored, in half the registers. Not with FILTERED, SPREAD
//             SPREAD      1 = the lines of a group are the channels of one pair, side by side
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows. SPREAD: pairs
//   cost      reads the spectrum once, up to u_spectrum.y, each texel of src once (ALONE: two bytes), writes each
//             texel of dst once
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "fft/line.glsl"
#include "fft/spectrum.glsl"
#include "common/load.glsl"
#include "common/store.glsl"
#include "fft/bloom_filter.glsl"

#if !defined(CHANNELS) || !defined(FILTERED) || !defined(SPREAD) || !defined(BANDED) || !defined(ALONE)
#error "CHANNELS (1..4), FILTERED, SPREAD, BANDED and ALONE (0 or 1) must be set by the host"
#endif

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // x = row pairs, y = columns in use, w = cells a channel
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channel count
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;
layout(location = AG_LOC_DIRECT) uniform vec4 u_direct;
layout(location = AG_LOC_SELF) uniform vec4 u_self;
layout(location = AG_LOC_KEEP) uniform vec4 u_keep;
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    SPECTRUM_CELL at[];
} b_spectrum[4 - ALONE]; // one a channel; SPREAD: all in the first
#if ALONE
layout(std430, binding = AG_SSBO_ALPHA) readonly buffer Alpha { uint b_alpha[]; };
#endif
#if SPREAD
#define CELL(c, place) b_spectrum[0].at[c * (COMPACT + 1) * u_spectrum.w + place]
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

#define MIRROR_FIRST true
#define MIRROR_LAST false
#define MIRROR_OUT (Q1 == 1) // a single stage is first and last

const int FIRST_STEP = N / Q0; // distance of the frequencies of a first butterfly; as many butterflies
const int OUT_STEP = N / R0;   // of the texels of a last one
const int BATCH = R0 % 3 == 0 ? 3 : 2; // elements whose texels are loaded at once

#if ALONE

// The last three channels done, as they will be stored: the first row in a word's low half.
uint red[ELEMENTS], green[ELEMENTS], blue[ELEMENTS];

void store_alone(int pair, uint thread, bool alive)
{
    ivec2 size = u_src_rect.zw;
    uint alpha[ELEMENTS];
    for (int i = 0; i < ROUNDS(R0, MIRROR_OUT); ++i)
        for (int k = 0; k < R0; ++k) {
            int x = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT)) + k * OUT_STEP;
            alpha[i * R0 + k] = b_alpha[pair * size.x + min(x, size.x - 1)];
        }
    for (int i = 0; i < ROUNDS(R0, MIRROR_OUT); ++i)
        for (int k = 0; k < R0; ++k) {
            int e = i * R0 + k;
            ivec2 p = ivec2(int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT)) + k * OUT_STEP, 2 * pair);
            uvec2 odd = uvec2(red[e], blue[e]), even = uvec2(green[e], alpha[e]);
            uvec2 upper = odd & 0xffffu | even << 16, lower = odd >> 16 | even & 0xffff0000u;
            bool stores = alive && HOLDS(i, OUT_STEP, MIRROR_OUT) && p.x < size.x;
            if (stores)
                imageStore(i_dst, u_dst_rect.xy + p, vec4(unpackHalf2x16(upper.x), unpackHalf2x16(upper.y)));
            if (stores && p.y + 1 < size.y)
                imageStore(i_dst, u_dst_rect.xy + p + ivec2(0, 1),
                           vec4(unpackHalf2x16(lower.x), unpackHalf2x16(lower.y)));
        }
}

#else

// The channels done so far; the last one stays in v.
#if CHANNELS > 1 && !SPREAD
vec2 last1[ELEMENTS];
#endif
#if CHANNELS > 2 && !SPREAD
vec2 last2[ELEMENTS];
#endif
#if CHANNELS > 3 && !SPREAD
vec2 last3[ELEMENTS];
#endif

#if !SPREAD
// The convolution of rows 2p (row = 0) and 2p + 1 at element e.
vec4 convolved(int e, int row)
{
    // real parts hold the first row; the inverse by a forward transform swaps real and imaginary
#define PART(value) (row == 0 ? (value).y : (value).x)
#if CHANNELS == 1
    return vec4(PART(v[e]), 0.0, 0.0, 0.0);
#elif CHANNELS == 2
    return vec4(PART(last1[e]), PART(v[e]), 0.0, 0.0);
#elif CHANNELS == 3
    return vec4(PART(last2[e]), PART(last1[e]), PART(v[e]), 0.0);
#else
    return vec4(PART(last3[e]), PART(last2[e]), PART(last1[e]), PART(v[e]));
#endif
#undef PART
}
#endif

void write(ivec2 p, vec4 c, vec4 self, vec4 convolution)
{
#if FILTERED
    vec4 result = u_keep * c + self * vec4(bloom_filter(c.rgb), c.a) + u_gain * convolution;
    // What is only copied (alpha) must not meet a product: 0 times infinity is not 0.
    bvec4 copied = equal(abs(u_gain) + abs(u_self), vec4(0.0));
    result = mix(result, u_keep * c, copied);
#else
    vec4 result = (u_keep + self) * c + u_gain * convolution; // of a copied channel the latter is 0
#endif
    if (p.x < u_src_rect.z && p.y < u_src_rect.w)
        store_texel(p, result);
}

#endif
#if COMPACT
// The cell of frequency f. `least`: what f is at least, a constant, so that only few ask for exact ones.
vec4 scaled(int c, int f, int least, int pair, int cell)
{
    int place = columns_scale(f, pair / 2, N / 2, u_spectrum.x);
    uvec2 words = CELL(c, cell), both = CELL(c, place / 2);
    uint scale = place % 2 == 0 ? both.x : both.y;
    vec4 value = vec4(from_word(words.x), from_word(words.y)) * uintBitsToFloat(scale);
    if (least < EXACT && f < EXACT) {
        int exact = exact_place(f, pair, N / 2, u_spectrum.x) / 2;
        value = uintBitsToFloat(uvec4(CELL(c, exact), CELL(c, exact + 1)));
    }
    return value; // once, at the end: see fft/line.glsl on functions that return early
}
#define GET(f, least, cell) scaled(c, f, least, pair, cell)
#elif BANDED
// Nothing from `kept` on. Always loads, from inside: no load needs a branch.
vec4 banded(int c, int f, int kept, int cell)
{
    bool inside = f < kept;
    return mix(vec4(0.0), from_cell(CELL(c, int(inside) * cell)), bvec4(inside));
}
#define GET(f, least, cell) banded(c, f, kept, cell)
#else
#define GET(f, least, cell) from_cell(CELL(c, cell))
#endif

void load_spectrum(int c, uint thread, int pair, int kept)
{
    for (int i = 0; i < ROUNDS(Q0, true); i += 2) {
        bool self = i == 0 && thread == 0u; // butterflies 0 and FIRST_STEP / 2 mirror themselves
        // threads without a butterfly load another's: no load needs a branch
        int b0 = min(int(BUTTERFLY(i, FIRST_STEP, true)), FIRST_STEP - 1);
        int b1 = min(max(int(BUTTERFLY(i + 1, FIRST_STEP, true)), 0), FIRST_STEP - 1);
        int cell0 = cell_index(b0, pair, u_spectrum.x), cell1 = cell_index(b1, pair, u_spectrum.x);
        vec4 a[Q0], b[Q0];
        for (int k = 0; k < (Q0 + 1) / 2; ++k)
            a[k] = GET(b0 + k * FIRST_STEP, k * FIRST_STEP, cell_after(cell0, b0, k * FIRST_STEP, pair, u_spectrum.x));
        for (int k = 0; k < Q0 / 2; ++k)
            b[k] = GET(b1 + k * FIRST_STEP, k * FIRST_STEP + FIRST_STEP / 2,
                       cell_after(cell1, b1, k * FIRST_STEP, pair, u_spectrum.x));
        // Z(f) = E + i O and Z(n - f) = conj E + i conj O, real and imaginary parts swapped
        for (int k = 0; k < Q0; ++k) {
            if (k < (Q0 + 1) / 2)
                v[i * Q0 + k] = vec2(a[k].y + a[k].z, a[k].x - a[k].w);
            else {
                vec4 m = mix(b[Q0 - 1 - k], a[Q0 - k], bvec4(self));
                v[i * Q0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
            if (k < Q0 / 2)
                v[(i + 1) * Q0 + k] = vec2(b[k].y + b[k].z, b[k].x - b[k].w);
            else {
                vec4 m = mix(a[Q0 - 1 - k], b[Q0 - 1 - k], bvec4(self));
                v[(i + 1) * Q0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
        }
        if (i == 0) { // frequencies 0 and n / 2 share a cell
            const int NYQUIST = Q0 % 2 == 0 ? Q0 / 2 : Q0 + Q0 / 2;
            v[0] = mix(v[0], a[0].zx, bvec2(self));
            v[NYQUIST] = mix(v[NYQUIST], a[0].wy, bvec2(self));
        }
    }
}

#if ALONE
void keep_channel()
{
    for (int e = 0; e < ELEMENTS; ++e) {
        red[e] = green[e];
        green[e] = blue[e];
        blue[e] = pack_halves(v[e].yx); // real parts hold the first row, see convolved()
    }
}
#endif

void main()
{
    uint line = LINE, thread = THREAD;
#if BANDED
    int kept = u_spectrum.y;
#else
    const int kept = N; // all
#endif
#if SPREAD
    int pair = int(gl_WorkGroupID.x);
    load_spectrum(int(line), thread, pair, kept);
#define REVERSED 1
#include "fft/transform.glsl"
#undef REVERSED
#else
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < u_spectrum.x;
    pair = min(pair, u_spectrum.x - 1); // so that every load is from inside, and needs no branch

    for (int c = 0; c < u_channels.y; ++c) {
#if !ALONE
        for (int e = 0; e < ELEMENTS; ++e) {
#if CHANNELS > 3
            last3[e] = last2[e];
#endif
#if CHANNELS > 2
            last2[e] = last1[e];
#endif
#if CHANNELS > 1
            last1[e] = v[e];
#endif
        }
#endif
        load_spectrum(c, thread, pair, kept);
#define REVERSED 1
#include "fft/transform.glsl"
#undef REVERSED
#if ALONE
        keep_channel();
#endif
    }
#endif

#if ALONE
    store_alone(pair, thread, alive);
#else
    ivec2 last = u_src_rect.zw - 1;
    // One factor for T, so that a kernel that is only its centre cancels exactly. Loaded once: a load after a
    // store cannot move before it.
    vec4 self = u_self + u_direct * b_info.centre;
    uint counted_before = 0u; // rows_forward.comp counted bad texels
#if SPREAD
    // The channels meet in shared memory: one row after the other, or both at once.
    for (int row = 0; row < (1 + SPLIT); ++row) {
        sync_shared();
        for (int i = 0; i < ROUNDS(R0, MIRROR_OUT); ++i)
            for (int k = 0; k < R0; ++k)
                if (HOLDS(i, OUT_STEP, MIRROR_OUT))
                    s_exchange[line * uint(STRIDE) + BUTTERFLY(i, OUT_STEP, MIRROR_OUT) + uint(k * OUT_STEP)] =
#if SPLIT
                        row == 0 ? v[i * R0 + k].y : v[i * R0 + k].x;
#else
                        v[i * R0 + k].yx; // real parts hold the first row, see convolved()
#endif
        sync_shared();
        for (int first = 0; first < N; first += GROUP) {
            int x = first + int(gl_LocalInvocationID.x), place = min(x, N - 1);
            ivec2 p = ivec2(x, 2 * pair + row);
            vec4 texel = load_texel(min(p, last), counted_before), convolution = vec4(0.0);
#if SPLIT
            for (int c = 0; c < CHANNELS; ++c)
                convolution[c] = s_exchange[c * STRIDE + place];
#else
            vec4 below = vec4(0.0), texel_below = load_texel(min(p + ivec2(0, 1), last), counted_before);
            for (int c = 0; c < CHANNELS; ++c) {
                convolution[c] = s_exchange[c * STRIDE + place].x;
                below[c] = s_exchange[c * STRIDE + place].y;
            }
            write(p + ivec2(0, 1), texel_below, self, below);
#endif
            write(p, texel, self, convolution);
        }
    }
#else
    for (int i = 0; i < ROUNDS(R0, MIRROR_OUT); ++i) {
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && (HOLDS(i, OUT_STEP, MIRROR_OUT));
        for (int first = 0; first < R0; first += BATCH) { // loads of a batch, then its stores
            vec4 upper[BATCH], lower[BATCH];
            for (int j = 0; j < BATCH; ++j) {
                ivec2 p = ivec2(b + (first + j) * OUT_STEP, 2 * pair);
                upper[j] = load_texel(min(p, last), counted_before);
                lower[j] = load_texel(min(p + ivec2(0, 1), last), counted_before);
            }
            for (int j = 0; j < BATCH; ++j) {
                ivec2 p = ivec2(b + (first + j) * OUT_STEP, 2 * pair);
                int e = i * R0 + min(first + j, R0 - 1);
                if (stores && first + j < R0) {
                    write(p, upper[j], self, convolved(e, 0));
                    write(p + ivec2(0, 1), lower[j], self, convolved(e, 1));
                }
            }
        }
    }
#endif
#endif
}
