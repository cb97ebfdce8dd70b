// fft/rows_back.comp - half spectra back to rows of texels, two rows at a time, and the composite
//
//   in        b_spectrum  from columns.comp
//             i_src       the scene again, for alpha, the composite and the kernel's centre weight
//   out       i_dst       keep * src + self * T + direct * centre * T + gain * convolution
//   host sets the defines of fft/line.glsl, common/load.glsl and common/store.glsl
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows, channel after channel
//   cost      reads the spectrum once, each texel of src once, writes each texel of dst once
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "fft/line.glsl"
#include "common/load.glsl"
#include "common/store.glsl"
#include "bloom/filter.glsl"

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // pairs, pair distance, tiles of columns
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = channel count
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;
layout(location = AG_LOC_DIRECT) uniform vec4 u_direct;
layout(location = AG_LOC_SELF) uniform vec4 u_self;
layout(location = AG_LOC_KEEP) uniform vec4 u_keep;
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    vec2 at[];
} b_spectrum[4]; // one a channel

// The channels done so far; the last one stays in v.
vec2 red[ELEMENTS], green[ELEMENTS], blue[ELEMENTS];

void write(ivec2 p, HELD texel, vec4 convolved)
{
    vec4 c = held(texel);
    vec4 t = vec4(bloom_filter(c.rgb), c.a);
    // One factor for T, so that a kernel that is only its centre cancels exactly.
    vec4 result = u_keep * c + (u_self + u_direct * b_info.centre) * t + u_gain * convolved;
    // What is only copied (alpha) must not meet a product: 0 times infinity is not 0.
    bvec4 copied = equal(abs(u_gain) + abs(u_self), vec4(0.0));
    result = mix(result, u_keep * c, copied);
    if (p.x < u_src_rect.z && p.y < u_src_rect.w)
        store_texel(p, result);
}

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = pair < u_spectrum.x;
    pair = min(pair, u_spectrum.x - 1); // so that every load is from inside, and needs no branch

    for (int c = 0; c < u_channels.y; ++c) {
        for (int i = 0; i < ROUNDS(R0); ++i)
            for (int k = 0; k < R0; ++k) {
                int f = min(int(thread) + i * THREADS, N / R0 - 1) + k * (N / R0);
                int column = f < N / 2 ? f : (N - f) % (N / 2);
                // swapped on the way in and out: the inverse by a forward transform
                v[i * R0 + k] = b_spectrum[c].at[spectrum_index(f < N / 2 ? 0 : 1, column, pair,
                                                                u_spectrum.x, u_spectrum.z)].yx;
            }

#define S0 R0
#define S1 R1
#define S2 R2
#define S3 R3
#define S4 R4
#define TABLE 0
#include "fft/transform.glsl"

        if (c + 1 < u_channels.y)
            for (int i = 0; i < ELEMENTS; ++i) {
                if (c == 0)
                    red[i] = v[i];
                else if (c == 1)
                    green[i] = v[i];
                else
                    blue[i] = v[i];
            }
    }

    // All loads, then all stores.
    HELD texel0[ELEMENTS], texel1[ELEMENTS];
    uint counted_before = 0u; // rows_forward.comp counted bad texels
    ivec2 last = u_src_rect.zw - 1;
    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            ivec2 p = ivec2(int(thread) + i * THREADS + k * (N / LAST), pair);
            texel0[i * LAST + k] = hold(load_texel(min(p, last), counted_before));
            p.y += u_spectrum.y;
            texel1[i * LAST + k] = hold(load_texel(min(p, last), counted_before));
        }

    for (int i = 0; i < ROUNDS(LAST); ++i)
        for (int k = 0; k < LAST; ++k) {
            int e = i * LAST + k, b = int(thread) + i * THREADS, x = b + k * (N / LAST);
            if (alive && ((N / LAST) % THREADS == 0 || b < N / LAST)) {
                vec4 real, imaginary; // rows pair and pair + distance
                switch (u_channels.y) {
                case 1:
                    real = vec4(v[e].y, 0.0, 0.0, 0.0);
                    imaginary = vec4(v[e].x, 0.0, 0.0, 0.0);
                    break;
                case 2:
                    real = vec4(red[e].y, v[e].y, 0.0, 0.0);
                    imaginary = vec4(red[e].x, v[e].x, 0.0, 0.0);
                    break;
                case 3:
                    real = vec4(red[e].y, green[e].y, v[e].y, 0.0);
                    imaginary = vec4(red[e].x, green[e].x, v[e].x, 0.0);
                    break;
                default:
                    real = vec4(red[e].y, green[e].y, blue[e].y, v[e].y);
                    imaginary = vec4(red[e].x, green[e].x, blue[e].x, v[e].x);
                    break;
                }
                write(ivec2(x, pair), texel0[e], real);
                write(ivec2(x, pair + u_spectrum.y), texel1[e], imaginary);
            }
        }
}
