// fft/wiener_taps.comp - the taps of Wiener's filter on a canvas of any size, by plain sums
//
//   in        i_src     the kernel, see fft/source.glsl; u_taps.xy is its centre
//             b_info    its factor, from kernel_sum.comp
//             b_turns   exp(2 pi i m / POINTS.x), then exp(2 pi i m / POINTS.y)
//             b_from    what the part before wrote: columns 0 .. POINTS.x / 2 of a line
//   out       b_to      parts AG_TAPS_ROWS, _COLUMNS, _COLUMNS_BACK: a line of columns for each
//                       row of the kernel, for each frequency, for each row of the canvas
//             i_taps    part _ROWS_BACK: channel u_part.y of the taps, the filter's centre at
//                       POINTS / 2; later ones become 0
//   host sets the defines of fft/source.glsl
//   dispatch  columns / 64 and lines, from line u_part.z on; one dispatch for each part
//   why       a canvas whose length has a large prime factor has no FFT here. Its filter is made
//             once, in prepare; every frame then convolves with it by lengths that have one
//   cost      points of a line times texels, twice: an image of 1919 x 1079 takes 3 10^9 products
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/source.glsl"
#include "fft/wiener.glsl"

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
        uint counted_before; // by kernel_sum.comp
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
