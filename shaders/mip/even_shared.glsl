// mip/even_shared.glsl - levels 2 .. EVEN of an even tile, through shared memory
//
//   host sets what mip/even.glsl wants
//   shared    12 KiB with four channels, so that four groups share the 54 KiB that NVIDIA's GL gives a
//             multiprocessor. Level 1 passes through it in two halves (r and g, b and a); later
//             levels take turns in two regions, so each costs one barrier
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_EVEN_SHARED_GLSL
#define AG_MIPCHAIN_EVEN_SHARED_GLSL

#if CHANNELS == 4 // halves of a texel, in planes
#define HALF vec2
#define PLANES 2
#else
#define HALF TEXEL
#define PLANES 1
#endif
#define REGION_A 0u
#define REGION_B 1024u
#define PLANE 256u
shared HALF s_even[1024 + 256 * PLANES];

// Where texel (x, y) of a level waits for the next, of `count` texels: those that are added together in
// different quarters, all at the next one's index. Swapped so that no two of a warp share a bank.
uint quarter_at(uint quarter, uint index, uint count)
{
    return quarter * count + (index ^ (4u * quarter & (count - 1u)));
}

uint quarter_of(uvec2 p)
{
    return (p.x & 1u) + 2u * (p.y & 1u);
}

void keep(uint at, vec4 c)
{
#if PLANES == 2
    s_even[at] = c.rg;
    s_even[at + PLANE] = c.ba;
#else
    s_even[at] = PACK(c);
#endif
}

vec4 kept(uint at)
{
#if PLANES == 2
    return vec4(s_even[at], s_even[at + PLANE]);
#else
    return UNPACK(s_even[at]);
#endif
}

// A thread's texel of level 2: its four of level 1 are made by four threads of its warp.
vec4 exchange(uint t, vec4 level1[4])
{
    uint warp = t & ~31u;
    uvec2 lane = uvec2(t & 7u, t >> 3 & 3u);
    uint at = quarter_at(quarter_of(lane), warp + (lane.y >> 1) * 8u + (lane.x >> 1), 256u);
    vec4 above[4];
    for (uint k = 0u; k < 4u; ++k)
        s_even[(at ^ 4u * (k & 1u)) + 16u * (k >> 1)] = HALF(level1[k]);
    sync_shared();
#if PLANES == 2
    for (uint k = 0u; k < 4u; ++k)
        above[k].rg = s_even[quarter_at(k, t, 256u)];
    sync_shared();
    for (uint k = 0u; k < 4u; ++k)
        s_even[(at ^ 4u * (k & 1u)) + 16u * (k >> 1)] = level1[k].ba;
    sync_shared();
    for (uint k = 0u; k < 4u; ++k)
        above[k].ba = s_even[quarter_at(k, t, 256u)];
#else
    for (uint k = 0u; k < 4u; ++k)
        above[k] = UNPACK(s_even[quarter_at(k, t, 256u)]);
#endif
    return mean_of_four(above[0], above[1], above[2], above[3], false);
}

// Texel t of a level of `count` texels, from the region that the level above was kept in.
vec4 next_level(uint region, uint t, uint count)
{
    return mean_of_four(kept(region + quarter_at(0u, t, count)), kept(region + quarter_at(1u, t, count)),
                        kept(region + quarter_at(2u, t, count)), kept(region + quarter_at(3u, t, count)), false);
}

// Texel p for the next level, which has `width` texels each way.
void keep_for_next(uint region, uvec2 p, uint width, vec4 c)
{
    keep(region + quarter_at(quarter_of(p), (p.y >> 1) * width + (p.x >> 1), width * width), c);
}

void levels_below(ivec2 tile, ivec2 warp, ivec2 lane, vec4 level1[4])
{
    uint t = gl_LocalInvocationIndex;
    ivec2 p = warp * ivec2(8, 4) + lane;
    vec4 c = exchange(t, level1);
    STORE_EVEN(i_level2, 2, tile * 16 + p, c);
#if EVEN == 2
    leave_even(tile * 16 + p, c);
#else
    keep_for_next(REGION_B, uvec2(p), 8u, c);
    sync_shared();
    if (t < 64u) {
        p = ivec2(t & 7u, t >> 3);
        c = next_level(REGION_B, t, 64u);
        STORE_EVEN(i_level3, 3, tile * 8 + p, c);
#if EVEN == 3
        leave_even(tile * 8 + p, c);
#else
        keep_for_next(REGION_A, uvec2(p), 4u, c);
#endif
    }
#endif
#if EVEN > 3
    sync_shared();
    if (t < 16u) {
        p = ivec2(t & 3u, t >> 2);
        c = next_level(REGION_A, t, 16u);
        STORE_EVEN(i_level4, 4, tile * 4 + p, c);
#if EVEN == 4
        leave_even(tile * 4 + p, c);
#else
        keep_for_next(REGION_B, uvec2(p), 2u, c);
#endif
    }
#endif
#if EVEN > 4
    sync_shared();
    if (t < 4u) {
        p = ivec2(t & 1u, t >> 1);
        c = next_level(REGION_B, t, 4u);
        STORE_EVEN(i_level5, 5, tile * 2 + p, c);
#if EVEN == 5
        leave_even(tile * 2 + p, c);
#else
        keep_for_next(REGION_A, uvec2(p), 1u, c);
#endif
    }
#endif
#if EVEN > 5
    sync_shared();
    if (t == 0u) {
        c = next_level(REGION_A, 0u, 1u);
        STORE_EVEN(i_level6, 6, tile, c);
        leave_even(tile, c);
    }
#endif
}

#endif
