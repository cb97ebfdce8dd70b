// fft/pupil.comp - draws the opening of a lens or of an eye, whose diffraction bloom's kernels are
//
//   out       i_dst  R32F, AG_PUPIL_SIDE squared: the light that passes, 0 .. 1. The pupil's centre
//                    is the texel (AG_PUPIL_SIDE / 2, AG_PUPIL_SIDE / 2)
//   dispatch  ceil(AG_PUPIL_SIDE / 8) in both directions
//   cost      a loop over all obstacles in each of 83 000 texels; runs in prepare only
//   how       every edge is a signed distance, and light passes by 1/2 - distance, in texels: edges
//             fade over one texel, which is a box filter along their normal
//   source    docs/bloom.md. Eyelashes, scratches and dust as obstacles in a pupil: Kakimoto,
//             Matsuoka, Nishita, Naemura and Harashima 2004, Glare Generation Based on Wave Optics;
//             Ritschel et al. 2009, Temporal Glare
//
//         star: lashes from above          aperture: blades            u (unit: the radius)
//             \ | | /                         ________
//            .-\|-|/-.                       / .  \   \      . dust
//           (   | |   )                     /      \   \     \ scratch
//            '-._|_.-'                      \________\_/
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_bloom.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(r32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
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

// Distance to the edge of the opening, negative inside: a polygon with its corners on the unit
// circle, rounded towards that circle.
float opening(vec2 u)
{
    float part = 2.0 * PI / float(BLADES), angle = atan(u.y, u.x) - ROTATION;
    float from_middle = angle - part * (floor(angle / part) + 0.5); // of the nearest edge
    float polygon = length(u) * cos(from_middle) - cos(0.5 * part);
    return mix(polygon, length(u) - 1.0, ROUNDNESS);
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
    float light = passes(opening(u));
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
