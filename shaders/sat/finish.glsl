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
//   are scanned in runs of RUN:
//
//        s_item   plane 0   | column 0 .. TILE_W - 1 | row 0 .. TILE_H - 1 | shares |   plane 1 ..
//        s_run              |  run 0  |  run 1  |       ..      | RUNS - 1          |   the sums of those
//
//   host sets FOLDED   1 = carries are added up by this step itself
//             RUN      items of a run
//             CELL     type of a line's sum as it lies in memory: uvec2 (a double, or two floats) or uint
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_GLSL
#define AG_SAT_FINISH_GLSL
#if !defined(FOLDED) || !defined(RUN) || !defined(CELL)
#error "FOLDED and CELL must be set by the host, RUN by what includes this"
#endif
#include "sat/store.glsl"
#include "sat/tile_texels.glsl"
#include "common/sync.glsl"

#if FOLDED
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };
#define CORNER 64
#else
layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer ColumnCarry { CELL b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowCarry { CELL b_rows[]; };
#define CORNER 0
#endif
layout(binding = AG_IMAGE_TOOK_OFF) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int mean_row() { return u_span.w; } // of i_mean

#define LINES (TILE_W + TILE_H)
#define ITEMS (LINES + CORNER)
#define RUNS (ITEMS / RUN)

shared CELL s_item[PLANES * ITEMS]; // carries; then, for each line, what lies beyond it in other tiles
shared CELL s_run[PLANES * RUNS];

ENTRY g_high[TEXELS], g_square_high[TEXELS];
vec4 g_low[TEXELS], g_square_low[TEXELS];
vec4 g_offset = vec4(0.0);

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
float grid_of(int plane, double corner) // M
{
    // High words of doubles, which are in the order of their sizes. What is not finite has no say.
    uint peak = unpackDouble2x32(corner).y & 0x7fffffffu;
    peak *= uint(peak < 0x7ff00000u);
    for (int k = 0; k < RUNS; ++k) {
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

// ---- the offset

WIDE wide_offset(int channel)
{
    WIDE m = WIDE(fixed_offset());
#if OFFSET == AG_TABLE_MEAN // which no FOLDED step knows
    m = carried(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
#endif
    return m;
}

void find_offset()
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = float(wide_offset(c));
}

void store_mean()
{
    if (OFFSET == AG_TABLE_MEAN && thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}

// Texels in an item.
int area_of(int item)
{
    ivec2 tile = this_tile();
    int share = item - LINES, texels = 0;
    if (item < TILE_W)
        texels = tile.y * TILE_H;
    else if (share < 0)
        texels = tile.x * TILE_W;
    else if (share < tile.x)
        texels = ((tile.x - 1 - share) / max(CORNER, 1) + 1) * TILE_W * tile.y * TILE_H;
    return texels;
}

WIDE corner_area() { return WIDE(this_tile().x * TILE_W) * WIDE(this_tile().y * TILE_H); }

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

void keep(const int plane, int k, LOCAL local, CELL above, CELL left)
{
    WORD high;
    float low;
    find_entry(local, above, left, high, low);
    if (plane < CHANNELS) {
        g_high[k][plane % CHANNELS] = high;
        g_low[k][plane % CHANNELS] = low;
    } else {
        g_square_high[k][plane % CHANNELS] = high;
        g_square_low[k][plane % CHANNELS] = low;
    }
}

// ---- the tile's texels

KEPT g_texels[TEXELS];

void clean_tile(part_frame frame, ivec2 first)
{
    scrub_tile(frame, first); // the first step has counted them
    for (int k = 0; k < TEXELS; ++k) {
        g_texels[k] = keep_texel(texel_colour(k));
        g_high[k] = g_square_high[k] = ENTRY(0);
        g_low[k] = g_square_low[k] = vec4(0.0);
    }
}

LOCAL texel_value(int k, const int plane)
{
    return local_value(kept_texel(g_texels[k]), plane, g_offset[plane % CHANNELS]);
}

#endif
