// ladder/fft/half_threads.comp - the paper's FFT, Figs 6 and 7: a thread two points, in place
//
//   stage s   a ------*---- a + w b     b = a + 2^s: N / 2 threads make all N points, and write
//                      X                them where they read them
//             b -- w --*---- a - w b
//
//   in, out   ladder/fft/texels.glsl
//   shared    32 N bytes a line; ROWS lines a group ("processes are used to the full", 4.2)
//   host sets the defines of ladder/fft/weights.glsl (N, LOG) and texels.glsl; AXIS
//             ROWS        lines a group; GROUP: ROWS * N / 2, as a literal
//             ORDERED     1 = values are put in order when they are loaded, and stored in order
//                         (4.2, "sorted beforehand"); 0 = stored to bit-reversed places
//             TRANSPOSED  1 = lines are stored as columns, so that both passes read rows
//   dispatch  ceil(lines / ROWS)
//   cost      each texel read once and written once; log2 N barriers
//   technique A17, A18, A19, A23, A24 of docs/ladder.md
//   source    Jia, Peng and Zuo 2017, "Research on FFT algorithm based on OpenCL"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(AXIS) || !defined(GROUP) || !defined(LOG) || !defined(N) || !defined(ORDERED) || \
    !defined(ROWS) || !defined(TRANSPOSED)
#error "AXIS, GROUP, LOG, N, ORDERED, ROWS and TRANSPOSED must be set by the host"
#endif
#include "common/sync.glsl"
#define COUNTS true
#include "ladder/fft/texels.glsl"

layout(local_size_x = GROUP) in;
shared vec4 s_real[ROWS * N], s_imaginary[ROWS * N];

// Butterfly of elements a and b = a + 2^stage, its weight before the sum (ORDERED) or behind it.
void butterfly(uint a, uint b, vec2 w)
{
    vec4 r1 = s_real[a], i1 = s_imaginary[a], r2 = s_real[b], i2 = s_imaginary[b];
#if ORDERED
    vec4 r = w.x * r2 - w.y * i2, i = w.y * r2 + w.x * i2;
    s_real[b] = r1 - r;
    s_imaginary[b] = i1 - i;
    s_real[a] = r1 + r;
    s_imaginary[a] = i1 + i;
#else
    vec4 r = r1 - r2, i = i1 - i2;
    s_real[a] = r1 + r2;
    s_imaginary[a] = i1 + i2;
    s_real[b] = w.x * r - w.y * i;
    s_imaginary[b] = w.y * r + w.x * i;
#endif
}

void main()
{
    uint thread = gl_LocalInvocationID.x % uint(N / 2), row = gl_LocalInvocationID.x / uint(N / 2);
    int line = int(gl_WorkGroupID.x * uint(ROWS) + row), own = min(line, LINES_OF_DISPATCH - 1);
    uint base = row * uint(N);
    bool alive = line < LINES_OF_DISPATCH;
    for (uint i = thread; i < uint(N); i += uint(N / 2)) {
        ivec2 p = AXIS == 0 ? ivec2(i, own) : ivec2(own, i);
        uint at = base + (ORDERED == 1 ? reversed(i, LOG) : i);
        s_real[at] = alive ? load_real(p) : vec4(0.0);
        s_imaginary[at] = alive ? load_imaginary(p) : vec4(0.0);
    }
    for (int i = 0; i < LOG; ++i) {
        int stage = ORDERED == 1 ? i : LOG - 1 - i;
        sync_shared();
        uint part = thread & ((1u << stage) - 1u), block = thread >> stage;
        uint a = base + (block << (stage + 1)) + part;
        butterfly(a, a + (1u << stage), weight(stage, part));
    }
    sync_shared();
    for (uint i = thread; i < uint(N) && alive; i += uint(N / 2)) {
        uint k = ORDERED == 1 ? i : reversed(i, LOG);
        ivec2 p = AXIS == 0 ? ivec2(k, line) : ivec2(line, k);
        store_texel(TRANSPOSED == 1 ? p.yx : p, s_real[base + i], s_imaginary[base + i]);
    }
}
