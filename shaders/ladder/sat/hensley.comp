// ladder/sat/hensley.comp - recursive doubling: a pass adds RADIX texels, DISTANCE apart
//
//   in, out   ladder/sat/texels.glsl; what a pass stores, the next one reads (ping-pong)
//   host sets the defines of ladder/sat/texels.glsl
//             AXIS    0: along x, 1: along y
//             RADIX   2 (the paper), 4, 16: more reads, fewer passes
//   dispatch  ceil(width / 16), ceil(height / 16); log_RADIX N passes an axis, rounded up
//   cost      a pass reads RADIX texels and writes one, and adds RADIX - 1 times
//   technique D03 of docs/ladder.md
//   source    J. Hensley et al. 2005, "Fast summed-area table generation and its applications"
//
//     t_k+1(x) = t_k(x) + t_k(x - R^k) + t_k(x - 2 R^k) + ..  of RADIX terms, 0 outside
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(AXIS) || !defined(RADIX)
#error "AXIS and RADIX must be set by the host"
#endif
#include "ladder/sat/texels.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    ivec2 back = u_scan.z * (AXIS == 0 ? ivec2(1, 0) : ivec2(0, 1));
    if (any(greaterThanEqual(p, extent())))
        return;
    RAW raw[RADIX];
    for (int k = 0; k < RADIX; ++k)
        raw[k] = fetch_raw(p - k * back);
    uint bad = 0u, others = 0u;
    VALUE sum = value_of(raw[0], true, bad);
    for (int k = 1; k < RADIX; ++k)
        sum += value_of(raw[k], all(greaterThanEqual(p, k * back)), others);
    count_scrubbed(bad);
    store_value(p, sum);
}
