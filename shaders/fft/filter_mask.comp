// fft/filter_mask.comp - the spectrum of filter_spectrum from a mask: a real number a frequency
//
//   in        i_src     the mask, frequency 0 at texel (w/2, h/2)
//   out       b_real    H of u_src_mode.x channels, times u_cutoffs.z, in the form AG_KERNEL_REAL
//                       of fft/kernel_spectrum.glsl; a channel begins u_kernel.w * 2 floats further
//             b_info    adds the number of non-finite texels read, while scrub is on
//   host sets the defines of common/source.glsl
//   dispatch  ceil(N / 64), columns; a thread computes one frequency
//   cost      8 texel loads a frequency; runs in prepare only
//   source    docs/filter_spectrum.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface.h"
#include "common/source.glsl"

layout(local_size_x = 64) in;
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
layout(location = AG_LOC_CUTOFFS) uniform vec4 u_cutoffs;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define COLUMNS_OF_GROUP u_points.z
#define CHANNELS u_src_mode.x
#define FACTOR u_cutoffs.z
#define FLOATS_OF_CHANNEL (2 * u_kernel.w)
layout(std430, binding = AG_SSBO_KERNEL_REAL) writeonly buffer KernelReal {
    float b_real[];
};

// The mask at frequency steps / points (0 <= steps < points), bilinear and periodic. The place of
// frequency k / P in w texels is w/2 + k w / P: whole texels and the rest are exact integers.
vec4 mask_at(ivec2 steps, inout uint bad)
{
    ivec2 size = u_src_rect.zw, points = u_points.xy;
    ivec2 place = steps * size;
    ivec2 first = (place / points + size / 2) % size, second = (first + 1) % size;
    vec2 rest = vec2(place % points) / vec2(points);
    vec4 low = mix(load_texel(first, bad), load_texel(ivec2(second.x, first.y), bad), rest.x);
    vec4 high = mix(load_texel(ivec2(first.x, second.y), bad), load_texel(second, bad), rest.x);
    return mix(low, high, rest.y);
}

void main()
{
    int column = int(gl_WorkGroupID.y), row = int(gl_GlobalInvocationID.x);
    if (row >= u_points.y)
        return;
    uint bad = 0u;
    ivec2 steps = ivec2(column, row), opposite = (u_points.xy - steps) % u_points.xy;
    vec4 value = 0.5 * FACTOR * (mask_at(steps, bad) + mask_at(opposite, bad));
    int group = column / COLUMNS_OF_GROUP * (u_points.y * COLUMNS_OF_GROUP);
    int place = group + column % COLUMNS_OF_GROUP + row * COLUMNS_OF_GROUP;
    for (int c = 0; c < CHANNELS; ++c)
        b_real[c * FLOATS_OF_CHANNEL + place] = value[c];
    count_bad(bad);
}
