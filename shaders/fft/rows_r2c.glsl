// fft/rows_r2c.glsl - the body of rows_r2c.comp and rows_r2c_compact.comp
//   SPDX-License-Identifier: MIT
#if !defined(CHANNELS) || !defined(BORDERED) || !defined(PADDED) || !defined(PER_CHANNEL) || !defined(ALPHA) || \
    !defined(FILTERABLE)
#error "CHANNELS (1..4), BORDERED, PADDED, PER_CHANNEL, FILTERABLE and ALPHA (0 or 1) must be set by the host"
#endif
#include "fft/waiting.glsl"
#include "fft/bloom_filter.glsl"
#include "common/border.glsl"

layout(location = AG_LOC_LINE_X) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;
#if ALPHA
layout(std430, binding = AG_SSBO_ALPHA) writeonly buffer Alpha { uint b_alpha[]; };
#endif
#define WIDTH u_line.x
#define HANDS_ALPHA_ON (u_spectrum.z != 0)

// Places that a thread fills: a butterfly's R0, round after round. A turn of the loop that fills them takes a few:
// enough loads to overlap, few enough for a small program (docs/decisions.md, D48).
const int PLACES = ROUNDS(R0, MIRROR_FIRST) * R0;
const int TURN = R0 % 3 == 0 ? 3 : R0 % 4 == 0 ? 4 : R0 % 5 == 0 ? 5 : R0;

WAITING waiting[3 * PLACES]; // channels whose turn comes later, one behind the other

// The column of the texel that fills a place of a row, one from inside where that is 0.
int column_of(int place, out bool inside)
{
#if BORDERED
    int x = source_index(place, u_line, u_line_more);
    inside = x >= 0;
    return max(x, 0);
#elif PADDED
    inside = place < WIDTH;
    return min(place, WIDTH - 1);
#else
    inside = true;
    return place;
#endif
}

// The two texels of a place, 0 where there is none; returns how many of them are bad. All loads are from inside the
// texture, so that none needs a branch. Borders repeat texels: only the texel itself counts, of the thread that owns it.
uint load_pair(int place, int pair, bool own, out TEXEL upper, out TEXEL lower)
{
    int row = 2 * pair, last_row = u_src_rect.w - 1;
    bool second_row = row < last_row; // of an odd height the last pair has one
    bool inside;
    uint bad_upper, bad_lower;
    int x = column_of(place, inside);
    upper = masked(load_texel(ivec2(x, row), bad_upper), inside);
    lower = masked(load_texel(ivec2(x, min(row + 1, last_row)), bad_lower), inside && second_row);
    return (bad_upper + (bad_lower & uint(second_row))) * uint(own && place < WIDTH);
}

// Fills v with channel c of two rows, and `waiting` with those that follow. Returns the number of bad texels. Where
// packed texels wait and FILTERS is on, T needs floats: each channel loads again, mostly from a cache.
//
//   registers   v[0]   v[1]   v[2] | v[3]   v[4]   v[5] | v[6]   v[7]   v[8]      R0 = 9, TURN = 3
//   turn 0                                               <- places b, b + s, b + 2 s          s = N / R0
//   turn 1                          <------------------- <- places b + 3 s ..
//   turn 2      <------------------ <------------------- <- places b + 6 s ..
//
// A register cannot be indexed by a variable: each turn loads into the last ones and moves the others down. (Loops
// over registers are single ones: NVIDIA's compiler puts arrays that nested ones share into memory.)
uint load_rows(int c, bool first, int pair, uint thread, bool alive)
{
    uint bad = 0u;
    for (int turn = 0; turn < ROLLED(PLACES / TURN); ++turn) {
        int i = turn * TURN / R0, k = turn * TURN % R0;
        int b = int(BUTTERFLY(i, N / R0, MIRROR_FIRST));
        bool own = HAS_BUTTERFLY(i, N / R0, MIRROR_FIRST);
        TEXEL upper[TURN], lower[TURN];
        for (int t = 0; t < TURN; ++t) {
            int place = min(b + (k + t) * (N / R0), N - 1);
            bad += load_pair(place, pair, own, upper[t], lower[t]);
#if ALPHA
            if (first && HANDS_ALPHA_ON && alive && own && place < WIDTH)
                b_alpha[pair * WIDTH + place] = channel_of(upper[t], lower[t], 3);
#endif
        }
#if FILTERABLE && WAITS_AS_FLOATS
        if (FILTERS)
            for (int t = 0; t < TURN; ++t) {
                upper[t].rgb = bloom_filter(upper[t].rgb);
                lower[t].rgb = bloom_filter(lower[t].rgb);
            }
#endif
        for (int e = 0; e < PLACES - TURN; ++e)
            v[e] = v[e + TURN];
        for (int e = 0; e < (CHANNELS - 1) * PLACES - TURN; ++e)
            waiting[e] = waiting[e + TURN];
        for (int t = 0; t < TURN; ++t) {
            v[PLACES - TURN + t] = waited(channel_of(upper[t], lower[t], PER_CHANNEL == 1 ? c : 0));
            if (CHANNELS > 1)
                waiting[PLACES - TURN + t] = channel_of(upper[t], lower[t], 1);
            if (CHANNELS > 2)
                waiting[2 * PLACES - TURN + t] = channel_of(upper[t], lower[t], 2);
            if (CHANNELS > 3)
                waiting[3 * PLACES - TURN + t] = channel_of(upper[t], lower[t], 3);
        }
#if FILTERABLE && !WAITS_AS_FLOATS
        if (FILTERS)
            for (int t = 0; t < TURN; ++t)
                v[PLACES - TURN + t] = vec2(channel_of(bloom_filter(colour(upper[t]).rgb), c),
                                            channel_of(bloom_filter(colour(lower[t]).rgb), c));
#endif
    }
    return bad;
}

// The next channel of those that wait.
void take_waiting()
{
    for (int e = 0; e < PLACES; ++e)
        v[e] = waited(waiting[e]);
    for (int e = 0; e < (CHANNELS - 2) * PLACES; ++e)
        waiting[e] = waiting[e + PLACES];
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < PAIRS_OF_ROWS;
    pair = min(pair, PAIRS_OF_ROWS - 1); // so that every load is from inside

    int begin = PER_CHANNEL == 1 ? int(gl_WorkGroupID.y) : 0, end = begin + CHANNELS + NEVER;
#if !FILTERABLE // loads before the loop, not in a branch of it, overlap: a fifth of the time of compact rows
    uint bad = load_rows(begin, true, pair, thread, alive);
    if (begin == 0 && alive && SCRUBS != 0)
        count_bad(bad);
#endif
    // A loop that is not unrolled: one copy of the transform stays in the instruction cache (docs/decisions.md, D48).
    for (int c = begin; c < end; ++c) {
#if FILTERABLE
        if (c == begin || WAITS_AS_FLOATS == 0 && FILTERS) {
            uint bad = load_rows(c, c == begin, pair, thread, alive);
            if (c == 0 && alive && SCRUBS != 0)
                count_bad(bad);
        } else {
            take_waiting();
        }
#endif
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
        store_spectra(c, line, thread, pair, alive);
#if !FILTERABLE
        take_waiting(); // what follows the last channel is never used
#endif
    }
}
