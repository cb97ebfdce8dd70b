// bloom/split.comp - splits bloom's kernel K into a core, in the frame's texels, and a rest, in
// those of the smaller image
//
//        K, a texel of the frame        rest, one for `ratio` of them      core, 5 x 5 taps
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//        . . . . . . K . . . . . .    ->   |   o   |   o   |   o   |      +    . . C . .
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//
//   E K is what arrives in the frame of a kernel K that went down to the smaller image and up
//   again, by cubic B-splines. Of all rests and cores these leave the least error, in the mean over
//   places and for white light. Tables have w(d), the share of a texel of K that goes to a texel of
//   the rest at a distance of d texels of the frame along an axis, and g(d) / ratio, the share of
//   that one that comes back (fill_table of effects/bloom/bloom_reduced.c).
//
//   PART, in the order of dispatches
//   AG_SPLIT_REST      rest(m) = sum K(x) w(x - m ratio), along y, then along x
//   AG_SPLIT_CORE      solves (1 - E) core = (1 - E) K at the core's taps. A kernel that is one tap
//                      is its core, exactly
//   AG_SPLIT_SUBTRACT  takes what the core holds out of the rest
//   AG_SPLIT_ERROR     sums r (r - E r) over texels and colours, where r is K without its core: the
//                      squared error in the mean over places of a lamp, and of white light. Beside
//                      it the sum of squares of K. Only while resolution is auto
//
//   in        i_src      K, or for the rest along x what was made along y: RGBA32F, the centre at
//                        half of the size
//             b_splines  w and g of x, then of y; then the inverse of 1 - E at the core's taps
//   in, out   i_small    the rest, RGBA32F; its size is u_small.xy
//             b_core     the core's taps, row by row
//   out       i_dst      what AG_SPLIT_REST makes along an axis: RGBA32F of the size u_dst_rect.zw
//             b_sums     error and square of each row, then of all in the first
//   host sets PART, and the defines of common/source.glsl where i_src is read
//   dispatch  ceil(size / 8) of the texels that are written; the core: 1; the error: rows of K, 1
//   cost      a texel reads at most 56 ratio + 1 others for the rest, 25 taps for the subtraction,
//             100 others for the error. All run in prepare, when the kernel changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_SPLIT_*) must be set by the host"
#endif
#include "bloom/interface.h"
#include "common/sync.glsl"
#if PART != AG_SPLIT_SUBTRACT
#include "common/source.glsl"
#endif

layout(location = AG_LOC_RATIO) uniform ivec4 u_ratio;
layout(std430, binding = AG_SSBO_SPLINE) readonly buffer Splines { float b_splines[]; };

const int ALONG_X = 0, ALONG_Y = 1, MATRIX = 2;

// Where the table of x, the table of y, or the matrix begins.
int table_of(int part)
{
    ivec2 lengths = (AG_SPLINE_REACH + 4) * u_ratio.xy + 2;
    return part == ALONG_X ? 0 : part == ALONG_Y ? lengths.x : lengths.x + lengths.y;
}

// w: how much of a texel of K goes to a texel of the rest, at this distance.
float weight(int axis, int distance)
{
    bool reaches = abs(distance) <= AG_SPLINE_REACH * u_ratio[axis];
    return reaches ? b_splines[table_of(axis) + abs(distance)] : 0.0;
}

// g / ratio: how much of a texel of the rest comes back at this distance.
float blend(int axis, int distance)
{
    int first = table_of(axis) + AG_SPLINE_REACH * u_ratio[axis] + 1;
    return abs(distance) <= 4 * u_ratio[axis] ? b_splines[first + abs(distance)] : 0.0;
}

#if PART != AG_SPLIT_REST
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
const int SIDE = 2 * AG_CORE_RADIUS + 1;

ivec2 from_centre(int tap)
{
    return ivec2(tap % SIDE, tap / SIDE) - AG_CORE_RADIUS;
}
#endif

#if PART == AG_SPLIT_REST
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_dst_rect.zw)))
        return;
    int axis = u_rest.x, ratio = u_ratio[axis];
    int centre = (p[axis] - u_rest.z) * ratio, reach = AG_SPLINE_REACH * ratio;
    vec4 sum = vec4(0.0);
    uint counted_before = 0u; // when the kernel was summed
    for (int x = max(centre - reach, -u_rest.y); x <= min(centre + reach, u_rest.y); ++x) {
        ivec2 at = axis == ALONG_Y ? ivec2(p.x, x + u_rest.y) : ivec2(x + u_rest.y, p.y);
        sum += weight(axis, x - centre) * load_texel(at, counted_before);
    }
    imageStore(i_dst, p, sum);
}

#elif PART == AG_SPLIT_CORE
layout(local_size_x = 32) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
#define NEVER min(u_small.x, 0) // 0, which no compiler knows
layout(std430, binding = AG_SSBO_CORE) writeonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };

shared vec4 s_left[32]; // (1 - E) K

void main()
{
    int tap = int(gl_LocalInvocationIndex);
    ivec2 at = from_centre(tap), place = u_src_rect.zw / 2 + at;
    uint counted_before = 0u;
    vec4 left = vec4(0.0);
    if (all(greaterThanEqual(place, ivec2(0))) && all(lessThan(place, u_src_rect.zw)))
        left = load_texel(place, counted_before);
    // Rows are not unrolled: with all 121 loads in flight LLVM (radeonsi) spilled 682 registers.
    for (int y = -5; y <= 5 + NEVER; ++y)
        for (int x = -5; x <= 5; ++x) {
            ivec2 texel = u_small.xy / 2 + ivec2(x, y); // inside: 15 texels or more from the edge
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

#elif PART == AG_SPLIT_SUBTRACT
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) uniform image2D i_small;
layout(std430, binding = AG_SSBO_CORE) readonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    ivec2 centre = (p - u_small.xy / 2) * u_ratio.xy;
    vec4 sum = imageLoad(i_small, p);
    for (int i = 0; i < AG_CORE_TAPS; ++i) {
        ivec2 at = from_centre(i) - centre;
        sum -= weight(ALONG_X, at.x) * weight(ALONG_Y, at.y) * b_core[i];
    }
    imageStore(i_small, p, sum);
}

#elif PART == AG_SPLIT_ERROR
layout(local_size_x = 64) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;
#define SUMS_ALL (u_rest.x == 1)
layout(std430, binding = AG_SSBO_CORE) readonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };
layout(std430, binding = AG_SSBO_SUMS) buffer Sums { vec2 b_sums[]; };

shared vec2 s_sums[64];

vec2 texel_error(ivec2 p)
{
    uint counted_before = 0u;
    vec3 k = load_texel(p, counted_before).rgb, r = k, back = vec3(0.0);
    ivec2 at = p - u_src_rect.zw / 2; // from the centre
    if (all(lessThanEqual(abs(at), ivec2(AG_CORE_RADIUS)))) {
        ivec2 tap = at + AG_CORE_RADIUS;
        r -= b_core[tap.y * SIDE + tap.x].rgb;
    }
    ivec2 near = ivec2(floor(vec2(at) / vec2(u_ratio.xy)));
    for (int y = -4; y <= 5; ++y)
        for (int x = -4; x <= 5; ++x) {
            ivec2 m = near + ivec2(x, y);
            ivec2 place = clamp(m + u_small.xy / 2, ivec2(0), u_small.xy - 1);
            ivec2 away = at - m * u_ratio.xy;
            back += blend(ALONG_X, away.x) * blend(ALONG_Y, away.y) * imageLoad(i_small, place).rgb;
        }
    return vec2(dot(r, r - back), dot(k, k));
}

void main()
{
    int thread = int(gl_LocalInvocationIndex), row = int(gl_WorkGroupID.x);
    vec2 sum = vec2(0.0);
    if (SUMS_ALL)
        for (int y = thread; y < u_src_rect.w; y += 64)
            sum += b_sums[y];
    else
        for (int x = thread; x < u_src_rect.z; x += 64)
            sum += texel_error(ivec2(x, row));
    s_sums[thread] = sum;
    for (int half_size = 32; half_size > 0; half_size /= 2) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] += s_sums[thread + half_size];
    }
    if (thread == 0)
        b_sums[SUMS_ALL ? 0 : row] = s_sums[0];
}
#endif
