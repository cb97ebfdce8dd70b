// fft/spread_out.comp - transforms lines from cells into textures, a channel a set of threads
//
//   in        b_cells_in  (fft/cells.glsl)
//   out       textures, see fft/lines_store.glsl
//   how       fft/lines.comp keeps whole texels in registers, and its channels take turns. Here
//             they are transformed at once, by CHANNELS times as many threads: for images of so few
//             lines that a GPU has threads to spare, one channel's waits instead of four.
//             Texels are put together through shared memory: the way of fft/spread_in.comp, back
//   host sets as fft/lines.comp, but LINES counts each channel as a line; SPLIT 0
//   dispatch  x * y >= ceil(LINE_COUNT / (LINES / CHANNELS))
//   cost      as fft/lines.comp, and one more exchange through shared memory
//   source    docs/fft.md; Govindaraju et al. 2008
//   SPDX-License-Identifier: MIT
#version 430 core
#define SPREAD
#include "fft/spread.glsl"
#include "fft/cells.glsl"
#include "fft/lines_store.glsl"

layout(std430, binding = AG_SSBO_CELLS_IN) readonly buffer CellsIn {
    vec2 b_cells_in[];
};

// One channel of what load_position of fft/lines_load.glsl gives.
vec2 load_value(int position, int across, int channel)
{
    int mirror = (LINE_LENGTH - position) % LINE_LENGTH;
    int stored = HALF_IN == 1 ? min(position, mirror) : position;
    vec2 value = b_cells_in[cell_at(texel_at(stored, across)) + channel];
    if (HALF_IN == 1) // swapped already: the conjugate of a value has another sign in x
        value.x *= position > mirror ? -1.0 : position == mirror ? 0.0 : 1.0; // F(0) is real
    return value;
}

void main()
{
    uint line = LINE, thread = THREAD;
    int first = line_index(0u) / CHANNELS, index = first + int(line) / CHANNELS;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, N / R0 - 1);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = load_value(b + k * (N / R0), min(index, LINE_COUNT - 1), OWN_CHANNEL);
    }
#include "fft/transform.glsl"
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
