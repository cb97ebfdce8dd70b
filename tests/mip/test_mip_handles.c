// test_mip_handles.c - chains with handles and joined stages equal those with image units and
// separate stages
// SPDX-License-Identifier: MIT
//
// Without GL_ARB_bindless_texture in the driver, support/handles.h emulates it, and counts uses
// that the extension forbids.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/depth_pyramid.h>
#include <afterglow/mipchain.h>

#include "core/device.h"
#include "effects/mip/mip_plan.h"
#include "handles.h"
#include "minimums.h"
#include "random.h"
#include "texture.h"

typedef struct kind {
    const char *format;
    int width, height, layers; // of the texture; layers 0: no array
    int base, x, y;            // level and corner of what is chained
    int reduce, weight, levels;
    int dispatches; // by handles
} kind;

static const kind kinds[] = {
    {"rgba16f", 64, 64, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"rgba16f", 128, 128, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_KARIS, 0, 1},
    {"rgba8", 512, 512, 2, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"rgba16f", 1024, 512, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_ALPHA, 0, 1},
    {"srgb8", 256, 1024, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"r32f", 2048, 2048, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"r8", 8192, 8192, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1}, // three even stages
    {"rgba16f", 655, 655, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 7, 1},
    {"rg16f", 1023, 1023, 2, 0, 0, 0, AG_MIP_MINMAX, AG_MIP_WEIGHT_NONE, 0, 1}, // three, with halos
    {"rgb10a2", 2047, 700, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 1},
    {"rgba8", 1920, 1080, 0, 0, 0, 0, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE, 0, 2},
    {"rgba16f", 192, 320, 0, 0, 0, 0, AG_MIP_FIRST, AG_MIP_WEIGHT_NONE, 0, 1},
    {"rg32f", 512, 512, 3, 1, 64, 32, AG_MIP_MAX, AG_MIP_WEIGHT_NONE, 0,
     1}, // levels from the second on
    {"rgba8", 640, 640, 0, 0, 128, 128, AG_MIP_MEAN, AG_MIP_WEIGHT_COVERAGE, 0, 1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_large(const kind *k) // not by every way
{
    return k->width * k->height >= 1024 * 1024;
}

typedef struct way {
    const char *name;
    ag_tuning tuning;
} way;

static const way ways[] = {
    {"units", {.without = AG_WITHOUT_BINDLESS | AG_WITHOUT_SUBGROUPS, .stages = AG_STAGES_APART}},
    {"units, joined", {.without = AG_WITHOUT_BINDLESS, .stages = AG_STAGES_JOINED}},
    {"handles", {.stages = AG_STAGES_JOINED}},
    {"handles, subgroups", {.stages = AG_STAGES_JOINED, .emulate = 1}},
    {"handles, apart", {.without = AG_WITHOUT_SUBGROUPS, .stages = AG_STAGES_APART}},
};
enum { WAYS = sizeof ways / sizeof *ways, HANDLES = 2 };

typedef struct handled { // a fixture, and whether its driver pretends
    fixture *f;
    bool pretends;
} handled;

static handled open_handles(void **state)
{
    handled h = {.f = *state};
    h.pretends = !h.f->device->gpu.gl.has_bindless;
    MINIMUMS_LACK("GL_ARB_bindless_texture, nor image units to pretend it by");
    if (h.pretends && !handles_open(h.f)) {
        printf("  note  too few image units to pretend\n");
        skip();
    }
    return h;
}

static void close_handles(const handled *h)
{
    if (!h->pretends)
        return;
    int mistakes = handles_mistakes(), resident = handles_resident();
    handles_close(h->f);
    CHECK_EQ(mistakes, 0);
    CHECK_EQ(resident, 0);
}

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

static void run(const handled *h, ag_pass *pass, const kind *k, const way *w, const texture *t)
{
    ag_mipchain_settings s;
    CHECK_STATUS(h->f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    s.reduce = k->reduce;
    s.weight = k->weight;
    s.levels = k->levels;
    *ag_device_tuning(h->f->device) = w->tuning;
    ag_texture slot = slot_of(k, t);
    ag_job job = {.struct_size = sizeof job,
                  .slots = &slot,
                  .slot_count = 1,
                  .settings = &s,
                  .settings_size = sizeof s,
                  .next_use = AG_USE_COPY};
    const ag_plan *plan = NULL;
    CHECK_STATUS(h->f->ag->declare(pass, &job, &plan), AG_OK);
    int before = handles_dispatches();
    for (int i = 0; i < (is_large(k) ? 1 : 2); ++i) // counters must be 0 again
        fixture_run(h->f, pass, &job);
    *ag_device_tuning(h->f->device) = (ag_tuning){0};
    bool by_handles = !(w->tuning.without & AG_WITHOUT_BINDLESS);
    if (by_handles && w->tuning.stages == AG_STAGES_JOINED)
        CHECK_F(plan->step_count == (uint32_t)k->dispatches + (k->weight == AG_MIP_WEIGHT_COVERAGE),
                "%u steps: %s", plan->step_count, plan->text);
    if (h->pretends)
        CHECK_F((handles_dispatches() > before) == by_handles, "%s", w->name);
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

static bool check_kind(const handled *h, ag_pass *pass, rng *r, const kind *k)
{
    fixture *f = h->f;
    int levels = ag_mip_full(k->width, k->height) + 1;
    size_t count = (size_t)(k->width * k->height) * (size_t)(k->layers ? k->layers : 1) *
                   (size_t)format_named(k->format)->channels;
    double *values = malloc(count * sizeof *values), *first[AG_MIP_LEVELS] = {NULL};
    for (size_t i = 0; values && i < count; ++i)
        values[i] = rng_uniform(r, 0, 1);
    bool good = values != NULL;
    for (int w = 0; w < WAYS && good; ++w) {
        if (is_large(k) && w && w != HANDLES)
            continue;
        texture t =
            texture_create_array(f, k->format, k->width, k->height, k->layers, levels, NULL);
        texture_poison(f, &t);
        texture_upload(f, &t, k->base, values);
        run(h, pass, k, &ways[w], &t);
        double worst = 0;
        for (int level = 1; level < levels; ++level) {
            double *got = texture_read(f, &t, level);
            if (w) {
                double off = differ(&t, level, first[level], got);
                worst = off > worst || isnan(off) ? off : worst;
                free(got);
            } else {
                first[level] = got;
            }
        }
        char name[128];
        snprintf(name, sizeof name, "%s %dx%d reduce %d weight %d: %s against units", k->format,
                 k->width, k->height, k->reduce, k->weight, ways[w].name);
        double limit = k->reduce != AG_MIP_MEAN ? 0 : t.format->bits[0] == 32 ? 8 : 1.001;
        if (w)
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
    handled h = open_handles(state);
    rng r = rng_start("handles", 97);
    ag_pass *pass = fixture_pass(h.f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("handles", 6);
    for (int i = 0; i < KINDS; ++i) // on the CPU the large ones take a minute
        if ((!is_large(&kinds[i]) || check_tier_now() != CHECK_QUICK) && sweep_takes(share))
            good &= check_kind(&h, pass, &r, &kinds[i]);
    h.f->ag->pass_destroy(pass);
    close_handles(&h);
    CHECK(good);
}

// A copy and its chain, or the chain from half of the size on.
static void test_pyramids(void **state)
{
    handled h = open_handles(state);
    fixture *f = h.f;
    rng r = rng_start("pyramids", 98);
    bool good = true;
    sweep *share = sweep_start("pyramids", 2);
    for (int half = 0; half < 2; ++half)
        for (int size = 511; size <= 512; ++size) {
            if (!sweep_takes(share))
                continue;
            int top = half ? size / 2 : size, levels = ag_mip_full(top, top) + 1;
            double *values = malloc(sizeof *values * (size_t)(size * size));
            CHECK(values != NULL);
            for (int i = 0; i < size * size; ++i)
                values[i] = rng_uniform(&r, 0, 1);
            texture src = texture_create(f, "r32f", size, size, values), dst[2];
            for (int w = 0; w < 2; ++w) {
                dst[w] = texture_create_array(f, "r32f", top, top, 0, levels, NULL);
                texture_poison(f, &dst[w]);
                ag_depth_pyramid_settings s;
                CHECK_STATUS(f->ag->defaults("depth_pyramid", &s, sizeof s), AG_OK);
                ag_device_tuning(f->device)->without = w ? 0 : AG_WITHOUT_BINDLESS;
                ag_texture slots[2] = {texture_view(&src), texture_view(&dst[w])};
                ag_job job = {.struct_size = sizeof job,
                              .slots = slots,
                              .slot_count = 2,
                              .settings = &s,
                              .settings_size = sizeof s,
                              .next_use = AG_USE_COPY};
                ag_pass *pass = fixture_pass(f, "depth_pyramid");
                fixture_run(f, pass, &job);
                f->ag->pass_destroy(pass);
            }
            CHECK_EQ(ag_device_tuning(f->device)->without, 0);
            for (int level = 0; level < levels; ++level) {
                uint8_t *a = texture_read_bytes(f, &dst[0], level);
                uint8_t *b = texture_read_bytes(f, &dst[1], level);
                good &= !memcmp(a, b, texture_byte_count(&dst[0], level));
                free(a);
                free(b);
            }
            for (int w = 0; w < 2; ++w)
                texture_destroy(f, &dst[w]);
            texture_destroy(f, &src);
            free(values);
        }
    close_handles(&h);
    CHECK(good);
}

static ag_job job_of(const ag_texture *slot, const ag_mipchain_settings *s)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slot,
                    .slot_count = 1,
                    .settings = s,
                    .settings_size = sizeof *s};
}

// Handles belong to a texture: passes share them, and they go with it. Textures of glTexImage have
// none, and a pass that is prepared for one kind refuses the other.
static void test_life(void **state)
{
    handled h = open_handles(state);
    fixture *f = h.f;
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    texture t = texture_create_array(f, "rgba16f", 256, 256, 0, 9, NULL);
    uint32_t name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    for (int i = 0; i < 9; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_RGBA16F, 256 >> i, 256 >> i, 0, GL_RGBA, GL_FLOAT,
                         NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    ag_texture slots[2] = {texture_view(&t), texture_view(&t)};
    slots[1].name = name;
    ag_job jobs[2] = {job_of(&slots[0], &s), job_of(&slots[1], &s)};
    ag_pass *passes[2] = {fixture_pass(f, "mipchain"), fixture_pass(f, "mipchain")};
    for (int i = 0; i < 2; ++i)
        CHECK_STATUS(f->ag->prepare(passes[i], &jobs[0]), AG_OK);
    if (h.pretends)
        CHECK_EQ(handles_resident(), 9);
    CHECK_STATUS(f->ag->execute(passes[1], &jobs[0], NULL), AG_OK);
    // By image units although there are handles.
    uint32_t *without = &ag_device_tuning(f->device)->without;
    *without = AG_WITHOUT_BINDLESS;
    CHECK_STATUS(f->ag->execute(passes[0], &jobs[0], NULL), AG_E_STATE);
    CHECK_STATUS(f->ag->prepare(passes[0], &jobs[0]), AG_OK);
    CHECK_STATUS(f->ag->execute(passes[0], &jobs[0], NULL), AG_OK);
    // A texture without handles has another plan, which still fits the declared scratch.
    *without = 0;
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(passes[0], &jobs[1], &plan), AG_OK);
    uint64_t declared = plan->scratch_bytes;
    *without = AG_WITHOUT_BINDLESS;
    CHECK_STATUS(f->ag->declare(passes[0], &jobs[1], &plan), AG_OK);
    CHECK(plan->scratch_bytes <= declared);
    *without = 0;
    CHECK_STATUS(f->ag->prepare(passes[0], &jobs[1]), AG_OK);
    CHECK_STATUS(f->ag->execute(passes[0], &jobs[1], NULL), AG_OK);
    CHECK_STATUS(f->ag->execute(passes[0], &jobs[0], NULL), AG_E_STATE);
    CHECK_STATUS(f->ag->execute(passes[1], &jobs[1], NULL), AG_E_STATE);
    // A new version of the same name: its handles replace the former ones.
    slots[0].version = 2;
    CHECK_STATUS(f->ag->prepare(passes[1], &jobs[0]), AG_OK);
    CHECK_STATUS(f->ag->execute(passes[1], &jobs[0], NULL), AG_OK);
    if (h.pretends)
        CHECK_EQ(handles_resident(), 9);
    f->ag->forget(f->device, t.name);
    if (h.pretends)
        CHECK_EQ(handles_resident(), 0);
    CHECK_STATUS(f->ag->execute(passes[1], &jobs[0], NULL), AG_E_STATE);
    for (int i = 0; i < 2; ++i)
        f->ag->pass_destroy(passes[i]);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    texture_destroy(f, &t);
    close_handles(&h);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_chains), FIXTURE_SWEEP(test_pyramids),
                                FIXTURE_TEST(test_life)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
