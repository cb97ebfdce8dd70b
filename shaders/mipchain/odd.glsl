// mipchain/odd.glsl - level 1 of a tile whose source has odd sizes, or whose levels below will
//
//   in, out   as chain.comp, which includes this; level 1 of the tile to s_level (mipchain/stages.glsl)
//   host sets ODD_X, ODD_Y   whether the source level's sizes are odd (and not 1)
//   cost      4, 6 or 9 loads a texel of level 1, of two texels at a time
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_ODD_GLSL
#define AG_MIPCHAIN_ODD_GLSL
#if !defined(ODD_X) || !defined(ODD_Y)
#error "ODD_X and ODD_Y must be set by the host"
#endif
#pragma optionNV(unroll all)
#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)

#define PLAIN (REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8)
#if PLAIN // what is done to each texel elsewhere, scrubbing and codes, is done to the sums
#define LOAD_TAP(p, bad) load_raw(p)
#else
#define LOAD_TAP(p, bad) load_first(p, bad)
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
        STORE_COPY(PLACE_DST((u_dst.xy + from) | not_mine(r, p, TAP(k), size, last)), texels[k]);
#endif
    }
    if (all(lessThan(p, r.size))) {
        s_level[p.y * r.size.x + p.x] = PACK(c);
        put(r, p, 1, u_stage.y == 1, u_handover.y, c);
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
    for (int y = 0; y < 32; y += THREADS / 16) { // two outputs at a time: all their loads come before anything else
        ivec2 p = lane + ivec2(0, y), q = lane + ivec2(16, y);
        load_taps(r.start + p, left, left_bad);
        load_taps(r.start + q, next, next_bad);
        finish_first(r, p, left, left_bad, bad_texels);
        finish_first(r, q, next, next_bad, bad_texels);
    }
    ivec2 block = min(r.size, 32), strip = r.size - block;
    int beside = strip.x * r.size.y, below = strip.y * block.x;
    float width = 1.0 / float(max(strip.x, 1)), length = 1.0 / float(block.x);
    for (int i = t; i < beside + below; i += THREADS) {
        int n = i - beside, y = int((float(i) + 0.5) * width), v = int((float(n) + 0.5) * length);
        ivec2 p = ivec2(block.x + i - y * strip.x, y), under = ivec2(n - v * block.x, block.y + v);
        p += (under - p) * int(n >= 0);
        load_taps(r.start + p, left, left_bad);
        finish_first(r, p, left, left_bad, bad_texels);
    }
}

#endif
