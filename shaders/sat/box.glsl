// sat/box.glsl - boxes around a texel that reach beyond the image, by the effects' own tables
//
//   in        i_table, i_table_low, i_mean ...   as TABLE says
//   host sets TABLE        AG_TABLE_FLOAT32, _DOUBLE, _UINT32: how the table is stored
//             TABLE_MEAN   1 = i_mean holds what was taken off
//             TABLE_FORMAT its GLSL image format
//             TABLE_CHANNELS   1, 2, 4
//             SQUARES      1 = also of squares
//             BORDER       AG_BOX_*: what lies outside
//   An axis of a box becomes at most six intervals of the image with a weight each; nearly always one.
//
//     zero, normalize   the part inside
//     clamp             that, and the first texel times the length before it, the last times that after
//     mirror            ... 2 1 0 1 2 ...: the image runs forward over [0, n), back over [1, n - 1), again:
//
//            box          |-----------|
//            runs   [1,n-1) back | [0,n) forward | back ...      whole periods of both count at once
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_BOX_GLSL
#define AG_SAT_BOX_GLSL
#if !defined(TABLE) || !defined(TABLE_MEAN) || !defined(TABLE_FORMAT) || !defined(SQUARES) || !defined(BORDER)
#error "TABLE, TABLE_MEAN, TABLE_FORMAT, SQUARES and BORDER must be set by the host"
#endif
#include "common/interface.h"

layout(location = AG_LOC_BOX_TABLE) uniform ivec4 u_table; // x, y of the table's corner; row of i_mean
layout(location = AG_LOC_BOX_SIZE) uniform ivec4 u_size;   // width, height of the image
layout(location = AG_LOC_BOX_UNITS) uniform vec4 u_units;  // of uint32: of 1, of 1 squared

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
#define AG_SAT_SQUARES(p) imageLoad(i_squares, u_table.xy + (p))
#define AG_SAT_SQUARES_LOW(p) imageLoad(i_squares_low, u_table.xy + (p))
#endif
#if TABLE_MEAN
layout(rgba32f, binding = AG_IMAGE_TABLE_MEAN) readonly uniform image2D i_mean;
vec4 g_mean = vec4(0.0); // read once, before anything is asked
#define AG_SAT_OFFSET g_mean
#endif

#define AG_SAT_STORAGE (TABLE + 1)
#define AG_SAT_SIZE u_size.xy
#define AG_SAT_TABLE(p) imageLoad(i_table, u_table.xy + (p))
#define AG_SAT_LOW(p) imageLoad(i_table_low, u_table.xy + (p))
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

#if BORDER == AG_BOX_CLAMP
#define INTERVALS 3
#elif BORDER == AG_BOX_MIRROR
#define INTERVALS 6
#else
#define INTERVALS 1
#endif

struct edge {
    int whole;
    float part; // 0 <= part < 1
};

struct interval {
    edge from, to;
    float weight;
};

edge clamp_edge(edge e, int low, int high)
{
    bool below = e.whole < low, above = e.whole >= high;
    return edge(clamp(e.whole, low, high), below || above ? 0.0 : e.part);
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

#if BORDER == AG_BOX_MIRROR
// Where an edge of the run back lies in the image.
edge reflect_edge(edge e, int n)
{
    bool cut = e.part > 0.0;
    return edge(2 * n - 1 - e.whole - int(cut), cut ? 1.0 - e.part : 0.0);
}

void mirror_intervals(edge from, edge to, int n, out interval list[INTERVALS])
{
    edge zero = edge(0, 0.0), end = edge(n, 0.0);
    int period = max(2 * (n - 1), 1);
    int periods = (to.whole - from.whole - int(to.part < from.part)) / period;
    if (n == 1) {
        for (int i = 0; i < INTERVALS; ++i)
            list[i] = interval(zero, end, 0.0);
        list[0].weight = float(to.whole - from.whole) + (to.part - from.part);
        return;
    }
    // Whole periods; then the rest, which begins within one and is shorter: at most four runs.
    list[0] = interval(zero, end, float(periods));
    list[1] = interval(edge(1, 0.0), edge(n - 1, 0.0), float(periods));
    int shift = from.whole >= 0 ? from.whole / period : -((period - 1 - from.whole) / period);
    from.whole -= shift * period;
    to.whole -= (shift + periods) * period;
    list[2] = between(from, to, 0, n, 1.0);
    edge back_from = clamp_edge(from, n, period), back_to = clamp_edge(to, n, period);
    list[3] = interval(reflect_edge(back_to, n), reflect_edge(back_from, n), 1.0);
    edge again = edge(to.whole - period, to.part);
    list[4] = between(zero, again, 0, n, 1.0);
    back_to = clamp_edge(again, n, period);
    list[5] = interval(reflect_edge(back_to, n), edge(n - 1, 0.0), 1.0);
}
#endif

void find_intervals(edge from, edge to, int n, out interval list[INTERVALS])
{
#if BORDER == AG_BOX_MIRROR
    mirror_intervals(from, to, n, list);
#else
    list[0] = between(from, to, 0, n, 1.0);
#if BORDER == AG_BOX_CLAMP
    list[1] = interval(edge(0, 0.0), edge(1, 0.0), max(-(float(from.whole) + from.part), 0.0));
    list[2] = interval(edge(n - 1, 0.0), edge(n, 0.0), max(float(to.whole - n) + to.part, 0.0));
#endif
#endif
}

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
#if BORDER == AG_BOX_NORMALIZE
    return clipped_area(b);
#else
    return (2.0 * r + 1.0) * (2.0 * r + 1.0);
#endif
}

vec4 interval_sum(interval across, interval down, const bool squares)
{
    return ag_sat_parts(ivec2(across.from.whole, down.from.whole),
                        vec2(across.from.part, down.from.part),
                        ivec2(across.to.whole, down.to.whole), vec2(across.to.part, down.to.part),
                        squares);
}

// The sum over a box as BORDER continues the image; of (texel - offset), with `squares` of its square.
vec4 box_sum(box b, const bool squares)
{
#if INTERVALS > 1
    bool over = b.left.whole < 0 || b.top.whole < 0 || b.right.whole >= u_size.x ||
                b.bottom.whole >= u_size.y;
    if (over) {
        interval across[INTERVALS], down[INTERVALS];
        find_intervals(b.left, b.right, u_size.x, across);
        find_intervals(b.top, b.bottom, u_size.y, down);
        vec4 sum = vec4(0.0);
        for (int j = 0; j < INTERVALS; ++j)
            for (int i = 0; i < INTERVALS; ++i)
                if (!is_empty(across[i]) && !is_empty(down[j]))
                    sum += across[i].weight * down[j].weight *
                           interval_sum(across[i], down[j], squares);
        return sum;
    }
#endif
    return interval_sum(between(b.left, b.right, 0, u_size.x, 1.0),
                        between(b.top, b.bottom, 0, u_size.y, 1.0), squares);
}

vec4 box_mean(box b, float r)
{
    vec4 mean = box_sum(b, false) / box_area(b, r);
#if BORDER == AG_BOX_ZERO
    // Outside, a zero is -offset in the table's terms, which knows none of it.
    return mean + AG_SAT_OFFSET * (clipped_area(b) / box_area(b, r));
#else
    return mean + AG_SAT_OFFSET;
#endif
}

#endif
