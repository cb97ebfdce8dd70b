// fft/columns.comp - columns of the spectrum: FFT, times the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum  from rows_forward.comp, overwritten in place (mode convolve)
//   in or out b_kernel    the kernel's half spectrum: read (convolve) or written (mode kernel)
//   host sets the defines of fft/line.glsl
//             MODE       AG_COLUMNS_*
//             BORDERED   1 = rows reach their places by common/border.glsl, 0 = in order, then zeros
//             LEGS       pair distance / (N / R0), at most ceil(R0 / 2); 0 in mode kernel
//             Q0 .. Q4, BACK (mode convolve): the radices reversed, and their first twiddle
//   dispatch  ceil(columns / LINES), channels
//   cost      reads and writes each of the pairs' two planes once, reads the kernel once
//   source    docs/convolve.md 3 to 5
//
// Unpacking: Z(k) = E(k) + i O(k) holds the spectra E, O of two real rows. With Z(n-k) beside it,
//   2 E(k) = Z(k) + conj Z(n-k),   2 O(k) = -i (Z(k) - conj Z(n-k)).
// Rows are paired at a distance that is a multiple of N / R0, so E and O of a pair are two elements
// of one thread: unpacking and packing touch registers only. The factor 2 is in the kernel's scale.
//
// Column 0 carries two real signals, frequencies 0 and n/2 of the rows, as one complex line
// F = A + i B. Its product A K0 + i B Kn needs F(-j) beside F(j), an exchange that only the first
// work group does.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "fft/line.glsl"
#include "common/border.glsl"
#if !defined(MODE) || !defined(BORDERED) || !defined(LEGS)
#error "MODE, BORDERED and LEGS (pair distance / (N / R0), 1..(R0 + 1) / 2) must be set by the host"
#endif

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // w = rows
layout(location = AG_LOC_LINE_X) uniform ivec4 u_columns;    // x = number of columns
layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_Y2) uniform ivec4 u_line_more;
layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // pairs, distance, tiles, elements a channel
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // z = kernel channels
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // w = elements of a channel's spectrum
layout(location = AG_LOC_SCALE) uniform vec4 u_scale; // x = factor of a stored kernel
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Spectrum {
    vec2 b_spectrum[];
};
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};

const int STEP = N / R0; // distance of a thread's elements at both ends

int plane(int index, int column, int pair)
{
    return int(gl_WorkGroupID.y) * u_spectrum.w +
           spectrum_index(index, column, pair, u_spectrum.x, u_spectrum.z);
}

int kernel_index(int column, int j)
{
    int channel = u_channels.z == 1 ? 0 : int(gl_WorkGroupID.y);
    return channel * u_kernel.w + (column / TILE * N + j) * TILE + column % TILE;
}

// Twice the values of one column in both rows of a pair. Without branches, so that loads overlap.
void unpack(int column, int pair, out vec2 even, out vec2 odd)
{
    vec2 z = b_spectrum[plane(0, column, pair)], m = b_spectrum[plane(1, column, pair)];
    bvec2 first = bvec2(column == 0); // frequencies 0 and n/2 of real rows are real
    even = mix(vec2(z.x + m.x, z.y - m.y), 2.0 * vec2(z.x, m.x), first);
    odd = mix(vec2(z.y + m.y, m.x - z.x), 2.0 * vec2(z.y, m.y), first);
}

#if !BORDERED
void load_in_order(int column, uint thread)
{
    for (int i = 0; i < ROUNDS(R0); ++i) {
        int b = min(int(thread) + i * THREADS, STEP - 1);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = vec2(0.0);
        for (int k = 0; k < LEGS; ++k) {
            int pair = b + k * STEP;
            vec2 even, odd;
            unpack(column, min(pair, u_spectrum.x - 1), even, odd);
            v[i * R0 + k] = mix(vec2(0.0), even, bvec2(pair < u_spectrum.x));
            if (k + LEGS < R0)
                v[i * R0 + (k + LEGS < R0 ? k + LEGS : k)] =
                    mix(vec2(0.0), odd, bvec2(pair + u_spectrum.y < u_src_rect.w));
        }
    }
}

#else

// Clamp, mirror and wrap borders, and kernels, whose centre moves to the line's start.
void load_by_border(int column, uint thread)
{
    for (int i = 0; i < ROUNDS(R0); ++i)
        for (int k = 0; k < R0; ++k) {
            int b = min(int(thread) + i * THREADS, STEP - 1);
            int row = source_index(b + k * STEP, u_line, u_line_more);
            bool first = row < u_spectrum.y;
            vec2 even, odd;
            unpack(column, max(first ? row : row - u_spectrum.y, 0), even, odd);
            v[i * R0 + k] = mix(vec2(0.0), mix(odd, even, bvec2(first)), bvec2(row >= 0));
        }
}

#endif
#if MODE == AG_COLUMNS_KERNEL

void store_kernel(int column, uint thread, bool alive)
{
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            int b = int(thread) + i * THREADS;
            if (alive && ((N / LAST) % THREADS == 0 || b < N / LAST))
                b_kernel[kernel_index(column, b + k * (N / LAST))] = v[i * LAST + k] * u_scale.x;
        }
}

#else

void multiply(int column, uint thread)
{
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            int b = min(int(thread) + i * THREADS, N / LAST - 1);
            v[i * LAST + k] =
                cmul(v[i * LAST + k], b_kernel[kernel_index(column, b + k * (N / LAST))]);
        }
}

// Column 0: F(j) (K0 + Kn)/2 + conj F(-j) (K0 - Kn)/2, where the stored line G = K0 + i Kn.
// With G(-j) = m: K0 = (G + conj m)/2, Kn = -i (G - conj m)/2.
// Every line of the group comes along for the barriers; only column 0 keeps the result.
void multiply_column_0(int column, uint thread, uint line)
{
    float mirrored[ELEMENTS];
    sync_shared();
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            uint j = thread + uint(i * THREADS) + uint(k * (N / LAST));
            if ((N / LAST) % THREADS == 0 || thread + uint(i * THREADS) < uint(N / LAST))
                s_exchange[shared_index(line, j)] = v[i * LAST + k].x;
        }
    sync_shared();
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            uint j = thread + uint(i * THREADS) + uint(k * (N / LAST));
            if ((N / LAST) % THREADS == 0 || thread + uint(i * THREADS) < uint(N / LAST))
                mirrored[i * LAST + k] = s_exchange[shared_index(line, (uint(N) - j) % uint(N))];
        }
    sync_shared();
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            uint j = thread + uint(i * THREADS) + uint(k * (N / LAST));
            if ((N / LAST) % THREADS == 0 || thread + uint(i * THREADS) < uint(N / LAST))
                s_exchange[shared_index(line, j)] = v[i * LAST + k].y;
        }
    sync_shared();
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            int b = int(thread) + i * THREADS, j = b + k * (N / LAST);
            if (column == 0 && ((N / LAST) % THREADS == 0 || b < N / LAST)) {
                int opposite = (N - j) % N;
                vec2 f = vec2(mirrored[i * LAST + k],
                              -s_exchange[shared_index(line, uint(opposite))]);
                vec2 g = b_kernel[kernel_index(0, j)], m = b_kernel[kernel_index(0, opposite)];
                vec2 k0 = 0.5 * vec2(g.x + m.x, g.y - m.y);
                vec2 kn = 0.5 * vec2(g.y + m.y, m.x - g.x);
                v[i * LAST + k] =
                    cmul(v[i * LAST + k], 0.5 * (k0 + kn)) + cmul(f, 0.5 * (k0 - kn));
            }
        }
    if (column != 0)
        multiply(column, thread);
}

void store_in_order(int column, uint thread, bool alive)
{
    for (int i = 0; i < ROUNDS(R0); ++i) {
        int b = int(thread) + i * THREADS;
        if (alive && (STEP % THREADS == 0 || b < STEP))
            for (int k = 0; k < LEGS; ++k)
                if (b + k * STEP < u_spectrum.x) {
                    // real and imaginary parts are swapped: this is the inverse
                    vec2 even = v[i * R0 + k].yx;
                    vec2 odd = k + LEGS < R0 ? v[i * R0 + (k + LEGS < R0 ? k + LEGS : k)].yx : vec2(0.0);
                    int pair = b + k * STEP;
                    vec2 z = vec2(even.x - odd.y, even.y + odd.x);  // E + i O
                    vec2 m = vec2(even.x + odd.y, odd.x - even.y);  // conj E + i conj O
                    if (column == 0) {
                        z = vec2(even.x, odd.x);
                        m = vec2(even.y, odd.y);
                    }
                    b_spectrum[plane(0, column, pair)] = z;
                    b_spectrum[plane(1, column, pair)] = m;
                }
    }
}

#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < u_columns.x;
    column = alive ? column : 0;

#if BORDERED
    load_by_border(column, thread);
#else
    load_in_order(column, thread);
#endif
#define S0 R0
#define S1 R1
#define S2 R2
#define S3 R3
#define S4 R4
#define TABLE 0
#include "fft/transform.glsl"
#undef S0
#undef S1
#undef S2
#undef S3
#undef S4
#undef TABLE

#if MODE == AG_COLUMNS_KERNEL
    store_kernel(column, thread, alive);
#else
    if (gl_WorkGroupID.x == 0u)
        multiply_column_0(column, thread, line);
    else
        multiply(column, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
#define S0 Q0
#define S1 Q1
#define S2 Q2
#define S3 Q3
#define S4 Q4
#define TABLE BACK
#include "fft/transform.glsl"
    store_in_order(column, thread, alive);
#endif
}
