// ladder/fft/half_length.comp - the paper's 3.1, Fig 3: real rows of 2 N texels as N complex points
//
//   2 N texels -> N points y -> the stages of half_threads.comp -> Y -> G, H -> 2 N frequencies
//
//   in        i_src  real texels; a pair is a point: y(n) = x(2 n) + i x(2 n + 1)
//   out       i_dst, i_dst_imag: all frequencies
//   how       with G and H, the transforms of both halves of the pairs, out of Y(k) and Y(N - k)
//             (6) to (9):
//                 G(k) = (Y(k) + conj Y(N - k)) / 2,  H(k) = (Y(k) - conj Y(N - k)) / 2i
//                 X(k) = G(k) + w^k H(k),  X(k + N) = G(k) - w^k H(k),  w = exp(-2 pi i / 2N)
//             with PAIRS 1 two rows of N texels are the halves: G and H are their transforms
//   shared    32 N bytes a line
//   host sets the defines of ladder/fft/weights.glsl (LOG) and texels.glsl, for N points
//             ROWS   lines a group; GROUP: its threads
//             PAIRS  1 = y(n) = row(n) + i next_row(n)
//   dispatch  ceil(rows / ROWS), of two rows with PAIRS; columns are those of half_threads.comp
//   cost      one texel read and two written, for each texel; log2 N + 1 barriers
//   technique A20, A21 of docs/ladder.md
//   source    Jia, Peng and Zuo 2017, "Research on FFT algorithm based on OpenCL"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(GROUP) || !defined(LOG) || !defined(N) || !defined(PAIRS) || !defined(ROWS)
#error "GROUP, LOG, N, PAIRS and ROWS must be set by the host"
#endif
#include "common/sync.glsl"
#define COUNTS true
#include "ladder/fft/texels.glsl"

layout(local_size_x = GROUP) in;
layout(location = AG_LOC_EXTENT) uniform ivec4 u_extent;
shared vec4 s_real[ROWS * N], s_imaginary[ROWS * N];

void butterfly(uint a, uint b, vec2 w)
{
    vec4 r = w.x * s_real[b] - w.y * s_imaginary[b], i = w.y * s_real[b] + w.x * s_imaginary[b];
    s_real[b] = s_real[a] - r;
    s_imaginary[b] = s_imaginary[a] - i;
    s_real[a] += r;
    s_imaginary[a] += i;
}

// X(k) and X(k + N) of a row, out of Y(k) and Y(N - k).
void recover(uint base, uint k, int line)
{
    uint a = base + k, b = base + (uint(N) - k) % uint(N);
    vec4 g_real = 0.5 * (s_real[a] + s_real[b]), g_imag = 0.5 * (s_imaginary[a] - s_imaginary[b]);
    vec4 h_real = 0.5 * (s_imaginary[a] + s_imaginary[b]), h_imag = 0.5 * (s_real[b] - s_real[a]);
#if PAIRS
    store_texel(ivec2(k, 2 * line), g_real, g_imag);
    if (2 * line + 1 < u_extent.y)
        store_texel(ivec2(k, 2 * line + 1), h_real, h_imag);
#else
    vec2 w = polynomial(k, uint(2 * N)) * vec2(1.0, -1.0);
    vec4 real = w.x * h_real - w.y * h_imag, imaginary = w.y * h_real + w.x * h_imag;
    store_texel(ivec2(k, line), g_real + real, g_imag + imaginary);
    store_texel(ivec2(k + uint(N), line), g_real - real, g_imag - imaginary);
#endif
}

// Texels 2 i and 2 i + 1 of a row, or texel i of two rows.
void load_pair(uint at, int i, int line)
{
    ivec2 first = PAIRS == 1 ? ivec2(i, 2 * line) : ivec2(2 * i, line);
    bool both = PAIRS == 0 || 2 * line + 1 < u_extent.y;
    s_real[at] = load_real(first);
    s_imaginary[at] = both ? load_real(first + ivec2(1 - PAIRS, PAIRS)) : vec4(0.0);
}

void main()
{
    uint thread = gl_LocalInvocationID.x % uint(N / 2), row = gl_LocalInvocationID.x / uint(N / 2);
    int line = int(gl_WorkGroupID.x * uint(ROWS) + row);
    uint base = row * uint(N);
    bool alive = line < LINES_OF_DISPATCH;
    for (uint i = thread; i < uint(N); i += uint(N / 2)) {
        uint at = base + reversed(i, LOG);
        s_real[at] = s_imaginary[at] = vec4(0.0);
        if (alive)
            load_pair(at, int(i), line);
    }
    for (int stage = 0; stage < LOG; ++stage) {
        sync_shared();
        uint part = thread & ((1u << stage) - 1u), block = thread >> stage;
        uint a = base + (block << (stage + 1)) + part;
        butterfly(a, a + (1u << stage), weight(stage, part));
    }
    sync_shared();
    for (uint k = thread; k < uint(N) && alive; k += uint(N / 2))
        recover(base, k, line);
}
