// mip/odd.glsl - what tiles of odd sizes share: weights, and non-finite texels
//
//   host sets ODD_X, ODD_Y   1 = the source level's width, height is odd (and not 1)
//   includer  mip/odd_sums.comp, odd_texels.comp, odd_taps.comp: each makes level 1 of a tile in
//             s_level (mip/stages.glsl), and reads level 0 in its own way
//   SPDX-License-Identifier: MIT
#pragma optionNV(unroll all)
#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)
#define TAP(k) ivec2((k) % TAPS_X, (k) / TAPS_X)

// Plain sums: scrubbing and codes are handled once for a sum, not for each texel.
const bool PLAIN = REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8;
const vec4 SCALE = PLAIN && OF_CODES && !RAW_CODES ? CODES : vec4(1.0); // of a sum

// The addend of a texel as load_raw returned it.
vec4 addend(vec4 c, out bool bad)
{
    bad = false;
    return PLAIN ? c : clean(c, bad);
}

// The tile's region of level 1.
Region first_region()
{
    return region_of(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), 1, 1,
                     halo_at(0, levels_of(0), 1));
}

// Weights of output i. Without a third texel they are equal: a size of 1 has its texel twice.
vec3 weights_x(int i)
{
    return ODD_X != 0 ? odd_weights(level_size(first_source()).x, i) : vec3(0.5);
}

vec3 weights_y(int i)
{
    return ODD_Y != 0 ? odd_weights(level_size(first_source()).y, i) : vec3(0.5);
}

// Stores output p of the tile in shared memory, for the next level, and in its image.
void store_first(Region r, ivec2 p, int at, vec4 c)
{
    s_level[at] = PACK(c);
    put(r, p, 1, levels_of(0) == 1, place_of_last(0), c);
}

// Whether a texel of a sum was non-finite. The sum of four channels is tested, which may overflow
// for fp32 only: there each channel is tested.
bool must_scrub(vec4 c)
{
    uint limit = STORE == AG_STORE_32F ? size_bits(c)
                                      : floatBitsToUint(abs(c.x) + abs(c.y) + abs(c.z) + abs(c.w)) &
                                          0x7fffffffu;
    return limit >= bad_size();
}

// -1 where texel `tap` of output p is counted and copied by another output: each texel is, once, by
// the first output that it belongs to. On an axis of 1 texel the second use is left out.
int texel_is_others(Region r, ivec2 p, ivec2 tap)
{
    ivec2 size = level_size(first_source()), last = level_size(first_source() + 1) - 1;
    ivec2 to = r.start + p, from = 2 * to + tap;
    bvec2 out_of = greaterThanEqual(p, r.owned), beyond = greaterThanEqual(from, size);
    bvec2 again = notEqual(ivec2(equal(tap, ivec2(2))) & ivec2(lessThan(to, last)), ivec2(0));
    return -int(any(out_of) || any(beyond) || any(again));
}

// An output with a non-finite texel: reads all its texels again. It is rare, so the loop is not
// unrolled, and a dot product selects a weight.
vec4 scrubbed(Region r, ivec2 p, inout uint bad_texels)
{
    ivec2 to = r.start + p, limit = level_size(first_source()) - 1;
    vec3 wx = weights_x(to.x), wy = weights_y(to.y);
    SUM s = sum_begin();
    for (int k = 0; k < TAPS + zero(); ++k) {
        bool bad;
        ivec2 tap = TAP(k);
        vec4 c = load_first(min(2 * to + tap, limit), bad);
        bad_texels += uint(bad) & ~uint(texel_is_others(r, p, tap));
        float x = dot(wx, vec3(equal(ivec3(tap.x), ivec3(0, 1, 2))));
        float y = dot(wy, vec3(equal(ivec3(tap.y), ivec3(0, 1, 2))));
        sum_add(s, c, x * y, true);
    }
    return sum_finish(s);
}
