// mipchain/even.glsl - a tile of a stage whose levels all halve exactly, in straight-line code
//
//   in, out   as chain.comp, which includes this
//   host sets EVEN   levels of the stage, 1 .. 6: both sizes are multiples of 2^EVEN
//             BATCHES in which a thread's 16 loads come: 1, 2 or 4
//   lanes     a warp loads and stores blocks of 8 x 4 texels, which are whole sectors (2 x 2 texels of
//             RGBA16F, 4 x 2 of RGBA8). It makes 16 x 8 texels of level 1, 8 x 4 of level 2; a thread a
//             those that lie 8 and 4 apart, so that neighbours store neighbours:
//
//                thread 0  | 0 . . . . . . . 0 . . . . . . . |        thread 0  | 0 . . . . . . . |
//                level 1   | 8 rows, its four marked 0       |        level 2   | 4 rows          |
//
//   shared    12 KiB with four channels, so that four groups share the 54 KiB that NVIDIA's GL gives a
//             multiprocessor. Level 1 passes through it in two halves (r and g, b and a); later
//             levels take turns in two regions, so each costs one barrier
//   cost      per thread 16 loads, in BATCHES of 64 / BATCHES registers with four channels. A texel outside of the
//             rectangle is loaded like any other (GL allows it) and its outputs are not stored
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_EVEN_GLSL
#define AG_MIPCHAIN_EVEN_GLSL
#if !defined(EVEN) || !defined(BATCHES)
#error "EVEN and BATCHES must be set by the host"
#endif
#pragma optionNV(unroll all)

// Plain sums: what is done to each texel elsewhere, scrubbing and codes, is done to sums of four.
#define PLAIN (FROM_IMAGE && REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8)

#if CHANNELS == 4 // halves of a texel, in planes
#define HALF vec2
#define PLANES 2
#else
#define HALF TEXEL
#define PLANES 1
#endif
#define OUTPUTS (4 / BATCHES)
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

// A place of level `j` of the stage in its image. Outside of the rectangle it becomes (-1, -1), and GL
// ignores the store: no branch.
ivec2 place_of(int j, ivec2 p)
{
    int level = u_stage.x + j;
    ivec2 corner = min(u_dst.xy >> level, max(u_dst.zw >> level, 1) - 1);
    ivec2 beyond = (level_size(level) - 1 - p) >> 31;
    return corner + p | ivec2(beyond.x | beyond.y);
}

// A macro: an image cannot be chosen by a number without a switch.
#define STORE_EVEN(image, j, p, c) imageStore(image, PLACE_DST(place_of(j, p)), stored(c))

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

#if PLAIN
#define LOAD_EVEN(p, bad) load_raw(p)
#elif FROM_IMAGE
#define LOAD_EVEN(p, bad) load_first(p, bad)
#else
#define LOAD_EVEN(p, bad) load_handover(u_handover.x, level_size(u_stage.x).x, min(p, level_size(u_stage.x) - 1))
#endif

vec4 first_of_four(vec4 a, vec4 b, vec4 c, vec4 d)
{
#if PLAIN && (STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2)
    precise vec4 sum = (a + b + (c + d)) * CODES + 12582912.0; // 1.5 * 2^23: to a whole number
    sum -= 12582912.0;
    return 0.25 * sum;
#else
    return mean_of_four(a, b, c, d, true);
#endif
}

#if COUNTS
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

// Outputs 8 and 4 apart, from p on. All loads of a batch come before anything else.
void even_first_level(ivec2 p, out vec4 level1[4], inout uint bad_texels)
{
    for (int batch = 0; batch < BATCHES; ++batch) {
        vec4 texels[4 * OUTPUTS];
        bool bad[4 * OUTPUTS];
        for (int k = 0; k < 4 * OUTPUTS; ++k) {
            int made = batch * OUTPUTS + k / 4;
            ivec2 from = 2 * p + ivec2(16 * (made & 1) + (k & 1), 8 * (made >> 1) + (k >> 1 & 1));
            texels[k] = LOAD_EVEN(from, bad[k]);
        }
        uint largest = 0u;
        for (int i = 0; i < OUTPUTS; ++i) {
            vec4 c = first_of_four(texels[4 * i], texels[4 * i + 1], texels[4 * i + 2], texels[4 * i + 3]);
            level1[batch * OUTPUTS + i] = c;
            uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
            largest = max(largest, max(max(size.x, size.y), max(size.z, size.w)));
        }
#if COUNTS && PLAIN
        if (largest >= (0x7f800000u | uint(u_stage.w - 1))) // 0xffffffff without scrub
            for (int i = 0; i < OUTPUTS; ++i) {
                int made = batch * OUTPUTS + i;
                level1[made] = scrubbed(p + ivec2(8 * (made & 1), 4 * (made >> 1)), bad_texels);
            }
#endif
#if (COUNTS && !PLAIN) || COPY
        for (int k = 0; k < 4 * OUTPUTS; ++k) {
            int made = batch * OUTPUTS + k / 4;
            ivec2 from = 2 * p + ivec2(16 * (made & 1) + (k & 1), 8 * (made >> 1) + (k >> 1 & 1));
#if COUNTS && !PLAIN
            ivec2 beyond = (level_size(u_stage.x) - 1 - from) >> 31;
            bad_texels += uint(bad[k]) & ~uint(beyond.x | beyond.y);
#endif
#if COPY
            imageStore(i_copy, PLACE_DST(place_of(0, from)), texels[k]);
#endif
        }
#endif
        for (int i = 0; i < OUTPUTS; ++i) {
            int made = batch * OUTPUTS + i;
            STORE_EVEN(i_level1, 1, p + ivec2(8 * (made & 1), 4 * (made >> 1)), level1[made]);
        }
    }
}

// ---- the levels below

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

// The stage's last level, for the next stage.
void leave_even(ivec2 p, vec4 c)
{
    ivec2 beyond = (level_size(u_stage.x + EVEN) - 1 - p) >> 31;
    if (u_handover.y >= 0 && (beyond.x | beyond.y) == 0)
        leave(u_handover.y, u_stage.x + EVEN, p, c);
}

void even_tile(inout uint bad_texels)
{
    uint t = gl_LocalInvocationIndex;
    ivec2 tile = ivec2(gl_WorkGroupID.xy), lane = ivec2(t & 7u, t >> 3 & 3u), warp = ivec2(t >> 5 & 1u, t >> 6);
    vec4 level1[4];
    even_first_level(tile * 32 + warp * ivec2(16, 8) + lane, level1, bad_texels);
#if EVEN == 1
    for (int k = 0; k < 4; ++k)
        leave_even(tile * 32 + warp * ivec2(16, 8) + lane + ivec2(8 * (k & 1), 4 * (k >> 1)), level1[k]);
#else
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
