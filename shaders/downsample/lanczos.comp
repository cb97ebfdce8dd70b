// downsample/lanczos.comp - a stretched windowed sinc: rows of the source, then columns of these
//
//   in        t_src or i_src   the image (downsample/texel.glsl); with COLUMNS nothing of it
//             b_taps           weights in x, or in y: u_taps.z for each phase. An axis has as many
//                              phases as outputs before its pattern repeats
//   in, out   b_rows           rows: the output's width x the source's height, vec4 in fp32
//   out       i_dst0           with COLUMNS the target
//   host sets COLUMNS          0 = the first of the two passes, rows; 1 = columns
//             TARGETS          as COLUMNS
//             and the defines of downsample/sum.glsl
//   what      Output i falls on ((2 i + 1) W - w) / 2 w. Its taps are the texels nearer than radius
//             times W / w (at least radius), from the first one on. Beyond the image lies its
//             edge's texel. The CPU computes the weights in double and normalises them: GPUs' sines
//             are off by up to 1e-3
//   dispatch  a group of 32 x 4 threads for 32 x 4 texels of b_rows or of the target; u_tile.w:
//             where the layer begins in b_rows
//   cost      2 radius W / w loads a texel of b_rows, and as many of 16 bytes an output, most of
//             them from the cache
//   source    Duchon 1979, "Lanczos Filtering in One and Two Dimensions"
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef COLUMNS
#error "COLUMNS must be set by the host"
#endif
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { float b_taps[]; };
layout(location = AG_LOC_DOWN_TAPS) uniform ivec4 u_taps;
#if COLUMNS
layout(std430, binding = AG_SSBO_PARTIALS) readonly buffer Rows { vec4 b_rows[]; };
#else
layout(std430, binding = AG_SSBO_PARTIALS) writeonly buffer Rows { vec4 b_rows[]; };
#endif

int first_tap(Axis a, int i)
{
    int reach = 2 * u_taps.w * max(a.from, a.to); // of 2 a.to, as what follows
    int at = (2 * i + 1) * a.from - a.to - reach;
    int shift = u_taps.w * (max(a.from, a.to) / a.to + 1) + 1; // so that nothing divided is below 0
    return (at + 2 * a.to * shift) / (2 * a.to) - shift + 1;
}

// Texel j of the line that output `to` lies on.
vec4 texel_of_line(int j, ivec2 to, inout uint bad_texels)
{
#if COLUMNS
    return b_rows[u_tile.w + j * u_dst0.z + to.x];
#else
    return load_clean(ivec2(j, to.y), true, bad_texels);
#endif
}

// The sum of the taps of output `to`, which is number i of its axis; `last`: texel of a line.
vec4 sum_taps(Axis a, int i, int last, ivec2 to, inout uint bad_texels)
{
    int first = first_tap(a, i), place = i % a.to * u_taps.z;
    vec4 hi = vec4(0.0), lo = vec4(0.0);
    for (int k = 0; k < u_taps.z; k += 4) {
        vec4 four = vec4(0.0);
        for (int n = k; n < k + 4; ++n)
            four += b_taps[place + n] *
                texel_of_line(clamp(first + n, 0, last), to, bad_texels);
        add_to(hi, lo, four);
    }
    return hi + lo;
}

void main()
{
    ivec2 to = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(to, ivec2(u_dst0.z, COLUMNS != 0 ? u_dst0.w : u_taps.y))))
        return;
    uint bad_texels = 0u;
#if COLUMNS
    vec4 sum = sum_taps(axis_y(u_axes0, u_scale0), to.y, u_taps.y - 1, to, bad_texels);
    imageStore(i_dst0, u_dst0.xy + to, stored(sum));
#else
    vec4 sum = sum_taps(axis_x(u_axes0, u_scale0), to.x, u_taps.x - 1, to, bad_texels);
    count_bad(bad_texels);
    b_rows[u_tile.w + to.y * u_dst0.z + to.x] = sum;
#endif
}
