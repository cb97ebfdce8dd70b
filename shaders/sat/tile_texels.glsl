// sat/tile_texels.glsl - the thread's texels: as read, and as clean texels for the planes
//
//   includer  place_in_tile() and READ_STEP(i, j): sat/subgroup_tile.glsl or sat/shared_tile.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/clean.glsl"
#include "sat/tile.glsl"

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
#elif SRC_TEXEL == AG_TEXEL_FLOAT1 || (SRC_UNORM && CHANNELS == 1)
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

RAW g_raw[TEXELS];

void take_texel(int k, vec4 c) { g_raw[k] = raw_of(c); }

// Scrubs the thread's texels. Returns how many bad ones lie in the image. Nearly all threads test
// only the sum of their magnitudes, as large as the largest at least (docs/decisions.md, D38).
uint scrub_tile(part_frame frame, ivec2 first)
{
    uint count = 0u;
    vec4 sum = abs(whole_of(g_raw[0]));
    for (int k = 1; k < TEXELS; ++k)
        sum += abs(whole_of(g_raw[k]));
    if (!SRC_UNORM && scrubs() && size_bits(sum) >= BAD_SIZE)
        // rare: not unrolled, so texels rotate through g_raw[0]
        for (int n = 0; n < ROLLED(TEXELS); ++n) {
            bool bad, inside = all(lessThan(first + READ_STEP(n % ACROSS, n / ACROSS), frame.size));
            RAW clean = raw_of(scrubbed(whole_of(g_raw[0]), bad));
            for (int k = 0; k < TEXELS - 1; ++k)
                g_raw[k] = g_raw[k + 1];
            g_raw[TEXELS - 1] = clean;
            count += uint(bad) * uint(inside);
        }
    return count;
}

// Texel k as a clean texel.
CLEAN clean_texel(int k)
{
#if PACKED_CODES
    return g_raw[k];
#else
    return pack_clean(linear_colour(whole_of(g_raw[k])));
#endif
}
