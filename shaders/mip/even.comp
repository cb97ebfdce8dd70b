// mip/even.comp - level 1 of a chain and the levels below it, where all of them halve exactly
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/chain.glsl)
//             b_handover         each stage's last level in fp32
//             b_info.scrubbed    with COUNTS: the number of non-finite texels
//   host sets EVEN               levels of the first stage, 1 .. 6: both sizes are multiples of
//                                2^EVEN
//             BATCHES            in which a thread loads its texels: 1 or 2
//             SUBGROUPS          AG_SUBGROUPS_*: by which threads exchange texels; _NONE: through
//                                shared memory. Subgroups join texels two by two: means without
//                                weights or of karis, min, max, minmax
//             SECOND             AG_SECOND_NONE or _REST
//             REGION, HALVES     SECOND AG_SECOND_REST: of mip/rest.glsl; REGION is 768 at most
//             and the defines of mip/chain.glsl, mip/reduce.glsl and mip/source.glsl
//   dispatch  ceil(width / 64), ceil(height / 64), layers: 256 threads have a tile of 64 x 64
//   steps     1  Each thread makes four texels of level 1, without branches
//             2  Levels 2 to EVEN go from thread to thread, by shuffles or through shared memory
//             3  AG_SECOND_REST: the group that arrives last makes the rest of the chain, of any
//                sizes, without tiles (mip/rest.glsl): as mip/tail.comp, without its launch
//   lanes     32 threads load and store blocks of 8 x 4 texels, which are whole sectors (2 x 2
//             texels of RGBA16F, 4 x 2 of RGBA8). They make 16 x 8 texels of level 1, and 8 x 4 of
//             level 2. A thread's four texels lie 8 and 4 apart: neighbours store neighbours:
//
//                thread 0  | 0 . . . . . . . 0 . . . . . . . |        thread 0  | 0 . . . . . . . |
//                level 1   | 8 rows, its four marked 0       |        level 2   | 4 rows          |
//
//             8 times 32 threads lie 2 x 4 in a tile: 32 x 32 texels of level 1
//   cost      Moves the first level once and the levels below once: 4/3 of its bytes. Level 1 takes
//             one gather a texel, of RGBA16F two (common/gather.glsl), or four loads. Texels
//             outside of the rectangle are loaded, too, as GL allows, and their outputs are not
//             stored. The levels below take 8 shuffles of a texel and one barrier; through shared
//             memory three barriers for level 2 of four channels, else one, and one for each
//             further level
//   limits    through shared memory 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5
//             (docs/gpus.md)
//   shared    12 KiB with four channels, by shuffles 4 KiB; AG_SECOND_REST: and 5/4 REGION
//             texels in fp32, up to 15 KiB
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(EVEN) || !defined(BATCHES) || !defined(SUBGROUPS)
#error "EVEN, BATCHES and SUBGROUPS (AG_SUBGROUPS_*) must be set by the host"
#endif
#define THREADS 256
layout(local_size_x = 16, local_size_y = 16) in;

#include "mip/chain.glsl"
#include "mip/reduce.glsl"
#include "mip/source.glsl"
#if SECOND == AG_SECOND_REST
#include "mip/rest.glsl"
#endif
#if SUBGROUPS
#include "common/subgroups.glsl"
int thread_lane() { return subgroup_lane(); }         // 0 .. 31
int thread_subgroup() { return subgroup_index(); }    // 0 .. 7
#else
int thread_lane() { return int(gl_LocalInvocationIndex & 31u); }
int thread_subgroup() { return int(gl_LocalInvocationIndex >> 5); }
#endif
#pragma optionNV(unroll all)

#define OUTPUTS (4 / BATCHES)

// ---- outputs

ivec2 tile_of_group() { return ivec2(gl_WorkGroupID.xy); }

// Stores a texel of level `j`. The place becomes (-1, -1), where GL ignores the store, beyond the
// rectangle, and where `not_mine` is -1 (another stores): no branch.
void store_even(int j, ivec2 p, int not_mine, vec4 c)
{
    int level = first_source() + j;
    ivec2 beyond = (level_size(level) - 1 - p) >> 31;
    not_mine |= beyond.x | beyond.y;
    store_placed(j, level_corner(level) + p | ivec2(not_mine), stored(c));
}

// Stores a texel of the last level for the next dispatch.
void store_even_handover(ivec2 p, vec4 c)
{
    ivec2 beyond = (level_size(first_source() + EVEN) - 1 - p) >> 31;
    if (place_of_last(0) >= 0 && (beyond.x | beyond.y) == 0)
        store_handover(place_of_last(0), first_source() + EVEN, p, c);
}

vec4 mean_of_four(vec4 a, vec4 b, vec4 c, vec4 d, bool first)
{
    SUM s = sum_begin();
    sum_add(s, a, 0.25, first);
    sum_add(s, b, 0.25, first);
    sum_add(s, c, 0.25, first);
    sum_add(s, d, 0.25, first);
    return sum_finish(s);
}

// ---- texels of the source

// The source texels of a batch as read: all loads come first. Plain arrays, not arrays in a struct
// (docs/decisions.md, D2).
#if SRC_GATHERS
#define SOURCES gathered source[OUTPUTS]
#define LOAD_SOURCE_OF(i, to) source[i] = gather(u_src_rect.xy + 2 * (to))
#define SOURCE_TEXEL(i, k) as_channels(texel_of(source[i], k))
#else
#define SOURCES vec4 source[4 * OUTPUTS]
#define LOAD_SOURCE_OF(i, to)   \
    for (int k = 0; k < 4; ++k) \
    source[4 * i + k] = load_raw(2 * (to) + ivec2(k & 1, k >> 1))
#define SOURCE_TEXEL(i, k) source[4 * (i) + k]
#endif
#if SRC_GATHERS && SRC_PACKING == AG_PACKING_8888
#define CODE_SUM(i) code_sum(source[i])
#else
#define CODE_SUM(i) vec4(0.0)
#endif

// Level 1's texel at `to`, from its four source texels.
vec4 first_of(vec4 a, vec4 b, vec4 c, vec4 d, ivec2 to, inout uint bad_texels)
{
    vec4 texels[4] = vec4[4](a, b, c, d), made;
    if (PLAIN && OF_CODES && !RAW_CODES) {
        made = 0.25 * roundEven((a + b + (c + d)) * CODES);
    } else if (PLAIN) {
        made = 0.25 * (a + b + (c + d));
    } else {
        for (int k = 0; k < 4; ++k) {
            bool bad;
            texels[k] = clean(texels[k], bad);
            ivec2 beyond = (level_size(first_source()) - 1 - 2 * to - ivec2(k & 1, k >> 1)) >> 31;
            bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
        }
        made = mean_of_four(texels[0], texels[1], texels[2], texels[3], true);
    }
    return made;
}

// The same where a texel is non-finite: reads all again. It is rare, so the loop is not unrolled.
vec4 scrubbed(ivec2 to, inout uint bad_texels)
{
    ivec2 beyond = (level_size(first_source() + 1) - 1 - to) >> 31;
    SUM s = sum_begin();
    for (int k = 0; k < 4 + zero(); ++k) {
        bool bad;
        vec4 c = load_first(2 * to + ivec2(k & 1, k >> 1), bad);
        bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
        sum_add(s, c, 0.25, true);
    }
    return sum_finish(s);
}

// ---- level 1

// The offset of a thread's k-th texel of level 1 from its first.
ivec2 apart(int k)
{
    return ivec2(8 * (k & 1), 4 * (k >> 1));
}

// A thread's place in a tile of 2 x 4 blocks of this size; with 16 x 8, its first texel of level 1.
ivec2 thread_place(ivec2 block)
{
    int lane = thread_lane(), subgroup = thread_subgroup();
    return block * ivec2(subgroup & 1, subgroup >> 1) + ivec2(lane & 7, lane >> 3);
}

// By constant indices, so that the array stays in registers.
void replace(inout vec4 level1[4], int at, vec4 c)
{
    level1[0] = mix(level1[0], c, bvec4(at == 0));
    level1[1] = mix(level1[1], c, bvec4(at == 1));
    level1[2] = mix(level1[2], c, bvec4(at == 2));
    level1[3] = mix(level1[3], c, bvec4(at == 3));
}

// Stores a texel of level 1.
void output_first(ivec2 to, vec4 c)
{
    store_even(1, to, 0, c);
    if (EVEN == 1)
        store_even_handover(to, c);
}

// Makes a thread's level 1, and stores it. Counts non-finite texels.
void even_first_level(out vec4 level1[4])
{
    ivec2 p = tile_of_group() * 32 + thread_place(ivec2(16, 8));
    uint bad_texels = 0u;
    for (int batch = 0; batch < BATCHES; ++batch) {
        // 1. All loads.
        SOURCES;
        for (int i = 0; i < OUTPUTS; ++i)
            LOAD_SOURCE_OF(i, p + apart(batch * OUTPUTS + i));
        // 2. Means.
        uint largest = 0u;
        for (int i = 0; i < OUTPUTS; ++i) {
            ivec2 to = p + apart(batch * OUTPUTS + i);
            vec4 c;
            if (PLAIN && STORE == AG_STORE_UNORM8 && RAW_CODES)
                c = 0.25 * CODE_SUM(i);
            else
                c = first_of(SOURCE_TEXEL(i, 0), SOURCE_TEXEL(i, 1), SOURCE_TEXEL(i, 2),
                             SOURCE_TEXEL(i, 3), to,
                             bad_texels);
            level1[batch * OUTPUTS + i] = c;
            largest = max(largest, size_bits(c));
        }
        // 3. Means of non-finite texels again.
        if (COUNTS != 0 && PLAIN && largest >= bad_size())
            for (int n = 0; n < OUTPUTS + zero(); ++n) {
                int at = batch * OUTPUTS + n;
                replace(level1, at, scrubbed(p + apart(at), bad_texels));
            }
        // 4. Stores.
        for (int i = 0; i < OUTPUTS; ++i) {
            ivec2 to = p + apart(batch * OUTPUTS + i);
            if (COPY != 0)
                for (int k = 0; k < 4; ++k) {
                    ivec2 from = 2 * to + ivec2(k & 1, k >> 1),
                        beyond = (level_size(first_source()) - 1 - from) >> 31;
                    store_placed(0,
                                 level_corner(first_source()) + from | ivec2(beyond.x | beyond.y),
                                 SOURCE_TEXEL(i, k));
                }
            output_first(to, level1[batch * OUTPUTS + i]);
        }
    }
    count_bad(bad_texels);
}

// ---- levels 2 to EVEN, through shared memory: levels_below()
//
//   In each step the threads that remain read the four texels whose mean is theirs:
//
//      level          2       3      4      5     6      of the stage
//      threads        256     64     16     4     1
//      stored in      B       A      B      A            for the next level
//
//   The four texels of an output lie in four quarters, all at the output's index. So each of a
//   thread's four loads is beside its neighbours'; quarter_at permutes quarters so that no two of
//   32 threads share a bank. 12 KiB allow four groups in the 54 KiB that NVIDIA's GL gives a
//   multiprocessor. Level 1 passes through all of it in two halves (r and g, b and a); later levels
//   take turns in two regions, so each costs one barrier.
#if !SUBGROUPS

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

// Where a texel lies for the next level, which has `count` texels.
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
    ivec2 to = tile_of_group() * (64 >> j) + p;
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

// ---- the same by shuffles within subgroups of 32: levels_below()
//
//   A subgroup's 16 x 8 texels of level 1 are four blocks of 8 x 4, of which a lane has one texel
//   each. Neighbours give away two blocks and keep two, then one, so that each lane ends with the
//   texel of level 2 in the block that its lowest bits select:
//
//     lane bits    4 3 2 1 0 are y1 y0 x2 x1 x0 of a block
//     level 2      at x = (x2 x1) + 4 x0   y = y1 + 2 y0
//
//   The 16 x 16 texels of level 2 of the 8 subgroups meet in shared memory, and one subgroup makes
//   the rest, so that the others end and every lane works (docs/decisions.md, D72):
//
//     lane bits    4 3 2 1 0 are y2 y1 y0 x1 x0
//     level 3      two texels, at x = 2 (x1 x0) and beside, y = (y2 y1 y0)
//     level 4      at x = (x1 x0)    y = (y2 y1)      (stored: y0 = 0)
//     level 5      at x = x1         y = y2           (and x0 = y1 = 0)
//
//   3 shuffles of a texel make level 2, and 5 more and one barrier levels 3 to 6.
#else

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

shared TEXEL s_level2[256]; // of 16 x 16

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
    ivec2 p = tile_of_group() * 16 + thread_place(ivec2(8, 4)) - lane + (lane >> 1) +
              (lane & 1) * ivec2(4, 2);
    output_texel(2, p, 0, c);
    if (EVEN < 3)
        return;
    s_level2[16 * (p.y & 15) + (p.x & 15)] = PACK(c);
    sync_shared();
    // Emulated shuffles have barriers, so all threads take part.
    if (SUBGROUPS == AG_SUBGROUPS_OF_DRIVER && subgroup_index() > 0)
        return;
    int not_mine = -int(subgroup_index() > 0), at = subgroup_lane();
    // Level 3
    ivec2 pair = ivec2(2 * (at & 3), at >> 2);
    vec4 level3[2];
    for (int k = 0; k < 2; ++k) {
        int from = 32 * pair.y + 2 * (pair.x + k);
        level3[k] = joined(join(join(UNPACK(s_level2[from]), UNPACK(s_level2[from + 1])),
                                join(UNPACK(s_level2[from + 16]), UNPACK(s_level2[from + 17]))));
        output_texel(3, tile_of_group() * 8 + pair + ivec2(k, 0), not_mine, level3[k]);
    }
    if (EVEN < 4)
        return;
    // Level 4: the other row is another lane's.
    c = join(level3[0], level3[1]);
    c = joined(join(c, from_lane(c, 4u)));
    p = tile_of_group() * 4 + (pair >> 1);
    not_mine |= -(at >> 2 & 1);
    output_texel(4, p, not_mine, c);
    // Levels 5 and 6
    if (EVEN == 5)
        next_level(5, 1u, 8u, c, p, not_mine);
    for (int j = 5; EVEN > 5 && j <= 6 + zero(); ++j)
        next_level(j, 1u << (j - 5), 8u << (j - 5), c, p, not_mine);
}
#endif

void main()
{
    vec4 level1[4];
    even_first_level(level1);
    levels_below(level1);
#if SECOND == AG_SECOND_REST
    if (arrives_last(0, int(gl_NumWorkGroups.x * gl_NumWorkGroups.y)))
        make_rest(first_source() + levels_of(0), place_of_source(1), levels_of(1));
#endif
}
