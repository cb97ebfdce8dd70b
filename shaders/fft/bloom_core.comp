// fft/bloom_core.comp - the core of a kernel: 5 x 5 taps that are added at the frame's resolution
//
//   Of all cores it is the one that leaves the least error, in the mean over places and for white
//   light. The smaller image makes E K of a kernel K; then the core solves, at its own taps,
//   (1 - E) core = (1 - E) K. A kernel that is one tap is its core, exactly.
//
//   in        i_src     the kernel: RGBA32F, its centre at half of its size, u_src_rect
//             i_small   the smaller kernel, from bloom_rest.comp; its size is u_small.xy
//             g, and the inverse of (1 - E)  fft/spline_table.glsl
//   out       b_core    the taps, row by row
//   host sets the defines of common/source.glsl
//   dispatch  1
//   cost      little; runs in prepare, when the kernel changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/spline_table.glsl"
#include "common/source.glsl"
#include "common/sync.glsl"

layout(local_size_x = 32) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
#define NEVER min(u_small.x, 0) // 0, which no compiler knows
layout(std430, binding = AG_SSBO_CORE) writeonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };

const int SIDE = 2 * AG_CORE_RADIUS + 1;
shared vec4 s_left[32]; // (1 - E) K

void main()
{
    int tap = int(gl_LocalInvocationIndex);
    ivec2 at = ivec2(tap % SIDE, tap / SIDE) - AG_CORE_RADIUS; // from the centre
    ivec2 place = u_src_rect.zw / 2 + at;
    uint counted_before = 0u;
    vec4 left = vec4(0.0);
    if (all(greaterThanEqual(place, ivec2(0))) && all(lessThan(place, u_src_rect.zw)))
        left = load_texel(place, counted_before);
    // Rows are not unrolled: with all 121 loads in flight LLVM (radeonsi) spilled 682 registers.
    for (int y = -5; y <= 5 + NEVER; ++y)
        for (int x = -5; x <= 5; ++x) {
            ivec2 texel = u_small.xy / 2 + ivec2(x, y); // it reaches 15 texels and more
            ivec2 away = at - ivec2(x, y) * u_ratio.xy;
            left -= blend(ALONG_X, away.x) * blend(ALONG_Y, away.y) * imageLoad(i_small, texel);
        }
    s_left[tap] = left;
    sync_shared();
    if (tap >= AG_CORE_TAPS)
        return;
    int row = table_of(MATRIX) + tap * AG_CORE_TAPS;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < AG_CORE_TAPS; ++i)
        sum += b_splines[row + i] * s_left[i];
    b_core[tap] = vec4(sum.rgb, 0.0);
}
