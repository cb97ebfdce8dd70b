// mip/odd.comp - level 1 of a chain and the levels below it, of any sizes
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/chain.glsl)
//             b_handover         each stage's last level in fp32
//             b_info.scrubbed    with COUNTS: the number of non-finite texels
//   host sets ODD_X, ODD_Y       1 = the first level's width, height is odd (and not 1)
//             RUNS               AG_RUNS_*: how threads read the first level, see below
//             BATCHES            with runs: a run has 4 / BATCHES outputs; 2 where gathers take
//                                many registers, else 1
//             and the defines of mip/stages.glsl and mip/source.glsl
//   dispatch  tiles x, tiles y, layers
//   steps     1  level 1 of the tile and its halo, up to 35 x 35 texels, into shared memory
//             2  the levels below, and the stages of groups that arrive last (mip/stages.glsl)
//   runs      An output is a weighted mean of 2 or 3 texels each way. AG_RUNS_NONE: each output
//             loads all of its texels, of any source and any size.
//             Otherwise a thread makes a run of RUN outputs, one below the other, from a source
//             that textureGather reads and whose sides are 2 or more. A gather returns the first
//             two columns and rows of an output's three; the third row is the next gather's first:
//
//                | a b | c     output 0: gather 0 and the first row of gather 1
//                | a b | c
//                | a b | c     output 1: gather 1 and the first row of gather 2
//                | a b | c
//                  a b   c     ...
//
//             The third column c is the first column of the run to the right. AG_RUNS_TEXELS: it is
//             loaded. AG_RUNS_SUMS: that run hands over the sums of its first column through shared
//             memory, for reductions that are one vec4 and do not depend on the order of texels:
//             mean without weights of floats, min, max, minmax
//   cost      none    4, 6 or 9 loads a texel of level 1; the loads of two outputs overlap
//             texels  2.5 gathers a texel of level 1 for RGBA16F (1.25 for RGBA8), and 2.25 loads.
//                     Registers: 8 for each gather in flight
//             sums    2.5 gathers a texel of level 1 for RGBA16F (1.25 for RGBA8). 18 texels
//                     unpacked for 4 outputs instead of 36; 36 multiply-adds an output, as without
//                     runs; 16 bytes to shared memory and back, one barrier. Registers: 8 for the
//                     current output, 4 for each earlier one, and the gathers that follow
//             Then 9 reads of shared memory a texel, whatever the sizes, and one barrier a level
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels
//   source    mip/reduce.glsl (weights); docs/decisions.md, D36 (runs)
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(ODD_X) || !defined(ODD_Y) || !defined(RUNS)
#error "ODD_X, ODD_Y and RUNS (AG_RUNS_*) must be set by the host"
#endif
#include "mip/interface.h"
#if RUNS != AG_RUNS_NONE && !defined(BATCHES)
#error "BATCHES must be set by the host"
#endif

#define BUFFERED (SECOND > 0)
#if RUNS == AG_RUNS_NONE
#define THREADS 512 // shared memory allows two groups a multiprocessor, so groups are large
layout(local_size_x = 32, local_size_y = 16) in;
#else
#define THREADS 352 // 36 x 9 runs for 35 x 35 outputs, and the 17 x 17 of the next level at once
layout(local_size_x = 352) in;
#endif
#if RUNS == AG_RUNS_SUMS
#define GAP ODD_X // a column more than the tile's own: the third one of the last
#else
#define GAP 0
#endif

#include "mip/stages.glsl"
#include "mip/source.glsl"
#pragma optionNV(unroll all)

#define TAPS_X (2 + ODD_X)
#define TAPS_Y (2 + ODD_Y)
#define TAPS (TAPS_X * TAPS_Y)
#define TAP(k) ivec2((k) % TAPS_X, (k) / TAPS_X)

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
    return region_of(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), 32, 1,
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

// -1 where another output counts and copies texel `tap` of output p: the first one that the texel
// belongs to. On an axis of 1 texel the second use is left out.
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
        bad_texels += bad && texel_is_others(r, p, tap) == 0 ? 1u : 0u;
        float x = dot(wx, vec3(equal(ivec3(tap.x), ivec3(0, 1, 2))));
        float y = dot(wy, vec3(equal(ivec3(tap.y), ivec3(0, 1, 2))));
        sum_add(s, c, x * y, true);
    }
    return sum_finish(s);
}

// ---- an output from its 4, 6 or 9 texels, in their order

#if RUNS != AG_RUNS_SUMS
// The addend of tap k. Sets bit k of `bad` if the texel is non-finite. (Mesa's zink makes invalid
// SPIR-V of an array of bools.)
vec4 addend_of_tap(vec4 c, int k, inout uint bad)
{
    bool is_bad;
    c = addend(c, is_bad);
    bad |= uint(is_bad) << k;
    return c;
}

// Makes output p. `texels` and the bits of `bad` are those of addend_of_tap, row by row: (0, 0),
// (1, 0), (2, 0), (0, 1) ...
void finish_first(Region r, ivec2 p, vec4 texels[TAPS], uint bad, inout uint bad_texels)
{
    // 1. Their sum.
    vec3 wx = weights_x(r.start.x + p.x), wy = weights_y(r.start.y + p.y);
    SUM s = sum_begin();
    for (int k = 0; k < TAPS; ++k)
        sum_add(s, texels[k], wx[k % TAPS_X] * wy[k / TAPS_X], true);
    vec4 c = sum_finish(s) * SCALE;
    // 2. Non-finite texels: the sum is made again, or they are counted. The copy.
    if (COUNTS != 0 && PLAIN && must_scrub(c))
        c = scrubbed(r, p, bad_texels);
    uint counted = 0u; // by this output
    for (int k = 0; k < TAPS; ++k) {
        if (COUNTS != 0 && !PLAIN)
            counted |= ~uint(texel_is_others(r, p, TAP(k))) & (1u << k);
        if (COPY != 0) {
            ivec2 from = 2 * (r.start + p) + TAP(k);
            store_placed(0, level_corner(first_source()) + from |
                         ivec2(texel_is_others(r, p, TAP(k))), texels[k]);
        }
    }
    bad_texels += uint(bitCount(bad & counted));
    // 3. To the next level, and to the image.
    if (all(lessThan(p, r.size)))
        store_first(r, p, p.y * r.size.x + p.x, c);
}
#endif

// ---- level 1 of a tile: first_level()

#if RUNS == AG_RUNS_NONE
void load_taps(ivec2 to, out vec4 texels[TAPS], out uint bad)
{
    ivec2 size = level_size(first_source());
    bad = 0u;
    for (int k = 0; k < TAPS; ++k)
        texels[k] = addend_of_tap(load_raw(min(2 * to + TAP(k), size - 1)), k, bad);
}

// Blocks of 8 x 4 texels a subgroup, 32 x 32 in all, then the halo to the right and below:
//
//      |---- 32 ----|halo|
//      |  blocks    |    |      the right strip to the bottom, then the lower one, row by
//      |            | i  |      row: the halo of 35 x 35 texels takes 201 threads
//      |------------|    |
//      |  i   i + 1 |    |
void first_level(Region r, inout uint bad_texels)
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 lane = ivec2((t & 7) | (t & 32) >> 2, (t >> 3 & 3) | t >> 6 << 2);
    vec4 left[TAPS], next[TAPS];
    uint left_bad, next_bad;
    for (int y = 0; y < 32; y += THREADS / 16) { // two outputs at a time, all loads first
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

#else
#define RUN (4 / BATCHES)
#define GATHERS_2X2 (RUN + ODD_Y)
#define GATHERED_TEXEL(q, k) as_channels(texel_of(q, k))

// The size of a texel of t_src in normalised coordinates. In place the size is a uniform:
// textureSize takes as long as a load.
vec2 texel_size()
{
    vec2 size = vec2(u_dst.zw);
    if (DEPTH != 0 || COPY != 0)
        size = vec2(textureSize(t_src, 0).xy);
    return 1.0 / size;
}

// The corner of the first gather of the run that begins with output p of the tile; each further one
// is two texels lower. Arrays of gathers are not passed to functions (docs/decisions.md, D2).
vec2 corner_of_run(Region r, ivec2 p)
{
    return vec2(u_src_rect.xy + 2 * (r.start + p) + 1) * texel_size();
}

#if RUNS == AG_RUNS_TEXELS
#define ROWS (2 * RUN + ODD_Y)

// A texel of the third column. Halves stay packed, as gathers are: as floats they take up to 18
// registers more, and Mesa's RADV (zink on AMD) spills 8 on GCN; radeonsi spills none. Codes take
// more instructions to unpack, and the texels of a row may belong to two outputs.
#if SRC_PACKING == AG_PACKING_16_16
#define THIRD PACKED
#define LOAD_THIRD(p) packed_at(u_src_rect.xy + (p))
#define THIRD_TEXEL(t) as_channels(colour_of(t))
#else
#define THIRD vec4
#define LOAD_THIRD(p) load_raw(p)
#define THIRD_TEXEL(t) (t)
#endif

void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    if (!takes_part)
        return;
    // 1. Gathers.
    ivec2 from = 2 * (r.start + p);
    gathered source[GATHERS_2X2];
    vec2 corner = corner_of_run(r, p), step = vec2(0.0, 2.0 * texel_size().y);
    for (int k = 0; k < GATHERS_2X2; ++k)
        source[k] = gather_around(corner + float(k) * step);
    // 2. The third column, if the width is odd.
    THIRD third[ROWS];
    int limit = level_size(first_source()).y - 1;
    if (ODD_X != 0)
        for (int row = 0; row < ROWS; ++row)
            third[row] = LOAD_THIRD(ivec2(from.x + 2, min(from.y + row, limit)));
    // 3. The outputs.
    for (int i = 0; i < RUN; ++i) {
        vec4 texels[TAPS];
        uint bad = 0u;
        for (int k = 0; k < TAPS; ++k) {
            ivec2 tap = TAP(k) + ivec2(0, 2 * i);
            vec4 c = GATHERED_TEXEL(source[tap.y >> 1], (tap.x & 1) + 2 * (tap.y & 1));
            if (tap.x == 2)
                c = THIRD_TEXEL(third[tap.y]);
            texels[k] = addend_of_tap(c, k, bad);
        }
        finish_first(r, p + ivec2(0, i), texels, bad, bad_texels);
    }
}

#else
// The sums of first columns pass through s_level, where level 1 comes later. A row of outputs has
// one thread more, whose first column is the last output's third:
//
//    thread     0      1          34     35
//    sums    | a b  | a b  ...  | a b  | a       output x: a and b of thread x, a of thread x + 1
//
// A thread stores its output over the sum a that only it has read. That takes no barrier, and
// leaves one texel before each row of level 1 (GAP, mip/stages.glsl).

// -1 where texel `tap` of the gather that begins output p is counted and copied elsewhere: by
// another tile, or, for the last gather of a run, by the run below. The odd texels at the image's
// right and lower edge are not.
int gather_is_others(Region r, ivec2 p, ivec2 tap, bool last)
{
    ivec2 end = r.start + r.owned, from = 2 * (r.start + p) + tap;
    ivec2 rest = level_size(first_source()) & ivec2(equal(end, level_size(first_source() + 1)));
    return -int(any(greaterThanEqual(from, 2 * end + rest)) || last && p.y < r.size.y);
}

// The addends of gather k of the run from output p on.
void texels_of(gathered q, int k, Region r, ivec2 p, out vec4 texels[4], inout uint bad_texels)
{
    for (int i = 0; i < 4; ++i) {
        bool bad;
        texels[i] = addend(GATHERED_TEXEL(q, i), bad);
        if (COUNTS != 0 && !PLAIN || COPY != 0) { // a copy: depths, min or max, never PLAIN
            ivec2 tap = ivec2(i & 1, i >> 1), from = 2 * (r.start + p + ivec2(0, k)) + tap;
            int other = gather_is_others(r, p + ivec2(0, k), tap, k == RUN);
            // Not by masks of bools, which NVIDIA's driver 580 counts wrongly here (D64).
            bad_texels += bad && other == 0 ? 1u : 0u;
            if (COPY != 0)
                store_placed(0, level_corner(first_source()) + from | ivec2(other), texels[i]);
        }
    }
}

// Weights of output k of a run. `first` are those of the run's first output before the division:
// whole numbers, so that adding k is exact.
vec3 run_weights(vec3 first, float inverse, int k)
{
    return ODD_Y != 0 ? (first + vec3(-k, 0, k)) * inverse : vec3(0.5);
}

// Makes the run from output p on: for each output the weighted sum of its first two columns; and,
// in s_level, the sum of its first column for the run to the left. An output is complete with the
// first row of the next gather, so few registers are in use.
void add_run(Region r, ivec2 p, int at, int pitch, out SUM sums[RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
    gathered source[GATHERS_2X2];
    vec2 corner = corner_of_run(r, p), step = vec2(0.0, 2.0 * texel_size().y);
    for (int k = 0; k < GATHERS_2X2; ++k)
        source[k] = gather_around(corner + float(k) * step);
    int size = level_size(first_source()).y, first = r.start.y + p.y;
    vec3 counts = vec3((size >> 1) - first, size >> 1, first + 1);
    float inverse = 1.0 / float(size);
    SUM columns[2] = SUM[2](sum_begin(), sum_begin());
    for (int k = 0; k < GATHERS_2X2; ++k) {
        int done = k - ODD_Y; // the output that this gather completes
        vec4 texels[4];
        texels_of(source[k], k, r, p, texels, bad_texels);
        vec3 above = run_weights(counts, inverse, k - 1), below = run_weights(counts, inverse, k);
        for (int x = 0; x < 2; ++x) {
            if (ODD_Y == 1 && k > 0)
                sum_add(columns[x], texels[x], above.z, true);
            if (ODD_Y == 0) {
                columns[x] = sum_begin();
                sum_add(columns[x], texels[x], below.x, true);
                sum_add(columns[x], texels[2 + x], below.y, true);
            }
        }
        if (done >= 0) {
            sums[done] = sum_begin();
            sum_add(sums[done], columns[0], wx.x, true);
            sum_add(sums[done], columns[1], wx.y, true);
            if (ODD_X != 0 && done <= last)
                s_level[at + done * pitch] = PACK(columns[0]);
        }
        for (int x = 0; x < 2; ++x)
            if (ODD_Y == 1 && k < RUN) {
                columns[x] = sum_begin();
                sum_add(columns[x], texels[x], below.x, true);
                sum_add(columns[x], texels[2 + x], below.y, true);
            }
    }
}

// The outputs. `at`: the place of the first output's third column, then of the output.
void finish_run(Region r, ivec2 p, int at, int pitch, SUM sums[RUN], inout uint bad_texels)
{
    int last = r.size.y - 1 - p.y;
    vec3 wx = weights_x(r.start.x + p.x);
    vec4 third[RUN];
    for (int k = 0; ODD_X != 0 && k < RUN; ++k)
        third[k] = UNPACK(s_level[at + min(k, last) * pitch]);
    uint again = 0u; // bits: outputs with a non-finite texel
    // GL ignores stores at negative places: no branch a texel.
    ivec2 place = r.start + p + level_corner(first_source() + 1);
    int mine = p.x < r.owned.x ? min(r.owned.y - p.y, RUN) : 0;
    for (int k = 0; k < RUN; ++k) {
        if (ODD_X != 0)
            sum_add(sums[k], third[k], wx.z, true);
        vec4 c = sum_finish(sums[k]) * SCALE;
        int nowhere = -int(k >= mine);
        if (COUNTS != 0 && PLAIN) {
            bool bad = must_scrub(c);
            again |= uint(bad && k <= last) << k;
            nowhere |= -int(bad);
        }
        if (k <= last)
            s_level[at + k * pitch] = PACK(c);
        store_placed(1, (place + ivec2(0, k)) | nowhere, stored(c));
    }
    // Outputs with non-finite texels are stored again below.
    if (levels_of(0) == 1 && place_of_last(0) >= 0)
        for (int k = 0; k < RUN; ++k)
            if (k < mine)
                store_handover(place_of_last(0), first_source() + 1, r.start + p + ivec2(0, k),
                      UNPACK(s_level[at + k * pitch]));
    for (; again != 0u; again &= again - 1u) { // not unrolled, because it is rare
        ivec2 q = ivec2(0, findLSB(again));
        store_first(r, p + q, at + q.y * pitch, scrubbed(r, p + q, bad_texels));
    }
}

// Called by all threads, because it has a barrier.
void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    int at = p.y * pitch + p.x;
    SUM sums[RUN];
    if (takes_part)
        add_run(r, p, at, pitch, sums, bad_texels);
    if (ODD_X != 0)
        sync_shared();
    if (takes_part && p.x < r.size.x)
        finish_run(r, p, at + GAP, pitch, sums, bad_texels);
}
#endif

// Rows of runs: as many as the group has threads for, then the next ones.
void first_level(Region r, inout uint bad_texels)
{
    // The run right of the tile only hands over its column. A tile is below 100 wide, so a row
    // fits.
    int t = int(gl_LocalInvocationIndex), pitch = r.size.x + GAP;
    float width = 1.0 / float(pitch);
    int runs = int((float(THREADS) + 0.5) * width), run = int((float(t) + 0.5) * width);
    for (int y = 0; y < r.size.y; y += runs * RUN) {
        ivec2 p = ivec2(t - run * pitch, y + run * RUN);
        make_run(r, p, pitch, run < runs && p.y < r.size.y, bad_texels);
    }
}
#endif

void main()
{
    uint bad_texels = 0u;
    first_level(first_region(), bad_texels);
    count_bad(bad_texels);
    run_stages(2);
}
