// fft/rows_r2c.comp - R2C row pass: rows of the source to half spectra, two rows in one transform
//
//   in        t_src or i_src  the source, see fft/source.glsl
//   out       b_spectrum      see fft/spectrum.glsl
//             b_alpha         with ALPHA, while u_spectrum.z is on: src's alpha, which PLAIN of
//                             rows_c2r.comp copies. One 32-bit word holds the alphas of a column
//                             of two rows, as 16-bit floats
//             b_info          while u_src_mode.z, scrub, is on: adds the number of non-finite
//                             texels
//   host sets the defines of fft/line.glsl (radices from first to last), fft/spectrum.glsl,
//             fft/rows_store.glsl and fft/source.glsl
//             CHANNELS     1 .. 4 are transformed, one after the other
//             FILTERABLE   1 = bloom: the spectra are of T, what blooms
//             BORDERED     1 = common/border.glsl maps positions to texels, 0 = in order, then
//                          zeros, 2 = in order, then a ramp (ramp_weight); of bloom always 0
//             PADDED       0 = the image fills the line, so there are no zeros
//             PER_CHANNEL  1 = a group transforms one channel, gl_WorkGroupID.y, and CHANNELS is 1:
//                          for small images (docs/decisions.md, D15)
//             SRC_TEXEL    AG_TEXEL_*: how a channel of two rows' texels is packed
//             ALPHA        1 = b_alpha may be written; three channels, RGBA16F texels only
//   dispatch  ceil(row pairs / LINES), channels if PER_CHANNEL; a group transforms LINES row pairs.
//             With CHANNELS - 1 times t groups more each of the last t has one channel;
//             not in compact storage
//   cost      reads each texel once, or once a channel, mostly from a cache, while FILTERS is on
//             and texels are packed; writes 8 bytes a row and channel for each of the first KEPT
//             frequencies. Compact storage: half of these bytes, and three barriers more a channel
//   limits    of bloom, registers on RDNA 2: 112 VGPRs, 4 waves a SIMD; shared memory on GCN 5:
//             20.5 KiB, 3 waves (docs/gpus.md)
//   source    docs/convolve.md 3 and 6, docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(CHANNELS) || !defined(FILTERABLE) || !defined(BORDERED) || !defined(PADDED) || \
    !defined(PER_CHANNEL) || !defined(ALPHA) || !defined(SRC_TEXEL)
#error "CHANNELS, FILTERABLE, BORDERED, PADDED, PER_CHANNEL, ALPHA and SRC_TEXEL must be set"
#endif
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store.glsl"
#include "fft/source.glsl"
#include "common/info.glsl"
#if FILTERABLE
#define READS_EACH_TIME COMPACT
#include "bloom/filter.glsl"
#endif
#if BORDERED
#include "common/border.glsl"
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
#endif
layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
#define WIDTH u_line.x // texels of a row
#if ALPHA
layout(std430, binding = AG_SSBO_ALPHA) writeonly buffer Alpha { uint b_alpha[]; };
#endif
#define STORES_ALPHA (u_spectrum.z != 0)

// ---- a channel of two rows' texels, packed until its transform (docs/decisions.md, D11) ---------

#if SRC_TEXEL == AG_TEXEL_HALF2 || SRC_TEXEL == AG_TEXEL_HALF4
#define PACKED_PAIR uint
#define PAIRS_ARE_FLOATS 0
#define pack_pair(pair) packHalf2x16(pair)
#define unpack_pair(held) unpackHalf2x16(held)
#elif SRC_TEXEL == AG_TEXEL_UNORM8 // each 8-bit code has an exact 16-bit code: 257 times its value
#define PACKED_PAIR uint
#define PAIRS_ARE_FLOATS 0
#define pack_pair(pair) packUnorm2x16(pair)
#define unpack_pair(held) unpackUnorm2x16(held)
#else
#define PACKED_PAIR vec2
#define PAIRS_ARE_FLOATS 1
#define pack_pair(pair) (pair)
#define unpack_pair(held) (held)
#endif

// Channel c of an upper and a lower texel, packed.
PACKED_PAIR channel_of(TEXEL upper, TEXEL lower, int c)
{
#if SRC_IS_RGBA16F
    // selects the word: an index that varies would be a branch
    uint shift = uint(c & 1) * 16u, high = -uint(c >> 1);
    uint a = upper.x & ~high | upper.y & high, b = lower.x & ~high | lower.y & high;
    return a >> shift & 0xffffu | b >> shift << 16;
#else
    return pack_pair(vec2(upper[c], lower[c]));
#endif
}

// Points that a thread loads, and those of a batch: enough loads to overlap, few enough for a small
// program (docs/decisions.md, D48).
const int PLACES = ROUNDS(R0, MIRROR_FIRST) * R0;
const int BATCH = R0 % 3 == 0 ? 3 : R0 % 4 == 0 ? 4 : R0 % 5 == 0 ? 5 : R0;

PACKED_PAIR packed_channels[3 * PLACES]; // those that are transformed later

// Three loops: Mesa unrolls at most 32 turns, and puts arrays with a varying index into memory.
void move_channels_down(const int by)
{
    const int MOVED = (CHANNELS - 1) * PLACES - by;
    for (int e = 0; e < min(PLACES, MOVED); ++e)
        packed_channels[e] = packed_channels[e + by];
    for (int e = PLACES; e < min(2 * PLACES, MOVED); ++e)
        packed_channels[e] = packed_channels[e + by];
    for (int e = 2 * PLACES; e < MOVED; ++e)
        packed_channels[e] = packed_channels[e + by];
}

// Unpacks the next channel into v.
void unpack_next_channel()
{
    for (int e = 0; e < PLACES; ++e)
        v[e] = unpack_pair(packed_channels[e]);
    move_channels_down(PLACES);
}

// ---- texels -------------------------------------------------------------------------------------

// The column of the texel that fills a place of a row; where there is none, one of the image.
int column_of(int place, out bool inside)
{
#if BORDERED
    int x = source_index(place, u_line, u_line_more);
    inside = x >= 0;
    return max(x, 0);
#else
    inside = PADDED == 0 || place < WIDTH;
    return PADDED == 0 ? place : min(place, WIDTH - 1);
#endif
}

// The two texels of a place, 0 where there is none; returns how many are non-finite. No load needs
// a branch. Borders repeat texels, so a texel counts only at its own place, in the thread that owns
// it.
uint load_pair(int place, int pair, bool own, out TEXEL upper, out TEXEL lower)
{
    int row = 2 * pair, last_row = u_src_rect.w - 1;
    bool second_row = row < last_row; // the last pair of an odd height has one row
    bool inside;
    uint bad_upper, bad_lower;
    int x = column_of(place, inside);
    upper = masked(load_source(ivec2(x, row), bad_upper), inside);
    lower = masked(load_source(ivec2(x, min(row + 1, last_row)), bad_lower), inside && second_row);
    return (bad_upper + (bad_lower & uint(second_row))) * uint(own && place < WIDTH);
}

// Fills v with channel c of two rows, and packed_channels with those that follow; counts non-finite
// texels. Bloom's filter needs floats: while FILTERS is on and texels are packed, this runs again
// for each channel, mostly from a cache.
//
//   registers   v[0]   v[1]   v[2] | v[3]   v[4]   v[5] | v[6]   v[7]   v[8]    R0 = 9, BATCH = 3
//   batch 0                                              <- places b, b + s, b + 2 s     s = N / R0
//   batch 1                         <------------------- <- places b + 3 s ..
//   batch 2     <------------------ <------------------- <- places b + 6 s ..
//
// A register cannot be indexed by a variable: each batch is loaded into the last registers and
// moves the others down. The loops over registers are not nested (docs/decisions.md, D27).
void load_rows(int c, bool first, int pair, uint thread, bool alive)
{
    uint bad = 0u;
    for (int batch = 0; batch < ROLLED(PLACES / BATCH); ++batch) {
        int i = batch * BATCH / R0, k = batch * BATCH % R0;
        int b = int(BUTTERFLY(i, N / R0, MIRROR_FIRST));
        bool own = HAS_BUTTERFLY(i, N / R0, MIRROR_FIRST);
        TEXEL upper[BATCH], lower[BATCH];
        for (int t = 0; t < BATCH; ++t) {
            int place = min(b + (k + t) * (N / R0), N - 1);
            bad += load_pair(place, pair, own, upper[t], lower[t]);
#if ALPHA
            if (first && STORES_ALPHA && alive && own && place < WIDTH)
                b_alpha[pair * WIDTH + place] = channel_of(upper[t], lower[t], 3);
#endif
        }
#if FILTERABLE && PAIRS_ARE_FLOATS
        if (FILTERS)
            for (int t = 0; t < BATCH; ++t) {
                upper[t].rgb = bloom_filter(upper[t].rgb);
                lower[t].rgb = bloom_filter(lower[t].rgb);
            }
#endif
        for (int e = 0; e < PLACES - BATCH; ++e)
            v[e] = v[e + BATCH];
        move_channels_down(BATCH);
        for (int t = 0; t < BATCH; ++t) {
            v[PLACES - BATCH + t] =
                unpack_pair(channel_of(upper[t], lower[t], PER_CHANNEL == 1 ? c : 0));
            if (CHANNELS > 1)
                packed_channels[PLACES - BATCH + t] = channel_of(upper[t], lower[t], 1);
            if (CHANNELS > 2)
                packed_channels[2 * PLACES - BATCH + t] = channel_of(upper[t], lower[t], 2);
            if (CHANNELS > 3)
                packed_channels[3 * PLACES - BATCH + t] = channel_of(upper[t], lower[t], 3);
        }
#if FILTERABLE && !PAIRS_ARE_FLOATS
        if (FILTERS)
            for (int t = 0; t < BATCH; ++t)
                v[PLACES - BATCH + t] = vec2(channel_of(bloom_filter(colour(upper[t]).rgb), c),
                                            channel_of(bloom_filter(colour(lower[t]).rgb), c));
#endif
    }
    if (c == 0 && alive && SCRUBS != 0)
        count_bad(bad);
}

#if BORDERED == 2 // ---- the ramp behind two rows ------------------------------------------------

// Channel c of the texels of two rows at x.
vec2 end_at(int x, int row, int last_row, int c)
{
    uint counted_before; // by load_rows
    TEXEL upper = load_source(ivec2(x, row), counted_before);
    TEXEL lower = load_source(ivec2(x, min(row + 1, last_row)), counted_before);
    lower = masked(lower, row < last_row);
    return vec2(colour(upper)[c], colour(lower)[c]);
}

// Channel c of the places behind two rows.
void ramp_rows(int c, int pair, uint thread)
{
    int row = 2 * pair, last_row = u_src_rect.w - 1;
    vec2 first = end_at(0, row, last_row, c), last = end_at(WIDTH - 1, row, last_row, c);
    for (int e = 0; e < PLACES; ++e) {
        int place = int(BUTTERFLY(e / R0, N / R0, MIRROR_FIRST)) + e % R0 * (N / R0);
        // An if: of v[e] = mix(v[e], .., bvec2(place >= WIDTH)) NVIDIA's driver 580 makes wrong
        // values where texels are 32-bit floats.
        if (place >= WIDTH)
            v[e] = mix(last, first, ramp_weight(place, u_line));
    }
}
#endif

// -------------------------------------------------------------------------------------------------

void main()
{
    uint line = LINE, thread = THREAD;
    int group = int(gl_WorkGroupID.x);
    int begin = PER_CHANNEL == 1 ? int(gl_WorkGroupID.y) : 0, end = begin + CHANNELS + NEVER;
#if CHANNELS > 1 && !COMPACT
    int line_groups = (ROW_PAIRS + LINES - 1) / LINES;
    int whole = (CHANNELS * line_groups - int(gl_NumWorkGroups.x)) / (CHANNELS - 1);
    if (group >= whole) { // has one channel
        begin = (group - whole) % CHANNELS;
        end = begin + 1;
        group = whole + (group - whole) / CHANNELS;
    }
#endif
    int pair = group * LINES + int(line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

#if NARROW
    begin_last(thread);
#endif
#if !FILTERABLE // loads before the loop overlap, loads in a branch do not (D13)
    load_rows(begin, begin == 0, pair, thread, alive);
    for (int c = 0; c < begin && PER_CHANNEL == 0; ++c)
        unpack_next_channel();
#endif
    // Not unrolled: one copy of the transform stays in the instruction cache (docs/decisions.md,
    // D48).
    for (int c = begin; c < end; ++c) {
#if FILTERABLE
        bool again = PAIRS_ARE_FLOATS == 0 && FILTERS;
        if (c == begin || again)
            load_rows(c, c == 0, pair, thread, alive);
        for (int k = c == begin ? 0 : c - 1; k < c && PER_CHANNEL == 0 && !again; ++k)
            unpack_next_channel();
#elif BORDERED == 2
        ramp_rows(c, pair, thread);
#endif
        transform(line, thread);
        store_spectra(c, line, thread, pair, alive);
#if !FILTERABLE
        unpack_next_channel(); // after the last channel its result is not used
#endif
    }
}
