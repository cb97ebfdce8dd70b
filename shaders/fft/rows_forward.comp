// fft/rows_forward.comp - rows of the scene (or of the kernel) to half spectra, two rows at a time
//
//   in        i_src       the source (t_src with SRC_WORDS); texels are filtered by bloom_filter when FILTERED
//   out       b_spectrum  one range a channel, see fft/spectrum.glsl
//             b_alpha     with ALPHA and u_spectrum.z: what rows_back.comp copies, so that it need not read
//                         the source again: a word, two halves, for each texel of a pair of rows
//   host sets the defines of fft/line.glsl, fft/spectrum.glsl and common/load.glsl
//             CHANNELS   1 .. 4 are transformed, one after the other
//             BORDERED   1 = places map to texels by common/border.glsl, 0 = in order, then zeros
//             PADDED     0 = the image fills the line: there are no zeros
//             KERNEL     1 = src is a kernel: scaled by its factor, its centre left out
//             FILTERED   1 = bloom's T
//             SPREAD     1 = a group takes one channel, gl_WorkGroupID.y (CHANNELS 1): small images, where
//                        the time is that of one group after another, not of bytes
//             BANDED     1 = frequencies from u_spectrum.y on are not stored (docs/bloom.md)
//             COUNTING   AG_COUNT_*: how non-finite texels are counted. Which is fastest depends on the
//                        registers that a compiler finds for each line (docs/rejected.md)
//             WINDOWED   1 = a window may be on (u_src_mode.y)
//             ALPHA      1 = b_alpha may be wanted; three channels, and texels of four halves
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows
//   cost      reads each texel once, writes 8 bytes for every second frequency of every row and channel,
//             up to u_spectrum.y
//   source    two real rows in one complex transform, Z = E + i O for the rows 2p and 2p + 1. Both
//             frequencies of a mirrored pair end in one thread (MIRROR), which takes E and O apart:
//             2 E(k) = Z(k) + conj Z(n-k), 2 O(k) = -i (Z(k) - conj Z(n-k)). docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "fft/line.glsl"
#include "fft/spectrum.glsl"
#include "common/load.glsl"
#include "common/border.glsl"
#include "fft/bloom_filter.glsl"
#include "fft/window.glsl"

#if !defined(BORDERED) || !defined(PADDED) || !defined(KERNEL) || !defined(CHANNELS) || !defined(FILTERED) || \
    !defined(WINDOWED) || !defined(SPREAD) || !defined(BANDED) || !defined(COUNTING) || !defined(ALPHA)
#error "BORDERED, PADDED, KERNEL, FILTERED, WINDOWED, SPREAD, BANDED, ALPHA (0 or 1), COUNTING and CHANNELS (1..4) must be set by the host"
#endif

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // x = row pairs
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channel count
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;     // centre x, y
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum {
#if COMPACT
    uint at[]; // two a cell: a scale is one
#else
    SPECTRUM_CELL at[];
#endif
} b_spectrum[4 - ALPHA]; // one a channel
#if ALPHA
layout(std430, binding = AG_SSBO_ALPHA) writeonly buffer Alpha { uint b_alpha[]; };
#endif

#define MIRROR_FIRST (R1 == 1)
#define MIRROR_LAST true

// Texels of four halves that nothing changes stay words: unpacked in their channel's turn only.
#define HALVES (SRC_HOLD == AG_HOLD_HALF4 && !SRC_CODES && !FILTERED && !KERNEL && !WINDOWED)

// Channels wait for their turn as pairs of rows, in half the registers where that loses nothing.
#if FILTERED || KERNEL || WINDOWED || SRC_HOLD == AG_HOLD_FLOAT1 || SRC_HOLD == AG_HOLD_FLOAT2 || SRC_HOLD == AG_HOLD_FLOAT4 || \
    SRC_HOLD == AG_HOLD_UNORM10 || SRC_SRGB
#define WAITING vec2
#define wait(c) (c)
#define waited(h) (h)
#elif SRC_HOLD == AG_HOLD_UNORM8
#define WAITING uint
#define wait(c) packUnorm2x16(c)
#define waited(h) unpackUnorm2x16(h)
#else
#define WAITING uint
#define wait(c) packHalf2x16(c)
#define waited(h) unpackHalf2x16(h)
#endif

// The column of the texel that fills a place of a row, one from inside where that is 0.
int column_of(int place, out bool inside)
{
#if BORDERED
    int x = source_index(place, u_line, u_line_more);
    inside = x >= 0;
    return max(x, 0);
#elif PADDED
    inside = place < u_line.x;
    return min(place, u_line.x - 1);
#else
    inside = true;
    return place;
#endif
}

#if HALVES
#define TEXEL uvec2

// The texel's words, 0 outside. As load_texel_unseen: largest becomes NOT_FINITE for a non-finite texel.
uvec2 value(int place, int row, inout uint largest)
{
    bool inside;
    ivec2 p = u_src_rect.xy + ivec2(column_of(place, inside), row);
#if SRC_WORDS
    uvec2 words = texelFetch(t_src, AT_LAYER(ivec3, p), 0).xy;
#else
    vec4 c = imageLoad(i_src, p);
    uvec2 words = uvec2(packHalf2x16(c.rg), packHalf2x16(c.ba));
#endif
    // An exponent of ones carries into the sign's place.
    uvec2 over = (words & 0x7c007c00u) + 0x04000400u & 0x80008000u;
    uint bad = min(over.x | over.y, 1u);
    largest = max(largest, bad * NOT_FINITE);
    uint keep = uint(inside) & ~(bad & uint(u_src_mode.z)); // scrub
    return words & uvec2(-keep);
}

#else
#define TEXEL vec4

// The value that fills a place of a row, 0 outside. Always loads, from inside: see load_texel.
vec4 value(int place, int row, inout uint largest)
{
    bool inside;
    int x = column_of(place, inside);
    vec4 c = load_texel_unseen(ivec2(x, row), largest);
#if KERNEL
    // A sharp kernel's centre weight never passes through the FFT: rows_back adds it to the sharp texel.
    inside = inside && !(place == 0 && row == u_kernel.y && b_info.centre != vec4(0.0));
    c *= b_info.scale;
#elif FILTERED
    c.rgb = bloom_filter(c.rgb);
#endif
#if WINDOWED
    c *= u_src_mode.y != 0 ? hann(x, u_src_rect.z) * hann(row, u_src_rect.w) : 1.0;
#endif
    return mix(vec4(0.0), c, bvec4(inside));
}

#endif

const int LAST_STEP = N / LAST; // distance of the frequencies of a butterfly; as many butterflies

#if !KERNEL && COUNTING == AG_COUNT_AGAIN
// Borders repeat texels: only the texel itself counts.
void count_once_more(uint thread, int row0, int rows)
{
    uint bad = 0u;
    int never = min(u_spectrum.x, 0); // bounds that the compiler does not know: nothing is unrolled
    for (int i = 0; i < ROUNDS(R0, MIRROR_FIRST) + never; ++i)
        for (int k = 0; k < R0 + never; ++k) {
            int place = int(BUTTERFLY(i, N / R0, MIRROR_FIRST)) + k * (N / R0);
            for (int row = 0; row < rows; ++row)
                if (place < u_line.x && (HOLDS(i, N / R0, MIRROR_FIRST)))
                    load_texel(ivec2(place, row0 + row), bad);
        }
    count_bad(bad);
}
#endif

// Twice the spectra of both rows at a frequency f, from Z(f) and Z(n - f).
vec4 taken_apart(vec2 z, vec2 m)
{
    return vec4(z.x + m.x, z.y - m.y, z.y + m.y, m.x - z.x);
}

#if COMPACT

// The scales of each tile of the group's rows, from the sizes in shared memory; leaves their inverses there.
void find_scales(int c)
{
    const int COLUMNS = N / 2, TILES = (COLUMNS + TILE - 1) / TILE;
    for (int i = int(gl_LocalInvocationID.x); i < TILES * LINES; i += GROUP) {
        int tile = i / LINES, row = i % LINES * STRIDE, pair = int(gl_WorkGroupID.x) * LINES + i % LINES;
        uint size = 0u;
        for (int k = 0; k < TILE; ++k)
            size = max(size, floatBitsToUint(SHARED_FLOAT(row + min(tile * TILE + rotated(k, tile), COLUMNS - 1))));
        SHARED_FLOAT(row + tile * TILE) = inverse_of(size);
        int place = rows_scale(tile * TILE, pair, COLUMNS, u_spectrum.x);
        if (pair < u_spectrum.x)
            b_spectrum[c].at[place] = floatBitsToUint(unit_of(size));
    }
}

// Turn 0: notes the size of both rows at a frequency. Turn 1: stores them.
void put(int turn, int c, uint line, int pair, int f, int cell, vec4 value)
{
    int row = int(line) * STRIDE;
    if (turn == 0) {
        SHARED_FLOAT(row + f) = uintBitsToFloat(f < EXACT ? 0u : max(size_of(value.xy), size_of(value.zw)));
    } else if (f < EXACT) {
        int exact = exact_place(f, pair, N / 2, u_spectrum.x);
        for (int i = 0; i < 4; ++i)
            b_spectrum[c].at[exact + i] = floatBitsToUint(value[i]);
    } else {
        float inverse = SHARED_FLOAT(row + f / TILE * TILE);
        b_spectrum[c].at[2 * cell] = to_word(value.xy, inverse);
        b_spectrum[c].at[2 * cell + 1] = to_word(value.zw, inverse);
    }
}

#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < u_spectrum.x;
    pair = min(pair, u_spectrum.x - 1); // so that every load is from inside, and needs no branch
    bool second_row = 2 * pair + 1 < u_src_rect.w; // of an odd height the last pair has one
    int row0 = 2 * pair, row1 = min(row0 + 1, u_src_rect.w - 1);

#if CHANNELS > 1
    WAITING second[ELEMENTS];
#endif
#if CHANNELS > 2
    WAITING third[ELEMENTS];
#endif
#if CHANNELS > 3
    WAITING fourth[ELEMENTS];
#endif
#if BANDED
    int kept = u_spectrum.y;
#else
    const int kept = N; // all
#endif
    uint bad = 0u; // AG_COUNT_BITS: a bit for each texel; AG_COUNT_SUM: their number; else the greatest size_bits
    for (int i = 0; i < ROUNDS(R0, MIRROR_FIRST); ++i)
        for (int k = 0; k < R0; ++k) {
            int e = i * R0 + k, place = int(BUTTERFLY(i, N / R0, MIRROR_FIRST)) + k * (N / R0);
            place = (N / R0) % THREADS == 0 ? place : min(place, N - 1);
#if KERNEL || COUNTING == AG_COUNT_AGAIN
            TEXEL a = value(place, row0, bad), b = value(place, row1, bad);
#else
            uint size_a = 0u, size_b = 0u;
            TEXEL a = value(place, row0, size_a), b = value(place, row1, size_b);
            bool own = (HOLDS(i, N / R0, MIRROR_FIRST)) && place < u_line.x;
            uint bad_a = uint(size_a >= NOT_FINITE && own), bad_b = uint(size_b >= NOT_FINITE && own && second_row);
#if COUNTING == AG_COUNT_BITS
            bad |= bad_a << uint(2 * e) | bad_b << uint(2 * e + 1);
#else
            bad += bad_a + bad_b;
#endif
#endif
#if HALVES
            b &= uvec2(-uint(second_row));
            uvec2 low = a & 0xffffu | b << 16, high = a >> 16 | b & 0xffff0000u; // red, blue; green, alpha
#if SPREAD
            uint both = gl_WorkGroupID.y % 2u == 0u ? low[gl_WorkGroupID.y / 2u] : high[gl_WorkGroupID.y / 2u];
            v[e] = unpackHalf2x16(both);
#else
            v[e] = unpackHalf2x16(low.x);
#endif
#if CHANNELS > 1
            second[e] = high.x;
#endif
#if CHANNELS > 2
            third[e] = low.y;
#endif
#if CHANNELS > 3
            fourth[e] = high.y;
#endif
#if ALPHA
            if (u_spectrum.z != 0 && alive && place < u_src_rect.z && HOLDS(i, N / R0, MIRROR_FIRST))
                b_alpha[pair * u_src_rect.z + place] = high.y;
#endif
#else
            b = mix(vec4(0.0), b, bvec4(second_row));
#if SPREAD
            v[e] = vec2(a[gl_WorkGroupID.y], b[gl_WorkGroupID.y]);
#else
            v[e] = vec2(a.r, b.r);
#endif
#if CHANNELS > 1
            second[e] = wait(vec2(a.g, b.g));
#endif
#if CHANNELS > 2
            third[e] = wait(vec2(a.b, b.b));
#endif
#if CHANNELS > 3
            fourth[e] = wait(vec2(a.a, b.a));
#endif
#endif
        }
#if !KERNEL // a kernel's were counted by kernel_sum.comp
    bool counts = u_src_mode.z != 0 && alive && gl_WorkGroupID.y == 0u;
#if COUNTING == AG_COUNT_AGAIN
    if (bad >= NOT_FINITE && counts)
        count_once_more(thread, row0, 1 + int(second_row));
#else
    if (bad != 0u && counts)
        count_bad(COUNTING == AG_COUNT_BITS ? uint(bitCount(bad)) : bad);
#endif
#endif

    // A loop that is not unrolled: its bound is a uniform. One copy of the transform stays in the
    // instruction cache (docs/rejected.md).
#if SPREAD
    int c = int(gl_WorkGroupID.y);
    {
#else
    for (int c = 0; c < u_channels.y; ++c) {
#endif
#define REVERSED 0
#include "fft/transform.glsl"
#undef REVERSED
#if COMPACT // twice: sizes first, then words by the scales that they lead to
        for (int turn = 0; turn < 2; ++turn) {
        sync_shared(); // the last exchange has been read
        if (turn == 1) {
            find_scales(c);
            sync_shared();
        }
#define PUT(f, cell, value) put(turn, c, line, pair, f, cell, value)
#else
#define PUT(f, cell, value) b_spectrum[c].at[cell] = to_cell(value)
#endif
        for (int i = 0; i < ROUNDS(LAST, true); i += 2) {
            bool self = i == 0 && thread == 0u; // butterflies 0 and LAST_STEP / 2 mirror themselves
            int b0 = int(BUTTERFLY(i, LAST_STEP, true)), b1 = int(BUTTERFLY(i + 1, LAST_STEP, true));
            int cell0 = cell_index(b0, pair, u_spectrum.x), cell1 = cell_index(b1, pair, u_spectrum.x);
#define A(k) v[i * LAST + (k)]
#define B(k) v[(i + 1) * LAST + (k)]
            for (int k = 0; k < (LAST + 1) / 2; ++k) {
                vec4 value = taken_apart(A(k), mix(B(LAST - 1 - k), A((LAST - k) % LAST), bvec2(self)));
                if (i == 0 && k == 0) { // frequencies 0 and n / 2 are real and share a cell
                    vec2 nyquist = v[LAST % 2 == 0 ? LAST / 2 : LAST + LAST / 2];
                    value = mix(value, 2.0 * vec4(A(0).x, nyquist.x, A(0).y, nyquist.y), bvec4(self));
                }
                if (alive && HOLDS(i, LAST_STEP, true) && b0 + k * LAST_STEP < kept)
                    PUT(b0 + k * LAST_STEP, cell_after(cell0, b0, k * LAST_STEP, pair, u_spectrum.x), value);
            }
            for (int k = 0; k < LAST / 2; ++k) {
                vec4 value = taken_apart(B(k), mix(A(LAST - 1 - k), B(LAST - 1 - k), bvec2(self)));
                if (alive && HOLDS(i + 1, LAST_STEP, true) && b1 + k * LAST_STEP < kept)
                    PUT(b1 + k * LAST_STEP, cell_after(cell1, b1, k * LAST_STEP, pair, u_spectrum.x), value);
            }
#undef A
#undef B
        }
#if COMPACT
        }
#endif
#undef PUT
#if CHANNELS > 1
        for (int e = 0; e < ELEMENTS; ++e) {
            v[e] = waited(second[e]);
#if CHANNELS > 2
            second[e] = third[e];
#endif
#if CHANNELS > 3
            third[e] = fourth[e];
#endif
        }
#endif
    }
}
