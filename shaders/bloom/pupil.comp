// bloom/pupil.comp - the opening of a lens or of an eye, and its diffraction, which bloom's kernels
// are made of
//
//   PART AG_PUPIL_OPENING draws the opening. fft/kernel_rows.comp and fft/kernel_columns.comp make
//   its transform F. PART AG_PUPIL_POWER makes |F|^2, around frequency 0 in the middle.
//
//         star: lashes from above          aperture: blades            u (unit: the radius)
//             \ | | /                         ________
//            .-\|-|/-.                       / .  \   \      . dust
//           (   | |   )                     /      \   \     \ scratch
//            '-._|_.-'                      \________\_/
//
//   in        b_kernel  AG_PUPIL_POWER: F, a complex half spectrum of AG_PUPIL_LINE points a line;
//                       columns lie u_kernel.x side by side (fft/kernel_spectrum.glsl)
//   out       i_dst     R32F. The opening: AG_PUPIL_SIDE squared, the light that passes, 0 .. 1,
//                       its centre at (AG_PUPIL_SIDE / 2, AG_PUPIL_SIDE / 2). The power:
//                       AG_POWER_SIDE squared, |F(k) / F(0)|^2 of k = texel - AG_POWER_REACH
//   host sets PART
//   dispatch  ceil(side of i_dst / 8) in both directions
//   cost      the opening has a loop over all obstacles in each of 83 000 texels; the power reads
//             and writes each value once. Both run in prepare only
//   how       every edge is a signed distance, and light passes by 1/2 - distance, in texels: edges
//             fade over one texel, which is a box filter along their normal. The opening is real,
//             so F(-k) is the complex conjugate of F(k): the half with negative columns is the
//             other half, reversed, and the power is even in every bit
//   source    docs/bloom.md. Eyelashes, scratches and dust as obstacles in a pupil: Kakimoto,
//             Matsuoka, Nishita, Naemura and Harashima 2004, Glare Generation Based on Wave Optics;
//             Ritschel et al. 2009, Temporal Glare. Far-field (Fraunhofer) diffraction: Goodman,
//             Introduction to Fourier Optics, 4.3
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_PUPIL_OPENING, AG_PUPIL_POWER) must be set by the host"
#endif
#include "bloom/interface.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;

#if PART == AG_PUPIL_OPENING
#include "bloom/opening.glsl"
layout(location = AG_LOC_PUPIL) uniform vec4 u_pupil;
layout(location = AG_LOC_PUPIL_MODE) uniform ivec4 u_pupil_mode;
layout(location = AG_LOC_PUPIL_SEED) uniform ivec4 u_pupil_seed;
#define ROTATION u_pupil.x
#define ROUNDNESS u_pupil.y
#define RADIUS u_pupil.z
#define BLADES u_pupil_mode.x
#define DUST u_pupil_mode.y
#define SCRATCHES u_pupil_mode.z
#define EYELASHES u_pupil_mode.w

const float PI = 3.14159265358979;

// Four numbers in 0 .. 1 of an obstacle. pcg4d: Jarzynski and Olano 2020, Hash Functions for GPU
// Rendering.
vec4 random(uint kind, int index)
{
    uvec4 v = uvec4(uint(index), kind, uint(u_pupil_seed.x), 0x9e3779b9u) * 1664525u + 1013904223u;
    for (int i = 0; i < 2; ++i) {
        v.x += v.y * v.w;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v.w += v.y * v.z;
        v ^= v >> 16;
    }
    return vec4(v >> 8) / 16777216.0;
}

vec2 direction(float angle)
{
    return vec2(cos(angle), sin(angle));
}

// Distance to a line from `from` to `to`, whose half width goes from `wide` to 0.
float tapered(vec2 u, vec2 from, vec2 to, float wide)
{
    vec2 along = to - from;
    float t = clamp(dot(u - from, along) / dot(along, along), 0.0, 1.0);
    return distance(u, from + t * along) - wide * (1.0 - t);
}

float passes(float distance_outside)
{
    return clamp(0.5 - distance_outside * RADIUS, 0.0, 1.0);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, ivec2(AG_PUPIL_SIDE))))
        return;
    vec2 u = vec2(p - AG_PUPIL_SIDE / 2) / RADIUS;
    float light = passes(opening(u, BLADES, ROTATION, ROUNDNESS));
    for (int i = 0; i < DUST; ++i) {
        vec4 r = random(0u, i), q = random(1u, i);
        vec2 at = sqrt(r.x) * direction(2.0 * PI * r.y);
        float size = 0.008 + 0.03 * r.z * r.z * r.z; // most particles are small
        light *= 1.0 - (0.3 + 0.7 * q.x) * passes(distance(u, at) - size);
    }
    for (int i = 0; i < SCRATCHES; ++i) {
        vec4 r = random(2u, i), q = random(3u, i);
        vec2 at = sqrt(r.x) * direction(2.0 * PI * r.y);
        // wiping makes them nearly parallel, in a few directions
        float angle = ROTATION + PI * (0.08 + floor(3.0 * q.y) / 3.0 + 0.06 * (q.z - 0.5));
        vec2 half_line = (0.15 + 0.6 * r.z) * direction(angle);
        float width = 0.006 + 0.006 * r.w;
        float line = min(tapered(u, at, at + half_line, width),
                         tapered(u, at, at - half_line, width));
        light *= 1.0 - (0.2 + 0.6 * q.x) * passes(line);
    }
    for (int i = 0; i < EYELASHES; ++i) {
        vec4 r = random(4u, i), q = random(5u, i);
        float lid = q.w < 0.75 ? 0.5 * PI : -0.5 * PI; // three of four are the upper lid's
        float angle = ROTATION + lid + 1.9 * (r.x - 0.5);
        vec2 root = 1.1 * direction(angle);
        // inwards, more or less towards the centre
        vec2 tip = root - (0.4 + 1.0 * r.y) * direction(angle + 0.9 * (r.z - 0.5));
        light *= 1.0 - passes(tapered(u, root, tip, 0.012 + 0.022 * r.w));
    }
    imageStore(i_dst, p, vec4(light));
}

#elif PART == AG_PUPIL_POWER
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define LINES u_kernel.x
layout(std430, binding = AG_SSBO_KERNEL) readonly buffer Kernel { vec2 b_kernel[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, ivec2(AG_POWER_SIDE))))
        return;
    ivec2 k = p - AG_POWER_REACH;
    if (k.x < 0 || (k.x == 0 && k.y < 0))
        k = -k;
    int row = k.y < 0 ? k.y + AG_PUPIL_LINE : k.y;
    vec2 f = b_kernel[k.x / LINES * (AG_PUPIL_LINE * LINES) + k.x % LINES + row * LINES];
    float whole = b_kernel[0].x; // all the light that passes
    f /= max(whole, 1e-30);
    imageStore(i_dst, p, vec4(dot(f, f)));
}
#endif
