// denoise/ti_haar.comp - denoises by thresholding the Haar transforms of all shifts: one dispatch
//
//   in        t_src or i_src   the image
//             b_coarse         with COARSER: 16 R_3 (denoise/ti_haar_coarse.comp)
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_info.scrubbed
//   host sets LEVELS           1..3, of this dispatch
//             COMPONENTS       1..3, and the other defines of denoise/thresholds.glsl
//             STATE_FORMAT     with a history (denoise/frames.glsl)
//             COARSER          1 = there are coarser levels; LEVELS is 3
//             STORE, and the defines of common/packed_texel.glsl
//   method    M, R and what a threshold removes: see denoise/ti_haar_coarse.comp. A thread goes
//             down a column of a component, ROWS rows a step. What it needs of the rows above stays
//             in registers; what it needs of the column h = 2^(level-1) beside it is in shared
//             memory. A step, with a barrier at each |:
//
//                 M_0        of the rows that were read, shared |
//                            sums and differences with the column 1 to the right
//                 M_1        of them, shared | sums and differences with the column 2
//                 M_2        of them, shared | sums and differences with the column 4
//                 level 3    blocks; what they say of the column 4 to the right, shared | R_2
//                 level 2    blocks; what they say of the column 2 to the right, shared | R_1
//                 level 1    blocks; what they say of the column 1 to the right, shared | R_0
//                 texels     R_0 of all components, shared | stored
//
//             Blocks of a step have their corners in the same rows at all levels. A block of level
//             3 needs HALO rows below its corner, so those of levels 1 and 2 come later than their
//             values, which wait in registers (struct column)
//   dispatch  tiles of TILE texels in x and y; COLUMNS threads for each component
//   shared    three planes of ROWS rows of each component: 23 KiB with three
//   cost      each texel is read 1.5 times in tiles of 128 rows, twice in those of 32, mostly from
//             the cache, and about as often again where it may be stored; for each texel, component
//             and level 4 accesses to shared memory and some 25 instructions, 1.4 to 1.8 times;
//             2 LEVELS + 1 barriers in ROWS rows. Registers limit how many groups run at once
//             (docs/decisions.md, D54)
//   limits    registers: 128 VGPRs, 4 waves a SIMD on RDNA 2; 2 on GCN 5, where 23 KiB of shared
//             memory allow no more either (docs/gpus.md)
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#pragma optionNV(unroll all)
#if !defined(COMPONENTS) || !defined(LEVELS) || !defined(COARSER)
#error "COMPONENTS (1..3), LEVELS and COARSER must be set by the host"
#endif
#include "denoise/interface.h"

#define COLUMNS AG_DENOISE_TI_STRIP_COLUMNS
#define ROWS AG_DENOISE_TI_STRIP_STEP
#if COMPONENTS == 1
#define THREADS 80 // literals: layout takes no expressions in GLSL 4.30
#elif COMPONENTS == 2
#define THREADS 160
#else
#define THREADS 240
#endif
#if THREADS != COLUMNS * COMPONENTS
#error "THREADS must be COLUMNS * COMPONENTS"
#endif
#define HALO ((1 << LEVELS) - 1)
layout(location = AG_LOC_DENOISE_TILE) uniform ivec4 u_tile;
#define TILE u_tile.xy // COLUMNS - 2 HALO columns
#define AHEAD ((2 * HALO + ROWS - 1) / ROWS * ROWS) // rows before results are right
#define TEXELS ((ROWS + COMPONENTS - 1) / COMPONENTS) // that a thread loads
// Results are stored by whole warps, each 16 x 2 texels: of 8 bytes these fill sectors of memory.
#define STORERS (THREADS / 32 * 32)
#define BLOCKS_X ((COLUMNS - 2 * HALO + 15) / 16)
#define STORED (BLOCKS_X * 16 * ROWS)
#define RESULTS ((STORED + STORERS - 1) / STORERS) // that a thread stores
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#define SCALED 1
#include "denoise/frames.glsl"
#include "denoise/thresholds.glsl"

layout(local_size_x = THREADS) in;
#if COARSER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Coarse { float b_coarse[]; };
layout(location = AG_LOC_DENOISE_GRID) uniform ivec4 u_grid;
#endif

// A plane has ROWS rows of each component. Columns beside a plane are read, too, but nothing that
// is stored is made of them. Apart from this no plane is read and written between two barriers.
#define PLANE (COMPONENTS * ROWS * COLUMNS)
#define MARGIN 4
shared float s_rows[MARGIN + 3 * PLANE + MARGIN];
#define M_0 0
#define M_1 1
#define M_2 2
#define LEFT(level) ((level) == 1 ? 2 : (level) == LEVELS ? 0 : 1) // for the column to the right
#define REMOVED 1                                                  // 16 R_0

struct column {
    // Of M_(level-1) and its neighbour h to the right. Element 0 has the row of the first block.
    float sum[HALO + ROWS], difference[HALO + ROWS];
    float low[4], high[4]; // what the blocks above say of the values h below
};

ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * TILE; }

int component() { return int(gl_LocalInvocationIndex) / COLUMNS; }
int column_of_tile() { return int(gl_LocalInvocationIndex) % COLUMNS; }
int column_of_image() { return tile_corner().x - HALO + column_of_tile(); }

int place_of(int plane, int c, int row, int column) // in s_rows
{
    return MARGIN + plane * PLANE + (c * ROWS + row) * COLUMNS + column;
}

int place_in(int plane, int row) { return place_of(plane, component(), row, column_of_tile()); }

// ---- texels -------------------------------------------------------------------------------------

// The threads of a column share its rows.
int row_of_texel(int k) { return component() + k * COMPONENTS; }

bool is_row(int k) { return ROWS % COMPONENTS == 0 || k < TEXELS - 1 || row_of_texel(k) < ROWS; }

bool makes_texels()
{
    return column_of_tile() >= HALO && column_of_tile() < COLUMNS - HALO &&
        column_of_image() < u_src_rect.z;
}

// `row`: the image's row of the first one.
void load_texels(int row, out TEXEL texels[TEXELS], inout uint bad)
{
    int x = reflected(column_of_image(), u_src_rect.z);
    for (int k = 0; k < TEXELS; ++k) {
        uint largest = 0u;
        int y = row + row_of_texel(k), top = tile_corner().y;
        texels[k] =
            pack_texel(load_texel_unseen(ivec2(x, reflected(y, u_src_rect.w)), largest));
        bool own = is_row(k) && y >= top && y < min(top + TILE.y, u_src_rect.w);
        bad += uint(largest >= TOO_LARGE && own);
    }
}

void set_components(const TEXEL texels[TEXELS])
{
    for (int k = 0; k < TEXELS; ++k) {
        vec3 value = components_of(unpack_texel(texels[k]));
        if (is_row(k))
            for (int c = 0; c < COMPONENTS; ++c)
                s_rows[place_of(M_0, c, row_of_texel(k), column_of_tile())] = value[c];
    }
}

// Result k of a thread: its column among those that make texels, and its row of the step.
ivec2 place_of_result(int k)
{
    int i = int(gl_LocalInvocationIndex) + k * STORERS, block = i / 32;
    return ivec2(block % BLOCKS_X * 16 + i % 16, block / BLOCKS_X * 2 + i / 16 % 2);
}

void load_results(int row, out TEXEL texels[RESULTS])
{
    uint largest = 0u;
    for (int k = 0; k < RESULTS; ++k) {
        ivec2 p = ivec2(tile_corner().x, row) + place_of_result(k);
        texels[k] = pack_texel(
            load_texel_unseen(clamp(p, ivec2(0), u_src_rect.zw - 1), largest));
    }
}

void store_results(int row, const TEXEL texels[RESULTS])
{
    for (int k = 0; k < RESULTS; ++k) {
        ivec2 place = place_of_result(k), p = ivec2(tile_corner().x, row) + place;
        bool own = int(gl_LocalInvocationIndex) < STORERS && place.x < COLUMNS - 2 * HALO &&
            (STORED % STORERS == 0 || place.y < ROWS);
        if (!own || any(greaterThanEqual(p, u_src_rect.zw)))
            continue;
        vec3 removed = vec3(0.0);
        for (int c = 0; c < COMPONENTS; ++c)
            removed[c] = s_rows[place_of(REMOVED, c, place.y, HALO + place.x)] * 0.0625;
        store_texel(p, without(unpack_texel(texels[k]), removed));
    }
}

// ---- columns ------------------------------------------------------------------------------------

// Takes the rows of M_(level-1) that were made last, as sums and differences.
void take_rows(const int level, const float m[ROWS], int plane, inout column l)
{
    const int h = 1 << (level - 1), first = max(HALO + 1 - h, 0);
    for (int r = 0; r < ROWS; ++r) {
        float right = s_rows[place_in(plane, r) + h];
        l.sum[first + r] = m[r] + right;
        l.difference[first + r] = m[r] - right;
    }
}

// Makes M_level of them.
void make_rows(const int level, const column l, int plane, out float m[ROWS])
{
    // Below 0 only where there is no such level.
    const int h = 1 << (level - 1), first = max(HALO + 1 - 2 * h, 0);
    for (int r = 0; r < ROWS; ++r) {
        m[r] = l.sum[first + r] + l.sum[first + r + h];
        s_rows[place_in(plane, r)] = m[r];
    }
}

#ifdef STATE_FORMAT
float g_factor[ROWS / 4]; // of thresholds, where the step's blocks begin

// `row`: the image's row of the first one.
void load_factors(int row)
{
    for (int k = 0; k < ROWS / 4; ++k) // a load a row would take half of the filter's time
        g_factor[k] = factor_of_frames(ivec2(column_of_image() + 1, row + 4 * k + 2));
}
#endif

vec3 thresholds_of(const int level)
{
    int c = component();
    return vec3(threshold_at(c, level, 0), threshold_at(c, level, 1), threshold_at(c, level, 2));
}

// Of ROWS blocks, what they say of R_(level-1), from 16 R_level in `r`: of the thread's column with
// what the blocks above say, and of the column to the right, in s_rows.
void filter_blocks(const int level, inout column l, inout float r[ROWS])
{
    const int h = 1 << (level - 1);
    vec3 limits = thresholds_of(level), t = limits;
    for (int k = 0; k < ROWS; ++k) {
#ifdef STATE_FORMAT
        t = scaled_limits(limits, g_factor[k / 4]);
#endif
        float hl = removed_of(l.difference[k] + l.difference[k + h], t.x);
        float lh = removed_of(l.sum[k] - l.sum[k + h], t.y);
        float hh = removed_of(l.difference[k] - l.difference[k + h], t.z);
        float top = lh, bottom = -lh;
        if (level < LEVELS || COARSER != 0) {
            top = r[k] * 0.0625 + lh;
            bottom = r[k] * 0.0625 - lh;
        }
        float low = l.low[k % h] + top, high = l.high[k % h] + (hl + hh);
        r[k] = low + high;
        s_rows[place_in(LEFT(level), k)] = low - high;
        l.low[k % h] = bottom;
        l.high[k % h] = hl - hh;
    }
    for (int i = 0; i < HALO + 1 - h; ++i) { // the rows that the next blocks begin with
        l.sum[i] = l.sum[i + ROWS];
        l.difference[i] = l.difference[i + ROWS];
    }
}

// After a sync: 16 R_(level-1), with what the blocks to the left say.
void add_left(const int level, inout float r[ROWS])
{
    for (int k = 0; k < ROWS; ++k)
        r[k] += s_rows[place_in(LEFT(level), k) - (1 << (level - 1))];
}

void filter_level(const int level, inout column l, inout float r[ROWS])
{
    filter_blocks(level, l, r);
    sync_shared();
    add_left(level, r);
}

#if COARSER
// 16 R_3 at the corner of a cell of the image's row `row`, a multiple of 4, and of the thread's
// column, between cells bilinear.
vec2 load_coarse(int row) // of the cells to the left and to the right
{
    int x = column_of_image() + AG_DENOISE_TI_CELL * u_grid.z;
    int y = component() * u_grid.y + row / AG_DENOISE_TI_CELL + u_grid.z;
    int at = max(y * u_grid.x + min(x / AG_DENOISE_TI_CELL, u_grid.x - 2), 0);
    return vec2(b_coarse[at], b_coarse[at + 1]);
}

float between(vec2 cells) { return mix(cells.x, cells.y, 0.25 * float(column_of_image() & 3)); }
#endif

column begin_column()
{
    column l;
    for (int i = 0; i < HALO + ROWS; ++i)
        l.sum[i] = l.difference[i] = 0.0;
    for (int i = 0; i < 4; ++i)
        l.low[i] = l.high[i] = 0.0;
    return l;
}

void main()
{
    ivec2 corner = tile_corner();
    int end = min(corner.y + TILE.y, u_src_rect.w);
    column l1 = begin_column(), l2 = begin_column(), l3 = begin_column();
    TEXEL texels[TEXELS], results[RESULTS];
    uint bad = 0u;
    load_texels(corner.y - AHEAD + HALO, texels, bad);
    make_thresholds();
    begin_space();
    float coarse[3] = float[3](0.0, 0.0, 0.0);
    vec2 ahead[2] = vec2[2](vec2(0.0), vec2(0.0));
#if COARSER
    coarse[2] = between(load_coarse(corner.y - AHEAD));
    ahead[0] = load_coarse(corner.y - AHEAD + AG_DENOISE_TI_CELL);
    ahead[1] = load_coarse(corner.y - AHEAD + 2 * AG_DENOISE_TI_CELL);
#endif
    // `row`: of the first results, HALO rows above the first texels.
    for (int row = corner.y - AHEAD; row < end; row += ROWS) {
        float m[ROWS], r[ROWS];
        set_components(texels);
#ifdef STATE_FORMAT
        load_factors(row);
#endif
#if COARSER // of three rows of cells, of which the last step had one
        coarse[0] = coarse[2];
        coarse[1] = between(ahead[0]);
        coarse[2] = between(ahead[1]);
        ahead[0] = load_coarse(row + ROWS + AG_DENOISE_TI_CELL); // a step before they are needed
        ahead[1] = load_coarse(row + ROWS + 2 * AG_DENOISE_TI_CELL);
#endif
        if (row + ROWS < end) // before they are needed
            load_texels(row + ROWS + HALO, texels, bad);
        sync_shared();
        for (int i = 0; i < ROWS; ++i)
            m[i] = s_rows[place_in(M_0, i)];
        take_rows(1, m, M_0, l1);
        if (LEVELS > 1) {
            make_rows(1, l1, M_1, m);
            sync_shared();
            take_rows(2, m, M_1, l2);
        }
        if (LEVELS > 2) {
            make_rows(2, l2, M_2, m);
            sync_shared();
            take_rows(3, m, M_2, l3);
            for (int k = 0; k < ROWS; ++k)
                r[k] = COARSER != 0 ? mix(coarse[k / 4], coarse[k / 4 + 1], 0.25 * float(k % 4))
                                    : 0.0;
            filter_level(3, l3, r);
        }
        if (LEVELS > 1)
            filter_level(2, l2, r);
        load_results(row, results); // before they are needed
        filter_level(1, l1, r);
        for (int k = 0; k < ROWS; ++k)
            s_rows[place_in(REMOVED, k)] = r[k];
        sync_shared();
        if (row >= corner.y)
            store_results(row, results);
    }
    if (u_src_mode.z != 0 && makes_texels())
        count_bad(bad);
}
