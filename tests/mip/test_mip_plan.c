// test_mip_plan.c - tiles of a chain: every texel of every level made once, from texels that were
// computed
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "effects/mip/mip_plan.h"
#include "random.h"

enum { SHARED = 1536 };

// One axis of a stage, tile by tile, as the shader computes it: regions follow from the last level
// upwards here, and from `halo` there; both must agree, hold all taps, and own each texel once.
static void check_axis(const ag_mip_plan *p, const ag_mip_stage *s, int axis)
{
    int32_t size = axis ? p->request.height : p->request.width,
            covered[AG_MIP_TILE_LEVELS + 1] = {0};
    for (int32_t tile = 0; tile < s->tiles[axis]; ++tile) {
        int32_t owned = s->tile >> s->levels, last = ag_mip_size(size, s->source + s->levels);
        int32_t start = tile * owned, end = start + owned < last ? start + owned : last;
        CHECK(start < last);
        for (int32_t j = s->levels; j >= 1; --j) {
            int32_t whole = ag_mip_size(size, s->source + j), nominal = s->tile >> j;
            CHECK_EQ(start, tile * nominal);
            int32_t halo = 0;
            for (int32_t k = s->levels - 1; k >= j; --k) {
                int32_t at = ag_mip_size(size, s->source + k);
                halo = 2 * halo + (at > 1 && at % 2);
            }
            int32_t computed = nominal + halo < whole - start ? nominal + halo : whole - start;
            CHECK_F(computed == end - start, "%d of %d texels, level %d of tile %d", computed,
                    end - start, j, tile);
            CHECK(j > 1 || computed <= s->region[axis]);
            bool final = tile == s->tiles[axis] - 1;
            CHECK_EQ(covered[j], start);
            covered[j] = final ? end : start + nominal;
            CHECK(covered[j] <= end && (!final || end == whole));
            // the texels above that this level's are made of
            int32_t above = ag_mip_size(size, s->source + j - 1);
            start *= 2;
            end = above == 1 ? 1 : 2 * end + above % 2;
        }
        CHECK(end - start <= s->tile + s->halo[axis]);
    }
}

static void check_stage(const ag_mip_plan *p, const ag_mip_stage *s)
{
    CHECK(s->levels >= 1 && s->levels <= AG_MIP_TILE_LEVELS);
    CHECK(s->region[0] * s->region[1] <= SHARED);
    check_axis(p, s, 0);
    check_axis(p, s, 1);
}

static int32_t texels(const ag_mip_plan *p, int32_t level)
{
    return ag_mip_size(p->request.width, level) * ag_mip_size(p->request.height, level);
}

// Levels are consecutive and fit the units; buffer ranges do not overlap, and hold all that is
// read.
static void check_plan(const ag_mip_request *r, ag_mip_plan *p)
{
    CHECK_F(ag_mip_plan_make(r, p), "%dx%d, %d levels, %d units", r->width, r->height, r->levels,
            r->units);
    int32_t level = 0, from = -1, used = 0;
    for (int32_t i = 0; i < p->count; ++i) {
        const ag_mip_dispatch *d = &p->dispatches[i];
        CHECK_EQ(d->first.source, level);
        CHECK_EQ(d->from, from);
        check_stage(p, &d->first);
        CHECK((i ? 0 : 1) + d->first.levels + d->second.levels <= (i ? r->units : r->units_first));
        level += d->first.levels;
        CHECK_EQ(d->first_at, level == r->levels ? -1 : used);
        used += level == r->levels ? 0 : texels(p, level);
        from = d->first_at;
        if (d->second.levels) {
            CHECK_EQ(d->second.source, level);
            check_stage(p, &d->second);
            CHECK(d->second.tiles[0] * d->second.tiles[1] <= p->counters);
            level += d->second.levels;
            CHECK_EQ(d->second_at, level == r->levels ? -1 : used);
            used += level == r->levels ? 0 : texels(p, level);
            from = d->second_at;
        }
    }
    CHECK_EQ(level, r->levels);
    CHECK_EQ(used, p->handover);
}

static ag_mip_request full(int32_t width, int32_t height)
{
    return (ag_mip_request){.width = width,
                            .height = height,
                            .levels = ag_mip_full(width, height),
                            .units = 8,
                            .units_first = 8,
                            .shared = SHARED};
}

static void test_sizes(void **state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1},       {2, 1},         {1, 2},         {3, 1},
                                       {1, 3},       {3, 3},         {5, 7},         {255, 257},
                                       {1, 4096},    {4095, 3},      {128, 32},      {64, 4096},
                                       {1920, 1080}, {1366, 768},    {2047, 2047},   {2048, 2048},
                                       {3840, 2160}, {4095, 4095},   {4096, 4096},   {8191, 8191},
                                       {8192, 8192}, {16383, 16383}, {16384, 16384}, {16383, 1},
                                       {16384, 9999}};
    rng r = rng_start("sizes", 71);
    ag_mip_plan p;
    int32_t most = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes + 3000; ++i) {
        bool listed = i < sizeof sizes / sizeof *sizes;
        int32_t w = listed ? sizes[i][0] : (int32_t)rng_hdr(&r, 1, 16385);
        int32_t h = listed ? sizes[i][1] : (int32_t)rng_hdr(&r, 1, 16385);
        ag_mip_request request = full(w, h);
        check_plan(&request, &p);
        // Where the first level halves exactly, its many groups do not go on.
        const ag_mip_stage *first = &p.dispatches[0].first;
        bool many = first->tiles[0] * first->tiles[1] > AG_MIP_ARRIVALS;
        int32_t two = 2 + (many && ag_mip_even(&request, first));
        CHECK_F(p.count <= two, "%dx%d takes %d dispatches", w, h, p.count);
        CHECK(request.levels > 7 || request.levels < 1 || p.count >= 1);
        most = p.count > most ? p.count : most;
        // asking for fewer levels never takes more
        for (request.levels = 1; request.levels < ag_mip_full(w, h); ++request.levels) {
            check_plan(&request, &p);
            CHECK_F(p.count <= two, "%d levels of %dx%d take %d dispatches", request.levels, w, h,
                    p.count);
        }
        request.levels = ag_mip_full(w, h);
        // what little GL promises, and any number of levels
        request.units = rng_int(&r, 3, 8);
        request.units_first = rng_int(&r, 3, request.units);
        request.levels = request.levels ? rng_int(&r, 1, request.levels) : 0;
        check_plan(&request, &p);
    }
    CHECK_LIMIT("dispatches up to 16384x16384", most, 3);
}

// The plans of the sizes that are benchmarked: a change here changes times.
static void test_measured(void **state)
{
    (void)state;
    static const struct {
        int32_t width, height, first, second, tail;
    } cases[] = {
        {2048, 2048, 6, 0, 5}, {4096, 4096, 6, 0, 6},   {8192, 8192, 6, 0, 6},
        {3840, 2160, 4, 0, 3}, {4095, 4095, 3, 0, 3},   {8191, 8191, 3, 3, 3},
        {64, 64, 6, 0, 0},     {128, 128, 6, 1, 0},     {1920, 1080, 3, 0, 3},
        {192, 192, 6, 1, 0},   {256, 256, 6, 0, 2},     {1023, 1023, 3, 0, 3},
        {2047, 2047, 3, 0, 3}, {16384, 16384, 6, 0, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ag_mip_plan p;
        ag_mip_request r = full(cases[i].width, cases[i].height);
        check_plan(&r, &p);
        CHECK_F(p.dispatches[0].first.levels == cases[i].first &&
                    p.dispatches[0].second.levels == cases[i].second &&
                    p.dispatches[1].first.levels == cases[i].tail,
                "%dx%d: %d, %d, then %d", cases[i].width, cases[i].height,
                p.dispatches[0].first.levels, p.dispatches[0].second.levels,
                p.dispatches[1].first.levels);
    }
}

static void test_too_few_units(void **state)
{
    (void)state;
    ag_mip_request r = full(2048, 2048);
    ag_mip_plan p;
    r.units_first = 1;
    CHECK(!ag_mip_plan_make(&r, &p));
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_sizes),
        UNIT_TEST(test_measured),
        UNIT_TEST(test_too_few_units),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
