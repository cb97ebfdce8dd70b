// mipchain/chain.comp - some levels of a chain, by tiles of 64 x 64 texels and their halo
//
//   in        t_src or i_src     level u_stage.x of the texture (FROM_IMAGE), else b_handover
//   out       i_level1 .. 8      the levels that follow, written only
//             i_copy             with COPY the first level itself, one channel or two
//             b_handover         the last level of each stage in fp32, for whoever goes on from it
//   host sets FROM_IMAGE  1 = the source is the texture's first level; LEVELS written, 1 .. 8
//             ODD_X, ODD_Y  whether the source level's sizes are odd (and not 1)
//             SECOND      levels that the group that arrives last makes: it goes on; or 0
//             COPY; FIRST_UNIT  image units before the first level's: source and copy
//             EVEN        levels of the first stage, if all of them halve exactly (mipchain/even.glsl), or 0
//             COUNTS      1 = count non-finite texels (common/info.glsl)
//             CHANNELS    1, 2 or 4, of the texels held; REGION texels of level 1 held at most
//             and what source.glsl, reduce.glsl and round.glsl want
//   dispatch  tiles x, tiles y, layers. engine_plugin/src/mip_plan.h draws a tile
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels
//   cost      must move the source level once and the levels below once: 4/3 of the source's bytes.
//             Odd sizes: 9 loads a texel of level 1, of two texels at a time; then 9 reads of shared memory
//             a texel, whatever the sizes, and one barrier a level
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights); last group by an
//             atomic: AMD's SPD 2020, here for every tile of a second stage, with the ordering that
//             GL asks for
//   SPDX-License-Identifier: MIT
#version 430 core
#if SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#if !defined(FROM_IMAGE) || !defined(LEVELS) || !defined(ODD_X) || !defined(ODD_Y) || !defined(SECOND) || !defined(COPY) || !defined(FIRST_UNIT) || !defined(COUNTS) || !defined(CHANNELS) || !defined(REGION) || !defined(EVEN) || !defined(SUBGROUPS) || !defined(SRC_WORDS)
#error "FROM_IMAGE, LEVELS, ODD_X, ODD_Y, SECOND, COPY, FIRST_UNIT, COUNTS, CHANNELS, REGION, EVEN, SUBGROUPS and SRC_WORDS must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "common/interface.h"
#include "common/sync.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_rect;     // of the first level: x, y, width, height
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst;      // the same corner in the texture written, and
                                                             // that texture's width and height, all as
                                                             // they would be at the first level
layout(location = AG_LOC_TEXTURE) uniform ivec4 u_texture;   // samples, mipmap level read (depth alone);
                                                             // first layer read, written
layout(location = AG_LOC_STAGE) uniform ivec4 u_stage;       // source level, levels, second's, 1 = scrub
layout(location = AG_LOC_HANDOVER) uniform ivec4 u_handover; // source, first's and second's last level
                                                             // (-1: not left), a layer's texels
layout(location = AG_LOC_SECOND) uniform ivec4 u_second;     // tiles of the second stage, its halo

#if STORE == AG_STORE_UNORM8
#define WHITE 255.0
#elif STORE == AG_STORE_10_10_10_2
#define WHITE 1023.0
#else
#define WHITE 1.0
#endif

#include "mipchain/texel.glsl"
#include "mipchain/reduce.glsl"
#if FROM_IMAGE
#include "mipchain/source.glsl"
#endif
#include "mipchain/stored.glsl"
#if COUNTS
#include "common/info.glsl"
#endif

// coherent where a dispatch's second stage reads what its other groups wrote; else caches may help.
#if SECOND
#define SEEN_BY_ALL coherent
#else
#define SEEN_BY_ALL
#endif
layout(std430, binding = AG_SSBO_HANDOVER) SEEN_BY_ALL buffer Handover { TEXEL b_handover[]; };
#if SECOND
layout(std430, binding = AG_SSBO_COUNTERS) coherent buffer Counters { uint b_arrived[]; };
shared uint s_arrived;
#endif
#if !EVEN || SECOND
shared TEXEL s_level[REGION + REGION / 4];
#endif

// ---- levels as they are stored

// GL 4.3 wants literal bindings. Before the levels come the source, if it is an image, and the copy.
#if FIRST_UNIT == 0
#define UNIT1 0
#define UNIT2 1
#define UNIT3 2
#define UNIT4 3
#define UNIT5 4
#define UNIT6 5
#define UNIT7 6
#define UNIT8 7
#elif FIRST_UNIT == 1
#define UNIT1 1
#define UNIT2 2
#define UNIT3 3
#define UNIT4 4
#define UNIT5 5
#define UNIT6 6
#define UNIT7 7
#elif FIRST_UNIT == 2
#define UNIT1 2
#define UNIT2 3
#define UNIT3 4
#define UNIT4 5
#define UNIT5 6
#define UNIT6 7
#endif
#if ARRAY
#define LEVEL_IMAGE writeonly uniform image2DArray
#else
#define LEVEL_IMAGE writeonly uniform image2D
#endif
#if COPY && FIRST_UNIT == 1
layout(binding = 0) LEVEL_IMAGE i_copy;
#elif COPY
layout(binding = 1) LEVEL_IMAGE i_copy;
#endif
layout(binding = UNIT1) LEVEL_IMAGE i_level1;
#if LEVELS > 1
layout(binding = UNIT2) LEVEL_IMAGE i_level2;
#endif
#if LEVELS > 2
layout(binding = UNIT3) LEVEL_IMAGE i_level3;
#endif
#if LEVELS > 3
layout(binding = UNIT4) LEVEL_IMAGE i_level4;
#endif
#if LEVELS > 4
layout(binding = UNIT5) LEVEL_IMAGE i_level5;
#endif
#if LEVELS > 5
layout(binding = UNIT6) LEVEL_IMAGE i_level6;
#endif
#if LEVELS > 6
layout(binding = UNIT7) LEVEL_IMAGE i_level7;
#endif
#if LEVELS > 7
layout(binding = UNIT8) LEVEL_IMAGE i_level8;
#endif

#if !EVEN || SECOND
// `image` counts from 1; p from the level's corner of the rectangle.
void store_level(int image, ivec2 p, vec4 c)
{
    int level = u_stage.x + image;
    p += min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
    c = stored(c);
    switch (image) { // not an array of images: GL 4.3 wants constant indices
    case 1: imageStore(i_level1, PLACE_DST(p), c); break;
#if LEVELS > 1
    case 2: imageStore(i_level2, PLACE_DST(p), c); break;
#endif
#if LEVELS > 2
    case 3: imageStore(i_level3, PLACE_DST(p), c); break;
#endif
#if LEVELS > 3
    case 4: imageStore(i_level4, PLACE_DST(p), c); break;
#endif
#if LEVELS > 4
    case 5: imageStore(i_level5, PLACE_DST(p), c); break;
#endif
#if LEVELS > 5
    case 6: imageStore(i_level6, PLACE_DST(p), c); break;
#endif
#if LEVELS > 6
    case 7: imageStore(i_level7, PLACE_DST(p), c); break;
#endif
#if LEVELS > 7
    case 8: imageStore(i_level8, PLACE_DST(p), c); break;
#endif
    }
}
#endif

// ---- sizes and weights

// No ?: anywhere below: NVIDIA's compiler makes branches of it, and loads wait at branches.
#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)

ivec2 level_size(int level)
{
    return max(u_rect.zw >> level, 1);
}

// Texels 1 and 2 of those that an output takes: 1, 2 where the size is odd; 1, 1 where it is even;
// 0, 0 where it is 1. Texels that are named again weigh 0.
ivec2 second_tap(ivec2 size)
{
    return min(size - 1, 1);
}

ivec2 third_tap(ivec2 size)
{
    return second_tap(size) + (size & second_tap(size));
}

// Area weights of the three for output i of an axis; mip_plan.h has the rule.
vec3 axis_weights(int size, int i)
{
    int n = size >> 1, two = min(n, 1);
    vec3 odd = vec3(n - i, n, i + 1) * (1.0 / float(size));
    vec3 even = vec3(1.0 - 0.5 * float(two), 0.5 * float(two), 0.0);
    return mix(even, odd, bvec3((size & two) != 0));
}

// What a tile computes of the level `j` below its stage's source.
struct Region {
    ivec2 start, size, owned; // texels of that level; owned ones are stored
};

// `halo`: beyond the 64 >> j texels, at this level.
Region region_of(ivec2 tile, ivec2 tiles, int level, int j, ivec2 halo)
{
    ivec2 nominal = ivec2(64 >> j), whole = level_size(level);
    ivec2 start = tile * nominal, size = min(nominal + halo, whole - start);
    return Region(start, size, nominal + (size - nominal) * ivec2(equal(tile, tiles - 1)));
}

// The halo `j` levels below a stage's source, when the stage makes `levels`. Level k is odd where bit k of
// the source's size is set and not its highest, so 2 halo + odd, level by level, are those bits.
ivec2 halo_at(int source, int levels, int j)
{
    ivec2 size = level_size(source);
    ivec2 rest = size ^ (ivec2(1) << findMSB(size));
    return (rest >> j) & ((1 << (levels - j)) - 1);
}

// ---- a stage

#if FROM_IMAGE
#define LOAD_SOURCE(p, bad) load_first(p, bad)
#else
#define LOAD_SOURCE(p, bad) load_handover(u_handover.x, level_size(u_stage.x).x, p)
#endif

vec4 load_handover(int at, int width, ivec2 p)
{
    return UNPACK(b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * width + p.x]);
}

void leave(int at, int level, ivec2 p, vec4 c)
{
    b_handover[int(gl_WorkGroupID.z) * u_handover.w + at + p.y * level_size(level).x + p.x] = PACK(c);
}

#if EVEN
#include "mipchain/even.glsl"
#endif

#if !EVEN || SECOND
// A texel of a tile's level j, to wherever it is wanted: in its image, and the last one in the buffer.
void put(Region r, ivec2 p, int image, bool last, int at, vec4 c)
{
    if (all(lessThan(p, r.owned))) {
        store_level(image, r.start + p, c);
        if (last && at >= 0)
            leave(at, u_stage.x + image, r.start + p, c);
    }
}

#if !EVEN
#define FIRST (LEVELS - SECOND)
#define PLAIN (FROM_IMAGE && REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8)
#if PLAIN // what is done to each texel elsewhere, scrubbing and codes, is done to the sums
#define LOAD_TAP(p, bad) load_raw(p)
#else
#define LOAD_TAP(p, bad) LOAD_SOURCE(p, bad)
#endif
#if PLAIN && (STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2) && !RAW_CODES
#define SCALE CODES
#else
#define SCALE vec4(1.0)
#endif

#define TAP(k) ivec2((k) % TAPS_X, (k) / TAPS_X)

#if COUNTS || COPY
// -1 where texel `tap` of output p is another's: each texel is once counted or copied, by the output that
// it comes first in, and of an axis of 1 texel once of twice.
int not_mine(Region r, ivec2 p, ivec2 tap, ivec2 size, ivec2 last)
{
    ivec2 to = r.start + p, from = 2 * to + tap;
    bvec2 out_of = greaterThanEqual(p, r.owned), beyond = greaterThanEqual(from, size);
    bvec2 again = notEqual(ivec2(equal(tap, ivec2(2))) & ivec2(lessThan(to, last)), ivec2(0));
    return -int(any(out_of) || any(beyond) || any(again));
}
#endif

#if COUNTS && PLAIN
// An output of which a texel is not finite, read again.
vec4 scrubbed(Region r, ivec2 p, ivec2 size, vec3 wx, vec3 wy, inout uint bad_texels)
{
    ivec2 last = level_size(u_stage.x + 1) - 1;
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k) {
        bool bad;
        vec4 c = load_first(min(2 * (r.start + p) + TAP(k), size - 1), bad);
        bad_texels += uint(bad) & ~uint(not_mine(r, p, TAP(k), size, last));
        sum_add(s, c, wx[k % TAPS_X] * wy[k / TAPS_X], true);
    }
    return sum_finish(s);
}
#endif

void load_taps(ivec2 to, out vec4 texels[TAPS], out bool bad[TAPS])
{
    ivec2 size = level_size(u_stage.x);
    for (int k = 0; k < TAPS; ++k) {
        bad[k] = false;
        texels[k] = LOAD_TAP(min(2 * to + TAP(k), size - 1), bad[k]);
    }
}

void finish_first(Region r, ivec2 p, vec4 texels[TAPS], bool bad[TAPS], inout uint bad_texels)
{
    ivec2 size = level_size(u_stage.x), last = level_size(u_stage.x + 1) - 1;
#if ODD_X
    vec3 wx = axis_weights(size.x, r.start.x + p.x);
#else // a size of 1 has its texel twice
    const vec3 wx = vec3(0.5);
#endif
#if ODD_Y
    vec3 wy = axis_weights(size.y, r.start.y + p.y);
#else
    const vec3 wy = vec3(0.5);
#endif
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k)
        sum_add(s, texels[k], wx[k % TAPS_X] * wy[k / TAPS_X], true);
    vec4 c = sum_finish(s);
#if PLAIN
    c *= SCALE;
#endif
#if COUNTS && PLAIN
    uvec4 bits = floatBitsToUint(c) & 0x7fffffffu;
    if (max(max(bits.x, bits.y), max(bits.z, bits.w)) >= (0x7f800000u | uint(u_stage.w - 1))) // scrub
        c = scrubbed(r, p, size, wx, wy, bad_texels);
#endif
    for (int k = 0; k < TAPS; ++k) {
#if COUNTS && !PLAIN
        bad_texels += uint(bad[k]) & ~uint(not_mine(r, p, TAP(k), size, last));
#endif
#if COPY
        ivec2 from = 2 * (r.start + p) + TAP(k);
        imageStore(i_copy, PLACE_DST((u_dst.xy + from) | not_mine(r, p, TAP(k), size, last)), texels[k]);
#endif
    }
    if (all(lessThan(p, r.size))) {
        s_level[p.y * r.size.x + p.x] = PACK(c);
        put(r, p, 1, FIRST == 1, u_handover.y, c);
    }
}

// Blocks of 8 x 4 texels a warp, 32 x 32 in all, and then what lies right of them and below:
//
//      |---- 32 ----|halo|
//      |  blocks    |    |      the right strip to the bottom, then the rest of the lower one, row by
//      |            | i  |      row: the halo of 35 x 35 texels takes 201 threads once
//      |------------|    |
//      |  i   i + 1 |    |
void first_level(Region r, inout uint bad_texels)
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 lane = ivec2((t & 7) | (t & 32) >> 2, (t >> 3 & 3) | t >> 6 << 2);
    vec4 left[TAPS], next[TAPS];
    bool left_bad[TAPS], next_bad[TAPS];
    for (int y = 0; y < 32; y += 16) { // two outputs at a time: all their loads come before anything else
        ivec2 p = lane + ivec2(0, y), q = lane + ivec2(16, y);
        load_taps(r.start + p, left, left_bad);
        load_taps(r.start + q, next, next_bad);
        finish_first(r, p, left, left_bad, bad_texels);
        finish_first(r, q, next, next_bad, bad_texels);
    }
    ivec2 block = min(r.size, 32), strip = r.size - block;
    int beside = strip.x * r.size.y, below = strip.y * block.x;
    float width = 1.0 / float(max(strip.x, 1)), length = 1.0 / float(block.x);
    for (int i = t; i < beside + below; i += 256) {
        int n = i - beside, y = int((float(i) + 0.5) * width), v = int((float(n) + 0.5) * length);
        ivec2 p = ivec2(block.x + i - y * strip.x, y), under = ivec2(n - v * block.x, block.y + v);
        p += (under - p) * int(n >= 0);
        load_taps(r.start + p, left, left_bad);
        finish_first(r, p, left, left_bad, bad_texels);
    }
}
#endif

// A texel of the next level from a region `width` texels wide in shared memory.
vec4 reduce_shared(int region, ivec2 p, ivec2 to, ivec2 above, int width)
{
    vec3 wx = axis_weights(above.x, to.x), wy = axis_weights(above.y, to.y);
    ivec2 two = second_tap(above), three = third_tap(above);
    ivec3 x = 2 * p.x + ivec3(0, two.x, three.x), y = region + (2 * p.y + ivec3(0, two.y, three.y)) * width;
    SUM s = sum_begin();
    for (int k = 0; k < 9; ++k)
        sum_add(s, UNPACK(s_level[y[k / 3] + x[k % 3]]), wx[k % 3] * wy[k / 3], false);
    return sum_finish(s);
}

// All levels after the first of a stage, each from the one before. They take turns in two regions, so
// that one barrier a level is enough.
#define MORE_LEVELS(tile, tiles, source, levels, width, at) \
    for (int j = 2; j <= levels; ++j) \
        width = more_levels(tile, tiles, source, levels, j, width, at)
int more_levels(ivec2 tile, ivec2 tiles, int source, int levels, int j, int width, int at)
{
    Region r = region_of(tile, tiles, source + j, j, halo_at(source, levels, j));
    ivec2 above = level_size(source + j - 1);
    int from = REGION * (j & 1), into = REGION - from;
    float row = 1.0 / float(r.size.x);
    sync_shared();
    for (int i = int(gl_LocalInvocationIndex); i < r.size.x * r.size.y; i += 256) {
        int y = int((float(i) + 0.5) * row);
        ivec2 p = ivec2(i - y * r.size.x, y);
        vec4 c = reduce_shared(from, p, r.start + p, above, width);
        s_level[into + i] = PACK(c);
        put(r, p, source - u_stage.x + j, j == levels, at, c);
    }
    return r.size.x;
}
#endif

#if SECOND
// Level 1 of the second stage, from what this dispatch's groups left.
void second_level(Region r, int source)
{
    ivec2 size = level_size(source), two = second_tap(size), three = third_tap(size);
    float row = 1.0 / float(r.size.x);
    for (int i = int(gl_LocalInvocationIndex); i < r.size.x * r.size.y; i += 256) {
        int v = int((float(i) + 0.5) * row);
        ivec2 p = ivec2(i - v * r.size.x, v), to = r.start + p;
        vec3 wx = axis_weights(size.x, to.x), wy = axis_weights(size.y, to.y);
        ivec3 x = 2 * to.x + ivec3(0, two.x, three.x), y = 2 * to.y + ivec3(0, two.y, three.y);
        vec4 texels[9];
        for (int k = 0; k < 9; ++k)
            texels[k] = load_handover(u_handover.y, size.x, ivec2(x[k % 3], y[k / 3]));
        SUM s = sum_begin();
        for (int k = 0; k < 9; ++k)
            sum_add(s, texels[k], wx[k % 3] * wy[k / 3], false);
        vec4 c = sum_finish(s);
        s_level[i] = PACK(c);
        put(r, p, u_stage.y + 1, SECOND == 1, u_handover.z, c);
    }
}

// Whether this group is the last of those that contribute to a tile of the second stage. Its texels
// begin at `from`, a multiple of `owned`, and a group has `owned` of them each way.
bool arrives_last(ivec2 tile, ivec2 size, int owned)
{
    ivec2 from = tile * 64;
    ivec2 most = min(from + 64 + u_second.zw, size);
    ivec2 end = most + (size - most) * ivec2(equal(tile, u_second.xy - 1));
    ivec2 groups = (end - 1) / owned - from / owned + 1;
    int at = (int(gl_WorkGroupID.z) * u_second.y + tile.y) * u_second.x + tile.x;
    if (gl_LocalInvocationIndex == 0u) {
        s_arrived = atomicAdd(b_arrived[at], 1u) + 1u;
        if (s_arrived == uint(groups.x * groups.y))
            b_arrived[at] = 0u; // nobody else comes; the next execute finds it so
    }
    sync_shared();
    bool last = s_arrived == uint(groups.x * groups.y);
    sync_shared(); // before s_arrived is written again
    return last;
}

void second_stage()
{
    int source = u_stage.x + u_stage.y, owned = 64 >> u_stage.y;
    ivec2 size = level_size(source), begin = ivec2(gl_WorkGroupID.xy) * owned;
    // A group's texels lie in one tile of the second stage, and maybe in the halo of those before.
    ivec2 hi = min(begin / 64, u_second.xy - 1);
    ivec2 lo = max(min(hi, begin / 64 - ivec2(lessThan(begin % 64, u_second.zw))), 0);
    // Every thread's stores come before the arrival of its group is counted, and the loads of the last
    // one after it has seen all others counted.
    memoryBarrierBuffer();
    barrier();
    for (int y = lo.y; y <= hi.y; ++y)
        for (int x = lo.x; x <= hi.x; ++x)
            if (arrives_last(ivec2(x, y), size, owned)) {
                memoryBarrierBuffer();
                Region r = region_of(ivec2(x, y), u_second.xy, source + 1, 1, halo_at(source, SECOND, 1));
                int width = r.size.x;
                second_level(r, source);
                MORE_LEVELS(ivec2(x, y), u_second.xy, source, SECOND, width, u_handover.z);
                sync_shared();
            }
}
#endif

void main()
{
    uint bad_texels = 0u;
#if EVEN
    even_tile(bad_texels);
#else
    ivec2 tile = ivec2(gl_WorkGroupID.xy), tiles = ivec2(gl_NumWorkGroups.xy);
    Region r = region_of(tile, tiles, u_stage.x + 1, 1, halo_at(u_stage.x, FIRST, 1));
    first_level(r, bad_texels);
#endif
#if COUNTS
    if (bad_texels != 0u)
        atomicAdd(b_info.scrubbed, bad_texels);
#endif
#if !EVEN
    int width = r.size.x;
    MORE_LEVELS(tile, tiles, u_stage.x, FIRST, width, u_handover.y);
#endif
#if SECOND
    second_stage();
#endif
}
