// fft/lines.glsl - lines of an image for the effect fft: which lines, and their texels in registers
//   what      a thread holds HELD texels of a line, with all channels: textures are read and
//             written by whole texels. Each channel takes its turn in v, where it is transformed:
//
//                 texels   | channel 0 | channel 1 | channel 2 | channel 3 |
//                 v     <- | E values  |  then all move down, and the result goes to the end
//
//   set HELD; host sets the defines of fft/line.glsl; CHANNELS; AXIS (0: lines along x, 1: along y)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(AXIS) || !defined(FROM_CELLS) || !defined(TO_CELLS)
#error "CHANNELS (1..4), AXIS, FROM_CELLS and TO_CELLS (0, 1) must be set by the host"
#endif
#include "fft/line.glsl"
#include "fft/interface.h"

layout(location = AG_LOC_LINES) uniform ivec4 u_lines;
#define LINE_COUNT u_lines.x  // of the dispatch
#define LINE_LENGTH u_lines.y // of the axis: N, if it is transformed as it is
#define LINE_PARTS u_lines.z  // lines of N points that are parts of one line; 1: the line is whole

layout(location = AG_LOC_EXTENT) uniform ivec4 u_extent;
#define SIZE u_extent.xy           // of what is transformed
#define SPECTRUM_SHIFT u_extent.zw // the place of frequency 0
layout(location = AG_LOC_IMAG_RECTS) uniform ivec4 u_imag_rects;

// 0, which no compiler knows: a loop up to n + NEVER is not unrolled, and compiles faster.
#define NEVER min(LINE_COUNT, 0)
#define MIRROR_FIRST false
#define MIRROR_LAST false
#define LAST_STAGE_NEEDED true

// Channel c of texel e. Mesa's RADV (zink on AMD) unrolls a loop of up to 32 turns, whatever its
// size, if its variable indexes an array of as many elements. It may leave another one, and what is
// indexed there goes to memory, 32 KiB a wave. radeonsi unrolls all. Up to 32 values need no array
// of arrays.
#if CHANNELS * ELEMENTS > 32
vec2 texels[CHANNELS][HELD];
#define HELD_TEXEL(c, e) texels[c][e]
#else
vec2 texels[CHANNELS * HELD];
#define HELD_TEXEL(c, e) texels[(c) * HELD + (e)]
#endif

// The texel at a position of a line; `across` is the line's place on the other axis.
ivec2 texel_at(int position, int across)
{
    return AXIS == 0 ? ivec2(position, across) : ivec2(across, position);
}

void take_channel()
{
    for (int e = 0; e < HELD; ++e)
        v[e] = HELD_TEXEL(0, e);
    for (int c = 0; c < CHANNELS - 1; ++c)
        for (int e = 0; e < HELD; ++e)
            HELD_TEXEL(c, e) = HELD_TEXEL(c + 1, e);
}

void return_channel()
{
    for (int e = 0; e < HELD; ++e)
        HELD_TEXEL(CHANNELS - 1, e) = v[e];
}

void scale_texel(int e, vec2 factor)
{
    for (int c = 0; c < CHANNELS; ++c)
        HELD_TEXEL(c, e) = cmul(HELD_TEXEL(c, e), factor);
}

void swap_texel(int e) // real and imaginary parts: before and after, the transform is the inverse
{
    for (int c = 0; c < CHANNELS; ++c)
        HELD_TEXEL(c, e) = HELD_TEXEL(c, e).yx;
}

int line_index(uint line)
{
    return int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(LINES) + line);
}
