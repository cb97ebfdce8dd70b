// denoise/ti_haar_tile.comp - thresholds of the Haar transforms of all shifts, in a tile
//
//   It replaces denoise/ti_haar.comp where thresholds are joint, because a thread then has all
//   components at once, and where they are local, because a group then has all of a tile at once.
//   With FINER it makes the levels beyond the third, for both programs.
//
//   in        t_src or i_src   the image; b_coarse, with COARSER: 16 R_3
//             b_sums           with FINER, in place of both: M_3 (denoise/ti_haar_sums.comp)
//             b_denoise        sigma, and without LOCAL variances, of the last counts
//   out       i_dst            the image without noise; b_info.scrubbed
//             b_coarse         with FINER, in their place: 16 R_3, what is removed of M_3
//   host sets LEVELS           1..3, of this dispatch
//             FINER            0, or 3: levels before these
//             COARSER          1 = there are coarser levels; LEVELS is 3
//             LOCAL            1 = thresholds are those of each tile's variances; FINER and COARSER
//                              are 0
//             THRESHOLD        AG_DENOISE_SHRINK_GROUP: a joint threshold. Others only with LOCAL
//                              or FINER
//             the defines of denoise/thresholds.glsl; without FINER STORE and those of
//             common/packed_texel.glsl
//   method    M_0 is the image, M_l(p) the sum of the block of 2^l x 2^l texels whose corner is p,
//             at every p. A step of four values of M_(l-1), h = 2^(l-1) apart, gives 2^l times the
//             coefficients of that block. Each block's corner belongs to one of 4^l shifts, so the
//             mean over all shifts is, level by level, the mean over the four blocks in which a
//             quarter lies:
//
//        R_(l-1)(p) = 1/16 sum over i, j of
//                     (R_l + (-1)^i HL + (-1)^j LH + (-1)^(i+j) HH)(p - h (i, j))
//
//             where HL, LH and HH are what the threshold removes. R_0 leaves the image. All factors
//             are powers of two, so they cost no accuracy and may be joined with sums. LOCAL takes
//             the energies of one shift: all shifts say the same thing 4^level times
//   threads   a thread has a column of blocks, and goes down it in steps of h. It keeps what it has
//             read of the row above, and what the blocks above say of the values below them. So it
//             makes each coefficient once, and a value of R needs only what the block to its left
//             says of it, which the thread of that column leaves in s_left:
//
//                 h
//             M       M        row read before
//               block          made of it and of the row read now: HL, LH, HH
//             M       M        row read now
//               block          of both blocks, R at the places between them (but for s_left)
//             M       M
//
//   finer     blocks of coarse levels are made of sums that are 8 texels apart. So each of the 64
//             phases of places is an image of its own, filtered as texels are. Phase (7, 7) has
//             the places that are multiples of 8. The image is a mirror at its edges, so a block
//             outside is one inside, mirrored
//   dispatch  tiles in x and y, with FINER of 8 x 8 phases; 256 threads, 128 with a joint
//             threshold. WIDTH x HEIGHT values are loaded for TILE: HALO more on each side
//   shared    a plane of M for each level, and s_left: 31 KiB at most
//   cost      with a joint threshold each texel is read 5.3 times, mostly from the cache; for each
//             texel, component and level some 9 accesses to shared memory and 25 instructions.
//             LOCAL has three barriers more for each component. FINER reads 16 bytes a texel 2.15
//             times or more (with fewer levels less, with a joint threshold more), and writes 16
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             Shensa 1992 (phases); Chang, Yu, Vetterli 2000 (LOCAL); docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(LEVELS) || !defined(FINER) || !defined(COARSER)
#error "LEVELS, FINER and COARSER must be set by the host"
#endif
#if !FINER
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "common/store.glsl"
#endif
#include "common/sync.glsl"
#include "denoise/shrink.glsl"

#if TOGETHER == 1
#define COLUMNS AG_DENOISE_TI_COLUMNS
#define TILE_Y AG_DENOISE_TI_ROWS
#define THREADS 256 // a literal: layout takes no expressions in GLSL 4.30
#else
#define COLUMNS AG_DENOISE_TI_GROUP_COLUMNS
#define TILE_Y AG_DENOISE_TI_GROUP_ROWS
#define THREADS 128
#endif
#define SEGMENTS AG_DENOISE_TI_SEGMENTS
#if THREADS != COLUMNS * SEGMENTS
#error "THREADS must be COLUMNS * SEGMENTS"
#endif
#define HALO ((1 << LEVELS) - 1)
#define TILE ivec2(AG_DENOISE_TI_WIDTH(COLUMNS, LEVELS), TILE_Y)
#define WIDTH (COLUMNS + HALO)
#define HEIGHT (TILE_Y + 2 * HALO)
#define PLANE (WIDTH * HEIGHT)
#define RUN ((TILE_Y + 3) / SEGMENTS) // values of R that a thread makes, one below the other
#define TEXELS ((PLANE + THREADS - 1) / THREADS) // that a thread loads
#define BEFORE AG_DENOISE_TI_BEFORE
#define PHASES AG_DENOISE_TI_PHASES
#include "denoise/thresholds.glsl"

layout(local_size_x = THREADS) in;
#if FINER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Sums { vec4 b_sums[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Coarse { vec4 b_coarse[]; };
#elif COARSER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Coarse { vec4 b_coarse[]; };
#endif

// Plane l holds M_l, and later 16 R_l. With few levels the lowest runs read rows beyond a plane, of
// which no texel is made.
shared float s_plane[LEVELS * TOGETHER * PLANE + (LEVELS < 3 ? 3 * WIDTH : 0)];
// What blocks say of the values right of them.
#define LEFT (COLUMNS * RUN * SEGMENTS)
shared float s_left[TOGETHER * LEFT];

// A vector, or the one component of it that a thread has.
#if TOGETHER == 1
#define PART(value, first) (value)[first]
#else
#define PART(value, first) (value)
#endif

// The first place of the tile in M_0, in units of its values: with FINER those of a phase.
ivec2 tile_corner()
{
    return ivec2(gl_WorkGroupID.xy) / (FINER != 0 ? PHASES : 1) * TILE;
}

V plane_value(int plane, int at)
{
    at += plane * TOGETHER * PLANE;
#if TOGETHER == 1
    return s_plane[at];
#else
    return V(s_plane[at], s_plane[at + PLANE], s_plane[at + 2 * PLANE]);
#endif
}

void set_plane(int plane, int at, V value)
{
    at += plane * TOGETHER * PLANE;
    for (int c = 0; c < TOGETHER; ++c)
        s_plane[at + c * PLANE] = part_of(value, c);
}

V left_value(int at)
{
#if TOGETHER == 1
    return s_left[at];
#else
    return V(s_left[at], s_left[at + LEFT], s_left[at + 2 * LEFT]);
#endif
}

ivec2 place_of_texel(int k) // that a thread loads
{
    int at = int(gl_LocalInvocationIndex) + k * THREADS;
    return ivec2(at % WIDTH, at / WIDTH);
}

// ---- sums ---------------------------------------------------------------------------------------

// M_level of M_(level-1), wherever the block of a place was loaded whole: down a part of a column.
void make_sums(const int level)
{
    const int h = 1 << (level - 1), width = WIDTH + 1 - 2 * h, height = HEIGHT + 1 - 2 * h;
    const int parts = THREADS / width, rows = (height + parts - 1) / parts;
    int t = int(gl_LocalInvocationIndex), first = t / width * rows;
    int at = first * WIDTH + t % width;
    if (t >= width * parts)
        return;
    V above[2]; // sums of neighbours in the h rows above
    for (int y = 0; y < h; ++y)
        above[y] = plane_value(level - 1, at + y * WIDTH) +
            plane_value(level - 1, at + y * WIDTH + h);
    for (int y = 0; y < rows; ++y) {
        if (first + y >= height)
            break;
        int below = at + (y + h) * WIDTH;
        V now = plane_value(level - 1, below) + plane_value(level - 1, below + h);
        set_plane(level, at + y * WIDTH, above[y % h] + now);
        above[y % h] = now;
    }
}

// ---- thresholds ---------------------------------------------------------------------------------

V scaled_threshold(int component, int level, int band) // of 2^level times the coefficients
{
    level += FINER;
    return threshold_at(component, level, band) * float(1 << level);
}

// 16 R of the coarsest level at place q of what was loaded.
V coarse_value(ivec2 q, int component)
{
#if COARSER
    ivec2 size = u_src_rect.zw + BEFORE;
    ivec2 p = min(tile_corner() - HALO + q + BEFORE, size - 1);
    vec4 value = b_coarse[p.y * size.x + p.x];
    return PART(value.rgb, component);
#else
    return V(0.0);
#endif
}

// First place of a thread's run: of blocks, from the first one of the level on. Those of a phase of
// rows, h apart, follow each other, and SEGMENTS / h threads share them.
ivec2 run_of(const int level)
{
    const int h = 1 << (level - 1);
    int t = int(gl_LocalInvocationIndex), segment = t / COLUMNS;
    return ivec2(t % COLUMNS, segment % h + h * RUN * (segment / h));
}

// Down a column: what its blocks say of the values of R_(level-1) in it to `made`, and of those in
// the column h to the right to s_left.
void filter_column(const int level, int component, out V made[RUN])
{
    const int h = 1 << (level - 1), from = HALO + 1 - 2 * h; // first row and column of blocks
    ivec2 run = run_of(level);
    int at = (from + run.y) * WIDTH + from + run.x, to = run.y * COLUMNS + run.x;
    V t_hl = scaled_threshold(component, level, 0), t_lh = scaled_threshold(component, level, 1);
    V t_hh = scaled_threshold(component, level, 2);
    V left = plane_value(level - 1, at), right = plane_value(level - 1, at + h);
    V sum = left + right, difference = left - right;
    V low = V(0.0), high = V(0.0); // of what the block above says of the next value
    for (int k = 0; k < RUN + 1; ++k) {
        int below = at + (k + 1) * h * WIDTH;
        left = plane_value(level - 1, below);
        right = plane_value(level - 1, below + h);
        V next_sum = left + right, next_difference = left - right;
        V hl = removed_of(difference + next_difference, t_hl);
        V lh = removed_of(sum - next_sum, t_lh);
        V hh = removed_of(difference - next_difference, t_hh);
        V top = lh, bottom = -lh;
        if (level < LEVELS || COARSER != 0) {
            V ll = level < LEVELS ?
                plane_value(level < LEVELS ? level : 0, at + k * h * WIDTH) :
                coarse_value(from + run + ivec2(0, k * h), component);
            ll *= 0.0625;
            top = ll + lh;
            bottom = ll - lh;
        }
        low += top;
        high += hl + hh;
        if (k > 0) {
            made[k - 1] = low + high;
            V other = low - high;
            for (int i = 0; i < TOGETHER; ++i)
                s_left[to + (k - 1) * h * COLUMNS + i * LEFT] = part_of(other, i);
        }
        low = bottom;
        high = hl - hh;
        sum = next_sum;
        difference = next_difference;
    }
}

// After a sync: with what the blocks to the left say.
void add_left(const int level, inout V made[RUN])
{
    const int h = 1 << (level - 1);
    ivec2 run = run_of(level);
    for (int k = 0; k < RUN; ++k)
        made[k] += left_value((run.y + k * h) * COLUMNS + max(run.x - h, 0));
}

// R takes the place of the values of M from which its blocks are made.
void keep_removed(const int level, const V made[RUN])
{
    const int h = 1 << (level - 1), from = HALO + 1 - 2 * h;
    ivec2 run = run_of(level);
    int at = (from + run.y + h) * WIDTH + from + run.x;
    for (int k = 0; k < RUN; ++k)
        if (run.x >= h)
            set_plane(level - 1, at + k * h * WIDTH, made[k]);
}

void filter_level(const int level, int component)
{
    V made[RUN];
    filter_column(level, component, made);
    sync_shared();
    add_left(level, made);
    keep_removed(level, made);
    sync_shared();
}

// ---- all levels ---------------------------------------------------------------------------------

// M of all levels, from plane 0, behind a sync.
void make_planes()
{
    if (LEVELS > 1) {
        make_sums(1);
        sync_shared();
    }
    if (LEVELS > 2) {
        make_sums(2);
        sync_shared();
    }
}

// From all planes, behind a sync, to 16 R_0 of the thread's run. The planes may be written again.
void filter_planes(int first, out V made[RUN])
{
    if (LEVELS > 2)
        filter_level(3, first);
    if (LEVELS > 1)
        filter_level(2, first);
    filter_column(1, first, made);
    sync_shared();
    add_left(1, made);
}

// Place i of a thread's run, in the tile. It may lie outside.
ivec2 place_of_result(int i)
{
    return run_of(1) + ivec2(-1, i);
}

bool is_result(int i)
{
    return run_of(1).x > 0 && all(lessThan(place_of_result(i), TILE));
}

// ---- from the image to the image, or from sums to what is removed of them -----------------------

#if LOCAL
const int ROW = TOGETHER == 1 ? THREADS : 64; // at least the threads that have blocks of level 1

// Adds up the coefficients of one shift, of blocks whose corner is a multiple of 2^level in the
// image and lies in the tile: those of level 1, which are many, by a row of s_left for each band.
void add_level(const int level, int first)
{
    const int h = 1 << (level - 1), size = 2 * h;
    ivec2 width = TILE / size + 1, start = (tile_corner() + size - 1) / size * size;
    ivec2 end = min(tile_corner() + TILE, u_src_rect.zw);
    int t = int(gl_LocalInvocationIndex);
    uvec3 sums[TOGETHER];
    for (int i = 0; i < TOGETHER; ++i)
        sums[i] = uvec3(0u);
    for (int block = t; block < width.x * width.y; block += THREADS) {
        ivec2 p = start + ivec2(block % width.x, block / width.x) * size;
        if (any(greaterThanEqual(p, end)))
            continue;
        ivec2 q = p - tile_corner() + HALO;
        int at = q.y * WIDTH + q.x, below = at + h * WIDTH;
        V a = plane_value(level - 1, at), b = plane_value(level - 1, at + h);
        V c = plane_value(level - 1, below), d = plane_value(level - 1, below + h);
        V hl = (a - b) + (c - d), lh = (a + b) - (c + d), hh = (a - b) - (c - d);
        for (int i = 0; i < TOGETHER; ++i) { // 2^level times the coefficients
            float scale = scale_of(first + i) / float(size);
            sums[i] += uvec3(energy_of(part_of(hl, i), scale), energy_of(part_of(lh, i), scale),
                             energy_of(part_of(hh, i), scale));
        }
    }
    for (int i = 0; i < TOGETHER; ++i)
        for (int band = 0; band < 3; ++band)
            if (level == 1 && t < ROW)
                s_left[i * LEFT + band * ROW + t] = uintBitsToFloat(sums[i][band]);
            else if (level > 1)
                add_energy(first + i, level, band, sums[i][band]);
}

// After a sync: eight threads for each band of level 1 and component.
void add_rows(int first)
{
    int t = int(gl_LocalInvocationIndex), row = t / 8, component = row / 3, band = row % 3;
    uint sum = 0u;
    for (int i = t % 8; i < ROW && component < TOGETHER; i += 8)
        sum += floatBitsToUint(s_left[component * LEFT + band * ROW + i]);
    if (component < TOGETHER)
        add_energy(first + component, 1, band, sum);
}

// After a sync, of the planes. A sync is the last thing.
void make_local_thresholds(int first)
{
    for (int level = 1; level <= LEVELS; ++level)
        add_level(level, first);
    sync_shared();
    add_rows(first);
    sync_shared();
    make_thresholds(first, TOGETHER, tile_corner(), TILE);
    sync_shared();
}
#endif

#if FINER
// Where the block of 8 texels that begins at p of a line of n texels is stored.
int stored_at(int p, int n)
{
    int negative = p >> 31; // -1: then p ^ negative = -1 - p
    p = ((p ^ negative) % (2 * n) ^ negative) + (2 * n & negative);
    return BEFORE + (p < n ? p : 2 * n - PHASES - p);
}
#else
void load_texels(out TEXEL kept[TEXELS], out uint bad) // all first, so that they overlap
{
    bad = 0u;
    for (int k = 0; k < TEXELS; ++k) {
        uint largest = 0u;
        ivec2 place = place_of_texel(k), p = tile_corner() - HALO + place;
        kept[k] = pack_texel(load_extended(p, largest));
        bool mine = all(greaterThanEqual(place, ivec2(HALO))) &&
            all(lessThan(place, TILE + HALO)) && all(lessThan(p, u_src_rect.zw));
        bad += uint(largest >= TOO_LARGE && mine);
    }
}
#endif

void main()
{
    ivec2 image = u_src_rect.zw;
    vec3 removed[RUN];
#if FINER
    ivec2 phase = ivec2(gl_WorkGroupID.xy) % PHASES;
#else
    TEXEL kept[TEXELS];
    uint bad;
    load_texels(kept, bad);
#endif
#if LOCAL
    begin_energies();
#else
    make_thresholds();
#endif
    for (int first = 0; first < COMPONENTS; first += TOGETHER) {
        V made[RUN];
        for (int k = 0; k < TEXELS; ++k) {
            int at = int(gl_LocalInvocationIndex) + k * THREADS;
#if FINER
            ivec2 i = tile_corner() - HALO + place_of_texel(k), p = i * PHASES + phase - BEFORE;
            vec3 value = b_sums[stored_at(p.y, image.y) * (image.x + BEFORE) +
                                stored_at(p.x, image.x)].rgb;
#else
            vec3 value = components_of(unpack_texel(kept[k]));
#endif
            if (at < PLANE)
                set_plane(0, at, PART(value, first));
        }
        sync_shared();
        make_planes();
#if LOCAL
        make_local_thresholds(first);
#endif
        filter_planes(first, made);
        for (int k = 0; k < RUN; ++k)
            PART(removed[k], first) = made[k];
    }
    for (int k = 0; k < RUN; ++k) {
        ivec2 p = tile_corner() + place_of_result(k), size = image;
        for (int c = COMPONENTS; c < 3; ++c)
            removed[k][c] = 0.0;
#if FINER
        p = p * PHASES + phase;
        size += BEFORE;
#endif
        if (is_result(k) && all(lessThan(p, size))) {
#if FINER
            b_coarse[p.y * size.x + p.x] = vec4(removed[k], 0.0);
#else
            uint largest = 0u;
            store_texel(p, without(load_texel_unseen(p, largest), removed[k] * 0.0625));
#endif
        }
    }
#if !FINER
    if (u_src_mode.z != 0)
        count_bad(bad);
#endif
}
