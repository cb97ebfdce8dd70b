// sat/tile.glsl - how a work group shares a tile, and how the sums of tiles lie in memory
//
//   host sets TILE_W, TILE_H     texels of a tile, multiples of 32
//             GROUP_X, GROUP_Y   threads: GROUP_X = 16, GROUP_Y even
//
//             WARPS              AG_WARPS_*: how the group's threads pass sums on
//             QUADS              1 = a gather brings four texels: with SRC_WORDS and WARPS, without CENTER
//
//   A thread reads the texels place_in_tile() + READ_STEP(i, j), so that a warp touches whole sectors of a
//   texture at once in every format (docs/rejected.md has what other shapes cost):
//
//     by shared memory   16 x 2 texels a load, rows GROUP_Y apart
//     by warps           16 x 2 texels a load; each warp has WARP_ROWS rows of its own
//     QUADS              32 x 2 and 32 x 2 texels a gather, from the upper and the lower half of those rows:
//
//                          lane 0 | lane 1 | .. lane 15 | lane 0 ..     columns 0 1 | 2 3 | .. 30 31 | 32 33 ..
//                         --------+--------+------------+-------       row 0, row 1
//                          lane 16| lane 17| .. lane 31 | lane 16 ..   row WARP_ROWS / 2, and the next
//
//   why       a texture unit brings a texel of every lane or four of them in the same time: 16.8 million
//             loads take an H200 19 us, whatever their bytes
//
//   sums of columns   [plane][part][tile y][pitch]   at TILE_W tile x + column; then, from
//                                                    TILE_W tiles_x on, the total of each tile
//   sums of rows      [plane][part][tile x][pitch]   at TILE_H tile y + row
//   carries           the same with tiles_y + 1 and tiles_x + 1: exclusive sums of those, and the whole;
//                     in place of a tile's total, that of all tiles left of it and above
//
//   All code on tiles is straight-line: loops have constant bounds and are unrolled, so that arrays stay
//   in registers; what depends on a condition is selected. Nothing asks whether a texel lies in the image:
//   an entry is the sum of what is left of it and above, and texels beyond the image are neither.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_TILE_GLSL
#define AG_SAT_TILE_GLSL
#if !defined(TILE_W) || !defined(TILE_H) || !defined(GROUP_X) || !defined(GROUP_Y) || !defined(WARPS) || \
    !defined(QUADS)
#error "TILE_W, TILE_H, GROUP_X, GROUP_Y, WARPS and QUADS must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "sat/interface.h"
#include "sat/values.glsl"

#define ACROSS (TILE_W / GROUP_X)
#define DOWN (TILE_H / GROUP_Y)
#define TEXELS (ACROSS * DOWN)
#define HALF_OF(n) ((n) > 1 ? (n) / 2 : 1)
#define THREADS (GROUP_X * GROUP_Y)
#if WARPS != AG_WARPS_NONE
#include "common/warps.glsl"
#define WARP_COUNT (THREADS / 32)
#define WARP_ROWS (TILE_H / WARP_COUNT)
int thread_index() { return warp_index() * 32 + warp_lane(); } // 32 neighbours are a warp
ivec2 place_in_tile()
{
    int lane = warp_lane();
    ivec2 in_warp = ivec2(lane % GROUP_X, lane / GROUP_X);
#if QUADS
    in_warp *= ivec2(2, DOWN);
#endif
    return in_warp + ivec2(0, warp_index() * WARP_ROWS);
}
#else
int thread_index() { return int(gl_LocalInvocationIndex); }
ivec2 place_in_tile() { return ivec2(gl_LocalInvocationID.xy); }
#endif

#if QUADS
#define READ_STEP(i, j) ivec2((i) / 2 * 32 + (i) % 2, j)
#elif WARPS != AG_WARPS_NONE
#define READ_STEP(i, j) ivec2((i) * GROUP_X, (j) * 2)
#else
#define READ_STEP(i, j) ivec2((i) * GROUP_X, (j) * GROUP_Y)
#endif

layout(location = AG_LOC_SAT_GRID) uniform ivec4 u_grid; // tiles x, y, pitch of columns, of rows

int columns_at(int plane, int part, int lines, int tile_y)
{
    return ((plane * PARTS + part) * lines + tile_y) * u_grid.z;
}

int rows_at(int plane, int part, int lines, int tile_x)
{
    return ((plane * PARTS + part) * lines + tile_x) * u_grid.w;
}

// A select without a branch, whatever the compiler makes of ?:. Not a product, as 0 times Inf is NaN.
float only(bool b, float x) { return mix(0.0, x, b); }
double only(bool b, double x) { return mix(0.0lf, x, b); }
uint only(bool b, uint x) { return x * uint(b); }
float choose(bool b, float no, float yes) { return mix(no, yes, b); }
uint choose(bool b, uint no, uint yes) { return no ^ ((no ^ yes) & uint(-int(b))); }

// The same by masks, for values that a shuffle brought: NVIDIA's driver 580 ran a shuffle only in the lanes
// that selected its result, so that those it comes from passed nothing on. Bits show it no condition.
uint less_mask(int a, int b) { return uint((a - b) >> 31); } // all ones where a < b, else 0
uint lane_mask(int lane, const uint bit) { return uint(-int(uint(lane) / bit % 2u)); } // all ones where bit is set
uint only(uint mask, uint x) { return x & mask; }
float only(uint mask, float x) { return uintBitsToFloat(floatBitsToUint(x) & mask); }
uvec2 only(uint mask, uvec2 x) { return x & uvec2(mask); }
uint choose(uint mask, uint no, uint yes) { return no ^ ((no ^ yes) & mask); }
float choose(uint mask, float no, float yes)
{
    return uintBitsToFloat(choose(mask, floatBitsToUint(no), floatBitsToUint(yes)));
}

// ---- the thread's texels
// As they come from the texture: no more channels than it has, or than are asked of it.

#if SRC_HOLD == AG_HOLD_FLOAT1 || (SRC_UNORM && CHANNELS == 1)
#define RAW float
RAW raw_of(vec4 c) { return c.r; }
vec4 whole_of(RAW r) { return vec4(r, 0.0, 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_FLOAT2 || SRC_HOLD == AG_HOLD_HALF2
#define RAW vec2
RAW raw_of(vec4 c) { return c.rg; }
vec4 whole_of(RAW r) { return vec4(r, 0.0, 1.0); }
#else
#define RAW vec4
RAW raw_of(vec4 c) { return c; }
vec4 whole_of(RAW r) { return r; }
#endif

// And as they wait for their plane's turn.
#if CHANNELS == 1
#define KEPT float
KEPT keep_texel(vec4 c) { return c.r; }
vec4 kept_texel(KEPT k) { return vec4(k, 0.0, 0.0, 1.0); }
#elif SRC_UNORM
#define KEPT HELD
KEPT keep_texel(vec4 c) { return hold(c); }
vec4 kept_texel(KEPT k) { return waiting(k); }
#else // words would be unpacked for each plane: 219 us instead of 217 for RGBA16F 4096 x 4096
#define KEPT vec4
KEPT keep_texel(vec4 c) { return c; }
vec4 kept_texel(KEPT k) { return k; }
#endif

RAW g_raw[TEXELS];

// All loads at once. Texels beyond the image are its last ones, or (QUADS) any. Until take_tile they are on their way:
// what comes between need not wait for them.
#if QUADS
WORDS g_words[TEXELS / 4 * GATHERS];
int quad_at(int i, int j) { return (j / 2 * (ACROSS / 2) + i / 2) * GATHERS; }

void request_tile(part_frame frame, ivec2 first)
{
    for (int j = 0; j < DOWN; j += 2)
        for (int i = 0; i < ACROSS; i += 2) {
            quad q = gather(u_src_rect.xy + first + READ_STEP(i, j));
            for (int c = 0; c < GATHERS; ++c)
                g_words[quad_at(i, j) + c] = q.at[c];
        }
}

void take_tile()
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            quad q;
            for (int c = 0; c < GATHERS; ++c)
                q.at[c] = g_words[quad_at(i, j) + c];
            g_raw[j * ACROSS + i] = raw_of(from_codes(texel_of(q, j % 2 * 2 + i % 2)));
        }
}
#else
void take_tile() {}

void request_tile(part_frame frame, ivec2 first)
{
    ivec2 last = frame.size - 1;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = min(first + READ_STEP(i, j), last);
            ivec2 place = max(frame.origin + frame.direction * at, ivec2(0));
            g_raw[j * ACROSS + i] = raw_of(source_texel(place));
        }
}
#endif

// Scrubs the thread's texels; how many of those were bad that lie in the image. A sum is finite only if all its
// parts are, so nearly all threads test one sum instead of every texel.
uint scrub_tile(part_frame frame, ivec2 first)
{
    uint count = 0u;
#if !SRC_UNORM
    RAW sum = g_raw[0];
    for (int k = 1; k < TEXELS; ++k)
        sum += g_raw[k];
    if (u_src_mode.z != 0 && size_bits(whole_of(sum)) >= NOT_FINITE)
        for (int j = 0; j < DOWN; ++j)
            for (int i = 0; i < ACROSS; ++i) {
                bool bad, inside = all(lessThan(first + READ_STEP(i, j), frame.size));
                g_raw[j * ACROSS + i] = raw_of(scrubbed(whole_of(g_raw[j * ACROSS + i]), bad));
                count += uint(bad) * uint(inside);
            }
#endif
    return count;
}

vec4 texel_colour(int k) { return linear_colour(whole_of(g_raw[k])); }

#endif
