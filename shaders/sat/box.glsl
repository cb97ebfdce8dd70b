// sat/box.glsl - boxes around a texel, which may reach beyond the image, by the effects' own tables
//
//   in        i_table, i_table_low ...   or t_table, or b_table, as ASKED says; i_mean
//   host sets TABLE        AG_TABLE_FLOAT32, _DOUBLE, _UINT32: how the table is stored
//             ASKED        AG_ASK_*: where it lies (common/interface.h)
//             TABLE_ARRAY  1 = t_table has layers; u_table.w says which
//             TABLE_MEAN   1 = i_mean holds what was taken off
//             TABLE_FORMAT its GLSL image format
//             TABLE_CHANNELS   1, 2, 4
//             SQUARES      1 = also of squares
//             BORDER       AG_OUTSIDE_*: what lies outside
//             GROUP_X, GROUP_Y   threads of a group, of the shaders that include this
//   may set   INSIDE       1 = is_inside is true of all boxes; EDGES_WHOLE then says 1 = all edges are whole
//   why       16 reads a texel are nearly all of the time. Those of an image unit are not cached close by, those
//             of the others are
//   What lies beyond the image:
//
//     zero, normalize   edges end at the image's
//     clamp             edges lie beyond it, on the straight line that sums go on along
//     mirror            an axis becomes at most six intervals of the image with a weight each; nearly always one.
//                       ... 2 1 0 1 2 ...: the image runs forward over [0, n), back over [1, n - 1), again:
//
//            box          |-----------|
//            runs   [1,n-1) back | [0,n) forward | back ...      whole periods of both count at once
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_BOX_GLSL
#define AG_SAT_BOX_GLSL
#if !defined(TABLE) || !defined(TABLE_MEAN) || !defined(TABLE_FORMAT) || !defined(SQUARES) || !defined(BORDER)
#error "TABLE, TABLE_MEAN, TABLE_FORMAT, SQUARES and BORDER must be set by the host"
#endif
#if !defined(ASKED) || !defined(TABLE_ARRAY) || !defined(TABLE_CHANNELS) || !defined(GROUP_X) || !defined(GROUP_Y)
#error "ASKED, TABLE_ARRAY, TABLE_CHANNELS, GROUP_X and GROUP_Y must be set by the host"
#endif
#include "sat/interface.h"

layout(location = AG_LOC_BOX_TABLE) uniform ivec4 u_table; // x, y of the table's corner; row of i_mean; layer
layout(location = AG_LOC_BOX_SIZE) uniform ivec4 u_size;   // width, height of the image; blur.comp: the layer's first mark
layout(location = AG_LOC_BOX_UNITS) uniform vec4 u_units;  // of uint32: of 1, of 1 squared

// ---- the table

#if TABLE == AG_TABLE_UINT32
#define CELL uvec4
#define CELL_WORD uint
#define CELL_PAIR uvec2
#else
#define CELL vec4
#define CELL_WORD float
#define CELL_PAIR vec2
#endif

#if ASKED == AG_ASK_BUFFER
#if TABLE_CHANNELS == 1
layout(std430, binding = AG_SSBO_TABLE) restrict readonly buffer Table { CELL_WORD b_table[]; };
CELL whole_cell(CELL_WORD c) { return CELL(c, 0, 0, 0); }
#elif TABLE_CHANNELS == 2
layout(std430, binding = AG_SSBO_TABLE) restrict readonly buffer Table { CELL_PAIR b_table[]; };
CELL whole_cell(CELL_PAIR c) { return CELL(c, 0, 0); }
#else
layout(std430, binding = AG_SSBO_TABLE) restrict readonly buffer Table { CELL b_table[]; };
CELL whole_cell(CELL c) { return c; }
#endif
CELL sheet_cell(const int sheet, ivec2 p)
{
    return whole_cell(b_table[(sheet * u_size.y + p.y) * u_size.x + p.x]);
}
#elif ASKED == AG_ASK_TEXTURE
#if TABLE == AG_TABLE_UINT32 && TABLE_ARRAY
layout(binding = 0) uniform usampler2DArray t_table;
#elif TABLE == AG_TABLE_UINT32
layout(binding = 0) uniform usampler2D t_table;
#elif TABLE_ARRAY
layout(binding = 0) uniform sampler2DArray t_table;
#else
layout(binding = 0) uniform sampler2D t_table;
#endif
CELL sheet_cell(const int sheet, ivec2 p)
{
    p += u_table.xy + ivec2(0, sheet * u_size.y);
#if TABLE_ARRAY
    return texelFetch(t_table, ivec3(p, u_table.w), 0);
#else
    return texelFetch(t_table, p, 0);
#endif
}
#else
#if TABLE == AG_TABLE_UINT32
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE) readonly uniform uimage2D i_table;
#else
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE) readonly uniform image2D i_table;
#endif
#if TABLE == AG_TABLE_DOUBLE
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_LOW) readonly uniform image2D i_table_low;
#endif
#if SQUARES
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_SQUARES) readonly uniform image2D i_squares;
layout(TABLE_FORMAT, binding = AG_IMAGE_TABLE_SQUARES_LOW) readonly uniform image2D i_squares_low;
#endif
#endif

#if ASKED == AG_ASK_IMAGE
#define AG_SAT_TABLE(p) imageLoad(i_table, u_table.xy + (p))
#define AG_SAT_LOW(p) imageLoad(i_table_low, u_table.xy + (p))
#else
#define AG_SAT_TABLE(p) sheet_cell(0, p)
#define AG_SAT_LOW(p) sheet_cell(1, p)
#endif
#if SQUARES && ASKED == AG_ASK_IMAGE
#define AG_SAT_SQUARES(p) imageLoad(i_squares, u_table.xy + (p))
#define AG_SAT_SQUARES_LOW(p) imageLoad(i_squares_low, u_table.xy + (p))
#elif SQUARES // of double_float
#define AG_SAT_SQUARES(p) sheet_cell(2, p)
#define AG_SAT_SQUARES_LOW(p) sheet_cell(3, p)
#endif
#if TABLE_MEAN
layout(rgba32f, binding = AG_IMAGE_TABLE_MEAN) readonly uniform image2D i_mean;
vec4 g_mean = vec4(0.0); // read once, before anything is asked
#define AG_SAT_OFFSET g_mean
#endif

#ifndef INSIDE
#define INSIDE 0
#endif
#define AG_SAT_INSIDE INSIDE
#define AG_SAT_STORAGE (TABLE + 1)
#define AG_SAT_SIZE u_size.xy
#define AG_SAT_UNITS u_units.x
#define AG_SAT_SQUARE_UNITS u_units.y
#if TABLE == AG_TABLE_FLOAT32
#define AG_SAT_EXACT 0
#endif
#include "sat/query.glsl"

void begin_boxes()
{
#if TABLE_MEAN
    g_mean = imageLoad(i_mean, ivec2(0, u_table.z));
#endif
}

// What a table has no channels for, as GL reads it: 0, and alpha 1.
vec4 complete(vec4 c, float alpha)
{
#if TABLE_CHANNELS == 1
    return vec4(c.r, 0.0, 0.0, alpha);
#elif TABLE_CHANNELS == 2
    return vec4(c.rg, 0.0, alpha);
#else
    return c;
#endif
}

// ---- intervals of an axis
// Edges are whole texels and a part, so that boxes far from the corner are as exact as near it.

#if BORDER == AG_OUTSIDE_MIRROR
#define INTERVALS 6
#else
#define INTERVALS 1
#endif

struct edge {
    int whole;
    float part; // 0 <= part < 1; where clamp extends the image, how far beyond the texel: down to -r, up to r + 1
};

struct interval {
    edge from, to;
    float weight;
};

// Without ?:, which is a branch on NVIDIA.
edge clamp_edge(edge e, int low, int high)
{
    bool within = uint(e.whole - low) < uint(high - low);
    return edge(clamp(e.whole, low, high), e.part * float(within));
}

// Beyond a clamped image the sum up to x grows by its first texel a texel, or by its last: it is a straight line, on
// which the edge lies as one lies between two texels. The image's own end needs none of that.
edge extend_edge(edge e, int n)
{
    int whole = clamp(e.whole, 0, n - int(e.whole > n || e.part > 0.0));
    return edge(whole, e.part + float(e.whole - whole));
}

interval between(edge from, edge to, int low, int high, float weight)
{
    return interval(clamp_edge(from, low, high), clamp_edge(to, low, high), weight);
}

bool is_empty(interval i)
{
    bool some = i.to.whole > i.from.whole || (i.to.whole == i.from.whole && i.to.part > i.from.part);
    return !some || i.weight == 0.0;
}

// What lies between two edges of an axis of n, in which `periods` whole periods have been left out.
struct span {
    edge from, to;
    int periods;
};

#if BORDER == AG_OUTSIDE_MIRROR
// Begins within a period and is shorter than one.
span find_span(edge from, edge to, int n)
{
    int period = max(2 * (n - 1), 1);
    int periods = (to.whole - from.whole - int(to.part < from.part)) / period;
    int shift = from.whole >= 0 ? from.whole / period : -((period - 1 - from.whole) / period);
    from.whole -= shift * period;
    to.whole -= (shift + periods) * period;
    return span(from, to, periods);
}

// Where an edge of the run back lies in the image.
edge reflect_edge(edge e, int n)
{
    bool cut = e.part > 0.0;
    return edge(2 * n - 1 - e.whole - int(cut), cut ? 1.0 - e.part : 0.0);
}

interval run_back(edge from, edge to, int n)
{
    return interval(reflect_edge(to, n), reflect_edge(from, n), 1.0);
}

// Interval k: 0 and 1 the whole periods; then the rest, at most four runs.
interval interval_at(int k, span s, int n)
{
    edge zero = edge(0, 0.0), end = edge(n, 0.0);
    int period = max(2 * (n - 1), 1);
    edge again = edge(s.to.whole - period, s.to.part);
    if (n == 1) {
        float length = float(s.periods + s.to.whole - s.from.whole) + (s.to.part - s.from.part);
        return interval(zero, end, k == 0 ? length : 0.0);
    }
    if (k == 0)
        return interval(zero, end, float(s.periods));
    if (k == 1)
        return interval(edge(1, 0.0), edge(n - 1, 0.0), float(s.periods));
    if (k == 2)
        return between(s.from, s.to, 0, n, 1.0);
    if (k == 3)
        return run_back(clamp_edge(s.from, n, period), clamp_edge(s.to, n, period), n);
    if (k == 4)
        return between(zero, again, 0, n, 1.0);
    edge back_to = clamp_edge(again, n, period);
    return interval(reflect_edge(back_to, n), edge(n - 1, 0.0), 1.0);
}
#endif

// ---- a box of radius r around texel p

struct box {
    edge left, right, top, bottom;
};

box box_around(ivec2 p, float r)
{
    int outer = int(ceil(r)), inner = int(floor(r));
    float before = ceil(r) - r, after = r - floor(r);
    return box(edge(p.x - outer, before), edge(p.x + 1 + inner, after), edge(p.y - outer, before),
               edge(p.y + 1 + inner, after));
}

// Whether a box keeps a texel away from the image's edges, as AG_SAT_INSIDE wants.
bool is_inside(box b)
{
    ivec2 low = ivec2(b.left.whole, b.top.whole), high = ivec2(b.right.whole, b.bottom.whole);
    return all(greaterThan(low, ivec2(0))) && all(lessThan(high, u_size.xy));
}

float inside(edge from, edge to, int n)
{
    interval i = between(from, to, 0, n, 1.0);
    return float(i.to.whole - i.from.whole) + (i.to.part - i.from.part);
}

// Its area within the image; and that by which the sum is divided.
float clipped_area(box b)
{
    return inside(b.left, b.right, u_size.x) * inside(b.top, b.bottom, u_size.y);
}

float box_area(box b, float r)
{
#if BORDER == AG_OUTSIDE_NORMALIZE
    return clipped_area(b);
#else
    return (2.0 * r + 1.0) * (2.0 * r + 1.0);
#endif
}

#if INSIDE
vec4 box_mean(box b, float r)
{
    ivec2 from = ivec2(b.left.whole, b.top.whole), to = ivec2(b.right.whole, b.bottom.whole);
#if EDGES_WHOLE
    vec4 sum = ag_sat_whole(from, to, false);
#else
    vec4 sum = ag_sat_nine(from, vec2(b.left.part, b.top.part), to, vec2(b.right.part, b.bottom.part), false);
#endif
    return sum / ((2.0 * r + 1.0) * (2.0 * r + 1.0)) + AG_SAT_OFFSET;
}
#else
vec4 part_sum(edge left, edge right, edge top, edge bottom, const bool squares)
{
    return ag_sat_parts(ivec2(left.whole, top.whole), vec2(left.part, top.part),
                        ivec2(right.whole, bottom.whole), vec2(right.part, bottom.part), squares);
}

#if INTERVALS > 1
// A box that reaches beyond the image. Few do, so this may take long; but what it needs of registers is
// everyone's: intervals are found one at a time, and the loops are not unrolled, as nobody but the host knows
// how often they run.
vec4 sum_beyond(box b, const bool squares)
{
    int count = INTERVALS + min(u_size.x, 0);
    span across = find_span(b.left, b.right, u_size.x), down = find_span(b.top, b.bottom, u_size.y);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < count; ++j) {
        interval y = interval_at(j, down, u_size.y);
        if (is_empty(y))
            continue;
        for (int i = 0; i < count; ++i) {
            interval x = interval_at(i, across, u_size.x);
            if (!is_empty(x))
                sum += x.weight * y.weight * part_sum(x.from, x.to, y.from, y.to, squares);
        }
    }
    return sum;
}
#endif

// The sum over a box as BORDER continues the image; of (texel - offset), with `squares` of its square.
vec4 box_sum(box b, const bool squares)
{
#if INTERVALS > 1
    ivec2 low = ivec2(b.left.whole, b.top.whole), high = ivec2(b.right.whole, b.bottom.whole);
    ivec2 room = min(low, u_size.xy - 1 - high);
    if (min(room.x, room.y) < 0)
        return sum_beyond(b, squares);
    return part_sum(b.left, b.right, b.top, b.bottom, squares);
#elif BORDER == AG_OUTSIDE_CLAMP
    int w = u_size.x, h = u_size.y;
    return part_sum(extend_edge(b.left, w), extend_edge(b.right, w), extend_edge(b.top, h), extend_edge(b.bottom, h),
                    squares);
#else
    int w = u_size.x, h = u_size.y;
    return part_sum(clamp_edge(b.left, 0, w), clamp_edge(b.right, 0, w), clamp_edge(b.top, 0, h),
                    clamp_edge(b.bottom, 0, h), squares);
#endif
}

vec4 box_mean(box b, float r)
{
    vec4 mean = box_sum(b, false) / box_area(b, r);
#if BORDER == AG_OUTSIDE_ZERO
    // Outside, a zero is -offset in the table's terms, which knows none of it.
    return mean + AG_SAT_OFFSET * (clipped_area(b) / box_area(b, r));
#else
    return mean + AG_SAT_OFFSET;
#endif
}
#endif

#endif
