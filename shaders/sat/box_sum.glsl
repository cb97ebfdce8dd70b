// sat/box_sum.glsl - the sum over a box that may reach beyond the image
//
//   in        the table (sat/table_query.glsl)
//   host sets BORDER   AG_OUTSIDE_*: what lies outside
//             and the defines of sat/table_query.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef BORDER
#error "BORDER (AG_OUTSIDE_*) must be set by the host"
#endif
#define AG_SAT_INSIDE 0
#include "sat/table_query.glsl"

#if BORDER == AG_OUTSIDE_MIRROR
// The part of a box on an axis becomes at most six intervals of the image, each with a weight;
// nearly always it is one. The mirrored image ... 2 1 0 1 2 ... repeats a run forward over [0, n)
// and a run back over [1, n - 1):
//
//            box          |-----------|
//            runs   [1,n-1) back | [0,n) forward | back ...
//
//   interval    0   [0, n)          once for each whole period in the box
//               1   [1, n - 1)      the same
//               2   run forward     the rest begins here, or
//               3   run back        here
//               4   run forward     and may continue in a second period
//               5   run back
struct interval {
    edge from, to;
    float weight;
};

#define INTERVALS 6

interval between(edge from, edge to, int low, int high, float weight)
{
    return interval(clamp_edge(from, low, high), clamp_edge(to, low, high), weight);
}

bool is_empty(interval i)
{
    bool some = i.to.whole > i.from.whole ||
        (i.to.whole == i.from.whole && i.to.part > i.from.part);
    return !some || i.weight == 0.0;
}

// What lies between two edges of an axis, less `periods` whole periods.
struct span {
    edge from, to;
    int periods;
};

// `from` becomes a place in [0, period), and less than a period is left.
span find_span(edge from, edge to, int n)
{
    int period = max(2 * (n - 1), 1);
    int periods = (to.whole - from.whole - int(to.part < from.part)) / period;
    int shift = from.whole >= 0 ? from.whole / period : -((period - 1 - from.whole) / period);
    from.whole -= shift * period;
    to.whole -= (shift + periods) * period;
    return span(from, to, periods);
}

// The place in the image of an edge of the run back.
edge reflect_edge(edge e, int n)
{
    bool cut = e.part > 0.0;
    return edge(2 * n - 1 - e.whole - int(cut), cut ? 1.0 - e.part : 0.0);
}

interval run_back(edge from, edge to, int n)
{
    return interval(reflect_edge(to, n), reflect_edge(from, n), 1.0);
}

// Interval k: 0 and 1 are the whole periods, 2 to 5 the runs of the rest.
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

// The sum over a box of (texel - offset), or with `squares` of its square. Few boxes reach beyond
// the image, so they may be slow, but all threads pay for their registers: intervals are found one
// at a time, and the loops are not unrolled, because their bounds depend on a uniform. A box within
// the image is interval 2 alone.
vec4 box_sum(box b, const bool squares)
{
    ivec2 size = image_size(), room = min(corner_from(b), size - 1 - corner_to(b));
    span across = span(b.left, b.right, 0), down = span(b.top, b.bottom, 0);
    int first = 2, last = 3;
    if (min(room.x, room.y) < 0) {
        across = find_span(b.left, b.right, size.x);
        down = find_span(b.top, b.bottom, size.y);
        first = 0;
        last = INTERVALS + min(size.x, 0);
    }
    vec4 sum = vec4(0.0);
    for (int j = first; j < last; ++j) {
        interval y = interval_at(j, down, size.y);
        if (is_empty(y))
            continue;
        for (int i = first; i < last; ++i) {
            interval x = interval_at(i, across, size.x);
            box part = box(x.from, x.to, y.from, y.to);
            if (!is_empty(x))
                sum += x.weight * y.weight *
                       ag_sat_parts(corner_from(part), part_from(part), corner_to(part),
                                    part_to(part), squares);
        }
    }
    return sum;
}

#else
// With zero and normalize the edges of a box end at the edge of the image. With clamp the sum up to
// x grows by the first or the last texel at each step beyond it: a straight line, on which an edge
// is interpolated as it is between two texels.
//
//        sum of an axis up to x              _/
//                                          _/ |       beyond n: the last texel's value a step
//                                ....---'''   n       up to n: what the table holds
edge border_edge(edge e, int n)
{
#if BORDER == AG_OUTSIDE_CLAMP
    // an edge at the image's end lies within it
    int whole = clamp(e.whole, 0, n - int(e.whole > n || e.part > 0.0));
    return edge(whole, e.part + float(e.whole - whole));
#else
    return clamp_edge(e, 0, n);
#endif
}

// The sum over a box of (texel - offset), or with `squares` of its square.
vec4 box_sum(box b, const bool squares)
{
    ivec2 size = image_size();
    b = box(border_edge(b.left, size.x), border_edge(b.right, size.x), border_edge(b.top, size.y),
            border_edge(b.bottom, size.y));
    return ag_sat_parts(corner_from(b), part_from(b), corner_to(b), part_to(b), squares);
}
#endif
