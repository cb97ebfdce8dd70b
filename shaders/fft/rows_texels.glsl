// fft/rows_texels.glsl - how an R2C row pass loads the texels of two rows, and packs channels
//   include   after fft/rows_store.glsl
//   includer  FILTERABLE     1 = FILTERS of bloom/filter.glsl may be on, and 0 = there are none
//             u_line, WIDTH  how a row is filled; texels of a row
//             column_of      which texel fills a place of a row
//   host sets CHANNELS, PER_CHANNEL, ALPHA and SRC_TEXEL: fft/rows_r2c.comp
//   SPDX-License-Identifier: MIT
#if !defined(CHANNELS) || !defined(PER_CHANNEL) || !defined(ALPHA)
#error "CHANNELS, PER_CHANNEL and ALPHA must be set by the host"
#endif
#include "fft/packed_pair.glsl"

#if ALPHA
layout(std430, binding = AG_SSBO_ALPHA) writeonly buffer Alpha { uint b_alpha[]; };
#endif
#define STORES_ALPHA (u_spectrum.z != 0)

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
    upper = masked(load_texel(ivec2(x, row), bad_upper), inside);
    lower = masked(load_texel(ivec2(x, min(row + 1, last_row)), bad_lower), inside && second_row);
    return (bad_upper + (bad_lower & uint(second_row))) * uint(own && place < WIDTH);
}

// Fills v with channel c of two rows, and packed_channels with those that follow. Returns the
// number of non-finite texels. Bloom's filter needs floats: while FILTERS is on and texels are
// packed, this runs again for each channel, mostly from a cache.
//
//   registers   v[0]   v[1]   v[2] | v[3]   v[4]   v[5] | v[6]   v[7]   v[8]    R0 = 9, BATCH = 3
//   batch 0                                              <- places b, b + s, b + 2 s     s = N / R0
//   batch 1                         <------------------- <- places b + 3 s ..
//   batch 2     <------------------ <------------------- <- places b + 6 s ..
//
// A register cannot be indexed by a variable: each batch is loaded into the last registers and
// moves the others down. The loops over registers are not nested (docs/decisions.md, D27).
uint load_rows(int c, bool first, int pair, uint thread, bool alive)
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
    return bad;
}

// Unpacks the next channel into v.
void unpack_next_channel()
{
    for (int e = 0; e < PLACES; ++e)
        v[e] = unpack_pair(packed_channels[e]);
    move_channels_down(PLACES);
}
