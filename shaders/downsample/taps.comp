// downsample/taps.comp - unfiltered: the texels around the point that an output's centre falls on
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0           the target
//   host sets TAPS             each way: 1 nearest, 2 bilinear, 4 bicubic
//             TARGETS (1), and the defines of downsample/texel.glsl
//   what      output i of w falls on (i + 1/2) W / w - 1/2, texel j's centre being j. Nearest takes
//             the texel that the point lies in, of two the higher. Bilinear and bicubic weigh 2 and
//             4 texels by their distance; beyond the image lies its edge's texel. Points are
//             computed in whole numbers
//   dispatch  a group of 128 threads for 16 x 16 outputs, two a thread, 8 rows apart
//   cost      1, 4 or 16 loads an output
//   source    Keys 1981, "Cubic Convolution Interpolation for Digital Image Processing": a = -1/2
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TAPS
#error "TAPS must be set by the host"
#endif
#include "downsample/targets.glsl"
#include "downsample/texel.glsl"

layout(local_size_x = AG_DOWN_TILE_WIDTH, local_size_y = AG_DOWN_TILE_ROWS) in;

// The first of an output's texels.
int first_tap(Axis a, int i)
{
    if (TAPS == 1)
        return (2 * i + 1) * a.from / (2 * a.to);
    int at = (2 * i + 1) * a.from - a.to; // of 2 a.to, more than -1 of them
    return (at + 2 * a.to) / (2 * a.to) - TAPS / 2;
}

// The weights of the texels from the first on. They add up to 1.
vec4 tap_weights(Axis a, int i)
{
    if (TAPS == 1)
        return vec4(1.0, 0.0, 0.0, 0.0);
    // how far the point lies beyond the texel before it, of 2 a.to
    int at = ((2 * i + 1) * a.from - a.to + 2 * a.to) % (2 * a.to);
    vec2 fg = quotient(vec4(at, 2 * a.to - at, 0.0, 0.0), vec4(2 * a.to)).xy;
    float f = fg.x, g = fg.y; // factors, so that small weights are as exact as large ones
    if (TAPS == 2)
        return vec4(g, f, 0.0, 0.0);
    return vec4(-0.5 * f * g * g, g * (1.0 + f - 1.5 * f * f), f * (1.0 + g - 1.5 * g * g), -0.5 *
        g * f * f);
}

vec4 at_point(ivec2 to, bool counts, inout uint bad_texels)
{
    Axis ax = axis_x(u_axes0, u_scale0), ay = axis_y(u_axes0, u_scale0);
    ivec2 first = ivec2(first_tap(ax, to.x), first_tap(ay, to.y));
    vec4 kx = tap_weights(ax, to.x), ky = tap_weights(ay, to.y), sum = vec4(0.0);
    for (int j = 0; j < TAPS; ++j) {
        vec4 row = vec4(0.0);
        for (int i = 0; i < TAPS; ++i)
            row += kx[i] * load_clean(clamp(first + ivec2(i, j), ivec2(0), u_src_rect.zw - 1),
                counts, bad_texels);
        sum += ky[j] * row;
    }
    return sum;
}

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(AG_DOWN_TILE_WIDTH, AG_DOWN_TILE_HEIGHT);
    ivec2 to = tile + ivec2(gl_LocalInvocationID.xy), below = to + ivec2(0, AG_DOWN_TILE_ROWS);
    ivec2 last = u_dst0.zw - 1;
    bool first_is = all(lessThanEqual(to, last)), second_is = all(lessThanEqual(below, last));
    uint bad_texels = 0u;
    vec4 first = at_point(min(to, last), first_is, bad_texels);
    vec4 second = at_point(min(below, last), second_is, bad_texels);
    count_bad(bad_texels);
    if (first_is)
        imageStore(i_dst0, u_dst0.xy + to, stored(first));
    if (second_is)
        imageStore(i_dst0, u_dst0.xy + below, stored(second));
}
