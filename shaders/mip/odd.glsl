// mip/odd.glsl - level 1 of a tile whose source has odd sizes, or whose levels below will
//
//   in, out   as chain.comp, which includes this; level 1 of the tile to s_level (mip/stages.glsl)
//   host sets ODD_X, ODD_Y   whether the source level's sizes are odd (and not 1)
//             RUNS           AG_RUNS_*: how texels are read (mip/odd_taps.glsl, odd_runs.glsl)
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_GLSL
#define AG_MIPCHAIN_ODD_GLSL
#if !defined(ODD_X) || !defined(ODD_Y) || !defined(RUNS)
#error "ODD_X, ODD_Y and RUNS must be set by the host"
#endif
#pragma optionNV(unroll all)
#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)
#define TAP(k) ivec2((k) % TAPS_X, (k) / TAPS_X)

// Plain sums: what is done to each texel elsewhere, scrubbing and codes, is done to the sums.
#define PLAIN (REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8)
#if PLAIN && (STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2) && !RAW_CODES
#define SCALE CODES
#elif PLAIN
#define SCALE vec4(1.0)
#endif

// A texel as the sums take it, of what load_raw gave.
vec4 addend(vec4 c, out bool bad)
{
#if PLAIN
    bad = false;
    return c;
#else
    return clean(c, bad);
#endif
}

// Of output i of an axis. Without a third texel the others count alike: a size of 1 has its own twice.
vec3 weights_x(int i)
{
#if ODD_X
    return odd_weights(level_size(u_stage.x).x, i);
#else
    return vec3(0.5);
#endif
}

vec3 weights_y(int i)
{
#if ODD_Y
    return odd_weights(level_size(u_stage.x).y, i);
#else
    return vec3(0.5);
#endif
}

// Output p of the tile: to where the next level finds it, and to its image.
void store_first(Region r, ivec2 p, int at, vec4 c)
{
    s_level[at] = PACK(c);
    put(r, p, 1, u_stage.y == 1, u_handover.y, c);
}

#if COUNTS && PLAIN
// Whether a texel of a sum was not finite, and counts as 0. Four small numbers' sum is not finite where one is not;
// four large ones might be none.
bool must_scrub(vec4 c)
{
#if STORE == AG_STORE_32F
    uvec4 bits = floatBitsToUint(c) & 0x7fffffffu;
    uint most = max(max(bits.x, bits.y), max(bits.z, bits.w));
#else
    uint most = floatBitsToUint(abs(c.x) + abs(c.y) + abs(c.z) + abs(c.w)) & 0x7fffffffu;
#endif
    return most >= (0x7f800000u | uint(u_stage.w - 1));
}
#endif

#if COUNTS && PLAIN || (COUNTS || COPY) && RUNS != AG_RUNS_SUMS
// -1 where texel `tap` of output p is another's: each texel is once counted or copied, by the output that
// it comes first in, and of an axis of 1 texel once of twice.
int texel_is_others(Region r, ivec2 p, ivec2 tap)
{
    ivec2 size = level_size(u_stage.x), last = level_size(u_stage.x + 1) - 1;
    ivec2 to = r.start + p, from = 2 * to + tap;
    bvec2 out_of = greaterThanEqual(p, r.owned), beyond = greaterThanEqual(from, size);
    bvec2 again = notEqual(ivec2(equal(tap, ivec2(2))) & ivec2(lessThan(to, last)), ivec2(0));
    return -int(any(out_of) || any(beyond) || any(again));
}
#endif

#if COUNTS && PLAIN
// An output of which a texel is not finite, read again.
vec4 scrubbed(Region r, ivec2 p, inout uint bad_texels)
{
    ivec2 to = r.start + p, most = level_size(u_stage.x) - 1;
    vec3 wx = weights_x(to.x), wy = weights_y(to.y);
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k) {
        bool bad;
        vec4 c = load_first(min(2 * to + TAP(k), most), bad);
        bad_texels += uint(bad) & ~uint(texel_is_others(r, p, TAP(k)));
        sum_add(s, c, wx[k % TAPS_X] * wy[k / TAPS_X], true);
    }
    return sum_finish(s);
}
#endif

#if RUNS != AG_RUNS_SUMS
// Output p from its texels.
void finish_first(Region r, ivec2 p, vec4 texels[TAPS], bool bad[TAPS], inout uint bad_texels)
{
    vec3 wx = weights_x(r.start.x + p.x), wy = weights_y(r.start.y + p.y);
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k)
        sum_add(s, texels[k], wx[k % TAPS_X] * wy[k / TAPS_X], true);
    vec4 c = sum_finish(s);
#if PLAIN
    c *= SCALE;
#endif
#if COUNTS && PLAIN
    if (must_scrub(c))
        c = scrubbed(r, p, bad_texels);
#endif
    for (int k = 0; k < TAPS; ++k) {
#if COUNTS && !PLAIN
        bad_texels += uint(bad[k]) & ~uint(texel_is_others(r, p, TAP(k)));
#endif
#if COPY
        ivec2 from = 2 * (r.start + p) + TAP(k);
        STORE_COPY(PLACE_DST((u_dst.xy + from) | texel_is_others(r, p, TAP(k))), texels[k]);
#endif
    }
    if (all(lessThan(p, r.size)))
        store_first(r, p, p.y * r.size.x + p.x, c);
}
#endif

#if RUNS
#include "mip/odd_runs.glsl"
#else
#include "mip/odd_taps.glsl"
#endif

#endif
