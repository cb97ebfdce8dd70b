// mip/even_shuffled.glsl - levels 2 .. EVEN of an even tile, by shuffles within warps
//
//   host sets what mip/even.glsl wants; a reduction that takes its texels two by two (JOINS)
//   lanes     a warp's 16 x 8 texels of level 1 are four blocks of 8 x 4, one texel of each a lane. Neighbours
//             give away two blocks and keep two, then one, so that each lane ends up with one texel of
//             level 2 of the block that its lowest bits name:
//
//               lane bits        4 3 2 1 0    y1 y0 x2 x1 x0, of a block
//               level 2 at x     2 bits of x2 x1, + 4 x0          y     y1, + 2 y0
//               level 3 at x     x2, + 2 x0                       y     y0      (lanes with x1 = y1 = 0 store)
//               level 4 at x     x0                               y     0       (and x2 = y0 = 0)
//
//             The 4 x 4 texels of level 4 of the 8 warps meet in shared memory
//   cost      8 shuffles of a texel for levels 2 to 4, 4 more and one barrier for levels 5 and 6
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_EVEN_SHUFFLED_GLSL
#define AG_MIPCHAIN_EVEN_SHUFFLED_GLSL
#if !JOINS
#error "this reduction needs all four texels at once"
#endif

vec4 from_lane(vec4 c, const uint flip)
{
#if CHANNELS == 1
    return vec4(lane_across(c.r, flip), 0.0, 0.0, 1.0);
#elif CHANNELS == 2
    return vec4(lane_across(c.r, flip), lane_across(c.g, flip), 0.0, 1.0);
#else
    return vec4(lane_across(c.r, flip), lane_across(c.g, flip), lane_across(c.b, flip), lane_across(c.a, flip));
#endif
}

// Lanes that differ in `flip` join their texels: where `odd`, those of b, else of a.
vec4 halve(vec4 a, vec4 b, bool odd, const uint flip)
{
    return join(mix(a, b, bvec4(odd)), from_lane(mix(b, a, bvec4(odd)), flip));
}

// The texel below, of four lanes that differ in x_flip and y_flip.
vec4 below(vec4 c, const uint x_flip, const uint y_flip)
{
    c = join(c, from_lane(c, x_flip));
    return joined(join(c, from_lane(c, y_flip)));
}

#if EVEN > 4
shared TEXEL s_level4[16];
#endif

void levels_below(ivec2 tile, ivec2 warp, ivec2 lane, vec4 level1[4])
{
    bvec2 odd = notEqual(lane & 1, ivec2(0));
    vec4 c = joined(halve(halve(level1[0], level1[1], odd.x, 1u), halve(level1[2], level1[3], odd.x, 1u), odd.y, 8u));
    ivec2 p = tile * 16 + warp * ivec2(8, 4) + (lane >> 1) + (lane & 1) * ivec2(4, 2);
    STORE_EVEN(i_level2, 2, p, c);
#if EVEN == 2
    leave_even(p, c);
#else
    ivec2 not_mine = ivec2(-((lane.x | lane.y) >> 1 & 1)); // -1: another lane stores
    p >>= 1;
    c = below(c, 2u, 16u);
    STORE_MINE(i_level3, 3, p, not_mine, c);
#if EVEN == 3
    if (not_mine.x == 0)
        leave_even(p, c);
#endif
#endif
#if EVEN > 3
    not_mine |= -(lane.x >> 2 | lane.y & 1);
    p >>= 1;
    c = below(c, 4u, 8u);
    STORE_MINE(i_level4, 4, p, not_mine, c);
#if EVEN == 4
    if (not_mine.x == 0)
        leave_even(p, c);
#endif
#endif
#if EVEN > 4
    p -= tile * 4;
    if (not_mine.x == 0)
        s_level4[4 * p.y + p.x] = PACK(c);
    sync_shared();
#if WARPS == AG_WARPS_OF_DRIVER
    if (warp_index() == 0) // emulated, all must take part
#endif
    {
        int at = warp_lane() & 15;
        c = below(UNPACK(s_level4[at]), 1u, 4u);
        p = ivec2(at & 3, at >> 2) >> 1;
        not_mine = ivec2(-int((at & 5) != 0 || warp_lane() > 15 || warp_index() > 0));
        STORE_MINE(i_level5, 5, tile * 2 + p, not_mine, c);
#if EVEN == 5
        if (not_mine.x == 0)
            leave_even(tile * 2 + p, c);
#else
        c = below(c, 2u, 8u);
        if (warp_lane() == 0 && warp_index() == 0) {
            STORE_EVEN(i_level6, 6, tile, c);
            leave_even(tile, c);
        }
#endif
    }
#endif
}

#endif
