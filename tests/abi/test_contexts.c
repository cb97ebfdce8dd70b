// test_contexts.c - contexts with flags, and textures that are views: the same bits as without
// SPDX-License-Identifier: MIT
//
// Engines ship with contexts that check no errors, and some with robust ones; their textures are
// often views of others. Every effect, in every variant of its job, must give the bits that it
// gives in a debug context with textures of their own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

enum { W = JOB_WIDTH, H = JOB_HEIGHT, NO_ERROR_FLAG = 8, ROBUST_FLAG = 4 };

// Prepares, executes, and reads what was written.
static void results_of(fixture *f, test_job *j, job_results *results)
{
    ag_pass *pass = fixture_pass(f, j->info->id);
    job_tune(f->device, j);
    job_poison(f, j);
    fixture_run(f, pass, &j->job);
    job_read(f, j, results);
    f->ag->pass_destroy(pass);
}

// Calls `compare` for the variants that the share takes, and with `defaults` for the first of each
// effect, with its results in the group's context.
typedef void compare_job(fixture *group, fixture *other, test_job *j, const job_results *expected,
                         uint32_t variant);

static void each_variant(fixture *group, fixture *other, sweep *share, bool defaults,
                         compare_job *compare)
{
    for (const ag_effect_info *const *e = job_effects(group->ag); *e; ++e) {
        test_job j;
        job_results expected = {0};
        fixture_current(group);
        job_create(group, (*e)->id, W, H, &j);
        for (uint32_t v = 0; v < JOB_VARIANTS && job_variant(&j, v); ++v) {
            if (!(defaults && v == 0) && !sweep_takes(share))
                continue;
            results_of(group, &j, &expected);
            compare(group, other, &j, &expected, v);
            fixture_current(group);
            job_results_free(&expected);
        }
        job_destroy(group, &j);
    }
}

static void in_other_context(fixture *group, fixture *other, test_job *j,
                             const job_results *expected, uint32_t variant)
{
    test_job mine;
    job_results got = {0};
    (void)group;
    fixture_current(other);
    job_create(other, j->info->id, W, H, &mine);
    CHECK(job_variant(&mine, variant));
    results_of(other, &mine, &got);
    CHECK_F(job_results_same(&got, expected), "%s, variant %u", j->info->id, variant);
    job_results_free(&got);
    job_destroy(other, &mine);
}

static void test_flags(void **state)
{
    static const struct {
        const char *name;
        fixture_options options;
        GLint flag;
    } rows[] = {{"no errors", {.no_error = true}, NO_ERROR_FLAG},
                {"robust", {.robust = true}, ROBUST_FLAG}};
    fixture *group = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture_options options = rows[i].options;
        options.quiet = true;
        fixture *f = fixture_open(&options);
        CHECK_F(f != NULL, "%s", rows[i].name);
        GLint flags = 0;
        f->gl.GetIntegerv(GL_CONTEXT_FLAGS, &flags);
        if (flags & rows[i].flag)
            each_variant(group, f, sweep_start("variants", 3), true, in_other_context);
        printf("  ok    context of %s: %s\n", rows[i].name,
               flags & rows[i].flag ? "the same bits" : "this driver gives none");
        fixture_current(f);
        CHECK(fixture_close(f));
        fixture_current(group);
    }
}

// A view of level 1 on, and of two layers in the middle, of a larger texture; with its contents.
static texture view_of(fixture *f, const texture *t, GLuint *storage)
{
    int layers = t->layers ? t->layers : 1;
    texture view = *t;
    f->gl.GenTextures(1, storage);
    f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, *storage);
    f->gl.TexStorage3D(GL_TEXTURE_2D_ARRAY, t->levels + 1, t->format->internal, 2 * t->width,
                       2 * t->height, layers + 3);
    f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
    f->gl.GenTextures(1, &view.name);
    f->gl.TextureView(view.name, t->target, *storage, t->format->internal, 1, (GLuint)t->levels, 2,
                      (GLuint)layers);
    for (int level = 0; level < t->levels; ++level) {
        double *values = texture_read(f, t, level);
        texture_upload(f, &view, level, values);
        free(values);
    }
    return view;
}

static void with_views(fixture *group, fixture *other, test_job *j, const job_results *expected,
                       uint32_t variant)
{
    test_job plain = *j; // its textures; its job still points into *j
    GLuint storages[JOB_SLOTS] = {0}, former = j->lower.name;
    job_results got = {0};
    (void)other;
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        if (!j->textures[i].name)
            continue;
        j->textures[i] = view_of(group, &plain.textures[i], &storages[i]);
        j->slots[i].name = j->textures[i].name;
        if (job_first_output(j->info, i)) { // a view of a view
            group->gl.GenTextures(1, &j->lower.name);
            group->gl.TextureView(j->lower.name, GL_TEXTURE_2D, j->textures[i].name,
                                  j->textures[i].format->internal, 1, (GLuint)j->lower.levels, 0,
                                  1);
        }
    }
    results_of(group, j, &got);
    CHECK_F(job_results_same(&got, expected), "%s, variant %u, views", j->info->id, variant);
    job_results_free(&got);
    if (j->lower.name != former)
        group->gl.DeleteTextures(1, &j->lower.name);
    j->lower.name = former;
    for (uint32_t i = 0; i < j->info->slot_count; ++i)
        if (storages[i]) {
            texture_destroy(group, &j->textures[i]);
            group->gl.DeleteTextures(1, &storages[i]);
            j->textures[i] = plain.textures[i];
            j->slots[i] = plain.slots[i];
        }
}

static void test_views(void **state)
{
    // llvmpipe compiles every program again for a view.
    each_variant(*state, NULL, sweep_start("views", 8), false, with_views);
}

// A view of RGBA8 codes as SRGB8_ALPHA8, as engines make for their swap chains, and the reverse.
static void test_views_of_formats(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba8", "srgb8"};
    for (int to = 0; to < 2; ++to) {
        test_job j;
        job_results expected = {0}, got = {0};
        job_create(f, "downsample", W, H, &j);
        double *values = texture_read(f, &j.textures[0], 0);
        texture plain = texture_create(f, formats[to], W, H, values);
        texture storage = texture_create(f, formats[!to], W, H, NULL), view = plain;
        f->gl.GenTextures(1, &view.name);
        f->gl.TextureView(view.name, GL_TEXTURE_2D, storage.name, plain.format->internal, 0, 1, 0,
                          1);
        texture_upload(f, &view, 0, values);
        j.slots[0] = texture_view(&plain);
        results_of(f, &j, &expected);
        j.slots[0] = texture_view(&view);
        results_of(f, &j, &got);
        CHECK(check_case(formats[to], job_results_same(&got, &expected)));
        job_results_free(&expected);
        job_results_free(&got);
        free(values);
        texture_destroy(f, &view);
        texture_destroy(f, &storage);
        texture_destroy(f, &plain);
        job_destroy(f, &j);
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_flags), FIXTURE_SWEEP(test_views),
                                FIXTURE_TEST(test_views_of_formats)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
