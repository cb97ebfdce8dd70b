// sat/query.glsl - queries of a summed-area table: sums, means and deviations of boxes
//
//   It needs GLSL 4.20 or later, includes nothing, and declares only names that begin with ag_sat_
//   or AG_SAT_. Before you include it, define
//
//     AG_SAT_STORAGE     1 float32, 2 float32_residual, 3 double_float, 4 uint32, 5 split, as in
//                        sat.h
//     AG_SAT_SIZE        ivec2: width and height of the image
//     AG_SAT_TABLE(p)    the table's entry at ivec2 p: a vec4, for uint32 a uvec4. For example
//                        texelFetch(t_table, p, 0). Never a filtered texture(): its weights have 8
//                        bits
//     AG_SAT_LOW(p)      float32_residual, double_float, split: the same for the slot `low`
//     AG_SAT_SQUARES(p), AG_SAT_SQUARES_LOW(p)   for deviations: the same for those slots
//   and, where the defaults do not fit,
//     AG_SAT_OFFSET      vec4: the table's offset: vec4(0.5), or the texel of slot `mean`;
//                        default 0
//     AG_SAT_UNITS       uint32: float, the value of 1 in units: 2^fraction_bits, or 255 for 8-bit
//                        images (the plan's text says which; ag_api.sat_fraction_bits computes
//                        it); default 255
//     AG_SAT_SQUARE_UNITS   the same for squares: 2^their bits, or 65025; default 65025
//     AG_SAT_EXCLUSIVE   1: edge = exclusive; default 0
//     AG_SAT_CENTER      1: origin = center; default 0
//     AG_SAT_EXACT       0: plain differences, a third of the arithmetic and up to twice the bound
//                        of float32; only for float32; default 1
//     AG_SAT_INSIDE      1: all boxes lie at least one texel within the image, 1 <= from and
//                        to <= size - 1: less arithmetic; not with AG_SAT_CENTER; default 0
//
//   Then these functions exist. Texel (x,y) lies between the edges x and x + 1.
//
//     vec4 ag_sat_sum(ivec2 from, ivec2 to)      of the texels with from <= p < to. 4 reads
//     vec4 ag_sat_sum(vec2 from, vec2 to)        edges anywhere: a texel counts by its part inside.
//                                                16 reads, 4 where all edges are whole
//     float ag_sat_area(vec2 from, vec2 to)      of the part of the box that lies in the image
//     vec4 ag_sat_mean(vec2 from, vec2 to)       sum / area; the box must touch the image
//     void ag_sat_moments(vec2 from, vec2 to, out vec4 mean, out vec4 deviation)
//                                                deviation: sqrt(E[x^2] - E[x]^2), of all texels
//   Boxes are cut at the image's edges. Channels that the table lacks are undefined in the results.
//
//   error     of a mean: ag_api.sat_error. Differences of entries are exact (two-sums), so a query
//             adds no error to that of the table
//   source    Crow 1984; two-sum: Knuth, TAOCP 4.2.2; docs/sat.md
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_QUERY_GLSL
#define AG_SAT_QUERY_GLSL
#if !defined(AG_SAT_STORAGE) || !defined(AG_SAT_SIZE) || !defined(AG_SAT_TABLE)
#error "AG_SAT_STORAGE, AG_SAT_SIZE and AG_SAT_TABLE(p) must be defined: see sat/query.glsl"
#endif
#ifndef AG_SAT_OFFSET
#define AG_SAT_OFFSET vec4(0.0)
#endif
#ifndef AG_SAT_UNITS
#define AG_SAT_UNITS 255.0
#endif
#ifndef AG_SAT_SQUARE_UNITS
#define AG_SAT_SQUARE_UNITS 65025.0
#endif
#ifndef AG_SAT_EXCLUSIVE
#define AG_SAT_EXCLUSIVE 0
#endif
#ifndef AG_SAT_CENTER
#define AG_SAT_CENTER 0
#endif
#ifndef AG_SAT_EXACT
#define AG_SAT_EXACT 1
#endif
#ifndef AG_SAT_INSIDE
#define AG_SAT_INSIDE 0
#endif
// Defaults for reads that do not exist: the code that would use them still has to compile.
#ifdef AG_SAT_LOW
#define ag_sat_low(p) AG_SAT_LOW(p)
#else
#define ag_sat_low(p) vec4(0.0)
#endif
#ifdef AG_SAT_SQUARES
#define ag_sat_squares(p) AG_SAT_SQUARES(p)
#else
#define ag_sat_squares(p) AG_SAT_TABLE(p)
#endif
#ifdef AG_SAT_SQUARES_LOW
#define ag_sat_squares_low(p) AG_SAT_SQUARES_LOW(p)
#else
#define ag_sat_squares_low(p) ag_sat_low(p)
#endif
#if !defined(AG_SAT_LOW) && AG_SAT_STORAGE != 1 && AG_SAT_STORAGE != 4
#error "AG_SAT_LOW(p) must be defined for this storage; see the head of sat/query.glsl"
#endif
#if AG_SAT_INSIDE && AG_SAT_CENTER
#error "AG_SAT_INSIDE is for tables from the corner; see the head of sat/query.glsl"
#endif
#if !AG_SAT_EXACT && AG_SAT_STORAGE != 1
#error "AG_SAT_EXACT 0 is for float32 alone; see the head of sat/query.glsl"
#endif

// Constants are tested by `if` wherever both branches compile: compilers drop the other one.

// ---- where an entry lies -----------------------------------------------------------------------
// S at a corner between texels: the sum of all texels left of and above it (CENTER: between it and
// the centre, negative left of it or above it, not both).
//
//        corner   0   1   2   3        A corner's entry is that of the texel left and above:
//                 |   |   |   |        texel = corner - 1. Corner 0 has none, and its count is 0.
//        texel    | 0 | 1 | 2 |        EXCLUSIVE: the table has an entry for every corner.
//                                      CENTER: the nearest texel towards the centre.

// Four whole edges along an axis: the first, the one after it, the last, the one after that.
// `place` is where their entries lie. An entry counts as often as the product of both axes' counts:
// 1; 0 where nothing lies left or above; or -1.
struct ag_sat_axis {
    ivec4 place, count;
};

ag_sat_axis ag_sat_around(int first, int last, int size)
{
    ivec4 corner = ivec4(first, first + 1, last, last + 1);
    if (AG_SAT_INSIDE == 0)
        corner = ivec4(first, min(first + 1, size), last, min(last + 1, size));
    ag_sat_axis axis = ag_sat_axis(corner, ivec4(1)); // EXCLUSIVE
    if (AG_SAT_EXCLUSIVE == 0 && AG_SAT_INSIDE != 0)
        axis.place = corner - 1;
    else if (AG_SAT_EXCLUSIVE == 0 && AG_SAT_CENTER != 0)
        axis = ag_sat_axis(corner - ivec4(greaterThan(corner, ivec4(size / 2))),
                           sign(corner - size / 2));
    else if (AG_SAT_EXCLUSIVE == 0)
        axis = ag_sat_axis(max(corner - 1, 0), min(corner, 1));
    return axis;
}

// ---- a box with any edges ----------------------------------------------------------------------
// It is the sum of nine boxes with whole edges, each exact:
//
//        x0   from        to   x1      x0, x1: whole edges around `from`; then around `to`
//     y0 +----+-----------+----+
//        | ab |    b      | cb |       weights: a = 1 - fract(from), 1, c = fract(to)
//        +----+-----------+----+
//        | a  |    1      | c  |       If both edges are in one texel, the middle is -1 wide and
//        +----+-----------+----+       subtracts the excess.
//        | ac |    c      | cc |
//     y1 +----+-----------+----+
//
// Each arithmetic below has ag_sat_load, which reads an entry; ag_sat_box, a - b - c + d of four
// entries, a sum of values less the offset; and ag_sat_nine, whose edges are whole texels and
// parts, 0 <= part < 1, with 0 <= from <= to <= size. Without AG_SAT_CENTER and AG_SAT_INSIDE other
// parts are valid, too: sums continue on the straight line through the texel's two edges. There are
// no branches, so all 16 reads overlap.

#if AG_SAT_STORAGE == 4 || !AG_SAT_EXACT
// ---- entries that are one number each: integers, or floats that are subtracted as they are

#if AG_SAT_STORAGE == 4
#define ag_sat_entry uvec4
#else
#define ag_sat_entry vec4
#endif
uvec4 ag_sat_times(uvec4 entry, int count) { return entry * uint(count); }
vec4 ag_sat_times(vec4 entry, int count) { return entry * float(count); }

ag_sat_entry ag_sat_entry_at(ivec2 p, const bool squares)
{
    ag_sat_entry entry = AG_SAT_TABLE(p);
    if (squares)
        entry = ag_sat_squares(p);
    return entry;
}

ag_sat_entry ag_sat_load(ivec2 p, int count, const bool squares)
{
    return ag_sat_times(ag_sat_entry_at(p, squares), count);
}

// Modulo 2^32: exact as long as the sum over the box stays below 2^32.
vec4 ag_sat_box(uvec4 a, uvec4 b, uvec4 c, uvec4 d, const bool squares)
{
    return vec4(a - b - c + d) / (squares ? AG_SAT_SQUARE_UNITS : AG_SAT_UNITS);
}

vec4 ag_sat_box(vec4 a, vec4 b, vec4 c, vec4 d, const bool squares) { return (a - b) - (c - d); }

// Weights of the differences between neighbours along an axis.
vec3 ag_sat_weights(ag_sat_axis axis, float first_part, float last_part)
{
    float a = 1.0 - first_part, c = last_part;
    // An entry E at `last` with count 0 lies at the edge of the image, and the entries around it
    // are E. If it counts 1, differences to it are 0, and `a` compensates: a E + 0 - E + c E =
    // (a + c - 1) E.
    if (AG_SAT_CENTER == 0)
        a -= (1.0 - c) * float(1 - axis.count.z);
    return vec3(a, 1.0, c);
}

ag_sat_entry[4] ag_sat_row_at(ivec4 x, int y, const bool squares)
{
    return ag_sat_entry[4](ag_sat_entry_at(ivec2(x.x, y), squares),
                           ag_sat_entry_at(ivec2(x.y, y), squares),
                           ag_sat_entry_at(ivec2(x.z, y), squares),
                           ag_sat_entry_at(ivec2(x.w, y), squares));
}

struct ag_sat_steps { // differences between neighbours; of integers modulo 2^32
    ag_sat_entry first, middle, last;
};

// Entries times counts. Without CENTER, weights replace the last three (ag_sat_weights).
ag_sat_steps ag_sat_steps_of(ag_sat_entry row[4], ivec4 count)
{
    row[0] = ag_sat_times(row[0], count.x);
    if (AG_SAT_CENTER != 0) {
        row[1] = ag_sat_times(row[1], count.y);
        row[2] = ag_sat_times(row[2], count.z);
        row[3] = ag_sat_times(row[3], count.w);
    }
    return ag_sat_steps(row[1] - row[0], row[2] - row[1], row[3] - row[2]);
}

#if AG_SAT_STORAGE == 4
vec4 ag_sat_magnitude(uvec4 box, uint negative) // all ones, or 0
{
    return vec4((box ^ negative) - negative);
}

// A column of boxes. `negative`: the column is -1 wide; `middle`: the middle box is
// -1 high.
vec4 ag_sat_column(uvec4 d0, uvec4 d1, uvec4 d2, uvec4 d3, ivec4 count, vec3 w, uint negative,
                   uint middle)
{
    ag_sat_steps box = ag_sat_steps_of(uvec4[4](d0, d1, d2, d3), count);
    return ag_sat_magnitude(box.first, negative) * w.x +
           ag_sat_magnitude(box.middle, negative ^ middle) * w.y +
           ag_sat_magnitude(box.last, negative) * w.z;
}
#else
vec4 ag_sat_across(ag_sat_steps d, vec3 w) { return d.first * w.x + d.middle + d.last * w.z; }

vec4 ag_sat_column(vec4 d0, vec4 d1, vec4 d2, vec4 d3, ivec4 count, vec3 w)
{
    return ag_sat_across(ag_sat_steps_of(vec4[4](d0, d1, d2, d3), count), w);
}
#endif

vec4 ag_sat_nine(ivec2 first, vec2 first_part, ivec2 last, vec2 last_part, const bool squares)
{
    ivec2 size = AG_SAT_SIZE;
    ag_sat_axis x = ag_sat_around(first.x, last.x, size.x),
        y = ag_sat_around(first.y, last.y, size.y);
    ag_sat_entry r0[4] = ag_sat_row_at(x.place, y.place.x, squares);
    ag_sat_entry r1[4] = ag_sat_row_at(x.place, y.place.y, squares);
    ag_sat_entry r2[4] = ag_sat_row_at(x.place, y.place.z, squares);
    ag_sat_entry r3[4] = ag_sat_row_at(x.place, y.place.w, squares);
    vec3 across = ag_sat_weights(x, first_part.x, last_part.x);
    vec3 down = ag_sat_weights(y, first_part.y, last_part.y);
    ag_sat_steps d0 = ag_sat_steps_of(r0, x.count), d1 = ag_sat_steps_of(r1, x.count);
    ag_sat_steps d2 = ag_sat_steps_of(r2, x.count), d3 = ag_sat_steps_of(r3, x.count);
#if AG_SAT_STORAGE == 4
    // The middle may be -1 wide or high: its integers are negative then, and so are its weights.
    ivec2 narrow = (last - min(first + 1, size)) >> 31;
    uvec2 negative = uvec2(narrow);
    across.y += 2.0 * float(narrow.x);
    down.y += 2.0 * float(narrow.y);
    vec4 sum = ag_sat_column(d0.first, d1.first, d2.first, d3.first, y.count, down, 0u,
                             negative.y) * across.x;
    sum += ag_sat_column(d0.middle, d1.middle, d2.middle, d3.middle, y.count, down, negative.x,
                         negative.y) *
           across.y;
    sum += ag_sat_column(d0.last, d1.last, d2.last, d3.last, y.count, down, 0u, negative.y) *
        across.z;
    return sum / (squares ? AG_SAT_SQUARE_UNITS : AG_SAT_UNITS);
#elif AG_SAT_INSIDE
    // Each row is reduced to one value first, which takes fewer registers. Weights are at most 1,
    // so the products are rounded by less than the entries were.
    return ag_sat_column(ag_sat_across(d0, across), ag_sat_across(d1, across),
                         ag_sat_across(d2, across),
                         ag_sat_across(d3, across), y.count, down);
#else
    // Differences of neighbours are mostly exact. They are taken along both axes before any
    // product, because weights are large beyond a clamped image (sat/box_sum.glsl).
    return ag_sat_column(d0.first, d1.first, d2.first, d3.first, y.count, down) * across.x +
           ag_sat_column(d0.middle, d1.middle, d2.middle, d3.middle, y.count, down) +
           ag_sat_column(d0.last, d1.last, d2.last, d3.last, y.count, down) * across.z;
#endif
}

#else
// ---- entries of two floats, and floats without any loss: differences by two-sums

struct ag_sat_entry {
    vec4 high, low; // their sum, exactly
};

// split: the tile's sum, the sum above (at x, row p.y / 32) and left of it (at y, column p.x
// / 32).
ag_sat_entry ag_sat_beside(ivec2 p, vec4 own, const bool squares)
{
    ivec2 tiles = (AG_SAT_SIZE + 31) / 32, tile = p / 32;
    ivec2 above = ivec2(p.x, tile.y), left = ivec2(p.y, 2 * tiles.y + tile.x);
    vec4 a = ag_sat_low(above), a_low = ag_sat_low(above + ivec2(0, tiles.y));
    vec4 b = ag_sat_low(left), b_low = ag_sat_low(left + ivec2(0, tiles.x));
    if (squares) {
        a = ag_sat_squares_low(above);
        a_low = ag_sat_squares_low(above + ivec2(0, tiles.y));
        b = ag_sat_squares_low(left);
        b_low = ag_sat_squares_low(left + ivec2(0, tiles.x));
    }
    precise vec4 sum = a + b;
    precise vec4 part = sum - a;
    precise vec4 error = (a - (sum - part)) + (b - part);
    precise vec4 rest = own + (error + (a_low + b_low));
    return ag_sat_entry(sum, rest);
}

ag_sat_entry ag_sat_load(ivec2 p, int count, const bool squares)
{
    ag_sat_entry entry = ag_sat_entry(AG_SAT_TABLE(p), vec4(0.0));
    if (squares)
        entry.high = ag_sat_squares(p);
    if (AG_SAT_STORAGE == 5) {
        entry = ag_sat_beside(p, entry.high, squares);
    } else if (AG_SAT_STORAGE != 1) {
        entry.low = ag_sat_low(p);
        if (squares)
            entry.low = ag_sat_squares_low(p);
    }
    entry.high *= float(count);
    entry.low *= float(count);
    return entry;
}

// Two-sums: the rounding error of each difference is computed exactly, and added at the end.
vec4 ag_sat_box(ag_sat_entry a, ag_sat_entry b, ag_sat_entry c, ag_sat_entry d, const bool squares)
{
    precise vec4 right = a.high - b.high;
    precise vec4 right_part = right - a.high;
    precise vec4 right_error = (a.high - (right - right_part)) - (b.high + right_part);
    precise vec4 left = c.high - d.high;
    precise vec4 left_part = left - c.high;
    precise vec4 left_error = (c.high - (left - left_part)) - (d.high + left_part);
    precise vec4 box = right - left;
    precise vec4 box_part = box - right;
    precise vec4 box_error = (right - (box - box_part)) - (left + box_part);
    precise vec4 low = (a.low - b.low) - (c.low - d.low);
    precise vec4 all = box + (((right_error - left_error) + box_error) + low);
    return all;
}

vec4 ag_sat_nine(ivec2 first, vec2 first_part, ivec2 last, vec2 last_part, const bool squares)
{
    ivec2 size = AG_SAT_SIZE;
    ag_sat_axis x = ag_sat_around(first.x, last.x, size.x),
        y = ag_sat_around(first.y, last.y, size.y);
    vec2 weight[3] = vec2[3](1.0 - first_part, vec2(1.0), last_part);
    vec4 sum = vec4(0.0);
    // one row of reads at once: all 32 would take too many registers
    ag_sat_entry above[4], below[4];
    for (int i = 0; i < 4; ++i)
        above[i] = ag_sat_load(ivec2(x.place[i], y.place[0]), x.count[i] * y.count[0], squares);
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 4; ++i)
            below[i] = ag_sat_load(ivec2(x.place[i], y.place[j + 1]), x.count[i] * y.count[j + 1],
                                   squares);
        vec4 row = vec4(0.0);
        for (int i = 0; i < 3; ++i)
            row += ag_sat_box(below[i + 1], below[i], above[i + 1], above[i], squares) *
                weight[i].x;
        for (int i = 0; i < 4; ++i)
            above[i] = below[i];
        sum += row * weight[j].y;
    }
    return sum;
}
#endif

// ---- boxes that need not lie in the image ------------------------------------------------------

ag_sat_entry ag_sat_read(ivec2 corner, const bool squares)
{
    ivec2 size = AG_SAT_SIZE;
    ag_sat_axis x = ag_sat_around(corner.x, corner.x, size.x),
        y = ag_sat_around(corner.y, corner.y, size.y);
    return ag_sat_load(ivec2(x.place.x, y.place.x), x.count.x * y.count.x, squares);
}

// Whole edges: 4 reads.
vec4 ag_sat_whole(ivec2 from, ivec2 to, const bool squares)
{
    if (AG_SAT_INSIDE == 0) {
        from = clamp(from, ivec2(0), AG_SAT_SIZE);
        to = clamp(to, from, AG_SAT_SIZE);
    }
    return ag_sat_box(ag_sat_read(to, squares), ag_sat_read(ivec2(from.x, to.y), squares),
                      ag_sat_read(ivec2(to.x, from.y), squares), ag_sat_read(from, squares),
                          squares);
}

vec4 ag_sat_parts(ivec2 first, vec2 first_part, ivec2 last, vec2 last_part, const bool squares)
{
    if (first_part == vec2(0.0) && last_part == vec2(0.0))
        return ag_sat_whole(first, last, squares);
    return ag_sat_nine(first, first_part, last, last_part, squares);
}

vec4 ag_sat_cut(vec2 from, vec2 to, const bool squares)
{
    if (AG_SAT_INSIDE == 0) {
        from = clamp(from, vec2(0.0), vec2(AG_SAT_SIZE));
        to = clamp(to, from, vec2(AG_SAT_SIZE));
    }
    vec2 first = floor(from), last = floor(to);
    return ag_sat_parts(ivec2(first), from - first, ivec2(last), to - last, squares);
}

// ---- for your shaders --------------------------------------------------------------------------

float ag_sat_area(vec2 from, vec2 to)
{
    vec2 side = clamp(to, vec2(0.0), vec2(AG_SAT_SIZE)) - clamp(from, vec2(0.0), vec2(AG_SAT_SIZE));
    return max(side.x, 0.0) * max(side.y, 0.0);
}

vec4 ag_sat_sum(vec2 from, vec2 to)
{
    return ag_sat_cut(from, to, false) + AG_SAT_OFFSET * ag_sat_area(from, to);
}

vec4 ag_sat_sum(ivec2 from, ivec2 to)
{
    return ag_sat_whole(from, to, false) + AG_SAT_OFFSET * ag_sat_area(vec2(from), vec2(to));
}

vec4 ag_sat_mean(vec2 from, vec2 to)
{
    return ag_sat_cut(from, to, false) / ag_sat_area(from, to) + AG_SAT_OFFSET;
}

#ifdef AG_SAT_SQUARES
// The deviation does not depend on the offset, and an offset near the mean keeps the squares small.
void ag_sat_moments(vec2 from, vec2 to, out vec4 mean, out vec4 deviation)
{
    float area = ag_sat_area(from, to);
    vec4 first = ag_sat_cut(from, to, false) / area, second = ag_sat_cut(from, to, true) / area;
    mean = first + AG_SAT_OFFSET;
    deviation = sqrt(max(second - first * first, 0.0));
}
#endif
#endif
