// mip/even_shuffled.glsl - levels 2 .. EVEN of an even tile, by shuffles within subgroups of 32
//
//   host sets the defines of mip/even.glsl and common/subgroups.glsl, which are included before; a
//             reduction of texels two by two: not AG_REDUCE_FIRST, weights none or karis (plain
//             here)
//   lanes     a subgroup's 16 x 8 texels of level 1 are four blocks of 8 x 4, of which a lane has
//             one texel each. Neighbours give away two blocks and keep two, then one, so that each
//             lane ends with the texel of level 2 in the block that its lowest bits select:
//
//               lane bits    4 3 2 1 0 are y1 y0 x2 x1 x0 of a block
//               level 2      at x = (x2 x1) + 4 x0   y = y1 + 2 y0
//               level 3      at x = x2 + 2 x0        y = y0             (stored: x1 = y1 = 0)
//               level 4      at x = x0               y = 0              (and x2 = y0 = 0)
//
//             The 4 x 4 texels of level 4 of the 8 subgroups meet in shared memory
//   cost      7 shuffles of a texel for levels 2 to 4, 4 more and one barrier for levels 5 and 6
//   SPDX-License-Identifier: MIT

// Combines two of an output's four texels, or two pairs. `joined` makes the output of all four.
vec4 join(vec4 a, vec4 b)
{
    return REDUCE == AG_REDUCE_MEAN ? a + b : extreme(a, b);
}

vec4 joined(vec4 c)
{
    return REDUCE == AG_REDUCE_MEAN ? 0.25 * c : c;
}

vec4 from_lane(vec4 c, const uint flip)
{
    float g = 0.0;
    vec2 ba = vec2(0.0, 1.0);
    if (CHANNELS > 1)
        g = lane_across(c.g, flip);
    if (CHANNELS > 2)
        ba = vec2(lane_across(c.b, flip), lane_across(c.a, flip));
    return vec4(lane_across(c.r, flip), g, ba);
}

// Lanes that differ in `flip` join texels: the `odd` lane those of b, the other those of a.
vec4 halve(vec4 a, vec4 b, bool odd, const uint flip)
{
    return join(mix(a, b, bvec4(odd)), from_lane(mix(b, a, bvec4(odd)), flip));
}

// The texel of the next level, from four lanes that differ in x_flip and y_flip.
vec4 below(vec4 c, const uint x_flip, const uint y_flip)
{
    c = join(c, from_lane(c, x_flip));
    return joined(join(c, from_lane(c, y_flip)));
}

shared TEXEL s_level4[16];

// Stores texel p of level j in its image, and of the stage's last level also in the buffer.
// `not_mine`: -1 where another lane does.
void output_texel(int j, ivec2 p, int not_mine, vec4 c)
{
    store_even(j, p, not_mine, c);
    if (j == EVEN && not_mine == 0)
        store_even_handover(p, c);
}

// Makes level j at p from texels c of the level above, in four lanes that differ in the flips. The
// first of these lanes stores it. Its callers' loops are not unrolled, which halves the program.
void next_level(int j, uint x_flip, uint y_flip, inout vec4 c, inout ivec2 p, inout int not_mine)
{
    p >>= 1;
    c = below(c, x_flip, y_flip);
    not_mine |= -int((uint(subgroup_lane()) & (x_flip | y_flip)) != 0u);
    output_texel(j, p, not_mine, c);
}

void levels_below(vec4 level1[4])
{
    // Level 2: each lane has a texel of one of the four blocks.
    ivec2 lane = thread_place(ivec2(0));
    bvec2 odd = notEqual(lane & 1, ivec2(0));
    vec4 c = joined(halve(halve(level1[0], level1[1], odd.x, 1u),
                          halve(level1[2], level1[3], odd.x, 1u), odd.y, 8u));
    ivec2 p = g_stage.tile * 16 + thread_place(ivec2(8, 4)) - lane + (lane >> 1) +
              (lane & 1) * ivec2(4, 2);
    output_texel(2, p, 0, c);
    // Levels 3 and 4: within a block.
    int not_mine = 0;
    if (EVEN == 3)
        next_level(3, 2u, 16u, c, p, not_mine);
    for (int j = 3; EVEN > 3 && j <= 4 + zero(); ++j)
        next_level(j, 1u << (j - 2), 128u >> j, c, p, not_mine);
    // Levels 5 and 6: over all subgroups.
    if (EVEN > 4) {
        if (not_mine == 0)
            s_level4[4 * (p.y & 3) + (p.x & 3)] = PACK(c);
        sync_shared();
        // emulated, all must take part
        if (SUBGROUPS != AG_SUBGROUPS_OF_DRIVER || subgroup_index() == 0) {
            int at = subgroup_lane() & 15;
            c = UNPACK(s_level4[at]);
            p = g_stage.tile * 4 + ivec2(at & 3, at >> 2);
            not_mine = -int(subgroup_lane() > 15 || subgroup_index() > 0);
            if (EVEN == 5)
                next_level(5, 1u, 4u, c, p, not_mine);
            for (int j = 5; EVEN > 5 && j <= 6 + zero(); ++j)
                next_level(j, 1u << (j - 5), 4u << (j - 5), c, p, not_mine);
        }
    }
}
