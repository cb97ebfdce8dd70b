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
//   z, of z^2 / 2^16 (whole part), of z^2 modulo 2^16. z is the depth in 16 bits, 0..65535, linear
//   from the light's near plane to its far plane. A difference of entries is exact while a box has
//   at most 255 x 255 texels, however large the map is.
//
//   Then these functions exist. Depths t are 0..1 from near to far. Positions are in texels of the
//   map: texel (x, y) lies between x and x + 1.
//
//     ag_shadow_sums ag_shadow_box(vec2 from, vec2 to, float t)
//                       sums over the part of the box in the map: of the texels; of how far each
//                       lies before t, in 1/65535; of that squared. Cut texels count in part. The
//                       box is at least 2 and at most 255 texels wide and high. 16 reads
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
//                       the largest side, 2..255 texels. 32 reads, there 48
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
uvec3 ag_shadow_corner(ivec2 p)
{
    uvec3 entry = AG_SHADOW_TABLE(max(p - 1, ivec2(0))).xyz;
    return all(greaterThan(p, ivec2(0))) ? entry : uvec3(0u);
}

// Adds a box of `area` texels with these sums of z, high and low z^2. Each is a whole number: t is
// 16 bits, the area less than 2^16, so that area t < 2^32, and 64 bits hold
//
//     sum (t - z)^2 = sum z^2 + area t^2 - 2 t sum z
void ag_shadow_add(inout ag_shadow_sums s, uvec3 z, uint area, uint t, float weight)
{
    uint carry, borrow, high, low, more_high, more_low;
    uint square = z.y << 16;
    low = uaddCarry(square, z.z, carry);
    high = (z.y >> 16) + carry;
    umulExtended(area, t * t, more_high, more_low);
    low = uaddCarry(low, more_low, carry);
    high += more_high + carry;
    umulExtended(2u * t, z.x, more_high, more_low);
    low = usubBorrow(low, more_low, borrow);
    high -= more_high + borrow;
    uint before = area * t;
    float first = before >= z.x ? float(before - z.x) : -float(z.x - before);
    s.area += weight * float(area);
    s.first += weight * first;
    s.second += weight * (float(high) * 4294967296.0 + float(low));
}

// Nine boxes with whole edges, each exact, weighted by their parts inside:
//
//        x0  from        to  x3
//     y0 +---+-----------+---+
//        | a |     1     | c |       a = 1 - fract(from), c = fract(to), in x and in y
//     y3 +---+-----------+---+
ag_shadow_sums ag_shadow_box(vec2 from, vec2 to, float t)
{
    ivec2 size = AG_SHADOW_SIZE;
    from = clamp(from, vec2(0.0), vec2(size));
    to = clamp(to, vec2(0.0), vec2(size));
    ivec2 first = ivec2(from), last = ivec2(to);
    ivec4 x = min(ivec4(first.x, first.x + 1, last.x, last.x + 1), size.x);
    ivec4 y = min(ivec4(first.y, first.y + 1, last.y, last.y + 1), size.y);
    vec3 wide = vec3(1.0 - fract(from.x), 1.0, fract(to.x));
    vec3 high = vec3(1.0 - fract(from.y), 1.0, fract(to.y));
    uint depth = uint(clamp(t, 0.0, 1.0) * 65535.0 + 0.5);
    ag_shadow_sums s = ag_shadow_sums(0.0, 0.0, 0.0);
    uvec3 above[4];
    for (int i = 0; i < 4; ++i)
        above[i] = ag_shadow_corner(ivec2(x[i], y[0]));
    for (int j = 0; j < 3; ++j) {
        uvec3 below[4];
        for (int i = 0; i < 4; ++i)
            below[i] = ag_shadow_corner(ivec2(x[i], y[j + 1]));
        for (int i = 0; i < 3; ++i) {
            uint area = uint(max(x[i + 1] - x[i], 0)) * uint(max(y[j + 1] - y[j], 0));
            uvec3 z = below[i + 1] - below[i] - above[i + 1] + above[i];
            if (area != 0u)
                ag_shadow_add(s, z, area, depth, wide[i] * high[j]);
        }
        above = below;
    }
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
