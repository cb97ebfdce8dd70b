// fft/ladder/half_length.comp - the paper's 3.1, Fig 3: real rows of 2 N texels as N complex points
//
//   in        i_src  real texels; a pair is a point: y(n) = x(2 n) + i x(2 n + 1)
//   out       i_dst, i_dst_imag: all 2 N frequencies
//   how       with G and H, the transforms of both halves of the pairs, out of Y(k) and Y(N - k)
//             (6) to (9):
//                 G(k) = (Y(k) + conj Y(N - k)) / 2,  H(k) = (Y(k) - conj Y(N - k)) / 2i
//                 X(k) = G(k) + w^k H(k),  X(k + N) = G(k) - w^k H(k),  w = exp(-2 pi i / 2N)
//   shared    32 N bytes a line
//   host sets the defines of fft/ladder/weights.glsl and texels.glsl, for N points; ROWS, GROUP
//   dispatch  ceil(rows / ROWS); columns then take fft/ladder/half_threads.comp
//   cost      one texel read and two written, for each texel; log2 N + 1 barriers
//   source    Jia, Peng and Zuo 2017, "Research on FFT algorithm based on OpenCL"
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "fft/ladder/texels.glsl"

layout(local_size_x = GROUP) in;
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
    vec2 w = polynomial(k, uint(2 * N)) * vec2(1.0, -1.0);
    vec4 real = w.x * h_real - w.y * h_imag, imaginary = w.y * h_real + w.x * h_imag;
    store_texel(ivec2(k, line), g_real + real, g_imag + imaginary);
    store_texel(ivec2(k + uint(N), line), g_real - real, g_imag - imaginary);
}

void main()
{
    uint thread = gl_LocalInvocationID.x % uint(N / 2), row = gl_LocalInvocationID.x / uint(N / 2);
    int line = int(gl_WorkGroupID.x * uint(ROWS) + row);
    uint base = row * uint(N);
    bool alive = line < LINES_OF_DISPATCH;
    for (uint i = thread; i < uint(N); i += uint(N / 2)) {
        uint at = base + reversed(i, LOG);
        s_real[at] = alive ? load_real(ivec2(2u * i, line)) : vec4(0.0);
        s_imaginary[at] = alive ? load_real(ivec2(2u * i + 1u, line)) : vec4(0.0);
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
