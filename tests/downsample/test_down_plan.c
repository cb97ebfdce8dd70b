// test_down_plan.c - how downsample cuts images: what its shaders take for granted, for sizes of
// every kind
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <afterglow/downsample.h>

#include "check.h"
#include "effects/downsample/down_plan.h"
#include "random.h"

static int cell_first(const ag_down_axis *a, int i)
{
    return (int)((int64_t)i * a->size / a->outputs);
}

static int cell_end(const ag_down_axis *a, int i)
{
    return (int)(((int64_t)(i + 1) * a->size + a->outputs - 1) / a->outputs);
}

// A group's cells lie in its runs of 64 columns, and its lanes are threads that there are.
static void check_columns(const ag_down_target *t)
{
    const ag_down_columns *c = &t->columns;
    const ag_down_axis *x = &t->axes[0], *y = &t->axes[1];
    CHECK((c->lanes & (c->lanes - 1)) == 0 && c->lanes >= 1);
    CHECK(c->sharing == 1 || c->sharing == 2 || c->sharing == 4);
    CHECK_F(4 / c->sharing * c->outputs * c->lanes <= 256, "%d outputs, %d lanes", c->outputs,
            c->lanes);
    CHECK(c->groups[0] * c->outputs >= x->outputs && c->groups[1] * (4 / c->sharing) >= y->outputs);
    for (int i = 0; i < x->outputs; i += c->outputs) {
        int last = i + c->outputs < x->outputs ? i + c->outputs - 1 : x->outputs - 1;
        CHECK_F(cell_end(x, last) - cell_first(x, i) <= AG_DOWN_RUN * c->runs, "%d to %d: from %d",
                x->size, x->outputs, i);
    }
}

// No tile meets more cells than strips have room for, those of one round fit its threads, and
// whether a second dispatch is needed is as it is.
static void check_sums(const ag_down_plan *p, const ag_down_target *t)
{
    const int tile[2] = {AG_DOWN_SUMS_WIDTH, p->rows};
    bool cut = false;
    for (int axis = 0; axis < 2; ++axis) {
        const ag_down_axis *a = &t->axes[axis];
        CHECK_EQ(p->tiles[axis], (a->size + tile[axis] - 1) / tile[axis]);
        for (int first = 0, i = 0; first < a->size; first += tile[axis]) {
            int end = first + tile[axis] < a->size ? first + tile[axis] : a->size, count = 0;
            while (i > 0 && cell_end(a, i - 1) > first)
                --i;
            for (; i < a->outputs && cell_first(a, i) < end; ++i) {
                ++count;
                cut |= cell_first(a, i) < first || cell_end(a, i) > end;
            }
            CHECK_F(count <= t->cells[axis], "%d to %d: %d cells, room for %d", a->size, a->outputs,
                    count, t->cells[axis]);
        }
    }
    CHECK(t->finishes == cut);
    CHECK((t->lanes & (t->lanes - 1)) == 0 && (t->finish_lanes & (t->finish_lanes - 1)) == 0);
    CHECK_F(t->lanes == 1 || t->lanes * t->cells[0] <= AG_DOWN_SUMS_WIDTH, "%d lanes, %d cells",
            t->lanes, t->cells[0]);
}

// Cells of blocks are whole, and each has lanes.
static void check_block(const ag_down_plan *p, const ag_down_target *t)
{
    const ag_down_blocks *b = &p->blocks;
    int outputs = 1;
    for (int axis = 0; axis < 2; ++axis) {
        int side = b->cells[axis] * b->first[axis];
        CHECK_EQ(t->axes[axis].to, 1);
        CHECK_EQ(t->axes[axis].from % b->first[axis], 0);
        CHECK_EQ(side % t->axes[axis].from, 0);
        CHECK_EQ(b->groups[axis], (t->axes[axis].size + side - 1) / side);
        outputs *= side / t->axes[axis].from;
    }
    CHECK(b->cells[0] * b->cells[1] <= AG_DOWN_LANES);
    CHECK(t->block_lanes >= 1 && outputs * t->block_lanes <= AG_DOWN_LANES &&
          (t->block_lanes & (t->block_lanes - 1)) == 0);
}

static void check_plan(const int source[2], int count, const int sizes[][2])
{
    static const ag_tuning usual = {0};
    ag_down_plan p;
    for (int method = AG_DOWN_AUTO; method <= AG_DOWN_PARTIAL_SUMS; ++method) {
        ag_down_plan_make(source, count, sizes, method, &usual, &p);
        CHECK(method == AG_DOWN_AUTO || p.method == method);
        int64_t entries = 0;
        for (int i = 0; i < count; ++i) {
            const ag_down_target *t = &p.targets[i];
            for (int axis = 0; axis < 2; ++axis) {
                const ag_down_axis *a = &t->axes[axis];
                int most = 0;
                CHECK((int64_t)a->from * a->outputs == (int64_t)a->to * a->size);
                for (int k = 0; k < a->outputs; ++k)
                    most = cell_end(a, k) - cell_first(a, k) > most
                               ? cell_end(a, k) - cell_first(a, k)
                               : most;
                CHECK_EQ(ag_down_most_taps(a), most);
                CHECK(!t->taps || most <= t->taps);
            }
            check_columns(t);
            if (p.method == AG_DOWN_BLOCKS)
                check_block(&p, t);
            if (p.method != AG_DOWN_PARTIAL_SUMS)
                continue;
            check_sums(&p, t);
            CHECK_EQ(t->begin, entries);
            entries += t->finishes
                           ? 2 * ((int64_t)t->cells[0] + t->cells[1]) * p.tiles[0] * p.tiles[1]
                           : 0;
        }
        CHECK_EQ(p.entries, entries);
    }
}

static void test_cuts(void **state)
{
    (void)state;
    rng r = rng_start("cuts", 250);
    static const int fixed[][4] = {
        {1, 1, 1, 1},         {16384, 16384, 1, 1},        {16384, 16384, 16383, 16381},
        {2048, 2048, 64, 64}, {3840, 2160, 1920, 1080},    {3840, 2160, 1279, 719},
        {257, 33, 256, 32},   {16384, 1, 8191, 1},         {64, 16384, 63, 2},
        {4096, 4096, 1, 1},   {16384, 16384, 16384, 16384}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
        check_plan(fixed[i], 1, (const int(*)[2]) & fixed[i][2]);
    for (int i = 0; i < 150; ++i) {
        int source[2], sizes[4][2], count = rng_int(&r, 1, 4);
        for (int axis = 0; axis < 2; ++axis) {
            source[axis] = (int)rng_hdr(&r, 1, 5000);
            for (int k = 0; k < count; ++k)
                sizes[k][axis] = (int)rng_hdr(&r, 1, source[axis] + 0.999);
        }
        check_plan(source, count, (const int(*)[2])sizes);
    }
    printf("  ok    161 plans by four methods\n");
}

// Weights of lanczos add up to 1, to their rounding, and are those of the same distance on either
// side.
static void test_lanczos(void **state)
{
    (void)state;
    static const int sizes[][2] = {{87, 19}, {16, 1},      {1024, 64}, {31, 62},
                                   {5, 5},   {1920, 1279}, {7, 16384}};
    double off = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int radius = 2; radius <= 3; ++radius) {
            ag_down_axis a = ag_down_axis_of(sizes[i][0], sizes[i][1]);
            int taps = ag_down_lanczos_taps(&a, radius);
            float *weights = check_allocate(sizeof *weights * (size_t)a.to * (size_t)taps);
            ag_down_lanczos_weights(&a, radius, weights);
            CHECK_EQ(taps % 4, 0);
            for (int phase = 0; phase < a.to; ++phase) {
                double sum = 0, point = ((2.0 * phase + 1) * a.from - a.to) / (2.0 * a.to);
                int first = ag_down_lanczos_first(&a, radius, phase);
                double stretch = a.from > a.to ? (double)a.from / a.to : 1;
                CHECK(first > point - radius * stretch - 1e-9 &&
                      first - 1 <= point - radius * stretch + 1e-9);
                CHECK(first + taps >= point + radius * stretch - 1e-9);
                for (int k = 0; k < taps; ++k)
                    sum += (double)weights[phase * taps + k];
                off = check_worse(off, fabs(sum - 1));
            }
            free(weights);
        }
    CHECK_LIMIT("sums of weights, off 1", off, 1e-6);
}

// What a tuning says is what `auto` takes; by default as measured.
static void test_tuned(void **state)
{
    (void)state;
    static const struct {
        int source[2], size[2];
        ag_tuning tuning;
        int method;
    } cases[] = {
        {{1920, 1080}, {480, 270}, {0}, AG_DOWN_TILE},
        {{1920, 1080}, {480, 270}, {.tile_taps = 3}, AG_DOWN_BLOCKS},
        {{1920, 1080},
         {480, 270},
         {.tile_taps = 3, .block_rows = 1, .few_groups = 1 << 24},
         AG_DOWN_PARTIAL_SUMS},
        {{1920, 1080}, {320, 180}, {.tile_taps = 6}, AG_DOWN_TILE},
        {{3840, 2160}, {320, 180}, {0}, AG_DOWN_BLOCKS},
        {{3840, 2160}, {320, 180}, {.block_rows = 11}, AG_DOWN_PARTIAL_SUMS},
        {{3840, 2160}, {480, 270}, {0}, AG_DOWN_COLUMNS},
        {{4096, 4096}, {128, 128}, {.shared_rows = 32}, AG_DOWN_PARTIAL_SUMS},
        {{4096, 4096}, {128, 128}, {.shared_rows = 31}, AG_DOWN_COLUMNS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ag_down_plan p;
        const int sizes[][2] = {{cases[i].size[0], cases[i].size[1]}};
        ag_down_plan_make(cases[i].source, 1, sizes, AG_DOWN_AUTO, &cases[i].tuning, &p);
        CHECK_F(p.method == cases[i].method, "case %d: method %d", (int)i, p.method);
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_cuts), UNIT_TEST(test_tuned),
                                UNIT_TEST(test_lanczos)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
