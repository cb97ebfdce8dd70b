// sat/tile.glsl - how a work group shares a tile, and how the sums of tiles lie in memory
//
//   host sets TILE_W, TILE_H     texels of a tile, multiples of 32
//             GROUP_X, GROUP_Y   threads: GROUP_X = 16, GROUP_Y even
//
//             WARPS              AG_WARPS_*: how the group's threads pass sums on
//
//   Thread (x, y) has the texels (x + GROUP_X i, y + STEP_Y j): a warp reads 16 x 2 texels at once, which
//   are whole sectors of a texture in every format (docs/rejected.md has what other shapes cost). By shared
//   memory STEP_Y is GROUP_Y. By warps it is 2, so that each warp has rows of its own, WARP_ROWS of them.
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
#if !defined(TILE_W) || !defined(TILE_H) || !defined(GROUP_X) || !defined(GROUP_Y) || !defined(WARPS)
#error "TILE_W, TILE_H, GROUP_X, GROUP_Y and WARPS must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "sat/values.glsl"

#define ACROSS (TILE_W / GROUP_X)
#define DOWN (TILE_H / GROUP_Y)
#define TEXELS (ACROSS * DOWN)
#define THREADS (GROUP_X * GROUP_Y)
#if WARPS != AG_WARPS_NONE
#include "common/warps.glsl"
#define WARP_COUNT (THREADS / 32)
#define WARP_ROWS (TILE_H / WARP_COUNT)
#define STEP_Y 2
int thread_index() { return warp_index() * 32 + warp_lane(); } // 32 neighbours are a warp
ivec2 place_in_tile()
{
    int lane = warp_lane();
    return ivec2(lane % GROUP_X, warp_index() * WARP_ROWS + lane / GROUP_X);
}
#else
#define STEP_Y GROUP_Y
int thread_index() { return int(gl_LocalInvocationIndex); }
ivec2 place_in_tile() { return ivec2(gl_LocalInvocationID.xy); }
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
uint equal_mask(int a, int b) { return uint(((a ^ b) - 1) >> 31); } // a and b not negative
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
#else
#define KEPT HELD
KEPT keep_texel(vec4 c) { return hold(c); }
vec4 kept_texel(KEPT k) { return waiting(k); }
#endif

RAW g_raw[TEXELS];

// All loads at once. Texels beyond the image are its last ones.
void load_tile(part_frame frame, ivec2 first)
{
    ivec2 last = frame.size - 1;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = min(first + ivec2(i * GROUP_X, j * STEP_Y), last);
            ivec2 place = max(frame.origin + frame.direction * at, ivec2(0));
            g_raw[j * ACROSS + i] = raw_of(source_texel(place));
        }
}

vec4 clean_texel(RAW raw, out bool bad) { return clean_colour(whole_of(raw), bad); }

#endif
