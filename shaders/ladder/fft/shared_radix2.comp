// ladder/fft/shared_radix2.comp - the article's SLM technique, Figs 2 and 3: a thread a texel
//
//   texels of a line -> [real 0, imaginary 0] -> [real 1, imaginary 1] -> [real 0, ... -> texels
//                          shared memory, log2 N butterfly passes, a barrier before each
//
//   in, out   ladder/fft/texels.glsl
//   shared    four planes of N texels, of which a pass reads two and writes the other two: 64 N
//             bytes, 512 texels in the 32 KiB that GL promises
//   host sets the defines of ladder/fft/weights.glsl (N, LOG) and texels.glsl; AXIS
//             DIRECT  1 = the last pass writes to the target (Fig 3, line 38); 0 = a copy does
//   dispatch  a group for each line
//   cost      Fig 7: each texel read once and written once; log2 N barriers
//   technique A02, A03, A04, A07 of docs/ladder.md
//   source    J. S. (Intel) 2014, "Fast Fourier Transform for Image Processing in DirectX 11"
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(AXIS) || !defined(DIRECT) || !defined(LOG) || !defined(N)
#error "AXIS, DIRECT, LOG and N must be set by the host"
#endif
#include "common/sync.glsl"
#define COUNTS true
#include "ladder/fft/texels.glsl"

layout(local_size_x = N) in;
shared vec4 s_ping_pong[4][N];

void butterfly_pass(int pass, uint x, uint t0, uint t1, out vec4 real, out vec4 imaginary)
{
    uvec2 indices;
    vec2 w;
    butterfly_values(pass, x, indices, w);
    vec4 r1 = s_ping_pong[t0][indices.x], i1 = s_ping_pong[t1][indices.x];
    vec4 r2 = s_ping_pong[t0][indices.y], i2 = s_ping_pong[t1][indices.y];
    real = r1 + w.x * r2 - w.y * i2;
    imaginary = i1 + w.y * r2 + w.x * i2;
}

void main()
{
    uint x = gl_LocalInvocationID.x;
    ivec2 p = AXIS == 0 ? ivec2(gl_GlobalInvocationID.xy)
                        : ivec2(gl_WorkGroupID.y, gl_LocalInvocationID.x);
    s_ping_pong[0][x] = load_real(p);
    s_ping_pong[1][x] = load_imaginary(p);
    uvec4 planes = uvec4(0u, 1u, 2u, 3u);
    vec4 real, imaginary;
    for (int i = 0; i < LOG - DIRECT; ++i) {
        sync_shared();
        butterfly_pass(i, x, planes.x, planes.y, real, imaginary);
        s_ping_pong[planes.z][x] = real;
        s_ping_pong[planes.w][x] = imaginary;
        planes = planes.zwxy;
    }
    sync_shared();
#if DIRECT
    butterfly_pass(LOG - 1, x, planes.x, planes.y, real, imaginary);
#else
    real = s_ping_pong[planes.x][x];
    imaginary = s_ping_pong[planes.y][x];
#endif
    store_texel(p, real, imaginary);
}
