// mip/even_shared.glsl - levels 2 .. EVEN of an even tile, through shared memory
//
//   host sets the defines of mip/even.glsl, which is included before
//   how       in each step the threads that remain read the four texels whose mean is theirs:
//
//                level          2       3      4      5     6      of the stage
//                threads        256     64     16     4     1
//                stored in      B       A      B      A            for the next level
//
//             The four texels of an output lie in four quarters, all at the output's index. So each
//             of a thread's four loads is beside its neighbours'; quarters are permuted
//             (quarter_at) so that no two of 32 threads share a bank
//   shared    12 KiB with four channels, so that four groups share the 54 KiB that NVIDIA's GL
//             gives a multiprocessor. Level 1 passes through all of it in two halves (r and g, b
//             and a); later levels take turns in two regions, so each costs one barrier
//   SPDX-License-Identifier: MIT

#if CHANNELS == 4 // halves of a texel, in planes
#define HALF vec2
#else
#define HALF TEXEL
#endif
const int PLANES = CHANNELS == 4 ? 2 : 1;
#define REGION_A 0u
#define REGION_B 1024u
#define PLANE 256u
shared HALF s_even[1024 + 256 * PLANES];

// Where a texel lies for the next level, which has `count` texels: the four texels of an output lie
// in different quarters, at the output's index, permuted so that no two of a subgroup share a bank.
uint quarter_at(uint quarter, uint index, uint count)
{
    return quarter * count + (index ^ (4u * quarter & (count - 1u)));
}

uint quarter_of(uvec2 p)
{
    return (p.x & 1u) + 2u * (p.y & 1u);
}

void write_shared(uint at, vec4 c)
{
    s_even[at] = HALF(c);
    if (PLANES == 2)
        s_even[at + PLANE] = HALF(c.baba);
}

vec4 read_shared(uint at)
{
    vec4 c = UNPACK(s_even[at]);
    if (PLANES == 2)
        c.ba = UNPACK(s_even[at + PLANE]).rg;
    return c;
}

// A thread's texel of level 2. Four threads of its subgroup made the four texels of level 1.
vec4 exchange(uint t, vec4 level1[4])
{
    uint subgroup = t & ~31u;
    uvec2 lane = uvec2(t & 7u, t >> 3 & 3u);
    uint at = quarter_at(quarter_of(lane), subgroup + (lane.y >> 1) * 8u + (lane.x >> 1), 256u);
    vec4 above[4];
    for (uint k = 0u; k < 4u; ++k)
        s_even[(at ^ 4u * (k & 1u)) + 16u * (k >> 1)] = HALF(level1[k]);
    sync_shared();
    for (uint k = 0u; k < 4u; ++k)
        above[k] = UNPACK(s_even[quarter_at(k, t, 256u)]);
    if (PLANES == 2) {
        sync_shared();
        for (uint k = 0u; k < 4u; ++k)
            s_even[(at ^ 4u * (k & 1u)) + 16u * (k >> 1)] = HALF(level1[k].baba);
        sync_shared();
        for (uint k = 0u; k < 4u; ++k)
            above[k].ba = UNPACK(s_even[quarter_at(k, t, 256u)]).rg;
    }
    return mean_of_four(above[0], above[1], above[2], above[3], false);
}

// Texel t of a level of `count` texels, from the region that holds the level above.
vec4 next_level(uint region, uint t, uint count)
{
    return mean_of_four(read_shared(region + quarter_at(0u, t, count)),
                        read_shared(region + quarter_at(1u, t, count)),
                        read_shared(region + quarter_at(2u, t, count)),
                            read_shared(region + quarter_at(3u, t, count)), false);
}

// Writes texel p for the next level, which has `width` x `width` texels.
void write_for_next(uint region, uvec2 p, uint width, vec4 c)
{
    write_shared(region + quarter_at(quarter_of(p), (p.y >> 1) * width + (p.x >> 1), width * width),
                 c);
}

// Stores texel p of level j: in its image, and in the buffer or for the next level.
void output_texel(const int j, uint region, ivec2 p, vec4 c)
{
    ivec2 to = g_stage.tile * (64 >> j) + p;
    store_even(j, to, 0, c);
    if (j == EVEN)
        store_even_handover(to, c);
    else
        write_for_next(region, uvec2(p), uint(32 >> j), c);
}

void levels_below(vec4 level1[4])
{
    uint t = gl_LocalInvocationIndex;
    if (EVEN > 1)
        output_texel(2, REGION_B, thread_place(ivec2(8, 4)), exchange(t, level1));
    if (EVEN > 2)
        sync_shared();
    if (EVEN > 2 && t < 64u)
        output_texel(3, REGION_A, ivec2(t & 7u, t >> 3), next_level(REGION_B, t, 64u));
    if (EVEN > 3)
        sync_shared();
    if (EVEN > 3 && t < 16u)
        output_texel(4, REGION_B, ivec2(t & 3u, t >> 2), next_level(REGION_A, t, 16u));
    if (EVEN > 4)
        sync_shared();
    if (EVEN > 4 && t < 4u)
        output_texel(5, REGION_A, ivec2(t & 1u, t >> 1), next_level(REGION_B, t, 4u));
    if (EVEN > 5)
        sync_shared();
    if (EVEN > 5 && t == 0u)
        output_texel(6, REGION_B, ivec2(0), next_level(REGION_A, 0u, 1u));
}
