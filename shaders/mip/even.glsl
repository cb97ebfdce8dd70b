// mip/even.glsl - a tile of a stage whose levels all halve exactly, in straight-line code
//
//   in, out   as chain.comp, which includes this
//   host sets EVEN      levels of the stage, 1 .. 6: both sizes are multiples of 2^EVEN
//             BATCHES   in which a thread's texels come: 1, 2 or 4
//             AGAIN     1 = the stages that follow in the dispatch are even, too, and made by the same code, from
//                       the buffer, by the groups that arrive last (mip/arrive.glsl). Then EVEN is 6
//             WARPS     the levels below the first by shuffles (mip/even_shuffled.glsl), or with
//                       AG_WARPS_NONE through shared memory (mip/even_shared.glsl)
//   lanes     32 threads, a warp, load and store blocks of 8 x 4 texels, which are whole sectors (2 x 2 texels
//             of RGBA16F, 4 x 2 of RGBA8). They make 16 x 8 texels of level 1, 8 x 4 of level 2; a thread
//             those of level 1 that lie 8 and 4 apart, so that neighbours store neighbours:
//
//                thread 0  | 0 . . . . . . . 0 . . . . . . . |        thread 0  | 0 . . . . . . . |
//                level 1   | 8 rows, its four marked 0       |        level 2   | 4 rows          |
//
//             8 warps lie 2 x 4 in a tile
//   cost      per thread 4 gathers of a component or two where a texture unit reads (common/quad.glsl),
//             else 16 loads. A texel outside of the rectangle is loaded like any other (GL allows it) and
//             its outputs are not stored
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_EVEN_GLSL
#define AG_MIPCHAIN_EVEN_GLSL
#if !defined(EVEN) || !defined(AGAIN) || !defined(BATCHES) || !defined(WARPS)
#error "EVEN, AGAIN, BATCHES and WARPS must be set by the host"
#endif
#pragma optionNV(unroll all)

// Plain sums: what is done to each texel elsewhere, scrubbing and codes, is done to sums of four.
#define PLAIN (REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8)
#define OUTPUTS (4 / BATCHES)

#if WARPS
#include "common/warps.glsl"
#else
int warp_lane() { return int(gl_LocalInvocationIndex & 31u); }
int warp_index() { return int(gl_LocalInvocationIndex >> 5); }
#endif

// The stage that is being made: its source level, its levels, where its last one goes in the buffer.
#if AGAIN
#include "mip/arrive.glsl"
ivec3 g_stage = ivec3(0);
#define SOURCE_LEVEL g_stage.x
#define LAST_AT g_stage.z
#define BEYOND(j) ((g_stage.y - (j)) >> 31) // -1: a level that this stage has no more
#define NEAREST(j) min(j, g_stage.y)
#else
#define SOURCE_LEVEL u_stage.x
#define LAST_AT u_handover.y
#define BEYOND(j) 0
#define NEAREST(j) (j)
#endif

// A place of level `j` of the stage in its image. Beyond the rectangle it becomes (-1, -1), and GL ignores the
// store: no branch.
ivec2 place_of(int j, ivec2 p)
{
    int level = SOURCE_LEVEL + j;
    ivec2 corner = min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
    ivec2 beyond = (level_size(level) - 1 - p) >> 31;
    return corner + p | ivec2(beyond.x | beyond.y | BEYOND(j));
}

// Macros: an image cannot be chosen by a number without a switch. `not_mine`: -1 where another lane stores.
#if BINDLESS || AGAIN
#define STORE_MINE(image, j, p, not_mine, c) \
    store_placed(SOURCE_LEVEL - u_stage.x + NEAREST(j), place_of(j, p) | (not_mine), stored(c))
#else
#define STORE_MINE(image, j, p, not_mine, c) imageStore(image, PLACE_DST(place_of(j, p) | (not_mine)), stored(c))
#endif
#define STORE_EVEN(image, j, p, c) STORE_MINE(image, j, p, 0, c)

// The stage's last level, for the next stage.
void leave_even(ivec2 p, vec4 c)
{
    ivec2 beyond = (level_size(SOURCE_LEVEL + EVEN) - 1 - p) >> 31;
    if (LAST_AT >= 0 && (beyond.x | beyond.y) == 0)
        leave(LAST_AT, SOURCE_LEVEL + EVEN, p, c);
}

vec4 mean_of_four(vec4 a, vec4 b, vec4 c, vec4 d, bool first)
{
    SUM s = sum_begin();
    sum_add(s, a, 0.25, first);
    sum_add(s, b, 0.25, first);
    sum_add(s, c, 0.25, first);
    sum_add(s, d, 0.25, first);
    return sum_finish(s);
}

// ---- level 1

// What level 1's texels are made of, as it came: all of a batch comes before anything else is done. Plain
// arrays: of a struct that holds one NVIDIA's driver 580 made garbage (docs/rejected.md).
#if SRC_WORDS
#define SOURCES quad source[OUTPUTS]
#define LOAD_SOURCE_OF(i, to) source[i] = gather(u_rect.xy + 2 * (to))
#if DEPTH
#define SOURCE_TEXEL(i, k) texel_of(source[i], k).rrrr
#else
#define SOURCE_TEXEL(i, k) texel_of(source[i], k)
#endif
#else
#define SOURCES vec4 source[4 * OUTPUTS]
#define LOAD_SOURCE_OF(i, to)   \
    for (int k = 0; k < 4; ++k) \
    source[4 * i + k] = load_raw(2 * (to) + ivec2(k & 1, k >> 1))
#define SOURCE_TEXEL(i, k) source[4 * (i) + k]
#endif

// Level 1's texel at `to`.
vec4 first_of(vec4 a, vec4 b, vec4 c, vec4 d, ivec2 to, inout uint bad_texels)
{
#if PLAIN
#if (STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2) && !RAW_CODES
    precise vec4 sum = (a + b + (c + d)) * CODES + 12582912.0; // 1.5 * 2^23: to a whole number
    sum -= 12582912.0;
    return 0.25 * sum;
#else
    return 0.25 * (a + b + (c + d));
#endif
#else
    vec4 texels[4] = vec4[4](a, b, c, d);
    for (int k = 0; k < 4; ++k) {
        bool bad;
        texels[k] = clean(texels[k], bad);
#if COUNTS
        ivec2 beyond = (level_size(u_stage.x) - 1 - 2 * to - ivec2(k & 1, k >> 1)) >> 31;
        bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
#endif
    }
    return mean_of_four(texels[0], texels[1], texels[2], texels[3], true);
#endif
}

#if COUNTS && PLAIN
// Four texels of which one is not finite, read again.
vec4 scrubbed(ivec2 to, inout uint bad_texels)
{
    ivec2 beyond = (level_size(u_stage.x + 1) - 1 - to) >> 31;
    vec4 texels[4];
    for (int k = 0; k < 4; ++k) {
        bool bad;
        texels[k] = load_first(2 * to + ivec2(k & 1, k >> 1), bad);
        bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
    }
    return mean_of_four(texels[0], texels[1], texels[2], texels[3], true);
}
#endif

// Of level 1 a thread's four, 8 and 4 apart.
ivec2 apart(int k)
{
    return ivec2(8 * (k & 1), 4 * (k >> 1));
}

void even_first_level(ivec2 p, out vec4 level1[4], inout uint bad_texels)
{
    for (int batch = 0; batch < BATCHES; ++batch) {
        SOURCES;
        for (int i = 0; i < OUTPUTS; ++i)
            LOAD_SOURCE_OF(i, p + apart(batch * OUTPUTS + i));
        uint largest = 0u;
        for (int i = 0; i < OUTPUTS; ++i) {
#if PLAIN && STORE == AG_STORE_UNORM8 && SRC_WORDS == AG_WORDS_8888
            vec4 c = 0.25 * code_sum(source[i]);
#else
            vec4 c = first_of(SOURCE_TEXEL(i, 0), SOURCE_TEXEL(i, 1), SOURCE_TEXEL(i, 2), SOURCE_TEXEL(i, 3),
                              p + apart(batch * OUTPUTS + i), bad_texels);
#endif
            level1[batch * OUTPUTS + i] = c;
            uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
            largest = max(largest, max(max(size.x, size.y), max(size.z, size.w)));
        }
#if COUNTS && PLAIN
        if (largest >= (0x7f800000u | uint(u_stage.w - 1))) // 0xffffffff without scrub
            for (int i = 0; i < OUTPUTS; ++i)
                level1[batch * OUTPUTS + i] = scrubbed(p + apart(batch * OUTPUTS + i), bad_texels);
#endif
        for (int i = 0; i < OUTPUTS; ++i) {
            ivec2 to = p + apart(batch * OUTPUTS + i);
#if COPY
            for (int k = 0; k < 4; ++k)
                STORE_COPY(PLACE_DST(place_of(0, 2 * to + ivec2(k & 1, k >> 1))), SOURCE_TEXEL(i, k));
#endif
            STORE_EVEN(i_level1, 1, to, level1[batch * OUTPUTS + i]);
        }
    }
}

#if EVEN > 1 && WARPS
#include "mip/even_shuffled.glsl"
#elif EVEN > 1
#include "mip/even_shared.glsl"
#endif

#if AGAIN
// Level 1 of a stage whose source is in the buffer at `from`: two outputs at a time.
void even_later_level(int from, ivec2 p, out vec4 level1[4])
{
    ivec2 size = level_size(SOURCE_LEVEL);
    for (int batch = 0; batch < 2; ++batch) {
        vec4 texels[8];
        for (int k = 0; k < 8; ++k) {
            ivec2 to = p + apart(2 * batch + (k >> 2));
            texels[k] = load_handover(from, size.x, min(2 * to + ivec2(k & 1, k >> 1 & 1), size - 1));
        }
        for (int i = 0; i < 2; ++i)
            level1[2 * batch + i] =
                mean_of_four(texels[4 * i], texels[4 * i + 1], texels[4 * i + 2], texels[4 * i + 3], false);
    }
}
#endif

void even_levels(ivec2 tile, ivec2 warp, ivec2 lane, ivec2 p, vec4 level1[4])
{
#if EVEN == 1
    for (int k = 0; k < 4; ++k)
        leave_even(p + apart(k), level1[k]);
#else
    levels_below(tile, warp, lane, level1);
#endif
}

void even_tile(inout uint bad_texels)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy), lane = ivec2(warp_lane() & 7, warp_lane() >> 3);
    ivec2 warp = ivec2(warp_index() & 1, warp_index() >> 1);
    vec4 level1[4];
#if AGAIN
    g_stage = ivec3(u_stage.xy, u_handover.y);
    for (int stage = 1;; ++stage) { // one code for all stages: new instructions are slow to arrive
        ivec2 p = tile * 32 + warp * ivec2(16, 8) + lane;
        if (stage == 1) {
            even_first_level(p, level1, bad_texels);
        } else {
            even_later_level(stage == 2 ? u_handover.y : u_handover.z, p, level1);
            for (int k = 0; k < 4; ++k)
                STORE_EVEN(i_level1, 1, p + apart(k), level1[k]);
        }
        even_levels(tile, warp, lane, p, level1);
        if (stage == 2 + THIRD)
            return;
        if (stage == 1) { // without a halo a group's texels lie in one tile of the second stage
            ivec2 size = level_size(u_stage.x + EVEN);
            tile /= 64;
            g_stage = ivec3(u_stage.x + EVEN, u_stage.z, u_handover.z);
            if (!last_of_second(tile, size, 1))
                return;
        }
#if THIRD
        else {
            tile = ivec2(0);
            g_stage = ivec3(g_stage.x + EVEN, u_levels.y, -1);
            if (!last_of_third())
                return;
        }
#endif
    }
#else
    ivec2 p = tile * 32 + warp * ivec2(16, 8) + lane;
    even_first_level(p, level1, bad_texels);
    even_levels(tile, warp, lane, p, level1);
#endif
}

#endif
