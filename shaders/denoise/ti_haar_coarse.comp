// denoise/ti_haar_coarse.comp - what levels beyond the third of all shifts remove
//
//   in        b_cells          sums of cells of 4 x 4 texels (denoise/ti_haar_cells.comp)
//             b_denoise        sigma and variances of the last counts
//   out       b_coarse         16 R_3 at the corner of each cell, a plane a component
//   host sets LEVELS           1..3, beyond the third
//             HISTORY          1 = b_cells has factors of thresholds, too
//             the defines of denoise/thresholds.glsl
//   method    M_0 is the image, M_l(p) the sum of the block of 2^l x 2^l texels whose corner is p.
//             A step of four values of M_(l-1), h = 2^(l-1) apart, gives 2^l times the coefficients
//             of that block. Each block's corner belongs to one of 4^l shifts, so the mean over all
//             shifts is, level by level, the mean over the four blocks in which a quarter lies:
//
//        R_(l-1)(p) = 1/16 sum over i, j of
//                     (R_l + (-1)^i HL + (-1)^j LH + (-1)^(i+j) HH)(p - h (i, j))
//
//             where HL, LH and HH are what the threshold removes. R_0 leaves the image. All factors
//             are powers of two, so they cost no accuracy and may be joined with sums.
//             R_3 changes little from texel to texel, as M_3 is a mean of 8 x 8. So coarse levels
//             take shifts by whole cells only, and denoise/ti_haar.comp takes R_3 between cells
//             (bilinear). Blocks of 8 begin at cells in 2 x 2 phases, each an image of its own
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
//   dispatch  tiles of phases in x and y, components in z; 256 threads
//   shared    a plane of M for each level, and s_left: 31 KiB at most
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             Shensa 1992 (phases); docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(LEVELS) || !defined(HISTORY)
#error "LEVELS and HISTORY must be set by the host"
#endif
#include "common/sync.glsl"

#define COLUMNS AG_DENOISE_TI_COLUMNS
#define TILE_Y AG_DENOISE_TI_ROWS
#define THREADS 256 // a literal: layout takes no expressions in GLSL 4.30
#define SCALED 1
#include "denoise/thresholds.glsl"
#define SEGMENTS AG_DENOISE_TI_SEGMENTS
#if THREADS != COLUMNS * SEGMENTS
#error "THREADS must be COLUMNS * SEGMENTS"
#endif
#define FINER AG_DENOISE_TI_FINE
#define HALO ((1 << LEVELS) - 1)
#define TILE ivec2(AG_DENOISE_TI_WIDTH(COLUMNS, LEVELS), TILE_Y)
#define WIDTH (COLUMNS + HALO)
#define HEIGHT (TILE_Y + 2 * HALO)
#define PLANE (WIDTH * HEIGHT)
#define RUN ((TILE_Y + 3) / SEGMENTS) // values of R that a thread makes, one below the other
#define PHASES 2

layout(local_size_x = THREADS) in;
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Cells { float b_cells[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Coarse { float b_coarse[]; };
layout(location = AG_LOC_DENOISE_GRID) uniform ivec4 u_grid;

// Plane l holds M_l, and later 16 R_l. With few levels the lowest runs read rows beyond a plane, of
// which no value is made.
shared float s_plane[LEVELS * PLANE + (LEVELS < 3 ? 3 * WIDTH : 0)];
// What blocks say of the values right of them.
shared float s_left[COLUMNS * RUN * SEGMENTS];

int component() { return int(gl_WorkGroupID.z); }

ivec2 tile_corner() // in values of a phase
{
    return ivec2(gl_WorkGroupID.xy) / PHASES * TILE;
}

float cell_at(ivec2 cell)
{
    ivec2 p = clamp(cell, ivec2(0), u_grid.xy - 1);
    return b_cells[(component() * u_grid.y + p.y) * u_grid.x + p.x];
}

void load_sums(ivec2 phase) // M of the third level
{
    for (int at = int(gl_LocalInvocationIndex); at < PLANE; at += THREADS) {
        ivec2 cell = (tile_corner() - HALO + ivec2(at % WIDTH, at / WIDTH)) * PHASES + phase;
        s_plane[at] = (cell_at(cell) + cell_at(cell + ivec2(1, 0))) +
            (cell_at(cell + ivec2(0, 1)) + cell_at(cell + 1));
    }
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
    float above[2]; // sums of neighbours in the h rows above
    for (int y = 0; y < h; ++y)
        above[y] = s_plane[(level - 1) * PLANE + at + y * WIDTH] +
            s_plane[(level - 1) * PLANE + at + y * WIDTH + h];
    for (int y = 0; y < rows; ++y) {
        if (first + y >= height)
            break;
        int below = (level - 1) * PLANE + at + (y + h) * WIDTH;
        float now = s_plane[below] + s_plane[below + h];
        s_plane[level * PLANE + at + y * WIDTH] = above[y % h] + now;
        above[y % h] = now;
    }
}

// ---- thresholds ---------------------------------------------------------------------------------

vec3 scaled_thresholds(int level)
{
    int c = component();
    return vec3(threshold_at(c, level + FINER, 0), threshold_at(c, level + FINER, 1),
                threshold_at(c, level + FINER, 2));
}

// Of thresholds in the middle of a block whose corner is value p of the tile.
float factor_at(ivec2 p, ivec2 phase, int h)
{
    ivec2 cell = (tile_corner() - HALO + p) * PHASES + phase + h;
    cell = clamp(cell, ivec2(0), u_grid.xy - 1);
    return b_cells[(COMPONENTS * u_grid.y + cell.y) * u_grid.x + cell.x];
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
void filter_column(const int level, out float made[RUN])
{
    const int h = 1 << (level - 1), from = HALO + 1 - 2 * h; // first row and column of blocks
    ivec2 run = run_of(level);
    int at = (from + run.y) * WIDTH + from + run.x, to = run.y * COLUMNS + run.x;
    vec3 limits = scaled_thresholds(level), t = limits;
    const int plane = (level - 1) * PLANE;
    float left = s_plane[plane + at], right = s_plane[plane + at + h];
    float sum = left + right, difference = left - right;
    float low = 0.0, high = 0.0; // of what the block above says of the next value
    for (int k = 0; k < RUN + 1; ++k) {
        int below = plane + at + (k + 1) * h * WIDTH;
        left = s_plane[below];
        right = s_plane[below + h];
        float next_sum = left + right, next_difference = left - right;
#if HISTORY
        ivec2 corner = ivec2(from + run.x, from + run.y + k * h);
        t = scaled_limits(limits, factor_at(corner, ivec2(gl_WorkGroupID.xy) % PHASES, h));
#endif
        float hl = removed_of(difference + next_difference, t.x);
        float lh = removed_of(sum - next_sum, t.y);
        float hh = removed_of(difference - next_difference, t.z);
        float top = lh, bottom = -lh;
        if (level < LEVELS) {
            float ll = s_plane[plane + PLANE + at + k * h * WIDTH] * 0.0625;
            top = ll + lh;
            bottom = ll - lh;
        }
        low += top;
        high += hl + hh;
        if (k > 0) {
            made[k - 1] = low + high;
            s_left[to + (k - 1) * h * COLUMNS] = low - high;
        }
        low = bottom;
        high = hl - hh;
        sum = next_sum;
        difference = next_difference;
    }
}

// After a sync: with what the blocks to the left say.
void add_left(const int level, inout float made[RUN])
{
    const int h = 1 << (level - 1);
    ivec2 run = run_of(level);
    for (int k = 0; k < RUN; ++k)
        made[k] += s_left[(run.y + k * h) * COLUMNS + max(run.x - h, 0)];
}

// R takes the place of the values of M from which its blocks are made.
void keep_removed(const int level, const float made[RUN])
{
    const int h = 1 << (level - 1), from = HALO + 1 - 2 * h;
    ivec2 run = run_of(level);
    int at = (level - 1) * PLANE + (from + run.y + h) * WIDTH + from + run.x;
    for (int k = 0; k < RUN; ++k)
        if (run.x >= h)
            s_plane[at + k * h * WIDTH] = made[k];
}

void filter_level(const int level)
{
    float made[RUN];
    filter_column(level, made);
    sync_shared();
    add_left(level, made);
    keep_removed(level, made);
    sync_shared();
}

void main()
{
    ivec2 phase = ivec2(gl_WorkGroupID.xy) % PHASES;
    make_thresholds();
    load_sums(phase);
    sync_shared();
    if (LEVELS > 1) {
        make_sums(1);
        sync_shared();
    }
    if (LEVELS > 2) {
        make_sums(2);
        sync_shared();
        filter_level(3);
    }
    if (LEVELS > 1)
        filter_level(2);
    float made[RUN];
    filter_column(1, made);
    sync_shared();
    add_left(1, made);
    for (int k = 0; k < RUN; ++k) {
        ivec2 place = run_of(1) + ivec2(-1, k); // in the tile
        ivec2 p = (tile_corner() + place) * PHASES + phase;
        if (run_of(1).x > 0 && all(lessThan(place, TILE)) && all(lessThan(p, u_grid.xy)))
            b_coarse[(component() * u_grid.y + p.y) * u_grid.x + p.x] = made[k];
    }
}
