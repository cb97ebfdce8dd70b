// fft/rows_c2r.comp - C2R row pass: half spectra to rows of texels, two rows at a time
//
//   in        b_spectrum      from the column pass, one range a channel, see fft/spectrum.glsl
//             t_src or i_src  PLAIN 0: the source again, for alpha, the composite and the centre
//                             weight
//             b_alpha         PLAIN 1: src's alpha, from rows_r2c.comp
//   out       i_dst           PLAIN 0: the composite, see fft/composite.glsl. PLAIN 1: the
//                             convolution and src's alpha only, RGBA16F bound as RG32UI
//   host sets the defines of fft/line.glsl (radices from last to first) and fft/spectrum.glsl
//             BAND_LIMITED  1 = frequencies from KEPT on are zero, in full storage only
//             NARROW        1 = a thread loads at most one frequency, see fft/rows_store.glsl. R0
//                           may be any number, R1 is even
//             PLAIN         0, 1; 1 = three channels, and src is not read
//             CHANNELS      1 .. 4 are transformed
//             PER_CHANNEL   0 = one after the other; 1 = at once, for small images: LINES is their
//                           number, and a group transforms the channels of one row pair side by
//                           side (docs/decisions.md, D15)
//             with PLAIN 0 also the defines of fft/composite.glsl, FILTERABLE 1 for bloom
//   dispatch  ceil(row pairs / LINES), or row pairs if PER_CHANNEL
//   cost      reads the KEPT columns once and each texel of src, or two bytes of alpha, once;
//             writes each texel of dst once. The channels of a texel meet in registers, with PLAIN
//             as 16-bit floats in half of them, or if PER_CHANNEL in shared memory. Compact
//             storage has about half of the spectrum's bytes
//   limits    registers: 112 VGPRs, 4 waves a SIMD on RDNA 2; 128, 2 on GCN 5 (docs/gpus.md)
//   source    docs/convolve.md 3, 5 and 6
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(BAND_LIMITED) || !defined(NARROW) || !defined(PLAIN) || !defined(CHANNELS) || \
    !defined(PER_CHANNEL)
#error "BAND_LIMITED, NARROW, PLAIN, CHANNELS and PER_CHANNEL must be set by the host"
#endif
#include "common/sync.glsl"
#include "fft/spectrum.glsl"
#define MIRROR_FIRST true
#define MIRROR_LAST false
#define LEFT_OUT NARROW
#define MIRROR_OUT (R1 == 1) // a single stage is both first and last
#include "fft/line.glsl"
#if PLAIN
#include "common/texel.glsl"
#else
#include "fft/composite.glsl"
#endif

layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
#if COMPACT
    uvec2 at[]; // a cell, one word for each of two rows; or two scales
#else
    vec4 at[];
#endif
} b_spectrum[4 - PLAIN]; // b_alpha has the last binding
#if PER_CHANNEL // all channels are in the first buffer
#if COMPACT // CELLS_OF_CHANNEL counts 16 bytes
#define CELL(c, place) b_spectrum[0].at[2 * c * CELLS_OF_CHANNEL + place]
#else
#define CELL(c, place) b_spectrum[0].at[c * CELLS_OF_CHANNEL + place]
#endif
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

// ---- a frequency of both rows -------------------------------------------------------------------

#if !COMPACT

// Frequency f of channel c: its cell, or 0 where none was stored. It always loads from inside the
// buffer, so that no load needs a branch.
vec4 frequency(int c, int f, int pair, int cell)
{
#if BAND_LIMITED
    bool inside = f < KEPT;
    return mix(vec4(0.0), CELL(c, int(inside) * cell), bvec4(inside));
#else
    return CELL(c, cell);
#endif
}

#define EXACT_COLUMNS 0 // full storage keeps no columns elsewhere
#define exact(c, f, pair) vec4(0.0)

#else

// Frequency f of channel c. No branch and no ?:, which is one (docs/decisions.md, D13).
vec4 frequency(int c, int f, int pair, int cell)
{
    int place = columns_scale(f, pair / 2);
    uvec2 words = CELL(c, cell), both = CELL(c, place / 2);
    uint scale = both.x ^ ((both.x ^ both.y) & -uint(place & 1));
    return vec4(dequantize(words.x), dequantize(words.y)) * uintBitsToFloat(scale);
}

#define EXACT_COLUMNS EXACT

// Frequency f < EXACT, stored as floats.
vec4 exact(int c, int f, int pair)
{
    int place = exact_place(f, pair) / 2;
    return uintBitsToFloat(uvec4(CELL(c, place), CELL(c, place + 1)));
}

#endif

// ---- all frequencies ----------------------------------------------------------------------------

const int FIRST_STEP = N / R0; // of a first butterfly's frequencies; also the number of butterflies
const int OUT_STEP = N / LAST;  // of the texels of a last butterfly
const int PLACES = ROUNDS(LAST, MIRROR_OUT) * LAST; // texels of a row in a thread's registers

#if NARROW

// Fills v for the second stage, with Z = E + i O of two rows, parts swapped, as below. A butterfly
// of the first stage has one value that is not zero: the first, Z(f), or the last, Z(N - f). Its
// results q are this value, times exp(2 pi i q / R0) if it is the last; so nothing is stored but
// the value, in butterfly f or FIRST_STEP - f.
void load_spectra(int c, uint line, uint thread, int pair)
{
    int f = int(thread), start = int(line) * STRIDE;
    vec4 a = frequency(c, f, pair, cell_index(f, pair));
    sync_shared(); // the last exchange has been read
#if SPLIT
#define VALUE(place) vec2(s_exchange[start + (place)], s_exchange[start + FIRST_STEP + (place)])
#define PUT(place, value)                   \
    s_exchange[start + (place)] = (value).x; \
    s_exchange[start + FIRST_STEP + (place)] = (value).y
#else
#define VALUE(place) s_exchange[start + (place)]
#define PUT(place, value) s_exchange[start + (place)] = value
#endif
    for (int zero = KEPT + f; zero <= FIRST_STEP - KEPT; zero += THREADS) {
        PUT(zero, vec2(0.0));
    }
    if (f < KEPT) {
        PUT(f, vec2(a.y + a.z, a.x - a.w));
    }
    if (f < KEPT && f > 0) {
        PUT(FIRST_STEP - f, vec2(a.z - a.y, a.x + a.w));
    }
    sync_shared();
    const int COUNT = N / R1;
    for (int i = 0; i < ROUNDS(R1, false); ++i) {
        int b = min(int(thread) + i * THREADS, COUNT - 1), q = b % R0;
        int row = R_STAGES[5] + q * TWIDDLES(R1);
        vec4 low = b_twiddle[row], high = R1 > 4 ? b_twiddle[row + 1] : vec4(0.0);
        // the R1-th power of exp(-2 pi i q / (R0 R1))
        vec2 turn = R1 == 2    ? low.zw
                    : R1 == 4  ? cmul(low.zw, low.zw)
                    : R1 == 6  ? cmul(low.zw, high.xy)
                    : R1 == 8  ? high.zw
                    : R1 == 10 ? cmul(low.zw, high.zw)
                    : R1 == 12 ? cmul(high.xy, high.zw)
                               : cmul(high.zw, high.zw);
        for (int k = 0; k < R1; ++k) {
            vec2 value = VALUE(b / R0 + k * (FIRST_STEP / R1));
            v[i * R1 + k] = k < R1 / 2 ? value : cmul(value, vec2(turn.x, -turn.y));
        }
    }
#undef VALUE
#undef PUT
}

#else

// Fills v with Z = E + i O of two rows, parts swapped, for an inverse transform: after it imaginary
// parts hold row 2p, real parts row 2p + 1. As in fft/rows_store.glsl, a[k] is frequency
// b + k FIRST_STEP, b[k] is FIRST_STEP - b + k FIRST_STEP. Those above N / 2 follow from the
// mirrored ones of the other butterfly.
void load_spectra(int c, uint line, uint thread, int pair)
{
    for (int i = 0; i < ROUNDS(R0, true); i += 2) {
        bool self = i == 0 && thread == 0u; // butterflies 0 and FIRST_STEP / 2 mirror themselves
        // threads without a butterfly load another's, so that no load needs a branch
        int b0 = min(int(BUTTERFLY(i, FIRST_STEP, true)), FIRST_STEP - 1);
        int b1 = min(max(int(BUTTERFLY(i + 1, FIRST_STEP, true)), 0), FIRST_STEP - 1);
        int cell0 = cell_index(b0, pair), cell1 = cell_index(b1, pair);
        vec4 a[R0], b[R0], last;
        for (int k = 0; k < R0; ++k) {
            a[k] = vec4(0.0);
            b[k] = vec4(0.0);
        }
        for (int k = 0; k < (R0 + 1) / 2; ++k)
            a[k] = frequency(c, b0 + k * FIRST_STEP, pair,
                             cell_after(cell0, b0, k * FIRST_STEP, pair));
        for (int k = 0; k < R0 / 2; ++k)
            b[k] = frequency(c, b1 + k * FIRST_STEP, pair,
                             cell_after(cell1, b1, k * FIRST_STEP, pair));
        if (BAND_LIMITED == 0 && i == 0) // all load n / 2, one needs it: docs/decisions.md, D21
            last = frequency(c, N / 2, pair, cell_index(N / 2, pair));
        // The exact columns of compact storage. Few threads load them, in branches: these loads are
        // last.
        for (int k = 0; k < (R0 + 1) / 2; ++k)
            if (k * FIRST_STEP < EXACT_COLUMNS && b0 + k * FIRST_STEP < EXACT_COLUMNS)
                a[k] = exact(c, b0 + k * FIRST_STEP, pair);
        for (int k = 0; k < R0 / 2; ++k)
            if (k * FIRST_STEP + FIRST_STEP / 2 < EXACT_COLUMNS &&
                b1 + k * FIRST_STEP < EXACT_COLUMNS)
                b[k] = exact(c, b1 + k * FIRST_STEP, pair);
        if (i == 0 && N / 2 < EXACT_COLUMNS)
            last = exact(c, N / 2, pair);
        // Z(f) = E + i O and Z(n - f) = conj E + i conj O, real and imaginary parts swapped
        for (int k = 0; k < R0; ++k) {
            if (k < (R0 + 1) / 2) {
                v[i * R0 + k] = vec2(a[k].y + a[k].z, a[k].x - a[k].w);
            } else {
                vec4 m = mix(b[R0 - 1 - k], a[R0 - k], bvec4(self));
                v[i * R0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
            if (k < R0 / 2) {
                v[(i + 1) * R0 + k] = vec2(b[k].y + b[k].z, b[k].x - b[k].w);
            } else {
                vec4 m = mix(a[R0 - 1 - k], b[R0 - 1 - k], bvec4(self));
                v[(i + 1) * R0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
        }
        // Frequency n / 2 is its own mirror image. With BAND_LIMITED its place holds 0 already.
        if (BAND_LIMITED == 0 && i == 0) {
            const int NYQUIST = R0 % 2 == 0 ? R0 / 2 : R0 + R0 / 2;
            v[NYQUIST] = mix(v[NYQUIST], last.zx, bvec2(self));
        }
    }
}

#endif

#if !PER_CHANNEL // ---- channels in turn ----------------------------------------------------------

// Texels of each row that the storing loop takes at a time, as in rows_r2c.comp.
const int WIDEST = LAST % 3 == 0 ? 3 : LAST % 4 == 0 ? 4 : LAST % 5 == 0 ? 5 : LAST;
#if PLAIN || SRC_IS_RGBA16F
const int BATCH = WIDEST;
#else // fewer where AMD's GCN has no registers for two times four floats each, and 13 for addresses
const int REGISTERS = GROUP > 768 ? 64 : GROUP > 512 ? 84 : GROUP > 256 ? 128 : 256; // of a thread
const int TEXELS = (REGISTERS - 13 - 2 * CHANNELS * PLACES) / 8;
const int BATCH = WIDEST <= TEXELS ? WIDEST : LAST % 2 == 0 && TEXELS >= 2 ? 2 : 1;
#endif

#if PLAIN

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // z, w = width, height
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y
layout(std430, binding = AG_SSBO_ALPHA) readonly buffer Alpha { uint b_alpha[]; };
layout(binding = AG_IMAGE_DST) writeonly uniform uimage2D i_dst;

// red, green, blue of two texels: the upper row in the low half of a word
uint convolved[3 * PLACES];

void store_rows(int pair, uint thread, bool alive)
{
    ivec2 size = u_src_rect.zw;
    for (int batch = 0; batch < ROLLED(PLACES / BATCH); ++batch) {
        int i = batch * BATCH / LAST, k = batch * BATCH % LAST;
        int b = int(BUTTERFLY(i, OUT_STEP, MIRROR_OUT));
        bool stores = alive && HAS_BUTTERFLY(i, OUT_STEP, MIRROR_OUT);
        uint alpha[BATCH];
        for (int t = 0; t < BATCH; ++t)
            alpha[t] = b_alpha[pair * size.x + min(b + (k + t) * OUT_STEP, size.x - 1)];
        for (int t = 0; t < BATCH; ++t) {
            ivec2 p = ivec2(b + (k + t) * OUT_STEP, 2 * pair);
            uvec2 rb = uvec2(convolved[t], convolved[2 * PLACES + t]),
                  ga = uvec2(convolved[PLACES + t], alpha[t]);
            if (stores && p.x < size.x) {
                imageStore(i_dst, u_dst_rect.xy + p, uvec4(rb & 0xffffu | ga << 16, 0u, 0u));
                if (p.y + 1 < size.y)
                    imageStore(i_dst, u_dst_rect.xy + p + ivec2(0, 1),
                               uvec4(rb >> 16 | ga & 0xffff0000u, 0u, 0u));
            }
        }
        for (int e = 0; e < 3 * PLACES - BATCH; ++e)
            convolved[e] = convolved[e + BATCH];
    }
}

void keep_channel()
{
    for (int e = 0; e < 2 * PLACES; ++e)
        convolved[e] = convolved[e + PLACES];
    for (int e = 0; e < PLACES; ++e)
        convolved[2 * PLACES + e] = pack_halves(v[e].yx); // imaginary parts hold the upper row
}

#else

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

void keep_channel()
{
    move_convolved_down(PLACES);
    if (CHANNELS > 1)
        for (int e = 0; e < PLACES; ++e)
            convolved[max(CHANNELS - 2, 0) * PLACES + e] = v[e];
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

#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    for (int c = 0; c < CHANNELS + NEVER; ++c) { // not unrolled: see rows_r2c.comp
#if !PLAIN
        keep_channel(); // the former one; the last stays in v
#endif
        load_spectra(c, line, thread, pair);
        transform(line, thread);
#if PLAIN
        keep_channel();
#endif
    }
    store_rows(pair, thread, alive);
}

#else // ---- channels side by side ----------------------------------------------------------------

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
    load_spectra(int(line), line, thread, pair);
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
