// fft/spread.glsl - lines with a set of threads for each channel
//   what      which texels a thread has, and where they lie in shared memory, for
//             fft/spread_in.comp and fft/spread_out.comp
//   host sets the defines of fft/lines.glsl; LINES: lines a group, each channel counted as one
//   SPDX-License-Identifier: MIT
#pragma once
// Texels that a thread reads from textures, or writes into them.
#define HELD ((N + THREADS * CHANNELS - 1) / (THREADS * CHANNELS))
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
