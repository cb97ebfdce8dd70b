// test_mip_ways.c - all ways of mipchain give the same levels: texels exchanged through shared
// memory or by shuffles; level 0 read by a texture unit, or by an image unit (no texture unit;
// glTexImage). test_mipchain.c holds one of them against the exact chain
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <afterglow/mipchain.h>

#include "core/tuning.h"
#include "jobs.h"
#include "random.h"

enum { LEVELS = 3, WAYS = 4 };
enum { SHARED, SUBGROUPS, IMAGE_UNIT, MUTABLE };

static const ag_tuning tunings[WAYS] = {[SHARED] = {.without = AG_WITHOUT_SUBGROUPS},
                                        [SUBGROUPS] = {.emulate = 1},
                                        [IMAGE_UNIT] = {.without = AG_WITHOUT_TEXTURE_UNITS |
                                                                   AG_WITHOUT_SUBGROUPS},
                                        [MUTABLE] = {.without = AG_WITHOUT_SUBGROUPS}};

typedef struct kind {
    const char *format;
    int width, height, reduce, weight;
} kind;

static texture make_texture(fixture *f, const kind *k, const double *values)
{
    texture t = texture_create_array(f, k->format, k->width, k->height, 0, LEVELS + 1, NULL);
    texture_poison(f, &t);
    texture_upload(f, &t, 0, values);
    return t;
}

static void run(fixture *f, ag_pass *pass, const kind *k, const ag_texture *slot, int way)
{
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    s.reduce = k->reduce;
    s.weight = k->weight;
    s.levels = LEVELS;
    ag_job job = {.struct_size = sizeof job, .slots = slot, .slot_count = 1, .settings = &s};
    *ag_device_tuning(f->device) = tunings[way];
    fixture_run(f, pass, &job);
    *ag_device_tuning(f->device) = (ag_tuning){0};
}

static void copy_level(fixture *f, uint32_t from, uint32_t to, const kind *k, int level)
{
    f->gl.CopyImageSubData(from, GL_TEXTURE_2D, level, 0, 0, 0, to, GL_TEXTURE_2D, level, 0, 0, 0,
                           k->width >> level, k->height >> level, 1);
}

// Copies into a texture made by glTexImage, and back.
static void run_mutable(fixture *f, ag_pass *pass, const kind *k, const texture *t)
{
    uint32_t name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    for (int i = 0; i <= LEVELS; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, (GLint)t->format->internal, k->width >> i,
                         k->height >> i, 0, GL_RGBA, GL_FLOAT, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, LEVELS);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    copy_level(f, t->name, name, k, 0);
    ag_texture slot = texture_view(t);
    slot.name = name;
    run(f, pass, k, &slot, MUTABLE);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    for (int i = 1; i <= LEVELS; ++i)
        copy_level(f, name, t->name, k, i);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
}

static bool check_ways(fixture *f, ag_pass *pass, rng *r, const kind *k)
{
    static const char *const ways[WAYS] = {"shared", "subgroups", "image unit", "mutable"};
    size_t count = (size_t)k->width * (size_t)k->height * 4;
    double *values = malloc(count * sizeof *values), *first[LEVELS + 1] = {NULL};
    for (size_t i = 0; values && i < count; ++i)
        values[i] = rng_uniform(r, 0, 1);
    bool good = values != NULL, refused = format_named(k->format)->kind == FORMAT_SRGB ||
                                          format_named(k->format)->bits[0] == 11;
    for (int way = 0; way < WAYS && good; ++way) {
        texture t = make_texture(f, k, values);
        ag_texture slot = texture_view(&t);
        if (way != MUTABLE)
            run(f, pass, k, &slot, way);
        else if (!refused) // textures of glTexImage are, in two formats
            run_mutable(f, pass, k, &t);
        double worst = 0;
        for (int level = 1; level <= LEVELS && (way != MUTABLE || !refused); ++level) {
            double *got = texture_read(f, &t, level);
            size_t n = texture_value_count(&t, level);
            for (size_t i = 0; way && i < n; ++i) {
                int channel = (int)(i % (size_t)t.format->channels);
                double unit = format_unit(t.format, channel, first[level][i]);
                double off = fabs(got[i] - first[level][i]) / unit;
                worst = off <= worst ? worst : off;
            }
            if (way)
                free(got);
            else
                first[level] = got;
        }
        char name[96];
        snprintf(name, sizeof name, "%s %dx%d reduce %d weight %d: %s against shared", k->format,
                 k->width, k->height, k->reduce, k->weight, ways[way]);
        // Sums in another order differ in their last bits, and so may the rounded values.
        double limit = k->reduce != AG_MIP_MEAN ? 0 : t.format->bits[0] == 32 ? 8 : 1.001;
        if (way)
            good &= check_limit(name, worst, limit);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    for (int level = 1; level <= LEVELS; ++level)
        free(first[level]);
    free(values);
    return good;
}

static void test_ways(void **state)
{
    fixture *f = *state;
    rng r = rng_start("ways", 91);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("ways", 16);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        kind k = {format_at(i)->name, 8 * (9 + i), 8 * (17 - i % 3), AG_MIP_MEAN,
                  i % 3 ? AG_MIP_WEIGHT_NONE : AG_MIP_WEIGHT_KARIS};
        if (sweep_takes(share))
            good &= check_ways(f, pass, &r, &k);
        k.weight = AG_MIP_WEIGHT_NONE;
        k.reduce = i % 2 ? AG_MIP_MIN : AG_MIP_MAX;
        if (sweep_takes(share))
            good &= check_ways(f, pass, &r, &k);
        for (int odd = 1; odd <= 4;
             ++odd) { // other readers of level 0: odd in x, in y, in both, later
            k.width = 8 * (9 + i) + (odd < 4 ? odd & 1 : 2);
            k.height = 8 * (17 - i % 3) + (odd < 4 ? odd >> 1 : 4);
            int turn = (i + odd) % 6;
            k.reduce = turn < 3 ? AG_MIP_MEAN : turn == 3 ? AG_MIP_FIRST : turn - 3;
            k.weight = turn ? AG_MIP_WEIGHT_NONE : AG_MIP_WEIGHT_KARIS;
            if (sweep_takes(share))
                good &= check_ways(f, pass, &r, &k);
        }
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// What is prepared for a texture that can be viewed does not run on one that cannot, and the other
// way round.
static void test_not_alike(void **state)
{
    fixture *f = *state;
    kind k = {"rgba16f", 64, 64, AG_MIP_MEAN, AG_MIP_WEIGHT_NONE};
    texture t = texture_create_array(f, k.format, k.width, k.height, 0, LEVELS + 1, NULL);
    ag_pass *pass = fixture_pass(f, "mipchain");
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    s.levels = LEVELS;
    uint32_t name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    for (int i = 0; i <= LEVELS; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_RGBA16F, 64 >> i, 64 >> i, 0, GL_RGBA, GL_FLOAT,
                         NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    ag_texture slots[2] = {texture_view(&t), texture_view(&t)};
    slots[1].name = name;
    ag_job jobs[2];
    ag_pass *other = fixture_pass(f, "mipchain");
    for (int i = 0; i < 2; ++i) {
        jobs[i] = (ag_job){
            .struct_size = sizeof *jobs, .slots = &slots[i], .slot_count = 1, .settings = &s};
        CHECK_STATUS(f->ag->prepare(i ? other : pass, &jobs[i]), AG_OK);
    }
    CHECK_STATUS(f->ag->execute(pass, &jobs[0], NULL), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &jobs[1], NULL), AG_E_STATE);
    CHECK(host_log_has(&f->host, "glTexImage"));
    CHECK_STATUS(f->ag->prepare(pass, &jobs[1]), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &jobs[1], NULL), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &jobs[0], NULL), AG_E_STATE);
    f->ag->pass_destroy(other);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    texture_destroy(f, &t);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_ways), FIXTURE_TEST(test_not_alike)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
