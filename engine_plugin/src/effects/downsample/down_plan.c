// down_plan.c - how an image is cut into groups and tiles, method by method
// SPDX-License-Identifier: MIT
#include "effects/downsample/down_plan.h"
#include "base/rounding.h"

#include <afterglow/downsample.h>
#include <math.h>

// Groups of 256 threads that fill a large GPU twice: fewer leave parts of it without work.
enum { ENOUGH_GROUPS = 512 };
// Rows of a tile of sums.comp: columns are then sums of at most eight sums of four, which the bound
// of errors counts on.
enum { MAX_ROWS = 32, MIN_ROWS = 8 };

// The largest power of two that is above neither; 1 if there is none.
static int32_t power_of_two(int32_t most, int32_t limit)
{
    int32_t power = 1;
    while (2 * power <= ag_min(most, limit))
        power *= 2;
    return power;
}

static int32_t divisor_of(int32_t a, int32_t b) // the greatest of both
{
    return b ? divisor_of(b, a % b) : a;
}

ag_down_axis ag_down_axis_of(int32_t size, int32_t outputs)
{
    int32_t divisor = divisor_of(size, outputs);
    return (ag_down_axis){size, outputs, size / divisor, outputs / divisor};
}

// Texels, or tiles of texels, that a cell touches: of its first `cells` cells the one which touches
// most.
static int32_t most_touched(const ag_down_axis *a, int32_t cells, int32_t tile)
{
    int32_t most = 1;
    for (int32_t i = 0; i < cells; ++i) {
        int64_t first = (int64_t)i * a->from / a->to;
        int64_t end = ((int64_t)(i + 1) * a->from + a->to - 1) / a->to;
        most = ag_max(most, (int32_t)((end - 1) / tile - first / tile) + 1);
    }
    return most;
}

// A cell begins and ends within a texel where the sizes do not divide: then it touches one more. Of
// 3/2 no cell touches three texels of which it has less than all: its phases are 0 and 1/2.
int32_t ag_down_most_taps(const ag_down_axis *a)
{
    return most_touched(a, a->to, 1);
}

// ---- columns -----------------------------------------------------------------------------------

// Texels of `count` neighbouring cells, at most.
static int32_t width_of(const ag_down_axis *a, int32_t count)
{
    int64_t whole = (int64_t)count * a->from;
    return (int32_t)((whole + a->to - 1) / a->to) + (a->to > 1);
}

static ag_down_columns cut_columns(const ag_down_axis axes[2])
{
    const ag_down_axis *x = &axes[0], *y = &axes[1];
    int32_t ratio = ag_div_up(y->from, y->to);
    ag_down_columns c = {.outputs = 1, .sharing = ratio <= 8 ? 1 : ratio <= 16 ? 2 : 4};
    while (c.outputs < ag_min(x->outputs, AG_DOWN_RUN) && width_of(x, c.outputs + 1) <= AG_DOWN_RUN)
        ++c.outputs;
    c.runs = ag_div_up(width_of(x, c.outputs), AG_DOWN_RUN);
    // As many lanes as there are threads for, but each with two columns or more.
    int32_t rows = 4 / c.sharing, columns = ag_min(width_of(x, 1), AG_DOWN_RUN);
    c.lanes = power_of_two(ag_min(256 / (rows * c.outputs), columns / 2), 16);
    c.groups[0] = ag_div_up(x->outputs, c.outputs);
    c.groups[1] = ag_div_up(y->outputs, rows);
    return c;
}

// ---- blocks ------------------------------------------------------------------------------------

enum { MAX_FIRST = 5, MAX_SIDE = 64, MIN_CELLS = 64 };

// A block is the smallest common multiple of all ratios, or several of them, up to 64 texels and 16
// first cells. A first cell is as large as can be: fewer sums go through shared memory then.
bool ag_down_blocks_of(const ag_down_target *targets, int32_t count, ag_down_blocks *b)
{
    *b = (ag_down_blocks){.first = {1, 1}};
    for (int axis = 0; axis < 2; ++axis) {
        int32_t common = targets[0].axes[axis].from, side = 1;
        for (int32_t i = 0; i < count; ++i) {
            const ag_down_axis *a = &targets[i].axes[axis];
            if (a->to != 1 || a->from > MAX_SIDE)
                return false;
            common = divisor_of(common, a->from);
            side = side / divisor_of(side, a->from) * a->from;
        }
        for (int32_t f = 2; f <= MAX_FIRST; ++f)
            if (common % f == 0)
                b->first[axis] = f;
        int32_t cells = side / b->first[axis];
        if (side > MAX_SIDE || cells > AG_DOWN_LANES)
            return false;
        b->cells[axis] = cells > 16 ? cells : 16 / cells * cells;
        b->groups[axis] = ag_div_up(targets[0].axes[axis].size, b->cells[axis] * b->first[axis]);
    }
    int32_t cells = b->cells[0] * b->cells[1];
    for (int32_t i = 0; i < count; ++i)
        b->larger |=
            targets[i].axes[0].from != b->first[0] || targets[i].axes[1].from != b->first[1];
    return cells <= AG_DOWN_LANES && cells >= MIN_CELLS;
}

static void plan_blocks(ag_down_plan *p)
{
    for (int32_t i = 0; i < p->count; ++i) {
        ag_down_target *t = &p->targets[i];
        int32_t sums = 1, outputs = 1;
        for (int axis = 0; axis < 2; ++axis) {
            sums *= t->axes[axis].from / p->blocks.first[axis];
            outputs *= p->blocks.cells[axis] * p->blocks.first[axis] / t->axes[axis].from;
        }
        t->block_lanes = power_of_two(ag_min(AG_DOWN_LANES / outputs, sums / 2), 32);
    }
}

// ---- partial sums ------------------------------------------------------------------------------

static int32_t tile_size(const ag_down_plan *p, int axis)
{
    return axis ? p->rows : AG_DOWN_SUMS_WIDTH;
}

static void cut_sums(ag_down_plan *p, ag_down_target *t)
{
    int32_t tiles[2];
    for (int axis = 0; axis < 2; ++axis) {
        const ag_down_axis *a = &t->axes[axis];
        int32_t tile = ag_min(tile_size(p, axis), a->size);
        int64_t cells = ((int64_t)tile * a->to + a->from - 1) / a->from + 1;
        t->cells[axis] = (int32_t)(cells < a->outputs ? cells : a->outputs);
        tiles[axis] = most_touched(a, a->outputs, tile_size(p, axis));
    }
    // Lanes are few where cells are: then one round of 256 threads has all cells of a tile.
    int32_t width = width_of(&t->axes[0], 1), columns = ag_min(width, AG_DOWN_SUMS_WIDTH);
    t->lanes = power_of_two(ag_min(256 / ag_min(t->cells[0], 256), columns / 4), 32);
    int32_t parts = tiles[0] * tiles[1];
    t->finish_lanes = parts <= 8 ? 1 : power_of_two(parts / 4, AG_DOWN_LANES);
    t->finishes = parts > 1;
    t->begin = (int32_t)p->entries;
    if (t->finishes)
        t->entries = 2 * ((int64_t)t->cells[0] + t->cells[1]) * p->tiles[0] * p->tiles[1];
    p->entries += t->entries;
}

static void plan_sums(const int32_t source[2], ag_down_plan *p)
{
    p->tiles[0] = ag_div_up(source[0], AG_DOWN_SUMS_WIDTH);
    p->rows = MAX_ROWS;
    while (p->rows > MIN_ROWS && p->tiles[0] * ag_div_up(source[1], p->rows) < ENOUGH_GROUPS)
        p->rows /= 2;
    p->tiles[1] = ag_div_up(source[1], p->rows);
    for (int32_t i = 0; i < p->count; ++i)
        cut_sums(p, &p->targets[i]);
}

// ---- which method ------------------------------------------------------------------------------

// Tile loads the square of its taps an output: of ratios between 3 and 4 that is 25, of some ten
// texels that are its own, but from caches, and no thread waits for another. On an H200 it takes
// two thirds of what columns take.
static int32_t choose(const ag_down_plan *p, const ag_tuning *tuning)
{
    const ag_down_target *t = &p->targets[0];
    // A thread has four loads or more. For one target the other methods are as fast or faster.
    if (p->count > 1 && p->blocks.first[0] * p->blocks.first[1] >= 4)
        return AG_DOWN_BLOCKS;
    if (p->count > 1)
        return AG_DOWN_PARTIAL_SUMS;
    int32_t taps = ag_max(ag_down_most_taps(&t->axes[0]), ag_down_most_taps(&t->axes[1]));
    if (taps <= ag_tuned(tuning, &tuning->tile_taps))
        return AG_DOWN_TILE;
    // On an H100 3840 x 2160 to 640 x 360 takes 43.3 us by blocks, by the next best method 54.6, to
    // 320 x 180 48.9 and 58.1. The others read blocks of 8 x 4 texels: to 480 x 270 they take 47.1,
    // and blocks 48.3.
    int32_t width = t->axes[0].from, rows = ag_div_up(t->axes[1].from, t->axes[1].to);
    if (p->blocks.first[0] * p->blocks.first[1] >= 4 && (width % 8 || rows % 8) &&
        rows <= ag_tuned(tuning, &tuning->block_rows))
        return AG_DOWN_BLOCKS;
    const ag_down_columns *c = &t->columns;
    // Where rows of threads share an output, each has few texels of a small ratio: on an H200 from
    // 2048 x 2048 to 64 x 64 columns take 27.6 us and partial sums 21.7, from 4096 x 4096 to 509 x
    // 509 156 and 118; on an H100 from 3840 x 2160 to 240 x 135 63.2 and 56.7.
    bool few = c->sharing > 1 && rows <= ag_tuned(tuning, &tuning->shared_rows);
    // Groups of columns have work for so long that one for each multiprocessor is enough.
    bool idle = c->groups[0] * c->groups[1] <= ag_tuned(tuning, &tuning->few_groups);
    return few || idle ? AG_DOWN_PARTIAL_SUMS : AG_DOWN_COLUMNS;
}

static int32_t taps_of(const ag_down_target *t)
{
    int32_t taps = ag_max(ag_down_most_taps(&t->axes[0]), ag_down_most_taps(&t->axes[1]));
    return taps <= 2 ? 2 : taps <= 5 ? taps : 0;
}

void ag_down_plan_make(const int32_t source[2], int32_t count, const int32_t sizes[][2],
                       int32_t method, const ag_tuning *tuning, ag_down_plan *p)
{
    *p = (ag_down_plan){.count = count, .method = method};
    for (int32_t i = 0; i < count; ++i) {
        ag_down_target *t = &p->targets[i];
        for (int axis = 0; axis < 2; ++axis)
            t->axes[axis] = ag_down_axis_of(source[axis], sizes[i][axis]);
        t->taps = taps_of(t);
        t->columns = cut_columns(t->axes);
    }
    if (!ag_down_blocks_of(p->targets, count, &p->blocks))
        p->blocks = (ag_down_blocks){0};
    if (method == AG_DOWN_AUTO)
        p->method = choose(p, tuning);
    if (p->method == AG_DOWN_BLOCKS && p->blocks.cells[0])
        plan_blocks(p);
    if (p->method == AG_DOWN_PARTIAL_SUMS)
        plan_sums(source, p);
}

// ---- lanczos -----------------------------------------------------------------------------------

// Texels nearer than radius times the ratio, of one side and the other.
int32_t ag_down_lanczos_taps(const ag_down_axis *a, int32_t radius)
{
    int32_t taps = ag_div_up(2 * radius * ag_max(a->from, a->to), a->to);
    return (taps + 3) / 4 * 4;
}

// As shaders/downsample/lanczos.comp has it: the first texel after the point less the reach.
int32_t ag_down_lanczos_first(const ag_down_axis *a, int32_t radius, int32_t output)
{
    int64_t at =
        (2 * (int64_t)output + 1) * a->from - a->to - 2 * (int64_t)radius * ag_max(a->from, a->to);
    int64_t by = 2 * (int64_t)a->to, down = at >= 0 ? at / by : -((-at + by - 1) / by);
    return (int32_t)down + 1;
}

static double sinc(double x)
{
    const double pi = 3.14159265358979323846;
    return x == 0 ? 1 : sin(pi * x) / (pi * x);
}

void ag_down_lanczos_weights(const ag_down_axis *a, int32_t radius, float *weights)
{
    int32_t taps = ag_down_lanczos_taps(a, radius);
    double stretch = (double)ag_max(a->from, a->to) / a->to;
    for (int32_t phase = 0; phase < a->to; ++phase) {
        double point = ((2.0 * phase + 1) * a->from - a->to) / (2.0 * a->to), sum = 0;
        int32_t first = ag_down_lanczos_first(a, radius, phase);
        for (int pass = 0; pass < 2; ++pass) // the sum, then what is divided by it
            for (int32_t i = 0; i < taps; ++i) {
                double x = (first + i - point) / stretch;
                double w = fabs(x) < radius ? sinc(x) * sinc(x / radius) : 0;
                if (pass)
                    weights[(int64_t)phase * taps + i] = (float)(w / sum);
                else
                    sum += w;
            }
    }
}
