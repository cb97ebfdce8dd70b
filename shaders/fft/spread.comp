// fft/spread.comp - transforms lines from textures into cells or back, a channel a set of threads
//
//   in, out   FROM_CELLS 0: textures to b_cells_out; 1: b_cells_in to textures, see fft/lines.glsl
//             b_info       while scrub is on: adds the number of non-finite texels
//   how       fft/lines.comp keeps whole texels in registers, and its channels take turns. Here
//             they are transformed at once, by CHANNELS times as many threads: for images of so few
//             lines that a GPU has threads to spare, one channel's waits instead of four.
//             Texels are taken apart through shared memory; from cells the same goes backwards:
//
//                 textures      r g b a | r g b a | ..      a thread a texel
//                 shared        r r r .. | g g g .. | ..    a line for each channel
//                 registers     r r r ..                    ELEMENTS values of one channel
//                 cells         r g b a | r g b a | ..      a cell by neighbouring threads
//   host sets the defines of fft/lines.glsl, but LINES counts each channel as a line; SPLIT 0;
//             FROM_CELLS is 1 where TO_CELLS is 0
//   dispatch  x * y >= ceil(LINE_COUNT / (LINES / CHANNELS))
//   cost      as fft/lines.comp, and one more exchange through shared memory
//   source    docs/fft.md; Govindaraju et al. 2008
//   SPDX-License-Identifier: MIT
#version 430 core
// Texels that a thread reads from textures, or writes into them.
#define HELD ((N + THREADS * CHANNELS - 1) / (THREADS * CHANNELS))
#define SPREAD 1
#include "common/sync.glsl"
#include "fft/lines.glsl"

const int WHOLE_LINES = LINES / CHANNELS;
#define OWN_CHANNEL int(line % uint(CHANNELS)) // of the thread; line: its line and channel

// Texel i of this thread: x = its line of the group, y = its position. Threads side by side have
// texels side by side.
ivec2 held(int i)
{
    int at = int(gl_LocalInvocationID.x) + i * GROUP;
    return AXIS == 0 ? ivec2(at / N, at % N) : ivec2(at % WHOLE_LINES, at / WHOLE_LINES);
}

// False where the last of its texels is beyond the group's lines.
#define IS_HELD(i) \
    (N % (THREADS * CHANNELS) == 0 || int(gl_LocalInvocationID.x) + (i) * GROUP < N * WHOLE_LINES)
#define HELD_PLACE(i, c) s_exchange[(held(i).x * CHANNELS + (c)) * STRIDE + held(i).y]
#define OWN_PLACE(position) s_exchange[int(line) * STRIDE + (position)]

#if !FROM_CELLS

void load_line(uint line, uint thread, int first, inout uint bad)
{
    for (int i = 0; i < HELD; ++i) {
        ivec2 at = min(held(i), ivec2(WHOLE_LINES - 1, N - 1));
        load_position(i, at.y, min(first + at.x, LINE_COUNT - 1),
                      IS_HELD(i) && first + at.x < LINE_COUNT, bad);
    }
    for (int i = 0; i < HELD; ++i)
        for (int c = 0; c < CHANNELS; ++c)
            if (IS_HELD(i))
                HELD_PLACE(i, c) = HELD_TEXEL(c, i);
    sync_shared();
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = OWN_PLACE(b + k * (N / R0));
    }
}

void store_line(uint line, uint thread, int first)
{
    int index = first + int(line) / CHANNELS;
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < LAST; ++k) {
            int position = b + k * (N / LAST);
            if (HAS_BUTTERFLY(i, N / LAST, false) && index < LINE_COUNT && position < KEPT)
                b_cells_out[cell_at(texel_at(position, index)) + OWN_CHANNEL] = v[i * LAST + k];
        }
    }
}

#else

// One channel of what load_position of fft/lines.glsl gives.
vec2 load_value(int position, int across, int channel)
{
    int mirror = (LINE_LENGTH - position) % LINE_LENGTH;
    int stored = HALF_IN == 1 ? min(position, mirror) : position;
    vec2 value = b_cells_in[cell_at(texel_at(stored, across)) + channel];
    if (HALF_IN == 1) // swapped already: the conjugate of a value has another sign in x
        value.x *= position > mirror ? -1.0 : position == mirror ? 0.0 : 1.0; // F(0) is real
    return value;
}

void load_line(uint line, uint thread, int first, inout uint bad)
{
    int index = first + int(line) / CHANNELS;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = load_value(b + k * (N / R0), min(index, LINE_COUNT - 1), OWN_CHANNEL);
    }
}

void store_line(uint line, uint thread, int first)
{
    sync_shared(); // the former exchange has been read
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k)
            if (HAS_BUTTERFLY(i, N / LAST, false))
                OWN_PLACE(int(thread) + i * THREADS + k * (N / LAST)) = v[i * LAST + k];
    sync_shared();
    for (int i = 0; i < HELD; ++i)
        for (int c = 0; c < CHANNELS; ++c)
            if (IS_HELD(i))
                HELD_TEXEL(c, i) = HELD_PLACE(i, c);
    for (int i = 0; i < HELD; ++i) {
        ivec2 at = held(i);
        if (IS_HELD(i) && first + at.x < LINE_COUNT)
            store_position(i, at.y, first + at.x);
    }
}

#endif

void main()
{
    uint line = LINE, thread = THREAD, bad = 0u;
    int first = line_index(0u) / CHANNELS;
    load_line(line, thread, first, bad);
    transform(line, thread);
    store_line(line, thread, first);
#if !FROM_CELLS
    if (SCRUBS != 0)
        count_bad(bad);
#endif
}
