// fft/line.glsl - what every line transform shares: registers, shared memory, twiddles, identity
//
//   host sets N            points a line
//             R0 .. R4     radices, product N, 1 where there are fewer stages
//             LAST         the radix of the last stage
//             THREADS      threads a line
//             ELEMENTS     complex values a thread
//             LINES        lines a work group
//             GROUP        THREADS * LINES, as a literal: GLSL 4.30 takes no expression here
//             TILE         columns side by side in the spectrum
//             STRIDE, PAD  floats of shared memory a line; element j lies at j + (j >> PAD)
//   shared    LINES * STRIDE * 4 bytes, at most 32768: real and imaginary parts take turns
//   source    Stockham autosort stages held in registers: Govindaraju et al. 2008. Each stage reads
//             with stride N / radix, so the first reads and the last writes a line in order
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_LINE_GLSL
#define AG_FFT_LINE_GLSL
#if !defined(N) || !defined(R0) || !defined(R1) || !defined(R2) || !defined(R3) || !defined(R4) || \
    !defined(LAST) || !defined(THREADS) || !defined(ELEMENTS) || !defined(LINES) || !defined(GROUP) || \
    !defined(STRIDE) || !defined(PAD) || !defined(TILE)
#error "N, R0..R4, LAST, THREADS, ELEMENTS, LINES, TILE, STRIDE and PAD must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "common/interface.h"
#include "common/sync.glsl"
#include "fft/butterfly.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = AG_SSBO_TWIDDLE) readonly buffer Twiddle {
    vec4 b_twiddle[]; // see ag_fft_twiddles: per stage and m w(m), w(2m); above radix 4 w(4m), w(8m)
};
shared float s_exchange[LINES * STRIDE];

vec2 v[ELEMENTS]; // v[i * radix + k] = element k of butterfly thread + i * THREADS

// Neighbouring threads take neighbouring lines: the lines lie side by side in memory.
#define LINE (gl_LocalInvocationID.x % uint(LINES))
#define THREAD (gl_LocalInvocationID.x / uint(LINES))

// Entries of a butterfly in the table.
#define TWIDDLES(radix) ((radix) > 4 ? 2 : 1)

// Butterflies of a stage that a thread may hold.
#define ROUNDS(radix) ((N / (radix) + THREADS - 1) / THREADS)

uint shared_index(uint line, uint j)
{
    return line * uint(STRIDE) + j + (j >> PAD);
}

// The half spectrum of a channel: two planes of complex values, plane 0 holding the frequencies
// 0 .. n/2-1 of a row, plane 1 those from n down to n/2 (in the place of 0: n/2 itself):
//
//      plane 0   0   1    2    3   ... n/2-1        a pair of frequencies that mirror each other
//      plane 1  n/2 n-1  n-2  n-3  ... n/2+1        has one place, so that a column finds both
//
// Each plane is cut into tiles of TILE columns: tile after tile, in a tile row pair after row pair.
// A work group of rows writes whole 32-byte sectors, one of columns reads one run.
int spectrum_index(int plane, int column, int pair, int pairs, int tiles)
{
    return ((plane * tiles + column / TILE) * pairs + pair) * TILE + column % TILE;
}

#endif
