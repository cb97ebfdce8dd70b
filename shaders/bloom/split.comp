// bloom/split.comp - splits bloom's kernel K into octaves: direct taps on the frame and on images
// of a half and a quarter of its size, and a rest on the image that the FFT transforms
//
//        K, a texel of the frame        rest, one for `ratio` of them      taps, here 5 x 5 of full
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//        . . . . . . K . . . . . .    ->   |   o   |   o   |   o   |      +    . . C . .
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//
//   Of all taps and rests these leave the least error, in the mean over places and for white light.
//   Tables have, by the distance of two taps along an axis, in texels of the frame: the share of a
//   level's tap that the rest takes (DOWN), and the inner products of that tap with one of the
//   frame (FINEST) and with one of the rest (COARSEST): effects/bloom/bloom_octaves.c.
//
//   PART, in the order of dispatches
//   AG_SPLIT_REST      rest(m) = sum K(x) DOWN(x - m ratio), along y, then along x
//   AG_SPLIT_TAPS      solves for the taps, of what the rest cannot hold of K
//   AG_SPLIT_SUBTRACT  takes what the taps hold out of the rest
//   AG_SPLIT_ERROR     of the first rest, sums K (K - E K) over texels and colours, where E K is
//                      what comes back of it: the squared error in the mean over places of a lamp,
//                      and of white light, before there are taps. Beside it the sum of squares of
//                      K. Only while resolution is auto
//
//   in        i_src      K, or for the rest along x what was made along y: RGBA32F, the centre at
//                        half of the size
//             b_tables   of x, then of y; then a matrix, a row for each tap
//   in, out   i_small    the rest, RGBA32F; its size is u_small.xy
//             b_taps     the taps, level by level and row by row; then in x what they take off the
//                        sum of AG_SPLIT_ERROR
//   out       i_dst      what AG_SPLIT_REST makes along an axis: RGBA32F of the size u_dst_rect.zw
//             b_sums     error and square of each row, then of all in the first
//   host sets PART, and the defines of common/source.glsl where i_src is read
//   dispatch  ceil(size / 8) of the texels that are written; the taps: 1; the error: rows of K, 1
//   cost      a texel reads at most 56 ratio + 1 others for the rest, 128 taps for the subtraction,
//             100 others for the error; a tap 1200. All run in prepare, when the kernel changes
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
#define FLAT u_ratio.z
layout(std430, binding = AG_SSBO_TABLES) readonly buffer Tables { float b_tables[]; };

const int DOWN = 0, FINEST = 1, COARSEST = 2, KINDS = 3, ROWS_AT = 2 * KINDS * AG_LEVELS * AG_TABLE;

float table(int kind, int level, int axis, int distance)
{
    int at = ((axis * KINDS + kind) * AG_LEVELS + level) * AG_TABLE + abs(distance);
    return abs(distance) < AG_TABLE ? b_tables[at] : 0.0;
}

float product(int kind, int level, ivec2 distance)
{
    return table(kind, level, 0, distance.x) * table(kind, level, 1, distance.y);
}

#if PART == AG_SPLIT_TAPS || PART == AG_SPLIT_SUBTRACT
layout(location = AG_LOC_TAPS) uniform ivec4 u_taps;
#define TAPS u_taps.w

// A tap's place in the frame, from the centre; z is its level.
ivec3 place_of(int tap)
{
    // No loop: NVIDIA's compiler (580) finds the last level where the first has no taps.
    ivec3 taps = u_taps.xyz * u_taps.xyz;
    bool full = tap < taps.x, half_ = tap < taps.x + taps.y;
    int level = full ? 0 : half_ ? 1 : 2;
    int side = max(full ? u_taps.x : half_ ? u_taps.y : u_taps.z, 1);
    tap -= full ? 0 : half_ ? taps.x : taps.x + taps.y;
    ivec2 steps = ivec2(1 << level, 1 << (FLAT != 0 && level > 1 ? 1 : level));
    return ivec3((ivec2(tap % side, tap / side) - side / 2) * steps, level);
}
#endif

#if PART != AG_SPLIT_REST
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
#endif

#if PART == AG_SPLIT_REST
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;
const int ALONG_Y = 1;

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
        sum += table(DOWN, 0, axis, x - centre) * load_texel(at, counted_before);
    }
    imageStore(i_dst, p, sum);
}

#elif PART == AG_SPLIT_TAPS
layout(local_size_x = AG_MOST_TAPS) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
#define NEVER min(u_small.x, 0) // 0, which no compiler knows
layout(std430, binding = AG_SSBO_TAPS) writeonly buffer Taps { vec4 b_taps[]; };

shared vec3 s_left[AG_MOST_TAPS]; // inner products of taps and what the rest cannot hold of K
shared float s_held[AG_MOST_TAPS];

vec3 kernel(ivec2 at)
{
    ivec2 p = at + u_src_rect.zw / 2;
    uint counted_before = 0u;
    bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
    return inside ? load_texel(p, counted_before).rgb : vec3(0.0);
}

void main()
{
    int tap = int(gl_LocalInvocationIndex);
    ivec3 place = place_of(min(tap, TAPS - 1));
    ivec2 at = place.xy, near = ivec2(floor(vec2(at) / vec2(u_ratio.xy)));
    int level = place.z, reach = level == 0 ? 0 : (4 << level) - 1;
    vec3 left = vec3(0.0);
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
            left += product(FINEST, level, ivec2(x, y)) * kernel(at + ivec2(x, y));
    // Rows are not unrolled: with all loads in flight LLVM (radeonsi) spilled hundreds of
    // registers.
    for (int y = -6; y <= 7 + NEVER; ++y)
        for (int x = -6; x <= 7; ++x) {
            ivec2 m = near + ivec2(x, y);
            ivec2 texel = clamp(m + u_small.xy / 2, ivec2(0), u_small.xy - 1);
            left -= product(COARSEST, level, at - m * u_ratio.xy) * imageLoad(i_small, texel).rgb;
        }
    s_left[tap] = left;
    sync_shared();
    vec3 sum = vec3(0.0); // of W left, then of W^T (W left)
    for (int i = 0; i < TAPS && tap < TAPS; ++i)
        sum += b_tables[ROWS_AT + tap * TAPS + i] * s_left[i];
    sync_shared();
    s_left[tap] = sum;
    s_held[tap] = dot(sum, sum);
    sync_shared();
    sum = vec3(0.0);
    for (int i = 0; i < TAPS && tap < TAPS; ++i)
        sum += b_tables[ROWS_AT + i * TAPS + tap] * s_left[i];
    if (tap < TAPS)
        b_taps[tap] = vec4(sum, 0.0);
    float held = 0.0;
    for (int i = 0; i < TAPS; ++i)
        held += s_held[i];
    if (tap == 0)
        b_taps[TAPS] = vec4(held, 0.0, 0.0, 0.0);
}

#elif PART == AG_SPLIT_SUBTRACT
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) uniform image2D i_small;
layout(std430, binding = AG_SSBO_TAPS) readonly buffer Taps { vec4 b_taps[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    ivec2 centre = (p - u_small.xy / 2) * u_ratio.xy;
    vec4 sum = imageLoad(i_small, p);
    for (int i = 0; i < TAPS; ++i) {
        ivec3 place = place_of(i);
        sum -= product(DOWN, place.z, place.xy - centre) * b_taps[i];
    }
    imageStore(i_small, p, sum);
}

#elif PART == AG_SPLIT_ERROR
layout(local_size_x = 64) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;
#define SUMS_ALL (u_rest.x == 1)
layout(std430, binding = AG_SSBO_SUMS) buffer Sums { vec2 b_sums[]; };

shared vec2 s_sums[64];

vec2 texel_error(ivec2 p)
{
    uint counted_before = 0u;
    vec3 k = load_texel(p, counted_before).rgb, back = vec3(0.0);
    ivec2 at = p - u_src_rect.zw / 2; // from the centre
    ivec2 near = ivec2(floor(vec2(at) / vec2(u_ratio.xy)));
    for (int y = -4; y <= 5; ++y)
        for (int x = -4; x <= 5; ++x) {
            ivec2 m = near + ivec2(x, y);
            ivec2 place = clamp(m + u_small.xy / 2, ivec2(0), u_small.xy - 1);
            back += product(COARSEST, 0, at - m * u_ratio.xy) * imageLoad(i_small, place).rgb;
        }
    return vec2(dot(k, k - back), dot(k, k));
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
