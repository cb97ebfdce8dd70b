// sat/query.glsl - asks a summed-area table: sums, means and deviations of boxes. Made for your shaders
//
//   Needs GLSL 4.20 or later, includes nothing, declares nothing but what begins with ag_sat_ or AG_SAT_.
//   Before including it, define
//
//     AG_SAT_STORAGE     1 float32, 2 float32_residual, 3 double_float, 4 uint32, 5 split (as in sat.h)
//     AG_SAT_SIZE        ivec2: width and height of the image
//     AG_SAT_TABLE(p)    the table's entry at ivec2 p: a vec4, for uint32 a uvec4. Such as
//                        texelFetch(t_table, p, 0). Never a filtered texture(): its weights have 8 bits
//     AG_SAT_LOW(p)      float32_residual, double_float, split: the same of the slot `low`
//     AG_SAT_SQUARES(p), AG_SAT_SQUARES_LOW(p)   for deviations: the same of those slots
//   and where they are not the defaults
//     AG_SAT_OFFSET      vec4: what sat took off: vec4(0.5), or the texel of the slot `mean`; default 0
//     AG_SAT_UNITS       uint32: float, units of 1: 2^fraction_bits, or 255 for 8-bit images (the plan's
//                        text says which; ag_sat_fraction_bits in sat.h computes it); default 255
//     AG_SAT_SQUARE_UNITS   the same of squares: 2^their bits, or 65025; default 65025
//     AG_SAT_EXCLUSIVE   1: edge = exclusive; default 0
//     AG_SAT_CENTER      1: origin = center; default 0
//     AG_SAT_EXACT       0: plain differences, a third of the arithmetic and up to twice the bound of float32;
//                        not for other storages; default 1
//
//   Then there are, with edges in texels, so that texel (x,y) lies between the edges x and x + 1:
//
//     vec4 ag_sat_sum(ivec2 from, ivec2 to)      of the texels from <= p < to. 4 reads
//     vec4 ag_sat_sum(vec2 from, vec2 to)        edges anywhere: a texel counts by its part inside.
//                                                16 reads, 4 where all edges are whole
//     float ag_sat_area(vec2 from, vec2 to)      of the part of the box that lies in the image
//     vec4 ag_sat_mean(vec2 from, vec2 to)       sum / area; the box must touch the image
//     void ag_sat_moments(vec2 from, vec2 to, out vec4 mean, out vec4 deviation)
//                                                deviation: sqrt(E[x^2] - E[x]^2), of all texels
//   Boxes are cut at the image's edges. Alpha and channels that the table lacks hold nothing of use.
//
//   error     of a mean: ag_sat_error in sat.h. Differences of entries are exact (two-sums), so what the
//             table holds is what comes out
//   source    Crow 1984; two-sum: Knuth, TAOCP 4.2.2; docs/sat.md
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_QUERY_GLSL
#define AG_SAT_QUERY_GLSL
#if !defined(AG_SAT_STORAGE) || !defined(AG_SAT_SIZE) || !defined(AG_SAT_TABLE)
#error "AG_SAT_STORAGE, AG_SAT_SIZE and AG_SAT_TABLE(p) must be defined; see the head of sat/query.glsl"
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

// ---- an entry ----------------------------------------------------------------------------------
// S at a corner between texels: the sum of all texels left of and above it (CENTER: between it and the
// centre, negative left of it or above it, not both).

#if AG_SAT_STORAGE == 4
#define ag_sat_entry uvec4
#else
struct ag_sat_entry {
    vec4 high, low; // their sum, exactly
};
#endif

ivec2 ag_sat_place(ivec2 corner)
{
#if AG_SAT_EXCLUSIVE
    return corner;
#elif AG_SAT_CENTER
    return corner - ivec2(greaterThan(corner, AG_SAT_SIZE / 2)); // the last texel towards the centre
#else
    return max(corner - 1, 0); // where that is not it, the sum is zero: see below
#endif
}

// 1, or 0 where nothing lies left or above, or -1.
int ag_sat_sign(ivec2 corner)
{
#if AG_SAT_EXCLUSIVE
    return 1;
#elif AG_SAT_CENTER
    ivec2 s = sign(corner - AG_SAT_SIZE / 2);
    return s.x * s.y;
#else
    return int(all(greaterThan(corner, ivec2(0))));
#endif
}

ag_sat_entry ag_sat_read(ivec2 corner, const bool squares)
{
    ivec2 p = min(ag_sat_place(corner), AG_SAT_SIZE - 1 + AG_SAT_EXCLUSIVE);
#if AG_SAT_STORAGE == 4
    uvec4 entry = AG_SAT_TABLE(p);
#ifdef AG_SAT_SQUARES
    if (squares)
        entry = AG_SAT_SQUARES(p);
#endif
    return entry * uint(ag_sat_sign(corner));
#else
    float factor = float(ag_sat_sign(corner));
    ag_sat_entry entry;
    entry.high = AG_SAT_TABLE(p);
    entry.low = vec4(0.0);
#ifdef AG_SAT_SQUARES
    if (squares)
        entry.high = AG_SAT_SQUARES(p);
#endif
#if AG_SAT_STORAGE == 2 || AG_SAT_STORAGE == 3
    entry.low = AG_SAT_LOW(p);
#ifdef AG_SAT_SQUARES_LOW
    if (squares)
        entry.low = AG_SAT_SQUARES_LOW(p);
#endif
#elif AG_SAT_STORAGE == 5
    // The tile's own sum, what is above it (at x, of row p.y / 32) and left of it (at y, of column p.x / 32).
    ivec2 tiles = (AG_SAT_SIZE + 31) / 32, tile = p / 32;
    ivec2 above = ivec2(p.x, tile.y), left = ivec2(p.y, 2 * tiles.y + tile.x);
    vec4 a = AG_SAT_LOW(above), a_low = AG_SAT_LOW(above + ivec2(0, tiles.y));
    vec4 b = AG_SAT_LOW(left), b_low = AG_SAT_LOW(left + ivec2(0, tiles.x));
#ifdef AG_SAT_SQUARES_LOW
    if (squares) {
        a = AG_SAT_SQUARES_LOW(above);
        a_low = AG_SAT_SQUARES_LOW(above + ivec2(0, tiles.y));
        b = AG_SAT_SQUARES_LOW(left);
        b_low = AG_SAT_SQUARES_LOW(left + ivec2(0, tiles.x));
    }
#endif
    precise vec4 sum = a + b;
    precise vec4 part = sum - a;
    precise vec4 error = (a - (sum - part)) + (b - part);
    precise vec4 rest = entry.high + (error + (a_low + b_low));
    entry.high = sum;
    entry.low = rest;
#endif
    entry.high *= factor;
    entry.low *= factor;
    return entry;
#endif
}

// ---- a box with whole edges --------------------------------------------------------------------

// a - b - c + d without losing what the large numbers have in common: values less the offset.
vec4 ag_sat_box(ag_sat_entry a, ag_sat_entry b, ag_sat_entry c, ag_sat_entry d, const bool squares)
{
#if AG_SAT_STORAGE == 4
    // Modulo 2^32: right as long as the box itself stays below.
    return vec4(a - b - c + d) / (squares ? AG_SAT_SQUARE_UNITS : AG_SAT_UNITS);
#elif !AG_SAT_EXACT
    return (a.high - b.high) - (c.high - d.high);
#else
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
#endif
}

vec4 ag_sat_whole(ivec2 from, ivec2 to, const bool squares)
{
    from = clamp(from, ivec2(0), AG_SAT_SIZE);
    to = clamp(to, from, AG_SAT_SIZE);
    return ag_sat_box(ag_sat_read(to, squares), ag_sat_read(ivec2(from.x, to.y), squares),
                      ag_sat_read(ivec2(to.x, from.y), squares), ag_sat_read(from, squares), squares);
}

// ---- a box with any edges ----------------------------------------------------------------------
// Of nine boxes with whole edges, each exact:
//
//        x0   from        to   x1      x0, x1: whole edges around `from`; then around `to`
//     y0 +----+-----------+----+
//        | ab |    b      | cb |       weights: a = 1 - fract(from), 1, c = fract(to)
//        +----+-----------+----+
//        | a  |    1      | c  |       All in one texel: the middle is -1 wide and takes back what is
//        +----+-----------+----+       too much.
//        | ac |    c      | cc |
//     y1 +----+-----------+----+

#if AG_SAT_STORAGE != 4 && !AG_SAT_EXACT
// The table along one whole edge: what lies above it, of columns weighted a, 1, c.
vec4 ag_sat_edge(ivec2 from, ivec2 to, int y, float a, float c, const bool squares)
{
    vec4 x0 = ag_sat_read(ivec2(from.x, y), squares).high, x1 = ag_sat_read(ivec2(from.y, y), squares).high;
    vec4 x2 = ag_sat_read(ivec2(to.x, y), squares).high, x3 = ag_sat_read(ivec2(to.y, y), squares).high;
    return (x1 - x0) * a + (x2 - x1) + (x3 - x2) * c;
}
#endif

// Edges as whole texels and the part beyond them, 0 <= part < 1; 0 <= from <= to <= size.
vec4 ag_sat_parts(ivec2 first, vec2 first_part, ivec2 last, vec2 last_part, const bool squares)
{
    if (first_part == vec2(0.0) && last_part == vec2(0.0))
        return ag_sat_whole(first, last, squares);
#if AG_SAT_STORAGE != 4 && !AG_SAT_EXACT
    // The same without the nine: differences along each edge, weighted, then between the edges.
    // In straight-line code: all 16 reads can be on their way at once.
    ivec2 next_first = min(first + 1, AG_SAT_SIZE), next_last = min(last + 1, AG_SAT_SIZE);
    ivec2 from = ivec2(first.x, next_first.x), to = ivec2(last.x, next_last.x);
    float a = 1.0 - first_part.x, c = last_part.x;
    vec4 y0 = ag_sat_edge(from, to, first.y, a, c, squares);
    vec4 y1 = ag_sat_edge(from, to, next_first.y, a, c, squares);
    vec4 y2 = ag_sat_edge(from, to, last.y, a, c, squares);
    vec4 y3 = ag_sat_edge(from, to, next_last.y, a, c, squares);
    return (y1 - y0) * (1.0 - first_part.y) + (y2 - y1) + (y3 - y2) * last_part.y;
#else
    ivec2 e[4] = ivec2[4](first, min(first + 1, AG_SAT_SIZE), last, min(last + 1, AG_SAT_SIZE));
    vec2 weight[3] = vec2[3](1.0 - first_part, vec2(1.0), last_part);
    vec4 sum = vec4(0.0);
    ag_sat_entry above[4];
    for (int i = 0; i < 4; ++i)
        above[i] = ag_sat_read(ivec2(e[i].x, e[0].y), squares);
    for (int j = 0; j < 3; ++j) {
        ag_sat_entry left = ag_sat_read(ivec2(e[0].x, e[j + 1].y), squares);
        vec4 row = vec4(0.0);
        for (int i = 0; i < 3; ++i) {
            ag_sat_entry right = ag_sat_read(ivec2(e[i + 1].x, e[j + 1].y), squares);
#if AG_SAT_STORAGE == 4
            // The middle may be -1 wide: its integer is negative.
            vec4 box = vec4(ivec4(right - left - above[i + 1] + above[i])) /
                       (squares ? AG_SAT_SQUARE_UNITS : AG_SAT_UNITS);
            if (e[i + 1].x >= e[i].x && e[j + 1].y >= e[j].y)
                box = ag_sat_box(right, left, above[i + 1], above[i], squares);
#else
            vec4 box = ag_sat_box(right, left, above[i + 1], above[i], squares);
#endif
            row += box * weight[i].x;
            above[i] = left;
            left = right;
        }
        above[3] = left;
        sum += row * weight[j].y;
    }
    return sum;
#endif
}

vec4 ag_sat_cut(vec2 from, vec2 to, const bool squares)
{
    from = clamp(from, vec2(0.0), vec2(AG_SAT_SIZE));
    to = clamp(to, from, vec2(AG_SAT_SIZE));
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
// The offset drops out of the deviation, and takes with it most of what squares cost in precision.
void ag_sat_moments(vec2 from, vec2 to, out vec4 mean, out vec4 deviation)
{
    float area = ag_sat_area(from, to);
    vec4 first = ag_sat_cut(from, to, false) / area, second = ag_sat_cut(from, to, true) / area;
    mean = first + AG_SAT_OFFSET;
    deviation = sqrt(max(second - first * first, 0.0));
}
#endif

#endif
