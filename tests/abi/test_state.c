// test_state.c - random values in all GL state around every call: equal afterwards where promised
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reloading.h"
#include "state_table.h"

enum {
    IMAGES = 3, // as afterglow.h publishes; chains of levels take all of the eight from the base on
    TABLES = 7, // sat, box_blur, local_stats
    SSBOS = 6,
    SEEDS = 6
};

typedef struct scene {
    fixture *f;
    test_host host;
    state_objects objects;
    test_job job;
    state_watch watch;
    ag_device_desc desc;
    rng random;
    GLenum pending; // the error that the host has not fetched yet
    size_t differences;
} scene;

// What the effect states; chains of levels make do with what the base leaves.
static int images_of(const scene *s)
{
    int stated = (int)s->job.info->image_units, left = 8 - (int)s->desc.image_unit_base;
    return stated < left ? stated : left > 3 ? left : 3;
}

static uint32_t without_of(uint64_t seed)
{
    return seed % 3 ? 0 : AG_WITHOUT_TEXTURE_UNITS; // then those units are left alone
}

static void scene_open(scene *s, const char *effect, uint64_t seed)
{
    fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    CHECK(f != NULL);
    *s = (scene){.f = f};
    s->random = rng_start(effect, seed);
    host_init(&s->host, f->context);
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &s->job);
    s->objects = state_objects_create(f);
    s->watch.job = &s->job;
    s->watch.query_buffer = fixture_has_query_buffer(f);
    const bool moved = seed % 3 == 1; // programs have these numbers, so only some scenes move them
    s->desc = (ag_device_desc){
        .struct_size = sizeof s->desc,
        .flags = AG_DEVICE_LABELS,
        .image_unit_base = moved ? 8 - TABLES : 0,
        .ssbo_base = moved ? 8 - SSBOS : 0,
        .texture_unit_base = moved ? 3 : 0,
        .without = without_of(seed),
    };
    texture_poison(f, job_output(&s->job));
    state_random_parameters(f, &s->objects, &s->job, &s->random);
    state_random_bindings(f, &s->objects, &s->random, s->watch.query_buffer);
    f->gl.BeginQuery(GL_TIME_ELAPSED, s->objects.query); // a profiler of the host's
    if (seed % 2) {
        fixture_ignore(f, true);
        f->gl.BindTexture(0xbad, 0);
        fixture_ignore(f, false);
        s->pending = GL_INVALID_ENUM;
    }
}

static void scene_close(scene *s)
{
    fixture *f = s->f;
    CHECK_EQ(f->gl.GetError(), s->pending); // neither fetched nor replaced
    CHECK_EQ(f->gl.GetError(), GL_NO_ERROR);
    f->gl.EndQuery(GL_TIME_ELAPSED);
    job_destroy(f, &s->job);
    state_objects_destroy(f, &s->objects);
    CHECK(host_finish(&s->host));
    CHECK(fixture_close(f));
    CHECK_EQ(s->differences, 0);
}

static state_snapshot take(scene *s)
{
    gl_trace_reset(&s->host.trace); // what is called from here on
    return state_take(s->f, &s->watch);
}

// Nothing may differ from `before`; `before` is freed.
static void expect_same(scene *s, state_snapshot *before, const char *when)
{
    state_snapshot now = take(s);
    s->differences += state_compare(before, &now, when);
    state_free(&now);
    state_free(before);
}

#define UNCHANGED(s, when, call)          \
    do {                                  \
        state_snapshot before_ = take(s); \
        call;                             \
        expect_same(s, &before_, when);   \
    } while (0)

// A texture unit is as it was, or as wanted: which units and which of their targets an effect uses
// depends on its method.
static void expect_unit(state_snapshot *before, state_snapshot *now, int unit,
                        const struct ag_texture_unit *want)
{
    static const GLenum targets[][2] = {{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                                        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY}};
    bool used = false;
    for (int i = 0; i < 2; ++i) {
        state_value *old = state_find(before, targets[i][1], unit);
        bool changed = old->value.whole[0] != state_find(now, targets[i][1], unit)->value.whole[0];
        if (changed)
            old->value.whole[0] = want->target == targets[i][0] ? want->texture : 0;
        used |= changed;
    }
    state_value *sampler = state_find(before, GL_SAMPLER_BINDING, unit);
    if (used ||
        sampler->value.whole[0] != state_find(now, GL_SAMPLER_BINDING, unit)->value.whole[0])
        sampler->value.whole[0] = want->sampler;
}

// The documented effect of execute: bindings that it uses are 0, or have the values of `restore`.
static void expect_executed(scene *s, state_snapshot *before, const ag_gl_state *restore,
                            const char *when)
{
    static const ag_gl_state zero;
    const ag_gl_state *want = restore ? restore : &zero;
    bool sampled = gl_trace_calls(&s->host.trace, "glBindTexture") > 0;
    state_snapshot now = take(s);
    state_find(before, GL_CURRENT_PROGRAM, -1)->value.whole[0] = want->program;
    state_find(before, GL_SHADER_STORAGE_BUFFER_BINDING, -1)->value.whole[0] = want->ssbo_generic;
    for (int i = 0; i < images_of(s); ++i) {
        int unit = (int)s->desc.image_unit_base + i;
        const struct ag_image_unit *image = &want->images[i];
        const struct {
            GLenum name;
            int64_t value;
        } rows[] = {
            {GL_IMAGE_BINDING_NAME, image->texture},    {GL_IMAGE_BINDING_LEVEL, image->level},
            {GL_IMAGE_BINDING_LAYERED, image->layered}, {GL_IMAGE_BINDING_LAYER, image->layer},
            {GL_IMAGE_BINDING_ACCESS, image->access},   {GL_IMAGE_BINDING_FORMAT, image->format},
        };
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
            state_value *v = state_find(before, rows[k].name, unit);
            v->value.whole[0] = rows[k].value;
            if (image->texture == 0 && k > 0) // without a texture the rest means nothing
                v->value = state_find(&now, rows[k].name, unit)->value;
        }
    }
    for (int i = 0; i < SSBOS; ++i) {
        int binding = (int)s->desc.ssbo_base + i;
        const struct ag_ssbo *ssbo = &want->ssbos[i];
        state_find(before, GL_SHADER_STORAGE_BUFFER_BINDING, binding)->value.whole[0] =
            ssbo->buffer;
        state_find(before, GL_SHADER_STORAGE_BUFFER_START, binding)->value.whole[0] =
            ssbo->bytes ? (int64_t)ssbo->offset : 0;
        state_find(before, GL_SHADER_STORAGE_BUFFER_SIZE, binding)->value.whole[0] =
            (int64_t)ssbo->bytes;
    }
    CHECK(!sampled || s->job.info->texture_units > 0);
    if (sampled) {
        state_find(before, GL_ACTIVE_TEXTURE, -1)->value.whole[0] =
            want->active_texture ? want->active_texture : GL_TEXTURE0;
        for (int i = 0; i < (int)s->job.info->texture_units; ++i)
            expect_unit(before, &now, (int)s->desc.texture_unit_base + i, &want->textures[i]);
    }
    s->differences += state_compare(before, &now, when);
    state_free(&now);
    state_free(before);
}

// Values that a host might want back: legal, random.
static ag_gl_state random_restore(scene *s)
{
    rng *r = &s->random;
    const state_objects *o = &s->objects;
    ag_gl_state g = {.struct_size = sizeof g,
                     .program = o->programs[rng_int(r, 0, 1)],
                     .ssbo_generic = o->buffers[rng_int(r, 0, STATE_OBJECTS - 1)]};
    for (int i = 0; i < images_of(s); ++i) {
        if (rng_int(r, 0, 3) == 0)
            continue;
        g.images[i] =
            (struct ag_image_unit){.texture = o->images[rng_int(r, 0, STATE_OBJECTS - 1)],
                                   .layered = (uint32_t)rng_int(r, 0, 1),
                                   .access = rng_int(r, 0, 1) ? GL_READ_ONLY : GL_READ_WRITE,
                                   .format = rng_int(r, 0, 1) ? GL_RGBA32F : GL_RGBA32UI,
                                   .level = rng_int(r, 0, 2),
                                   .layer = rng_int(r, 0, 3)};
    }
    for (int i = 0; i < SSBOS; ++i) {
        if (rng_int(r, 0, 3) == 0)
            continue;
        g.ssbos[i].buffer = o->buffers[rng_int(r, 0, STATE_OBJECTS - 1)];
        if (rng_int(r, 0, 1)) {
            g.ssbos[i].offset = 256 * (uint64_t)rng_int(r, 0, 3);
            g.ssbos[i].bytes = 4 * (uint64_t)rng_int(r, 1, 512);
        }
    }
    if (rng_int(r, 0, 1)) {
        g.active_texture = GL_TEXTURE0 + (uint32_t)rng_int(r, 0, STATE_UNITS - 1);
        for (uint32_t i = 0; i < s->job.info->texture_units; ++i)
            g.textures[i] =
                (struct ag_texture_unit){.texture = s->job.textures[0].name,
                                         .target = GL_TEXTURE_2D,
                                         .sampler = o->samplers[rng_int(r, 0, STATE_OBJECTS - 1)]};
    }
    return g;
}

// Results do not depend on the host's state: `calm` are those in a context of their own.
static void check_executes(scene *s, ag_pass *pass, const job_results *calm)
{
    const ag_api *ag = s->f->ag;
    ag_job *job = &s->job.job;
    job->flags = rng_int(&s->random, 0, 1) ? AG_JOB_TIME_STEPS : 0;
    uint32_t flags = job->flags;

    state_snapshot before = take(s);
    CHECK_STATUS(ag->execute(pass, job, NULL), AG_OK);
    expect_executed(s, &before, NULL, "execute");
    job_results wild;
    s->f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    job_read(s->f, &s->job, &wild);
    CHECK_F(job_results_same(&wild, calm), "%s: the host's state changes the result",
            s->job.info->id);
    job_results_free(&wild);

    state_random_bindings(s->f, &s->objects, &s->random, s->watch.query_buffer);
    job->flags = flags | AG_JOB_RESTORE;
    before = take(s);
    CHECK_STATUS(ag->execute(pass, job, NULL), AG_OK);
    expect_same(s, &before, "execute with AG_JOB_RESTORE");

    ag_gl_state restore = random_restore(s);
    job->flags = flags;
    job->restore = &restore;
    before = take(s);
    CHECK_STATUS(ag->execute(pass, job, NULL), AG_OK);
    expect_executed(s, &before, &restore, "execute with restore");
    job->restore = NULL;

    // failures touch nothing
    state_random_bindings(s->f, &s->objects, &s->random, s->watch.query_buffer);
    before = take(s);
    job_spoil(&s->job);
    CHECK_STATUS(ag->execute(pass, job, NULL), AG_E_ARG);
    CHECK_STATUS(ag->prepare(pass, job), AG_E_ARG);
    job_mend(&s->job);
    expect_same(s, &before, "failing execute and prepare");
}

// prepare with the allocator failing at several calls, after GL objects were made
static void check_failing_prepare(scene *s, ag_device *device, const char *effect)
{
    const ag_api *ag = s->f->ag;
    ag_pass *pass = NULL;
    CHECK_STATUS(ag->pass_create(device, effect, &pass), AG_OK);
    for (uint64_t k = 1; k < 60; k += 1 + k / 3) {
        state_snapshot before = take(s);
        host_alloc_reset(&s->host, k);
        ag_status status = ag->prepare(pass, &s->job.job);
        bool failed = s->host.alloc_calls >= k;
        host_alloc_reset(&s->host, 0);
        CHECK_STATUS(status, failed ? AG_E_MEMORY : AG_OK);
        expect_same(s, &before, "prepare out of memory");
        if (!failed)
            break;
        before = take(s);
        CHECK_STATUS(ag->execute(pass, &s->job.job, NULL), AG_E_STATE);
        expect_same(s, &before, "execute without a plan");
    }
    state_snapshot before = take(s);
    ag->pass_destroy(pass);
    expect_same(s, &before, "pass_destroy");
}

static job_results run_calm(const char *effect, uint32_t variant, uint32_t without)
{
    const ag_device_desc desc = {.struct_size = sizeof desc, .without = without};
    fixture *f = fixture_open(&(fixture_options){.desc = &desc, .quiet = true});
    CHECK(f != NULL);
    test_job j;
    job_results results;
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &j);
    job_variant(&j, variant);
    job_tune(f->device, &j);
    fixture_run(f, fixture_pass(f, effect), &j.job);
    job_read(f, &j, &results);
    job_destroy(f, &j);
    CHECK(fixture_close(f));
    return results;
}

static void run_scene(const char *effect, uint32_t variant, uint64_t seed)
{
    scene s;
    job_results calm = run_calm(effect, variant, without_of(seed));
    scene_open(&s, effect, seed);
    fixture *f = s.f;
    const ag_api *ag = f->ag;
    job_variant(&s.job, variant);
    ag_device *device = NULL;
    ag_pass *pass = NULL;

    UNCHANGED(&s, "device_create",
              CHECK_STATUS(ag->device_create(&s.host.host, &s.desc, &device), AG_OK));
    job_tune(device, &s.job);
    UNCHANGED(&s, "pass_create", CHECK_STATUS(ag->pass_create(device, effect, &pass), AG_OK));
    check_failing_prepare(&s, device, effect);
    UNCHANGED(&s, "prepare", CHECK_STATUS(ag->prepare(pass, &s.job.job), AG_OK));
    check_executes(&s, pass, &calm);
    job_results_free(&calm);
    if (strcmp(effect, "convolve") == 0) { // reads the kernel's sums back
        job_set(&s.job, "normalize", 0, 1);
        UNCHANGED(&s, "prepare with normalize", CHECK_STATUS(ag->prepare(pass, &s.job.job), AG_OK));
    }
    UNCHANGED(&s, "frame", CHECK_STATUS(ag->frame(device, 1), AG_OK));
    f->gl.Finish();
    UNCHANGED(&s, "second frame", CHECK_STATUS(ag->frame(device, 2), AG_OK));
    UNCHANGED(&s, "health", CHECK_STATUS(ag->health(device, NULL), AG_OK));
    // a GL_QUERY_BUFFER of the host's must not catch the results
    ag_stats stats = {.struct_size = sizeof stats};
    GLint bits = 0;
    f->gl.GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    CHECK_STATUS(ag->stats(pass, AG_WHOLE_PASS, &stats), AG_OK);
    if (bits)
        CHECK_F(stats.samples == 2 && stats.gpu_first > 0 && stats.gpu_min > 0 &&
                    stats.gpu_p95 < 60e9,
                "%u samples, %g..%g ns", stats.samples, stats.gpu_min, stats.gpu_p95);
    for (uint32_t i = 0; i < s.job.info->slot_count; ++i) {
        ag_texture asked = {.struct_size = sizeof asked}, wrong = asked;
        uint32_t name = s.job.slots[i].name;
        if (!name)
            continue;
        UNCHANGED(&s, "texture", CHECK_STATUS(ag->texture(device, name, 0, &asked), AG_OK));
        UNCHANGED(&s, "refused texture",
                  CHECK_STATUS(ag->texture(device, name, 31, &wrong), AG_E_ARG));
        UNCHANGED(&s, "forget", ag->forget(device, name));
    }
    UNCHANGED(&s, "pass_destroy", ag->pass_destroy(pass));
    CHECK_STATUS(ag->pass_create(device, effect, &pass), AG_OK);
    CHECK_STATUS(ag->prepare(pass, &s.job.job), AG_OK);
    UNCHANGED(&s, "device_destroy", ag->device_destroy(device, 0));
    CHECK_EQ(texture_poison_count(f, job_output(&s.job), 0, 0, 0, 0, 0), 0);
    scene_close(&s);
}

static void test_fuzz(void **state)
{
    fixture *f = *state;
    sweep *share = sweep_start("scenes", SEEDS);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e)
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
            if (sweep_takes(share))
                run_scene((*e)->id, (uint32_t)(seed % JOB_VARIANTS), seed);
    fixture_current(f);
}

// Every frame of a reload, of a reload that fails, and of one that recomputes the kernel's sum.
static void test_reload(void **state)
{
    fixture *f = *state;
    scene s;
    scene_open(&s, "convolve", 1);
    job_variant(&s.job, 1); // the direct method: quick to compile
    const ag_api *ag = s.f->ag;
    folder d = reloading_folder();
    s.desc.shader_dir = d.path;
    s.host.trace.patient = true;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    CHECK_STATUS(ag->device_create(&s.host.host, &s.desc, &device), AG_OK);
    CHECK_STATUS(ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(ag->prepare(pass, &s.job.job), AG_OK);
    for (int edit = 0; edit < 3; ++edit) {
        if (edit == 0)
            reloading_brighten(&d, 2);
        else if (edit == 1)
            folder_put(&d, DIRECT, "not a shader\n");
        else
            reloading_edit(&d, SUMS, "scale.high;", "scale.high * 2.0;");
        if (edit == 2)
            reloading_brighten(&d, 3);
        ag_reload reload = {.struct_size = sizeof reload};
        for (int i = 0; i < 40; ++i) {
            s.host.clock += 10000000;
            state_random_bindings(s.f, &s.objects, &s.random, s.watch.query_buffer);
            state_snapshot before = take(&s);
            fixture_ignore(s.f, edit == 1); // debug output has the broken shader, too
            CHECK_STATUS(ag->frame(device, 1), AG_OK);
            fixture_ignore(s.f, false);
            expect_same(&s, &before, "frame of a reload");
        }
        CHECK_STATUS(ag->reload_status(device, &reload), AG_OK);
        CHECK_F(reload.generation == (edit == 2 ? 2 : 1) && reload.failed == (edit == 1) &&
                    !reload.pending,
                "edit %d: generation %u, failed %u", edit, reload.generation, reload.failed);
        texture_poison(s.f, job_output(&s.job));
        CHECK_STATUS(ag->execute(pass, &s.job.job, NULL), AG_OK);
        CHECK_EQ(texture_poison_count(s.f, job_output(&s.job), 0, 0, 0, 0, 0), 0);
    }
    ag->device_destroy(device, 0);
    folder_destroy(&d);
    scene_close(&s);
    fixture_current(f);
}

// The table can be read twice with equal results, and it sees what is changed.
static void test_table(void **state)
{
    fixture *group = *state;
    scene s;
    scene_open(&s, "convolve", 77);
    fixture *f = s.f;
    state_snapshot before = take(&s);
    printf("  state  %zu rows, %zu values\n", state_row_count(), before.count);
    expect_same(&s, &before, "reading");
    before = take(&s);
    f->gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, s.objects.buffers[0], 512, 12);
    f->gl.ActiveTexture(GL_TEXTURE0 + 1);
    f->gl.BindTexture(GL_TEXTURE_2D, s.job.textures[1].name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 77);
    state_snapshot now = take(&s);
    printf("  (differences on purpose)\n");
    CHECK(state_compare(&before, &now, "on purpose") >= 4);
    state_free(&before);
    state_free(&now);
    scene_close(&s);
    fixture_current(group);
}

// What the table does not read, the module cannot change: it asks for no function that does.
static void test_functions(void **state)
{
    static const char *const read[] = {"glUseProgram",      "glBindImageTexture", "glBindBuffer",
                                       "glBindBufferBase",  "glActiveTexture",    "glBindTexture",
                                       "glBindBufferRange", "glBindSampler",      "glTexParameteri",
                                       "glPushDebugGroup",  "glPopDebugGroup",    "glQueryCounter"};
    // Of these each one that begins so: they answer, or change what is the module's own.
    static const char *const own[] = {"glGet",
                                      "glIs",
                                      "glGen",
                                      "glCreate",
                                      "glDelete",
                                      "glAttach",
                                      "glDetach",
                                      "glLinkProgram",
                                      "glCompileShader",
                                      "glShaderSource",
                                      "glBufferData",
                                      "glDispatch",
                                      "glTexStorage",
                                      "glTextureView",
                                      "glProgramUniform",
                                      "glFenceSync",
                                      "glClientWait",
                                      "glObjectLabel",
                                      "glProgramBinary",
                                      "glProgramParameter",
                                      "glBufferSub",
                                      "glCopyBuffer",
                                      "glMemoryBarrier",
                                      "glShaderStorageBlock",
                                      "glMaxShaderCompilerThreads"};
    fixture *f = *state;
    uint32_t others = 0;
    fixture_device(f, NULL);
    for (uint32_t i = 0; i < f->host.trace.asked_count; ++i) {
        const char *name = f->host.trace.asked[i];
        bool known = false;
        for (size_t k = 0; k < sizeof read / sizeof *read; ++k)
            known |= strcmp(name, read[k]) == 0;
        for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
            known |= strncmp(name, own[k], strlen(own[k])) == 0;
        others += !known && !check_case(name, false);
    }
    printf("  %u functions\n", f->host.trace.asked_count);
    CHECK(f->host.trace.asked_count > 60);
    CHECK_EQ(others, 0);
    f->ag->device_destroy(f->device, 0);
    f->device = NULL;
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_table), FIXTURE_TEST(test_functions),
                                FIXTURE_SWEEP(test_fuzz), FIXTURE_TEST(test_reload)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
