// bloom/split.comp - splits bloom's kernel K into octaves: direct taps on the frame and on images
// of a half and a quarter of its size, and a rest on the image that the FFT transforms
//
//        K, a texel of the frame        rest, one for `ratio` of them      taps, here 5 x 5 of full
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//        . . . . . . K . . . . . .    ->   |   o   |   o   |   o   |      +    . . C . .
//        . . . . . . . . . . . . .         |   o   |   o   |   o   |           . . . . .
//
//   PART, in the order of dispatches
//   AG_SPLIT_REST      rest(m) = sum K(x) DOWN(x - m ratio), along y, then along x
//   AG_SPLIT_ERROR     of each row of K, the sum of K (K - E K) and of K^2 over texels and colours,
//                      where E K is what comes back of the rest. Only while resolution is auto
//   AG_SPLIT_TAPS      solves for the taps, of what the rest cannot hold of K
//   AG_SPLIT_SUBTRACT  takes what the taps hold out of the rest
//
//   in        i_src      K, or for the rest along x what was made along y: RGBA32F, the centre at
//                        half of the size
//             b_tables   effects/bloom/bloom_octaves.c
//   in, out   i_small    the rest, or K along one axis: RGBA32F; its size is u_small.xy
//             b_taps     the taps, level by level and row by row; then the squared error that is
//                        left of K, and the sum of K^2, both of all rows; from AG_SPLIT_ROWS on the
//                        rows' sums, of which u_split.z are read
//   host sets PART, and the defines of common/source.glsl
//   dispatch  ceil(size / 8) of the texels that are written; the taps: 1; the error: rows of K
//   cost      a texel reads at most 56 ratio + 1 others for the rest, 128 taps for the subtraction,
//             101 others for the error; a tap 1200. All run in prepare, when the kernel changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef PART
#error "PART (AG_SPLIT_*) must be set by the host"
#endif
#include "bloom/interface.h"
#if PART != AG_SPLIT_SUBTRACT
#include "common/source.glsl"
#endif
#include "common/sync.glsl"

layout(rgba32f, binding = AG_IMAGE_SMALL) uniform image2D i_small;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
layout(location = AG_LOC_SPLIT) uniform ivec4 u_split;
#define RATIO u_split.xy
layout(std430, binding = AG_SSBO_TABLES) readonly buffer Tables { float b_tables[]; };

float table(int kind, int level, int axis, int distance)
{
    int at = ((axis * AG_KINDS + kind) * AG_LEVELS + level) * AG_TABLE + abs(distance);
    return abs(distance) < AG_TABLE ? b_tables[at] : 0.0;
}

float product(int kind, int level, ivec2 distance)
{
    return table(kind, level, 0, distance.x) * table(kind, level, 1, distance.y);
}

#if PART == AG_SPLIT_REST
layout(local_size_x = 8, local_size_y = 8) in;
#define AXIS u_split.z

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    int ratio = RATIO[AXIS], middle = u_src_rect[2 + AXIS] / 2, reach = AG_SPLINE_REACH * ratio;
    int centre = (p[AXIS] - u_small[AXIS] / 2) * ratio;
    vec4 sum = vec4(0.0);
    uint counted_before = 0u; // when the kernel was summed
    for (int x = max(centre - reach, -middle); x <= min(centre + reach, middle); ++x) {
        ivec2 at = AXIS == 1 ? ivec2(p.x, x + middle) : ivec2(x + middle, p.y);
        sum += table(AG_DOWN, 0, AXIS, x - centre) * load_texel(at, counted_before);
    }
    imageStore(i_small, p, sum);
}

#else
layout(std430, binding = AG_SSBO_TAPS) buffer Taps { vec4 b_taps[]; };
#define TAPS u_split.w
const int PLACES = 2 * AG_KINDS * AG_LEVELS * AG_TABLE;
#define MATRIX (PLACES + 3 * TAPS)

// From the centre of K, in texels of the frame; z is its level.
ivec3 place_of(int tap)
{
    int at = PLACES + 3 * tap;
    return ivec3(b_tables[at], b_tables[at + 1], b_tables[at + 2]);
}

#if PART == AG_SPLIT_SUBTRACT
layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    ivec2 centre = (p - u_small.xy / 2) * RATIO;
    vec4 sum = imageLoad(i_small, p);
    for (int i = 0; i < TAPS; ++i) {
        ivec3 place = place_of(i);
        sum -= product(AG_DOWN, place.z, place.xy - centre) * b_taps[i];
    }
    imageStore(i_small, p, sum);
}

#else
vec3 kernel(ivec2 at)
{
    ivec2 p = at + u_src_rect.zw / 2;
    uint counted_before = 0u;
    bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, u_src_rect.zw));
    return inside ? load_texel(p, counted_before).rgb : vec3(0.0);
}

// The inner product of a tap and what the rest cannot hold of K; of a tap of the frame, that texel.
// Texels of the rest farther than `near` have none with the tap.
vec3 left_of(ivec3 place, const int near)
{
    ivec2 at = place.xy, from = ivec2(floor(vec2(at) / vec2(RATIO)));
    int level = place.z, reach = level == 0 ? 0 : (4 << level) - 1;
    vec3 left = vec3(0.0);
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
            left += product(AG_FINEST, level, ivec2(x, y)) * kernel(at + ivec2(x, y));
    // Rows are not unrolled, for no compiler knows that the minimum is 0: with all loads in flight
    // LLVM (radeonsi) spilled hundreds of registers.
    for (int y = -near; y <= near + 1 + min(u_small.x, 0); ++y)
        for (int x = -near; x <= near + 1; ++x) {
            ivec2 m = from + ivec2(x, y);
            ivec2 texel = clamp(m + u_small.xy / 2, ivec2(0), u_small.xy - 1);
            left -= product(AG_COARSEST, level, at - m * RATIO) * imageLoad(i_small, texel).rgb;
        }
    return left;
}

#if PART == AG_SPLIT_ERROR
layout(local_size_x = 64) in;
shared vec2 s_sums[64];

void main()
{
    int thread = int(gl_LocalInvocationIndex), row = int(gl_WorkGroupID.x);
    vec2 sum = vec2(0.0);
    for (int x = thread; x < u_src_rect.z; x += 64) {
        ivec2 at = ivec2(x, row) - u_src_rect.zw / 2;
        vec3 k = kernel(at);
        sum += vec2(dot(k, left_of(ivec3(at, 0), 4)), dot(k, k));
    }
    s_sums[thread] = sum;
    for (int half_size = 32; half_size > 0; half_size /= 2) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] += s_sums[thread + half_size];
    }
    if (thread == 0)
        b_taps[AG_SPLIT_ROWS + row] = vec4(s_sums[0], 0.0, 0.0);
}

#elif PART == AG_SPLIT_TAPS
layout(local_size_x = AG_MOST_TAPS) in;
shared vec3 s_left[AG_MOST_TAPS];
shared vec2 s_error[AG_MOST_TAPS];

void main()
{
    int tap = int(gl_LocalInvocationIndex);
    s_left[tap] = tap < TAPS ? left_of(place_of(tap), 6) : vec3(0.0);
    sync_shared();
    vec3 sum = vec3(0.0); // of W left, then of W^T (W left)
    for (int i = 0; i < TAPS && tap < TAPS; ++i)
        sum += b_tables[MATRIX + tap * TAPS + i] * s_left[i];
    vec2 error = vec2(-dot(sum, sum), 0.0); // what the taps hold, out of what there was before them
    for (int row = tap; row < u_split.z; row += AG_MOST_TAPS)
        error += b_taps[AG_SPLIT_ROWS + row].xy;
    sync_shared();
    s_left[tap] = sum;
    s_error[tap] = error;
    sync_shared();
    sum = vec3(0.0);
    for (int i = 0; i < TAPS && tap < TAPS; ++i)
        sum += b_tables[MATRIX + i * TAPS + tap] * s_left[i];
    if (tap < TAPS)
        b_taps[tap] = vec4(sum, 0.0);
    error = vec2(0.0);
    for (int i = 0; i < AG_MOST_TAPS; ++i)
        error += s_error[i];
    if (tap == 0)
        b_taps[TAPS] = vec4(error, 0.0, 0.0);
}
#endif
#endif
#endif
