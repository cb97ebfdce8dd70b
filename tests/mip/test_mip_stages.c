// test_mip_stages.c - whole chains, whatever their dispatches: by shuffles the same levels as
// through shared memory. test_mipchain.c holds one of them against the exact chain
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <afterglow/mipchain.h>

#include "core/tuning.h"
#include "effects/mip/mip_plan.h"
#include "minimums.h"
#include "random.h"
#include "texture.h"

typedef struct kind {
    const char *format;
    int width, height, layers; // of the texture; layers 0: no array
    int base, x, y;            // level and corner of what is chained
    int reduce, weight, levels;
    int dispatches; // of the chain
} kind;

static const kind kinds[] = {
    {"rgba16f", 64, 64, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"rgba16f", 128, 128, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_KARIS, 0, 1}, // two even stages
    {"rgba16f", 192, 192, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1}, // even, then the rest
    {"rgba8", 120, 88, 2, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"r16f", 504, 504, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 7, 1}, // a large rest
    {"rgba8", 512, 512, 2, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rgba16f", 1024, 512, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_ALPHA, 0, 2},
    {"srgb8", 256, 1024, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"r32f", 2048, 2048, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"r8", 8192, 8192, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rgba16f", 655, 655, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 7, 2},
    {"rg16f", 1023, 1023, 2, 0, 0, 0, AG_MIP_MINMAX, AG_MIP_WEIGHT_NONE, 0, 2}, // with halos
    {"rgb10a2", 2047, 700, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rgba8", 1920, 1080, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rgba16f", 192, 320, 0, 0, 0, 0, AG_MIP_FIRST, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rg32f", 512, 512, 3, 1, 64, 32, AG_MIP_MAX, AG_MIP_WEIGHT_NONE, 0,
     1}, // levels from the second on
    {"rgba8", 640, 640, 0, 0, 128, 128, AG_MIP_MEAN, AG_MIP_WEIGHT_COVERAGE, 0, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_large(const kind *k)
{
    return k->width * k->height >= 1024 * 1024;
}

static const struct {
    const char *name;
    ag_tuning tuning;
} ways[] = {
    {"shared memory", {.without = AG_WITHOUT_SUBGROUPS}},
    {"subgroups", {.emulate = 1}}, // the driver's, if it has any
};
enum { WAYS = sizeof ways / sizeof *ways };

static ag_texture slot_of(const kind *k, const texture *t)
{
    ag_texture slot = texture_view(t);
    slot.level = k->base;
    slot.width = ag_mip_size(k->width, k->base);
    slot.height = ag_mip_size(k->height, k->base);
    slot.rect_x = k->x;
    slot.rect_y = k->y;
    return slot;
}

static void run(fixture *f, ag_pass *pass, const kind *k, int way, const texture *t)
{
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    s.reduce = k->reduce;
    s.weight = k->weight;
    s.levels = k->levels;
    *ag_device_tuning(f->device) = ways[way].tuning;
    ag_texture slot = slot_of(k, t);
    ag_job job = {.struct_size = sizeof job,
                  .slots = &slot,
                  .slot_count = 1,
                  .settings = &s,
                  .next_use = AG_USE_COPY};
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    uint32_t steps = (uint32_t)k->dispatches + (k->weight == AG_MIP_WEIGHT_COVERAGE);
    // With fewer outputs a program, chains take more dispatches.
    CHECK_F(plan->step_count == steps || (minimums_wanted() && plan->step_count > steps),
            "%dx%d: %u steps: %s", k->width, k->height, plan->step_count, plan->text);
    for (int i = 0; i < (is_large(k) ? 1 : 2); ++i) // counters must be 0 again
        fixture_run(f, pass, &job);
    *ag_device_tuning(f->device) = (ag_tuning){0};
}

// The worst difference of two levels, in units of the format.
static double differ(const texture *t, int level, const double *a, const double *b)
{
    double worst = 0;
    for (size_t i = 0; i < texture_value_count(t, level); ++i) {
        double unit = format_unit(t->format, (int)(i % (size_t)t->format->channels), a[i]);
        double off = a[i] == b[i] ? 0 : fabs(a[i] - b[i]) / unit;
        worst = off <= worst ? worst : off;
    }
    return worst;
}

static bool check_kind(fixture *f, ag_pass *pass, rng *r, const kind *k)
{
    int levels = ag_mip_full(k->width, k->height) + 1;
    size_t count = (size_t)(k->width * k->height) * (size_t)(k->layers ? k->layers : 1) *
                   (size_t)format_named(k->format)->channels;
    double *values = malloc(count * sizeof *values), *first[AG_MIP_LEVELS] = {NULL};
    for (size_t i = 0; values && i < count; ++i)
        values[i] = rng_uniform(r, 0, 1);
    bool good = values != NULL;
    for (int way = 0; way < WAYS && good; ++way) {
        texture t =
            texture_create_array(f, k->format, k->width, k->height, k->layers, levels, NULL);
        texture_poison(f, &t);
        texture_upload(f, &t, k->base, values);
        run(f, pass, k, way, &t);
        double worst = 0;
        for (int level = 1; level < levels; ++level) {
            double *got = texture_read(f, &t, level);
            if (way) {
                double off = differ(&t, level, first[level], got);
                worst = off > worst || isnan(off) ? off : worst;
                free(got);
            } else {
                first[level] = got;
            }
        }
        char name[128];
        snprintf(name, sizeof name, "%s %dx%d reduce %d weight %d: %s against %s", k->format,
                 k->width, k->height, k->reduce, k->weight, ways[way].name, ways[0].name);
        // Sums in another order differ in their last bits, and so may the rounded values.
        double limit = k->reduce != AG_MIP_MEAN ? 0 : t.format->bits[0] == 32 ? 8 : 1.001;
        if (way)
            good &= check_limit(name, worst, limit);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    for (int level = 1; level < levels; ++level)
        free(first[level]);
    free(values);
    return good;
}

static void test_chains(void **state)
{
    fixture *f = *state;
    rng r = rng_start("stages", 97);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("stages", 6);
    for (int i = 0; i < KINDS; ++i) // on the CPU the large ones take a minute
        if ((!is_large(&kinds[i]) || check_tier_now() != CHECK_QUICK) && sweep_takes(share))
            good &= check_kind(f, pass, &r, &kinds[i]);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_chains)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
