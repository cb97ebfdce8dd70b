// sat/finish.glsl - what all forms of the last step share: carries in shared memory, the offset, an entry
//
//   Of an entry at (x, y) of the tile, everything above and left is one of four sums:
//
//        K | A      A = the columns up to x above the tile       (scan of column carries)
//        --+--      B = the rows up to y left of it              (scan of row carries)
//        B | L      K = all that is above and left               (sum of tile totals)
//                   L = the scan of the tile
//
//   S = L + (A + (B + K)): the tile is scanned alone, in small numbers, and the large ones come last and in
//   twice the precision, so that S is rounded once. Starting the scan with them costs the same and is 3 to
//   5 times less exact.
//
//   Shared memory has the lines beyond the tile, a column each, then a row; then, FOLDED, shares of the corner K. They
//   are scanned in runs of RUN (sat/carries.glsl):
//
//        s_item   plane 0   | column 0 .. TILE_W - 1 | row 0 .. TILE_H - 1 | shares |   plane 1 ..
//        s_run              |  run 0  |  run 1  |       ..      | RUNS - 1          |   the sums of those
//
//   Planes take turns: the channel whose turn it is comes first of a texel, and its entry goes to the end of those that
//   are made. So the loop over planes can stay a loop, and all its arrays stay in registers:
//
//        texel       r g b a  ->  g b a .  ->  b a . .  ->  a . . .
//        entries     . . . .  ->  . . . r  ->  . . r g  ->  . r g b  ->  r g b a
//
//   includer  FOLDED   1 = this step adds up the carries itself
//             RUN      items of a run: 32 or 8
//   host sets CELL     type of a line's sum as it lies in memory: uvec2 (a double, or two floats) or uint
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_GLSL
#define AG_SAT_FINISH_GLSL
#if !defined(FOLDED) || !defined(RUN) || !defined(CELL)
#error "CELL must be set by the host, FOLDED and RUN by what includes this"
#endif
#include "sat/store.glsl"
#include "sat/tile_texels.glsl"
#include "common/sync.glsl"

layout(binding = AG_IMAGE_TOOK_OFF) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int mean_row() { return u_span.w; } // of i_mean

#define CORNER (64 * FOLDED) // shares of K
#define LINES (TILE_W + TILE_H)
#define ITEMS (LINES + CORNER)
#define RUNS (ITEMS / RUN)

shared CELL s_item[PLANES * ITEMS]; // carries; then, for each line, what lies beyond it in other tiles
shared CELL s_run[PLANES * RUNS];

ENTRY g_high[TEXELS], g_square_high[TEXELS];
vec4 g_low[TEXELS], g_square_low[TEXELS];
vec4 g_offset = vec4(0.0); // that of the plane whose turn it is comes first

ivec2 this_tile()
{
    // From the last tile to the first: the step before has just read the last ones, and a cache may hold them.
    return tiles() - 1 - ivec2(gl_WorkGroupID.xy);
}

ivec2 tile_corner() { return this_tile() * ivec2(TILE_W, TILE_H); }

// ---- cells

uvec2 pack_wide(double d) { return unpackDouble2x32(d); }
uint pack_wide(uint n) { return n; }
double unpack_wide(uvec2 cell) { return packDouble2x32(cell); }
uint unpack_wide(uint cell) { return cell; }
double carried(uvec2 cell) { return settled(cell); } // as it comes from memory
uint carried(uint cell) { return cell; }

// A line's sum d is kept as two floats: h, a multiple of a grid that all lines of the tile and plane share, and what
// is left of it. The sum of two h has no more digits than a float holds: an entry takes four additions instead of ten.
//
//        h = (d + M) - M, M = 1.5 * 2^(e + 11): a multiple of 2^(e - 12), and |d - h| <= 2^(e - 13)
//
// where 2^e is the power of two of the largest among the runs' sums and the corner. Sums of two h are exact while
// lines stay below 2^(e + 10), as they do where texels are positive. Where lines of both signs cancel out along a
// run, some may be larger: then h + h' is rounded, too, by half of its last place. It is in ag_sat_error: a line that
// cancels out within a run of 32 reaches at most half of the largest entry that the bound takes for granted, so two
// halves of its last place are no more than that entry's one.
//   source    splitting by a large constant: Rump, Ogita, Oishi 2008, ExtractScalar
#if STORAGE == AG_TABLE_FLOAT32
#if RUN < 32
#define ALL_RUNS ROLLED(RUNS) // 8 or more
#else
#define ALL_RUNS RUNS
#endif
float grid_of(int plane, double corner) // M
{
    // High words of doubles, which are in the order of their sizes. What is not finite has no say.
    uint peak = unpackDouble2x32(corner).y & 0x7fffffffu;
    peak *= uint(peak < 0x7ff00000u);
    for (int k = 0; k < ALL_RUNS; ++k) {
        uint size = s_run[plane * RUNS + k].y & 0x7fffffffu;
        peak = max(peak, size * uint(size < 0x7ff00000u));
    }
    int exponent = clamp(int(peak >> 20) - 1023 + 127, 1, 230) + 11;
    return uintBitsToFloat(uint(exponent) << 23 | 0x400000u);
}

CELL pack_line(double d, int plane, double corner)
{
    float grid = grid_of(plane, corner), high = settled(float(d) + grid) - grid; // which no compiler may shorten
    return floatBitsToUint(vec2(high, float(d - double(high))));
}
#else
CELL pack_line(WIDE sum, int plane, WIDE corner) { return pack_wide(sum); }
#endif

// ---- the tile's texels

KEPT g_texels[TEXELS];

void clean_tile(part_frame frame, ivec2 first)
{
    scrub_tile(frame, first); // the first step has counted them
    for (int k = 0; k < TEXELS; ++k) {
        g_texels[k] = keep_texel(k);
        g_high[k] = g_square_high[k] = ENTRY(0);
        g_low[k] = g_square_low[k] = vec4(0.0);
    }
}

// What the scan of the plane whose turn it is adds up.
LOCAL texel_value(int k, const bool squared)
{
    return local_value(first_of(g_texels[k]), g_offset.x, squared);
}

void next_plane()
{
    for (int k = 0; k < TEXELS; ++k)
        g_texels[k] = next_of(g_texels[k]);
#if OFFSET != AG_TABLE_PLAIN && CHANNELS > 1 // after all planes it is as it was: store_mean
    g_offset = CHANNELS == 4 ? g_offset.yzwx : g_offset.yxzw;
#endif
}

// ---- an entry

// float32: the large numbers exactly; the small ones, rounded as they are added; then one rounding of all. split: the
// tile's alone. There is no product here, nor a sum that cancels another: nothing that a compiler may change the result
// of. `precise` would say so, and make all that leads to `local` precise, too: three times the instructions.
void find_entry(float local, uvec2 above, uvec2 left, out float high, out float low)
{
    vec2 a = uintBitsToFloat(above), b = uintBitsToFloat(left);
    high = local;
    low = 0.0;
    if (STORAGE == AG_TABLE_FLOAT32)
        high = (a.x + b.x) + ((a.y + b.y) + local);
}

void find_entry(double local, uvec2 above, uvec2 left, out float high, out float low)
{
    double all = local + (unpack_wide(above) + unpack_wide(left));
    high = float(all);
    low = float(all - double(high));
}

void find_entry(uint local, uint above, uint left, out uint high, out float low)
{
    high = local + above + left;
    low = 0.0;
}

// An entry's next channel goes to the end.
#if CHANNELS == 4
vec4 pushed(vec4 entry, float x) { return vec4(entry.yzw, x); }
uvec4 pushed(uvec4 entry, uint x) { return uvec4(entry.yzw, x); }
#elif CHANNELS == 2
vec4 pushed(vec4 entry, float x) { return vec4(entry.y, x, 0.0, 0.0); }
uvec4 pushed(uvec4 entry, uint x) { return uvec4(entry.y, x, 0u, 0u); }
#else
vec4 pushed(vec4 entry, float x) { return vec4(x, 0.0, 0.0, 0.0); }
uvec4 pushed(uvec4 entry, uint x) { return uvec4(x, 0u, 0u, 0u); }
#endif

void keep(int k, const bool squared, LOCAL local, CELL above, CELL left)
{
    WORD high;
    float low;
    find_entry(local, above, left, high, low);
    if (squared) {
        g_square_high[k] = pushed(g_square_high[k], high);
        g_square_low[k] = pushed(g_square_low[k], low);
    } else {
        g_high[k] = pushed(g_high[k], high);
        g_low[k] = pushed(g_low[k], low);
    }
}

#endif
