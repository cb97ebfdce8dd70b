// fft/kernel_shape.comp - finds out whether a kernel's taps are even, mirrored or a product of two
// lines
//
//   in        i_src    the kernel
//             b_info   centre and sums, from kernel_sum.comp
//             b_lines  part 1: the sums that part 0 wrote
//   out       b_lines  part 0: the sum of each column of taps, then of each row
//             b_info   part 1: bits AG_TAPS_NOT_* of shape
//   host sets the defines of common/source.glsl; u_part.x = the part
//   dispatch  part 0: ceil((width + height) / 64) groups, part 1: ceil(width * height / 64); more
//             than 1024 groups in rows of 1024
//   cost      part 0 reads each texel twice, part 1 four texels for each; runs in prepare only
//   source    docs/convolve.md 5
//
// Each tap may differ from what it should equal by 2^-23 of the larger (of a product of lines
// 2^-22, for a product of floats has three roundings), plus its share of 2^-25 of the sum. The sum
// of differences then is at most 1.5e-7 (2.7e-7) of the sum of |taps| without the centre, and the
// same holds for sums of squares: the error bound of the convolution holds.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface.h"
#include "common/source.glsl"
#include "common/pair.glsl"

layout(local_size_x = 64) in;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // centre x, y
layout(location = AG_LOC_PART) uniform ivec4 u_part;
layout(std430, binding = AG_SSBO_TAP_SUMS) buffer Lines { pairs b_lines[]; };

vec4 tap(ivec2 p)
{
    uint not_counted = 0u; // kernel_sum.comp counts
    bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
    vec4 c = load_texel(clamp(p, ivec2(0), u_src_rect.zw - 1), not_counted);
    return mix(vec4(0.0), c, bvec4(inside));
}

void sum_line(int line)
{
    int width = u_src_rect.z, height = u_src_rect.w;
    bool column = line < width;
    pairs sum = pairs(vec4(0.0), vec4(0.0));
    for (int i = 0; i < (column ? height : width); ++i)
        sum = add(sum, tap(column ? ivec2(line, i) : ivec2(i, line - width)));
    b_lines[line] = sum;
}

// Whether one of the kernel's channels is false.
bool lacks(bvec4 has)
{
    return any(lessThan(ivec4(has), ivec4(lessThan(ivec4(0, 1, 2, 3), ivec4(u_src_mode.x)))));
}

// Whether a channel of a differs from b's, given a - b; a NaN differs.
bool differ(vec4 a, vec4 b, vec4 difference, float tolerance, vec4 share)
{
    return lacks(lessThanEqual(abs(difference), tolerance * max(abs(a), abs(b)) + share));
}

bool taps_differ(vec4 a, vec4 b, vec4 share) { return differ(a, b, a - b, 1.0 / 8388608.0, share); }

// The power of two that takes the size of x to 1 .. 2: products then neither overflow nor vanish.
vec4 unit_of(vec4 x)
{
    uvec4 exponent = min(floatBitsToUint(x) >> 23 & 255u, 253u);
    return uintBitsToFloat(254u - exponent << 23);
}

pairs scaled(pairs a, vec4 unit) { return pairs(a.high * unit, a.low * unit); }

// Whether k total differs from the product of the sums of the tap's column and row.
bool lines_differ(ivec2 p, vec4 k, pairs total, vec4 share)
{
    vec4 unit = unit_of(total.high);
    pairs sum = scaled(total, unit), a = multiply(sum, k * unit);
    pairs b = multiply(scaled(b_lines[p.x], unit), scaled(b_lines[u_src_rect.z + p.y], unit));
    return differ(a.high, b.high, (a.high - b.high) + (a.low - b.low), 1.0 / 4194304.0,
                  share * unit * abs(sum.high));
}

void compare(ivec2 p)
{
    ivec2 size = u_src_rect.zw, other = 2 * u_kernel.xy - p;
    vec4 k = tap(p), centre = tap(u_kernel.xy);
    vec2 sums[4] = b_info.sums;
    pairs total = pairs(vec4(sums[0].x, sums[1].x, sums[2].x, sums[3].x),
                        vec4(sums[0].y, sums[1].y, sums[2].y, sums[3].y));
    float part = 1.0 / 33554432.0 / float(size.x * size.y);
    vec4 share = abs((total.high - centre) + total.low) * part;
    uint shape = 0u;
    if (taps_differ(k, tap(other), share))
        shape |= uint(AG_TAPS_NOT_EVEN | AG_TAPS_NOT_MIRRORED | AG_TAPS_NOT_LINES);
    if (taps_differ(k, tap(ivec2(other.x, p.y)), share))
        shape |= uint(AG_TAPS_NOT_MIRRORED | AG_TAPS_NOT_LINES);
    // A product is of no use where its terms cancel, nor where the centre, which is subtracted from
    // it, is most of it.
    if (lines_differ(p, k, total, share))
        shape |= uint(AG_TAPS_NOT_LINES);
    if (lacks(greaterThanEqual(k, vec4(0.0))) || lacks(greaterThan(total.high, vec4(0.0))) ||
        lacks(lessThanEqual(2.0 * centre - total.high, total.low)))
        shape |= uint(AG_TAPS_NOT_LINES);
    if (shape != 0u && (b_info.shape & shape) != shape)
        atomicOr(b_info.shape, shape);
}

void main()
{
    ivec2 size = u_src_rect.zw;
    int i = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 +
            int(gl_LocalInvocationID.x);
    if (u_part.x == 0) {
        if (i < size.x + size.y)
            sum_line(i);
    } else if (i < size.x * size.y) {
        compare(ivec2(i % size.x, i / size.x));
    }
}
