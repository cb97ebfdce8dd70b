// sat/shadow.glsl - soft shadows from a summed-area table of depths: variance shadow maps, exactly
//
//   It needs GLSL 4.20 or later, includes nothing, and declares only names that begin with
//   ag_shadow_ or AG_SHADOW_. Before you include it, define
//
//     AG_SHADOW_TABLE(p)   the entry at ivec2 p of the table that the effect soft_shadow writes
//                          into its slot `table`: a uvec4, for example texelFetch(t_table, p, 0)
//     AG_SHADOW_SIZE       ivec2: width and height of the map
//
//   An entry has three sums over all texels left of and above it, its own included, modulo 2^32: of
//   z, of z^2 / 2^16 (whole part), of z^2 modulo 2^16. Then it has its own texel's z: the depth in
//   16 bits, 0..65535, linear from the light's near plane to its far plane. A difference of entries
//   is exact while a box has at most 255 x 255 texels, however large the map is.
//
//   Then these functions exist. Depths t are 0..1 from near to far. Positions are in texels of the
//   map: texel (x, y) lies between x and x + 1.
//
//     ag_shadow_sums ag_shadow_box(vec2 from, vec2 to, float t)
//                       sums over the part of the box in the map: of the texels; of how far each
//                       lies before t, in 1/65535; of that squared. Cut texels count in part. The
//                       box is at least 2 and at most 255 texels wide and high. 12 reads
//     float ag_shadow_visibility(ag_shadow_sums s, float bleed)
//                       the share of the light that arrives, at most: 1 - first^2 / (area second),
//                       which is Chebyshev's one-sided bound. Shares below `bleed` become 0, and
//                       the others are stretched to 0..1
//     float ag_shadow_blocker(ag_shadow_sums s, float t)
//                       the mean depth of what lies before t: t - second / first, 0..t. Exact for
//                       two levels of depth, of which t is the farther one
//     float ag_shadow_penumbra(float blocker, float t, vec4 light)
//                       how many texels of the map a square light's penumbra is wide. light: x
//                       texels times metres (or texels a unit of depth), y near plane, z far -
//                       near, in metres, w 1 for a light at a point, 0 for one infinitely far
//     float ag_shadow_soft(vec2 at, float t, vec4 light, vec2 box, float bleed)
//                       all of it: searches blockers, then averages over the penumbra; where a box
//                       shows mostly what lies behind t, over the least box. box: the least and
//                       the largest side, 2..255 texels. 24 reads, there 36
//
//   error     the sums are exact in z; t is rounded to 16 bits
//   source    Lauritzen, GPU Gems 3, chapter 8 (summed-area variance shadow maps); Yang et al. 2010
//             (variance soft shadow mapping: the blocker from the moments); docs/soft_shadow.md
//   SPDX-License-Identifier: MIT
#ifndef AG_SHADOW_GLSL
#define AG_SHADOW_GLSL
#if !defined(AG_SHADOW_TABLE) || !defined(AG_SHADOW_SIZE)
#error "AG_SHADOW_TABLE(p) and AG_SHADOW_SIZE must be defined: see sat/shadow.glsl"
#endif

#define AG_SHADOW_BEYOND 64.0 // of 65535

struct ag_shadow_sums {
    float area, first, second;
};

// The table at the corner p between texels: 0 where nothing lies left or above.
uvec4 ag_shadow_corner(int x, int y)
{
    uvec4 entry = AG_SHADOW_TABLE(max(ivec2(x, y) - 1, ivec2(0)));
    return min(x, y) > 0 ? entry : uvec4(0u);
}

// Adds a box of `area` texels with these sums of z, high and low z^2. Each is a whole number: t is
// 16 bits, the area less than 2^16, so that area t < 2^32, and 64 bits hold
//
//     sum (t - z)^2 = sum z^2 + area t^2 - 2 t sum z
//
// Of no texels all are 0, without a branch (docs/decisions.md, D79).
void ag_shadow_add(inout ag_shadow_sums s, uvec3 z, int area, uint t, float weight)
{
    uint carry, borrow, high, low, more_high, more_low, texels = uint(area);
    uint square = z.y << 16;
    low = uaddCarry(square, z.z, carry);
    high = (z.y >> 16) + carry;
    umulExtended(texels, t * t, more_high, more_low);
    low = uaddCarry(low, more_low, carry);
    high += more_high + carry;
    umulExtended(2u * t, z.x, more_high, more_low);
    low = usubBorrow(low, more_low, borrow);
    high -= more_high + borrow;
    uint before = texels * t;
    float first = before >= z.x ? float(before - z.x) : -float(z.x - before);
    s.area += weight * float(area);
    s.first += weight * first;
    s.second += weight * (float(high) * 4294967296.0 + float(low));
}

void ag_shadow_add_texel(inout ag_shadow_sums s, uint z, uint t, float weight)
{
    float before = float(int(t) - int(z));
    s.area += weight;
    s.first += weight * before;
    s.second += weight * before * before;
}

// Nine boxes with whole edges, each exact, weighted by their parts inside. Those at the corners are
// texels, of which entries of the table have z: so four of the sixteen corners need not be read.
//
//        x0  from        to  x3
//     y0 .   +-----------+   .
//          a |     1     | c         a = 1 - fract(from), c = fract(to), in x and in y
//     y1 +---+-----------+---+
//      1 |   |           |   |
//     y2 +---+-----------+---+
//     y3 .   +-----------.   +
ag_shadow_sums ag_shadow_box(vec2 from, vec2 to, float t)
{
    ivec2 size = AG_SHADOW_SIZE;
    from = clamp(from, vec2(0.0), vec2(size));
    to = clamp(to, vec2(0.0), vec2(size));
    ivec2 first = ivec2(from), last = ivec2(to);
    int x0 = first.x, x1 = min(x0 + 1, size.x), x2 = last.x, x3 = min(x2 + 1, size.x);
    int y0 = first.y, y1 = min(y0 + 1, size.y), y2 = last.y, y3 = min(y2 + 1, size.y);
    uvec4 c10 = ag_shadow_corner(x1, y0), c20 = ag_shadow_corner(x2, y0);
    uvec4 c01 = ag_shadow_corner(x0, y1), c11 = ag_shadow_corner(x1, y1);
    uvec4 c21 = ag_shadow_corner(x2, y1), c31 = ag_shadow_corner(x3, y1);
    uvec4 c02 = ag_shadow_corner(x0, y2), c12 = ag_shadow_corner(x1, y2);
    uvec4 c22 = ag_shadow_corner(x2, y2), c32 = ag_shadow_corner(x3, y2);
    uvec4 c13 = ag_shadow_corner(x1, y3), c33 = ag_shadow_corner(x3, y3);
    // The texel at (x2, y2), which does not exist where the map ends.
    uint z = x3 > x2 && y3 > y2 ? c33.w : 0u;
    uvec3 c23 = c33.xyz - c32.xyz + c22.xyz - uvec3(z, z * z >> 16, z * z & 65535u);

    vec2 a = (1.0 - fract(from)) * vec2(x1 - x0, y1 - y0), c = fract(to);
    uint depth = uint(clamp(t, 0.0, 1.0) * 65535.0 + 0.5);
    ag_shadow_sums s = ag_shadow_sums(0.0, 0.0, 0.0);
    ag_shadow_add(s, c22.xyz - c12.xyz - c21.xyz + c11.xyz, (x2 - x1) * (y2 - y1), depth, 1.0);
    ag_shadow_add(s, c21.xyz - c11.xyz - c20.xyz + c10.xyz, x2 - x1, depth, a.y);
    ag_shadow_add(s, c12.xyz - c02.xyz - c11.xyz + c01.xyz, y2 - y1, depth, a.x);
    ag_shadow_add(s, c32.xyz - c22.xyz - c31.xyz + c21.xyz, y2 - y1, depth, c.x);
    ag_shadow_add(s, c23 - c13.xyz - c22.xyz + c12.xyz, x2 - x1, depth, c.y);
    ag_shadow_add_texel(s, c11.w, depth, a.x * a.y);
    ag_shadow_add_texel(s, c31.w, depth, c.x * a.y);
    ag_shadow_add_texel(s, c13.w, depth, a.x * c.y);
    ag_shadow_add_texel(s, c33.w, depth, c.x * c.y);
    return s;
}

float ag_shadow_visibility(ag_shadow_sums s, float bleed)
{
    float lit = 1.0;
    if (s.first > 0.0)
        lit = 1.0 - s.first * (s.first / (s.area * s.second));
    return clamp((lit - bleed) / (1.0 - bleed), 0.0, 1.0);
}

float ag_shadow_blocker(ag_shadow_sums s, float t)
{
    float before = s.first > 0.0 ? s.second / (s.first * 65535.0) : 0.0;
    return clamp(t - before, 0.0, t);
}

float ag_shadow_penumbra(float blocker, float t, vec4 light)
{
    float between = t - blocker;
    if (light.w != 0.0)
        between = 1.0 / (light.y + light.z * blocker) - 1.0 / (light.y + light.z * t);
    return light.x * between;
}

// Whether the box shows mostly what lies behind t: its mean does, or its blocker would lie before
// the near plane.
bool ag_shadow_beyond(ag_shadow_sums s, float t)
{
    return s.first < -AG_SHADOW_BEYOND * s.area ||
           (s.first > 0.0 && s.second >= t * 65535.0 * s.first);
}

float ag_shadow_soft(vec2 at, float t, vec4 light, vec2 box, float bleed)
{
    float side = clamp(ag_shadow_penumbra(0.0, t, light), box.x, box.y), blocker = t;
    ag_shadow_sums s = ag_shadow_box(at - 0.5 * side, at + 0.5 * side, t);
    if (!ag_shadow_beyond(s, t)) {
        if (s.first <= 0.0)
            return 1.0;
        blocker = ag_shadow_blocker(s, t);
    }
    side = clamp(ag_shadow_penumbra(blocker, t, light), box.x, box.y);
    s = ag_shadow_box(at - 0.5 * side, at + 0.5 * side, t);
    if (ag_shadow_beyond(s, t) && side > box.x)
        s = ag_shadow_box(at - 0.5 * box.x, at + 0.5 * box.x, t);
    return ag_shadow_visibility(s, bleed);
}
#endif
