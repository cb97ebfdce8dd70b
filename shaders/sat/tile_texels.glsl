// sat/tile_texels.glsl - the texels of a tile that a thread has: reads them and cleans them
//
//   in        the image (sat/source.glsl)
//   out       g_raw        request_tile issues all loads, and code between it and take_tile does
//                          not wait for them
//   host sets SUBGROUPS    AG_SUBGROUPS_*: how the threads of a group exchange sums. _NONE: through
//                          shared memory. The others need a texture unit and CENTER 0
//             and the defines of sat/tile.glsl and sat/source.glsl
//
//   For column i < ACROSS and row j < DOWN of a thread, its texel is place_in_tile() + READ_STEP(i,
//   j), and the entry that it stores place_to_store() + STORE_STEP(i, j).
//
//   Through shared memory a subgroup loads 16 x 2 texels, whole sectors, one by one. Texels beyond
//   the image are its last ones.
//
//   With subgroups each has SUBGROUP_ROWS whole rows, which it reads by 2 x 2 gathers, because a
//   gather takes as long as a load of one texel (docs/decisions.md, D37). Texels beyond the image
//   are undefined. A gather of a subgroup returns 32 x 2 texels of the upper and 32 x 2 of the
//   lower half of its rows:
//
//        lane 0 | lane 1 | .. lane 15 | lane 0 ..     columns 0 1 | 2 3 | .. 30 31 | 32 33 ..
//       --------+--------+------------+-------       row 0, row 1
//        lane 16| lane 17| .. lane 31 | lane 16 ..   row SUBGROUP_ROWS / 2, and the next
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SUBGROUPS
#error "SUBGROUPS (AG_SUBGROUPS_*) must be set by the host"
#endif
#include "sat/source.glsl"
#include "sat/tile.glsl"
#if SUBGROUPS != AG_SUBGROUPS_NONE
#include "common/gather.glsl"
#include "common/subgroups.glsl"
#else
#include "common/sync.glsl"
#endif

// ---- the thread's place in the tile

#if SUBGROUPS != AG_SUBGROUPS_NONE
#define HALF_OF(n) ((n) > 1 ? (n) / 2 : 1)
#define SUBGROUP_COUNT (THREADS / 32)
#define SUBGROUP_ROWS (TILE_H / SUBGROUP_COUNT)

#define READ_STEP(i, j) ivec2((i) / 2 * 32 + (i) % 2, j)

// 32 neighbours are a subgroup
int thread_index() { return subgroup_index() * 32 + subgroup_lane(); }

ivec2 place_in_tile()
{
    int lane = subgroup_lane();
    return ivec2(lane % GROUP_X, lane / GROUP_X) * ivec2(2, DOWN) +
        ivec2(0, subgroup_index() * SUBGROUP_ROWS);
}

// The scan leaves entries in other places (sat/tile_scan_subgroups.glsl).
#define STORE_STEP(i, j) ivec2((i) * 16, (j) % 2 * DOWN + (j) / 2 * 2)
ivec2 place_to_store()
{
    int lane = subgroup_lane(), c = lane % GROUP_X;
    return ivec2(2 * (c & 7) + (c >> 3), subgroup_index() * SUBGROUP_ROWS + lane / GROUP_X);
}

// Selects by masks, for the results of shuffles (docs/decisions.md, D9).
uint less_mask(int a, int b) { return uint((a - b) >> 31); } // all ones where a < b, else 0
uint lane_mask(int lane, const uint bit) { return uint(-int(uint(lane) / bit % 2u)); } // where set
uint only(uint mask, uint x) { return x & mask; }
float only(uint mask, float x) { return uintBitsToFloat(floatBitsToUint(x) & mask); }
uvec2 only(uint mask, uvec2 x) { return x & uvec2(mask); }
uint choose(uint mask, uint no, uint yes) { return no ^ ((no ^ yes) & mask); }
float choose(uint mask, float no, float yes)
{
    return uintBitsToFloat(choose(mask, floatBitsToUint(no), floatBitsToUint(yes)));
}
#else
#define READ_STEP(i, j) ivec2((i) * GROUP_X, (j) * GROUP_Y)

int thread_index() { return int(gl_LocalInvocationIndex); }
ivec2 place_in_tile() { return ivec2(gl_LocalInvocationID.xy); }

#define STORE_STEP READ_STEP
ivec2 place_to_store() { return place_in_tile(); }
#endif

// ---- a texel

// RAW: a texel as read, with the channels that the texture has and the table needs. 8-bit codes
// stay packed: a gather of RGBA8 returns them so, and each is unpacked in its plane's turn.
#define PACKED_CODES (SRC_TEXEL == AG_TEXEL_UNORM8 && CHANNELS > 1)

#if PACKED_CODES
#define RAW uint
RAW raw_of(vec4 c) { return packUnorm4x8(c); }
vec4 whole_of(RAW r)
{
    return quotient(vec4(r & 255u, r >> 8 & 255u, r >> 16 & 255u, r >> 24), vec4(255.0));
}
#elif SRC_TEXEL == AG_TEXEL_FLOAT1 || MOMENTS || (SRC_UNORM && CHANNELS == 1)
#define RAW float
RAW raw_of(vec4 c) { return c.r; }
vec4 whole_of(RAW r) { return vec4(r, 0.0, 0.0, 1.0); }
#elif SRC_TEXEL == AG_TEXEL_FLOAT2 || SRC_TEXEL == AG_TEXEL_HALF2
#define RAW vec2
RAW raw_of(vec4 c) { return c.rg; }
vec4 whole_of(RAW r) { return vec4(r, 0.0, 1.0); }
#else
#define RAW vec4
RAW raw_of(vec4 c) { return c; }
vec4 whole_of(RAW r) { return r; }
#endif

// CLEAN: a texel in the last step, scrubbed, linear, the current plane's channel first: floats or
// packed codes that are unpacked by shifts (docs/decisions.md, D4).
#if CHANNELS == 1
#define CLEAN float
CLEAN pack_clean(vec4 c) { return c.r; }
float first_of(CLEAN k) { return k; }
CLEAN next(CLEAN k) { return k; }
#elif MOMENTS // four numbers of 16 bits: the three that are summed, and z again
#define CLEAN uvec2
CLEAN pack_clean(uint z) { return uvec2(z | z * z & 0xffff0000u, z * z & 65535u | z << 16); }
uint first_of(CLEAN k) { return k.x & 65535u; }
CLEAN next(CLEAN k) { return k >> 16u | k.yx << 16u; }
#elif PACKED_CODES
#define CLEAN uint
float first_of(CLEAN k) { return quotient(vec4(k & 255u), vec4(255.0)).x; }
CLEAN next(CLEAN k) { return CHANNELS == 4 ? k >> 8 | k << 24 : k >> 8 & 255u | (k & 255u) << 8; }
#else
#define CLEAN vec4
CLEAN pack_clean(vec4 c) { return c; }
float first_of(CLEAN k) { return k.x; }
#if CHANNELS == 2
CLEAN next(CLEAN k) { return k.yxzw; }
#elif SQUARE // the squares begin with the first channel again
CLEAN next(CLEAN k) { return k.yzwx; }
#else
CLEAN next(CLEAN k) { return k.yzww; }
#endif
#endif

// ---- reading

RAW g_raw[TEXELS];

#if SUBGROUPS != AG_SUBGROUPS_NONE
PACKED g_packed[TEXELS / 4 * GATHERS];
int gather_at(int i, int j) { return (j / 2 * (ACROSS / 2) + i / 2) * GATHERS; }

void request_tile(part_frame frame, ivec2 first)
{
    for (int j = 0; j < DOWN; j += 2)
        for (int i = 0; i < ACROSS; i += 2) {
            gathered q = gather(image_corner() + first + READ_STEP(i, j));
            for (int c = 0; c < GATHERS; ++c)
                g_packed[gather_at(i, j) + c] = q.at[c];
        }
}

void take_tile()
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            gathered q;
            for (int c = 0; c < GATHERS; ++c)
                q.at[c] = g_packed[gather_at(i, j) + c];
#if PACKED_CODES && SRC_PACKING == AG_PACKING_8888
            g_raw[j * ACROSS + i] = packed_of(q, j % 2 * 2 + i % 2).x;
#else
            g_raw[j * ACROSS + i] = raw_of(from_codes(texel_of(q, j % 2 * 2 + i % 2)));
#endif
        }
}
#else
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

void take_tile() {} // nothing is left to do
#endif

// ---- cleaning

// Scrubs the thread's texels. Returns how many bad ones lie in the image. Nearly all threads test
// only the sum of their magnitudes, as large as the largest at least (docs/decisions.md, D38).
uint scrub_tile(part_frame frame, ivec2 first)
{
    uint count = 0u;
    vec4 sum = abs(whole_of(g_raw[0]));
    for (int k = 1; k < TEXELS; ++k)
        sum += abs(whole_of(g_raw[k]));
    if (!NEVER_BAD && replaces() && size_bits(sum) >= BAD_SIZE)
        // rare: not unrolled, so texels rotate through g_raw[0]
        for (int n = 0; n < ROLLED(TEXELS); ++n) {
            bool bad, inside = all(lessThan(first + READ_STEP(n % ACROSS, n / ACROSS), frame.size));
            RAW clean = raw_of(scrubbed(whole_of(g_raw[0]), bad));
            for (int k = 0; k < TEXELS - 1; ++k)
                g_raw[k] = g_raw[k + 1];
            g_raw[TEXELS - 1] = clean;
            count += uint(bad) * uint(inside);
        }
    return count * uint(scrubs());
}

// Texel k as a clean texel.
CLEAN clean_texel(int k)
{
#if PACKED_CODES
    return g_raw[k];
#elif MOMENTS
    return pack_clean(depth_code(g_raw[k]));
#else
    return pack_clean(linear_colour(whole_of(g_raw[k])));
#endif
}
