// test_mipchain.c - every level against double precision: sizes, formats, reductions, exactness
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "down_ref.h"
#include "minimums.h"
#include "mip_ref.h"

// ---- a chain and its exact levels --------------------------------------------------------------

// As mipchain.h states it.
static double bound_of(const format_info *info, const ag_mipchain_settings *s, int channel,
                       double magnitude)
{
    if (s->reduce != AG_MIP_MEAN)
        return 0;
    if (info->kind == FORMAT_FLOAT && info->bits[0] == 32) // a division a level, of 2.5 units
        return (s->weight ? 10 : 8) * ldexp(1, -24) * magnitude;
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
        down_ref_make(&(down_ref){w, h, p->channels, p->width, p->height, 0, 0, 0}, l->exact, want,
                      bound); // the area average
    else
        while (l->level < p->level)
            next_level(t, p, l, w, h);
    for (int i = 0; i < p->width * p->height * p->channels; ++i) {
        int channel = i % p->channels;
        if (s->exactness != AG_MIP_DIRECT) {
            want[i] = l->exact[i];
            bound[i] = l->magnitude[i];
        }
        bound[i] = bound_of(t->textures[0].format, s, channel, bound[i]);
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
    return values_hdr(r, c->format, texture_level_size(c->width, c->base), height, 0.01,
                      c->high > 0 ? c->high : 100, c->weight == AG_MIP_WEIGHT_NONE);
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

static bool chain_try(trial *t, const chain *c)
{
    const ag_plan *plan = NULL;
    int w = c->w ? c->w : c->width, h = c->h ? c->h : c->height;
    bool good = w * h == 1 ? stays_poison(t) : trial_check(t);
    size_t bytes = texture_value_count(&t->textures[0], c->base) * sizeof *t->got[0];
    if (memcmp(t->held[0], t->got[0], bytes) != 0)
        good = check_case("    the first level is kept", false);
    ag_tuning *tuning = ag_device_tuning(t->f->device), former = *tuning;
    *tuning = *t->tuning;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    *tuning = former;
    int steps = (int)plan->step_count - (c->weight == AG_MIP_WEIGHT_COVERAGE);
    bool few = c->steps < 0 || steps <= 2 || c->exactness == AG_MIP_DIRECT;
    bool right = c->steps > 0 ? steps == c->steps : few;
    if (!right && !minimums_wanted()) // with fewer outputs a program, chains take more dispatches
        good = check_case(plan->text, false);
    return good;
}

texture chain_mutable(fixture *f, const char *name, int width, int height)
{
    const format_info *format = format_named(name);
    texture t = {.target = GL_TEXTURE_2D, .format = format, .width = width, .height = height};
    t.levels = texture_full_levels(width, height);
    f->gl.GenTextures(1, &t.name);
    f->gl.BindTexture(GL_TEXTURE_2D, t.name);
    for (int i = 0; i < t.levels; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, (GLint)format->internal, texture_level_size(width, i),
                         texture_level_size(height, i), 0, format->base, format->type, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, t.levels - 1);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    return t;
}

// Bad texels, and how many of them are counted.
static uint64_t spoil(rng *r, const chain *c, double *values)
{
    int channels = format_named(c->format)->channels;
    uint64_t bad = values_spoil(r, values, (size_t)(c->width * c->height), channels, 6);
    for (int k = 0; k < c->width * c->height * channels; ++k) // one bad channel a texel
        bad -= c->reduce != AG_MIP_MEAN && isinf(values[k]);
    return bad;
}

bool chain_check(fixture *f, ag_pass *pass, rng *r, const chain *c)
{
    static const ag_tuning tunings[WAYS] = {[SHARED] = {.without = AG_WITHOUT_SUBGROUPS},
                                            [SUBGROUPS] = {.emulate = 1},
                                            [IMAGE_UNIT] = {.without = AG_WITHOUT_TEXTURE_UNITS |
                                                                       AG_WITHOUT_SUBGROUPS},
                                            [MUTABLE] = {.without = AG_WITHOUT_SUBGROUPS}};
    ag_mipchain_settings s;
    chain_level l;
    double *values = chain_noise(r, c);
    uint64_t bad = c->bad ? spoil(r, c, values) : 0, before = c->bad ? fixture_scrubbed(f) : 0;
    texture own = {0};
    trial t = chain_of(f, pass, c, values, &s, &l);
    t.tuning = &tunings[c->way];
    if (c->way == MUTABLE) {
        own = chain_mutable(f, c->format, c->width, c->height);
        texture_upload(f, &own, 0, values);
        t.name = "glTexImage";
        t.slots[0].own = &own;
    }
    bool good = chain_try(&t, c);
    if (c->bad)
        CHECK_EQ(fixture_scrubbed(f) - before, bad);
    chain_free(&t);
    if (own.name)
        texture_destroy(f, &own);
    free(values);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

// Each reduction, weight, way and kind of size once: even, odd, odd in one axis, lines; a rectangle
// (its chain lies at x >> k, y >> k, and all other texels stay poison); some layers, some levels.
static void test_each(void **state)
{
    static const chain chains[] = {
        {"rgba16f", 87, 46, .high = 65504},
        {"rgba16f", 64, 64, .bad = true, .way = SUBGROUPS},
        {"rgba16f", 37, 23, .bad = true},
        {"rgba16f", 135, 71, .bad = true},
        {"rgba8", 79, 79, .weight = AG_MIP_WEIGHT_KARIS},
        {"srgb8", 87, 46, .weight = AG_MIP_WEIGHT_ALPHA},
        {"rg32f", 87, 46, .reduce = AG_MIP_MINMAX},
        {"r32f", 5000, 3, .levels = 7, .high = 1e30},
        {"rgba8", 121, 86, .layers = 3, .first = 1, .x = 13, .y = 7, .w = 91, .h = 62},
        {"rgba16f", 87, 46, .exactness = AG_MIP_DIRECT},
        {"rgba8", 73, 136, .levels = 3, .way = MUTABLE},
        {"rgba8", 73, 136, .levels = 3, .way = IMAGE_UNIT},
        {"rgba8", 1, 1, .way = SHARED},
    };
    rng r = rng_start("each", 72);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    for (size_t i = 0; i < COUNT(chains); ++i)
        good = chain_check(*state, pass, &r, &chains[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static bool allowed(const format_info *format, int reduce, int weight)
{
    bool alpha = weight != AG_MIP_WEIGHT_ALPHA || format->channels == 4;
    bool two = reduce != AG_MIP_MINMAX || format->channels == 2;
    return alpha && two && (reduce == AG_MIP_MEAN || weight == AG_MIP_WEIGHT_NONE);
}

static chain random_chain(rng *r, const format_info *format)
{
    chain c = {format->name, (int)rng_hdr(r, 1, 700), (int)rng_hdr(r, 1, 300),
               .way = rng_int(r, 0, WAYS - 1)};
    do {
        c.reduce = rng_int(r, 0, 1) ? AG_MIP_MEAN : rng_int(r, 0, AG_MIP_FIRST);
        c.weight = rng_int(r, 0, AG_MIP_WEIGHT_ALPHA);
    } while (!allowed(format, c.reduce, c.weight));
    int all = texture_full_levels(c.width, c.height) - 1;
    c.levels = all > 0 && rng_int(r, 0, 2) == 0 ? rng_int(r, 1, all) : 0;
    bool plain = c.reduce == AG_MIP_MEAN && c.weight == AG_MIP_WEIGHT_NONE;
    c.exactness = plain && rng_int(r, 0, 2) == 0 ? AG_MIP_DIRECT : 0;
    c.bad = format->kind == FORMAT_FLOAT && format->bits[0] > 11 && rng_int(r, 0, 3) == 0;
    // Textures of glTexImage are refused, in two formats.
    if (c.way == MUTABLE && (format->kind == FORMAT_SRGB || format->bits[0] == 11))
        c.way = IMAGE_UNIT;
    if (c.way != MUTABLE && !c.bad && !c.levels && rng_int(r, 0, 3) == 0) {
        c.layers = rng_int(r, 0, 3);
        c.first = c.layers > 1 ? 1 : 0;
        c.x = rng_int(r, 0, c.width - 1);
        c.y = rng_int(r, 0, c.height - 1);
        c.w = rng_int(r, 1, c.width - c.x);
        c.h = rng_int(r, 1, c.height - c.y);
    }
    return c;
}

// What goes together; and beyond the quick tier large chains, which are long, odd at many levels,
// or more than one dispatch.
static void test_random(void **state)
{
    static const chain large[] = {{"rgba16f", 1920, 1080, .way = 0}, {"r8", 1366, 768, .way = 0},
                                  {"rgba16f", 2047, 2047, .way = 0}, {"rgba8", 4095, 3, .way = 0},
                                  {"r32f", 64, 4096, .way = 0},      {"rgba8", 511, 511, .way = 0}};
    rng r = rng_start("random", 74);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("random", 120);
    for (int i = 0; i < 360; ++i) {
        chain c = random_chain(&r, format_at(i % FORMAT_COUNT));
        if (sweep_takes(share))
            good = chain_check(*state, pass, &r, &c) && good;
    }
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 0 : COUNT(large)); ++i)
        if (sweep_takes(share))
            good = chain_check(*state, pass, &r, &large[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),      FIXTURE_SWEEP(test_random), FIXTURE_SWEEP(test_stages),
        FIXTURE_SWEEP(test_coverage), FIXTURE_SWEEP(test_units),  FIXTURE_TEST(test_not_alike),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
