// test_mipchain.c - every level against double precision: sizes, formats, reductions, exactness
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "minimums.h"
#include "mip_ref.h"

// ---- a chain and its exact levels --------------------------------------------------------------

// As mipchain.h states it.
static double bound_of(const format_info *info, int reduce, int channel, double magnitude)
{
    if (reduce != AG_MIP_MEAN)
        return 0;
    if (info->kind == FORMAT_FLOAT && info->bits[0] == 32)
        return 8 * ldexp(1, -24) * magnitude;
    if (info->kind == FORMAT_FLOAT)
        return 0.01 * format_unit(info, channel, magnitude);
    return ldexp(1, -14);
}

static void first_level(const trial *t, const trial_part *p, chain_level *l, int w, int h)
{
    const ag_mipchain_settings *s = t->settings;
    free(l->exact);
    free(l->magnitude);
    *l = (chain_level){trial_input(t, 0, p->layer), NULL, 0, p->layer};
    if (s->reduce == AG_MIP_MEAN)
        values_scrub(l->exact, (size_t)(w * h), p->channels);
    l->magnitude = check_doubles((size_t)(w * h * p->channels));
    for (int i = 0; i < w * h * p->channels; ++i)
        l->magnitude[i] = fabs(l->exact[i]);
}

static void next_level(const trial *t, const trial_part *p, chain_level *l, int w, int h)
{
    const ag_mipchain_settings *s = t->settings;
    mip_ref ref = {p->channels, s->reduce, s->weight};
    int level = l->level + 1;
    size_t count = (size_t)(texture_level_size(w, level) * texture_level_size(h, level));
    double *exact = check_doubles(count * (size_t)p->channels);
    double *magnitude = check_doubles(count * (size_t)p->channels);
    mip_ref_level(&ref, l->exact, l->magnitude, texture_level_size(w, l->level),
                  texture_level_size(h, l->level), level == 1, exact, magnitude);
    free(l->exact);
    free(l->magnitude);
    *l = (chain_level){exact, magnitude, level, l->layer};
}

static bool chained(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_mipchain_settings *s = t->settings;
    const ag_texture *v = &t->views[0];
    chain_level *l = t->user;
    int w = v->rect_width ? v->rect_width : v->width - v->rect_x;
    int h = v->rect_height ? v->rect_height : v->height - v->rect_y;
    if (p->level >= texture_full_levels(w, h) || (s->levels && p->level > s->levels))
        return false;
    if (!l->exact || l->layer != p->layer || l->level >= p->level)
        first_level(t, p, l, w, h);
    if (s->exactness == AG_MIP_DIRECT)
        mip_ref_direct(l->exact, w, h, p->channels, p->level, want, bound);
    else
        while (l->level < p->level)
            next_level(t, p, l, w, h);
    for (int i = 0; i < p->width * p->height * p->channels; ++i) {
        int channel = i % p->channels;
        if (s->exactness != AG_MIP_DIRECT) {
            want[i] = l->exact[i];
            bound[i] = l->magnitude[i];
        }
        bound[i] = bound_of(t->textures[0].format, s->reduce, channel, bound[i]);
        if (s->weight == AG_MIP_WEIGHT_COVERAGE && channel == 3)
            want[i] = TRIAL_ANY; // test_coverage
    }
    if (s->exactness == AG_MIP_DIRECT)
        l->level = p->level; // exact and magnitude stay those of level 0
    return true;
}

trial chain_of(fixture *f, ag_pass *pass, const chain *c, const double *values,
               ag_mipchain_settings *s, chain_level *l)
{
    trial t = trial_of(f, "mipchain", "noise", s, sizeof *s);
    t.pass = pass;
    t.slots[0] = trial_image(c->format, c->width, c->height, values);
    trial_slot *slot = &t.slots[0];
    slot->levels = texture_full_levels(c->width, c->height);
    slot->layers = c->layers;
    slot->first = c->first;
    slot->count = c->count;
    slot->base = c->base;
    slot->x = c->x;
    slot->y = c->y;
    slot->w = c->w;
    slot->h = c->h;
    s->reduce = c->reduce;
    s->weight = c->weight;
    s->levels = c->levels;
    s->exactness = c->exactness;
    *l = (chain_level){0};
    t.user = l;
    t.reference = chained;
    t.left_out = c->weight == AG_MIP_WEIGHT_COVERAGE ? 0.25 : 0;
    return t;
}

void chain_free(trial *t)
{
    chain_level *l = t->user;
    free(l->exact);
    free(l->magnitude);
    *l = (chain_level){0};
    trial_free(t);
}

double *chain_noise(rng *r, const chain *c)
{
    int height = texture_level_size(c->height, c->base) * (c->layers ? c->layers : 1);
    return values_hdr(r, c->format, texture_level_size(c->width, c->base), height, 0.01, 100,
                      c->weight == AG_MIP_WEIGHT_NONE);
}

// A chain of one texel has no levels to make.
static bool stays_poison(trial *t)
{
    bool good = true;
    trial_run(t);
    for (int level = 1; level < t->textures[0].levels; ++level) {
        size_t texels = texture_value_count(&t->textures[0], level);
        texels /= (size_t)trial_channels(t, 0);
        good = good && texture_poison_count(t->f, &t->textures[0], level, 0, 0, 0, 0) == texels;
    }
    return check_case("a texel alone: nothing is written", good);
}

bool chain_try(trial *t, const chain *c)
{
    const ag_plan *plan = NULL;
    int w = c->w ? c->w : c->width, h = c->h ? c->h : c->height;
    bool good = w * h == 1 ? stays_poison(t) : trial_check(t);
    size_t bytes = texture_value_count(&t->textures[0], c->base) * sizeof *t->got[0];
    if (memcmp(t->held[0], t->got[0], bytes) != 0)
        good = check_case("    the first level is kept", false);
    ag_tuning *tuning = ag_device_tuning(t->f->device), former = *tuning;
    *tuning = t->tuning ? *t->tuning : former;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    *tuning = former;
    int steps = (int)plan->step_count - (c->weight == AG_MIP_WEIGHT_COVERAGE);
    bool right = c->steps ? steps == c->steps : steps <= 2 || c->exactness == AG_MIP_DIRECT;
    if (!right && !minimums_wanted()) // with fewer outputs a program, chains take more dispatches
        good = check_case(plan->text, false);
    return good;
}

bool chain_check(fixture *f, ag_pass *pass, rng *r, const chain *c, const ag_tuning *tuning)
{
    ag_mipchain_settings s;
    chain_level l;
    double *values = chain_noise(r, c);
    trial t = chain_of(f, pass, c, values, &s, &l);
    t.tuning = tuning;
    bool good = chain_try(&t, c);
    chain_free(&t);
    free(values);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

// Sizes of every kind; beyond the quick tier 200 random ones, and large ones whose chains are long,
// odd at many levels, or more than one dispatch.
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},     {2, 2},     {3, 3},     {5, 5},     {7, 7},
                                   {1, 9},     {5, 4},     {64, 64},   {128, 32},  {65, 63},
                                   {255, 257}, {257, 255}, {79, 79},   {513, 1},   {320, 180},
                                   {683, 384}, {1023, 3},  {16, 1024}, {511, 511}, {127, 47},
                                   {4095, 3},  {64, 4096}};
    static const int large[][2] = {{1920, 1080}, {1366, 768}, {2047, 2047}};
    static const char *const formats[] = {"rgba16f", "rgba8", "r32f"};
    rng r = rng_start("sizes", 72);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool more = check_tier_now() != CHECK_QUICK, good = true;
    sweep *share = sweep_start("sizes", 5);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (size_t k = 0; k < 2; ++k) {
            chain c = {.format = formats[(i + k) % 3], .width = sizes[i][0], .height = sizes[i][1]};
            if (sweep_takes(share))
                good = chain_check(*state, pass, &r, &c, NULL) && good;
        }
    share = sweep_start("random sizes", 50);
    for (int i = 0; i < 200; ++i) {
        chain c = {.format = i % 2 ? "rg8" : "r16f", .reduce = i % 3 ? 0 : i / 3 % 3};
        c.width = (int)rng_hdr(&r, 1, 700);
        c.height = (int)rng_hdr(&r, 1, more ? 700 : 200);
        if (sweep_takes(share))
            good = chain_check(*state, pass, &r, &c, NULL) && good;
    }
    if (more) {
        share = sweep_start("large sizes", 1);
        for (size_t i = 0; i < COUNT(large); ++i) {
            chain c = {.format = i % 2 ? "r8" : "rgba16f", .width = large[i][0]};
            c.height = large[i][1];
            if (sweep_takes(share))
                good = chain_check(*state, pass, &r, &c, NULL) && good;
        }
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Some of the levels: never more dispatches than two, also where the chain's end is made elsewhere
// than by one group (6 and 7 levels of a long line, of odd sizes and of even ones).
static void test_some_levels(void **state)
{
    static const int sizes[][2] = {{5000, 3}, {700, 517}, {2, 1040}};
    rng r = rng_start("some levels", 79);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("some levels", 12);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int levels = 1; levels < texture_full_levels(sizes[i][0], sizes[i][1]); ++levels) {
            chain c = {"rgba8", sizes[i][0], sizes[i][1], .levels = levels};
            if (sweep_takes(share) || (levels == 7 && i == 0))
                good = chain_check(*state, pass, &r, &c, NULL) && good;
        }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static bool allowed(const format_info *format, int reduce, int weight)
{
    bool alpha = weight != AG_MIP_WEIGHT_ALPHA || format->channels == 4;
    bool two = reduce != AG_MIP_MINMAX || format->channels == 2;
    return alpha && two && (reduce == AG_MIP_MEAN || weight == AG_MIP_WEIGHT_NONE);
}

// Every combination that is allowed, at a size that is odd at most levels.
static void test_formats(void **state)
{
    rng r = rng_start("formats", 74);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("formats", 10);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int reduce = 0; reduce <= AG_MIP_FIRST; ++reduce)
            for (int weight = 0; weight <= AG_MIP_WEIGHT_ALPHA; ++weight) {
                chain c = {format_at(i)->name, 87, 46, .reduce = reduce, .weight = weight};
                if (allowed(format_at(i), reduce, weight) && sweep_takes(share))
                    good = chain_check(*state, pass, &r, &c, NULL) && good;
            }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// exactness = direct, at sizes that are odd at level 1, 2 and later, and where both kinds are the
// same.
static void test_direct(void **state)
{
    static const int sizes[][2] = {{87, 46}, {255, 127}, {64, 64}, {300, 7}, {1, 30}, {40, 24}};
    static const char *const formats[] = {"rgba16f", "rgba8",      "r32f",
                                          "srgb8",   "r11g11b10f", "rg16f"};
    rng r = rng_start("direct", 78);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("direct", 6);
    for (size_t i = 0; i < 12; ++i) {
        chain c = {formats[(i + i / 6) % 6], sizes[i % 6][0], sizes[i % 6][1],
                   .exactness = AG_MIP_DIRECT};
        if (sweep_takes(share))
            good = chain_check(*state, pass, &r, &c, NULL) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_direct),
        FIXTURE_SWEEP(test_some_levels),
        FIXTURE_SWEEP(test_stages),
        FIXTURE_SWEEP(test_ways),
        FIXTURE_TEST(test_not_alike),
        FIXTURE_SWEEP(test_coverage),
        FIXTURE_SWEEP(test_constants),
        FIXTURE_TEST(test_checker),
        FIXTURE_SWEEP(test_scrub),
        FIXTURE_SWEEP(test_rectangles_and_layers),
        FIXTURE_SWEEP(test_units_and_levels),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
