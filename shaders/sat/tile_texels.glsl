// sat/tile_texels.glsl - the thread's texels: as they come, cleaned, and as they wait for their plane's turn
//
//   Wants place_in_tile() and READ_STEP(i, j) of sat/subgroup_tile.glsl or sat/shared_tile.glsl.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_TILE_TEXELS_GLSL
#define AG_SAT_TILE_TEXELS_GLSL
#include "sat/clean.glsl"
#include "sat/tile.glsl"

// As they come from the texture: no more channels than it has, or than are asked of it. 8-bit codes as a word: of
// RGBA8 a gather brings just that (sat/tile_gathers.glsl), and nothing is done to it before its plane's turn.
#define IN_WORDS (SRC_TEXEL == AG_TEXEL_UNORM8 && CHANNELS > 1)

#if IN_WORDS
#define RAW uint
RAW raw_of(vec4 c) { return packUnorm4x8(c); }
vec4 whole_of(RAW r) { return quotient(vec4(r & 255u, r >> 8 & 255u, r >> 16 & 255u, r >> 24), vec4(255.0)); }
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

// And as they wait for their plane's turn in the last step, in which the channel whose turn it is comes first. Words are
// taken apart by shifts: settled in sat/values.glsl says why. All else waits as floats: halves as words would be unpacked
// for each plane, 219 us instead of 217 for RGBA16F 4096 x 4096.
#if CHANNELS == 1
#define KEPT float
KEPT keep_colour(vec4 c) { return c.r; }
vec4 kept_texel(KEPT k) { return vec4(k, 0.0, 0.0, 1.0); }
float first_of(KEPT k) { return k; }
KEPT next_of(KEPT k) { return k; }
#elif IN_WORDS
#define KEPT uint
vec4 kept_texel(KEPT k) { return whole_of(k); }
float first_of(KEPT k) { return quotient(vec4(k & 255u), vec4(255.0)).x; }
KEPT next_of(KEPT k) { return CHANNELS == 4 ? k >> 8 | k << 24 : k >> 8 & 255u | (k & 255u) << 8; }
#else
#define KEPT vec4
KEPT keep_colour(vec4 c) { return c; }
vec4 kept_texel(KEPT k) { return k; }
float first_of(KEPT k) { return k.x; }
#if CHANNELS == 2
KEPT next_of(KEPT k) { return k.yxzw; }
#elif SQUARE // planes begin anew
KEPT next_of(KEPT k) { return k.yzwx; }
#else
KEPT next_of(KEPT k) { return k.yzww; }
#endif
#endif

RAW g_raw[TEXELS];

void take_texel(int k, vec4 c) { g_raw[k] = raw_of(c); }

// Scrubs the thread's texels; how many of those were bad that lie in the image. A sum is finite only if all its
// parts are, so nearly all threads test one sum instead of every texel.
uint scrub_tile(part_frame frame, ivec2 first)
{
    uint count = 0u;
    RAW sum = g_raw[0];
    for (int k = 1; k < TEXELS; ++k)
        sum += g_raw[k];
    if (!SRC_UNORM && scrubs() && size_bits(whole_of(sum)) >= NOT_FINITE)
        for (int n = 0; n < ROLLED(TEXELS); ++n) { // rare: a loop, in which each texel comes first once, and goes last
            bool bad, inside = all(lessThan(first + READ_STEP(n % ACROSS, n / ACROSS), frame.size));
            RAW clean = raw_of(scrubbed(whole_of(g_raw[0]), bad));
            for (int k = 0; k < TEXELS - 1; ++k)
                g_raw[k] = g_raw[k + 1];
            g_raw[TEXELS - 1] = clean;
            count += uint(bad) * uint(inside);
        }
    return count;
}

// As it waits.
KEPT keep_texel(int k)
{
#if IN_WORDS
    return g_raw[k];
#else
    return keep_colour(linear_colour(whole_of(g_raw[k])));
#endif
}

#endif
