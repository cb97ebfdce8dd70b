// fft/wiener.comp - Wiener's filter, which deconvolution convolves with: conj(K) / (|K|^2 + noise)
//
//   TAPS 0 turns a kernel's spectrum into that of the filter, in place. TAPS 1 makes the filter's
//   taps on a canvas of any size, by plain sums, because a canvas whose length has a large prime
//   factor has no FFT here. These taps are made once, in prepare; every frame then convolves with
//   them by lengths that have one.
//
//   TAPS 0
//   in, out   b_kernel or b_real  the spectrum (fft/kernel_spectrum.glsl), complex or real by
//                                 u_kernel.z: K times SCALE becomes that of the filter times SCALE
//   dispatch  as many groups as values / 256, in x and y; a thread takes one value, wherever it
//             lies, so that places between columns are changed, too, and nobody reads them
//   cost      reads and writes each value once; runs in prepare only
//
//   TAPS 1
//   in        i_src     the kernel, see fft/source.glsl; u_taps.xy is its centre
//             b_info    its factor, from fft/kernel_sum.comp
//             b_turns   exp(2 pi i m / POINTS.x), then exp(2 pi i m / POINTS.y)
//             b_from    what the part before wrote: columns 0 .. POINTS.x / 2 of a line
//   out       b_to      parts AG_TAPS_ROWS, _COLUMNS, _COLUMNS_BACK: a line of columns for each
//                       row of the kernel, for each frequency, for each row of the canvas
//             i_taps    part _ROWS_BACK: channel u_part.y of the taps, the filter's centre at
//                       POINTS / 2; later ones become 0
//   dispatch  columns / 64 and lines, from line u_part.z on; one dispatch for each part
//   cost      points of a line times texels, twice: an image of 1919 x 1079 takes 3 10^9 products
//
//   host sets TAPS, and with TAPS 1 the defines of fft/source.glsl
//   source    docs/convolve.md 8. N. Wiener 1949, "Extrapolation, Interpolation, and Smoothing of
//             Stationary Time Series"; D. J. Field 1987 (the spectrum of photographs)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TAPS
#error "TAPS (0 or 1) must be set by the host"
#endif
#include "fft/interface.h"
#if TAPS
#include "common/info.glsl"
#include "fft/source.glsl"
#endif

layout(location = AG_LOC_WIENER) uniform vec4 u_wiener;
#define SCALE u_wiener.x
#define NOISE u_wiener.y
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
#define POINTS u_points.xy

// (2 sin(pi f / points))^2 for f of 0 .. points / 2, by Taylor's series: drivers' sin is off by
// more than the 2e-7 of this.
vec2 roughness(vec2 f)
{
    vec2 x = f * 3.14159265 / vec2(POINTS), x2 = x * x;
    vec2 series = 1.0 - x2 / 110.0;
    series = 1.0 - x2 / 72.0 * series;
    series = 1.0 - x2 / 42.0 * series;
    series = 1.0 - x2 / 20.0 * series;
    vec2 s = 2.0 * x * (1.0 - x2 / 6.0 * series);
    return s * s;
}

// The power of noise over that of a photograph, at a frequency of 0 .. POINTS - 1.
float noise_at(ivec2 frequency)
{
    vec2 r = roughness(vec2(min(frequency, POINTS - frequency)));
    return NOISE * (AG_WIENER_FLOOR + r.x + r.y);
}

#if !TAPS
layout(local_size_x = 256) in;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // z = AG_KERNEL_*
layout(location = AG_LOC_VALUES) uniform ivec4 u_values; // x = their number
#define LINES u_values.y
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel { vec2 b_kernel[]; };
// the same bytes
layout(std430, binding = AG_SSBO_KERNEL_REAL) buffer KernelReal { float b_real[]; };

// The frequency of a value; between columns any.
ivec2 frequency_of(int value)
{
    int length = u_kernel.z == AG_KERNEL_MIRRORED ? POINTS.y / 2 + 1 : POINTS.y;
    int columns = length * LINES, at = value % columns;
    return ivec2(min(value / columns * LINES + at % LINES, POINTS.x / 2), at / LINES);
}

void main()
{
    int i = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u +
                gl_LocalInvocationID.x);
    if (i >= u_values.x)
        return;
    float noise = noise_at(frequency_of(i));
    if (u_kernel.z == AG_KERNEL_COMPLEX) {
        vec2 k = b_kernel[i] / SCALE;
        b_kernel[i] = vec2(k.x, -k.y) * (SCALE / (dot(k, k) + noise));
    } else {
        float k = b_real[i] / SCALE;
        b_real[i] = k * (SCALE / (k * k + noise));
    }
}

#else
layout(local_size_x = 64) in;
layout(location = AG_LOC_PART) uniform ivec4 u_part; // AG_TAPS_*; channel; first line; unused
layout(location = AG_LOC_KERNEL) uniform ivec4 u_taps;
layout(std430, binding = AG_SSBO_LINES_IN) readonly buffer From { vec2 b_from[]; };
layout(std430, binding = AG_SSBO_LINES_OUT) writeonly buffer To { vec2 b_to[]; };
layout(std430, binding = AG_SSBO_TURNS) readonly buffer Turns { vec2 b_turns[]; };
layout(rgba32f, binding = AG_IMAGE_DST) uniform image2D i_taps;
#define PART u_part.x
#define BACK (PART >= AG_TAPS_COLUMNS_BACK)
#define BY_ROWS (PART == AG_TAPS_ROWS || PART == AG_TAPS_ROWS_BACK)
#define COLUMNS (POINTS.x / 2 + 1)

// Summand n of the sum at p.
vec2 summand(int n, ivec2 p)
{
    if (PART == AG_TAPS_ROWS) {
        uint counted_before; // by fft/kernel_sum.comp
        vec4 tap = colour(load_source(ivec2(n, p.y), counted_before)) * b_info.scale;
        return vec2(tap[u_part.y], 0.0);
    }
    if (PART != AG_TAPS_ROWS_BACK)
        return b_from[n * COLUMNS + p.x];
    // What is real has two equal halves, but for frequency 0 and the middle one.
    return b_from[p.y * COLUMNS + n] * (n == 0 || 2 * n == POINTS.x ? 1.0 : 2.0);
}

// Sum of summands times exp(+-2 pi i n k / points), in runs: an error that grows with the root of
// their number.
vec2 sum_at(ivec2 p)
{
    const int RUN = 32;
    int points = BY_ROWS ? POINTS.x : POINTS.y, k = BY_ROWS ? p.x : p.y;
    int first = BY_ROWS ? 0 : POINTS.x, centre = BY_ROWS ? u_taps.x : u_taps.y;
    int count = PART == AG_TAPS_ROWS      ? u_src_rect.z
                : PART == AG_TAPS_COLUMNS ? u_src_rect.w
                : BY_ROWS                 ? COLUMNS
                                          : POINTS.y;
    int at = BACK ? 0 : (points - centre) * k % points;
    vec2 sum = vec2(0.0);
    for (int start = 0; start < count; start += RUN) {
        vec2 run = vec2(0.0);
        for (int n = start; n < min(start + RUN, count); ++n) {
            vec2 s = summand(n, p), turn = b_turns[first + at];
            turn.y = BACK ? turn.y : -turn.y;
            run += vec2(s.x * turn.x - s.y * turn.y, s.x * turn.y + s.y * turn.x);
            at += k;
            at -= at >= points ? points : 0;
        }
        sum += run;
    }
    return sum;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.x, int(gl_WorkGroupID.y) + u_part.z);
    if (p.x >= (PART == AG_TAPS_ROWS_BACK ? POINTS.x : COLUMNS))
        return;
    vec2 sum = sum_at(p);
    if (PART == AG_TAPS_ROWS_BACK) {
        ivec2 place = (p + POINTS / 2) % POINTS;
        vec4 tap = vec4(0.0);
        if (u_part.y > 0)
            tap = imageLoad(i_taps, place);
        tap[u_part.y] = sum.x * SCALE;
        imageStore(i_taps, place, tap);
        return;
    }
    if (PART == AG_TAPS_COLUMNS)
        sum = vec2(sum.x, -sum.y) / (dot(sum, sum) + noise_at(p));
    b_to[p.y * COLUMNS + p.x] = sum;
}
#endif
