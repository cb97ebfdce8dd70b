// test_shader.c - shared programs and their names, under a real driver
// SPDX-License-Identifier: MIT
//
// test_shader --dump DIR      writes every variant of every shader, and their dispatches
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/convolve.h>

#include "fixture.h"
#include "folder.h"
#include "jobs.h"
#include "random.h"
#include "shader/embedded.h"
#include "test_shader.h"
#include "texture.h"

typedef struct scene { // two textures, a kernel, a job
    texture t[3];
    ag_texture slots[3];
    ag_convolve_settings settings;
    ag_job job;
} scene;

static void scene_open(fixture *f, scene *s, int width)
{
    rng r = {7};
    double values[4 * 64 * 10];
    rng_fill_uniform(&r, values, sizeof values / sizeof *values, 0, 1);
    s->t[0] = texture_create(f, "rgba32f", width, 10, values);
    s->t[1] = texture_create(f, "r32f", 3, 3, values);
    s->t[2] = texture_create(f, "rgba32f", width, 10, NULL);
    for (int i = 0; i < 3; ++i)
        s->slots[i] = texture_view(&s->t[i]);
    s->settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .scrub = 1);
    s->job = (ag_job){.struct_size = sizeof s->job,
                      .slots = s->slots,
                      .slot_count = 3,
                      .settings = &s->settings,
                      .next_use = AG_USE_COPY};
}

static void scene_close(fixture *f, scene *s)
{
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &s->t[i]);
}

static uint32_t programs(fixture *f)
{
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
    return health.programs;
}

// Each file of the source tree is the embedded one.
static void test_embedded_files(void **state)
{
    (void)state;
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder_find(AG_SHADER_SOURCE_DIR), file->path);
        FILE *in = fopen(path, "rb");
        CHECK_F(in != NULL, "%s", path);
        char *text = check_allocate(file->length + 1);
        size_t length = fread(text, 1, file->length + 1, in);
        fclose(in);
        CHECK_F(length == file->length && memcmp(text, file->text, length) == 0,
                "%s is not what was compiled in", path);
        free(text);
    }
}

// A folder that is gone when the first program is made.
static void test_no_folder(void **state)
{
    (void)state;
    folder gone = folder_create();
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = gone.path};
    fixture *f = fixture_open(&(fixture_options){.desc = &desc, .quiet = true});
    folder_destroy(&gone);
    if (!f)
        exit(77);
    ag_pass *pass = fixture_pass(f, "convolve");
    scene s;
    scene_open(f, &s, 12);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &s.job), AG_FALLBACK);
    printf("  ok    no such folder: %s\n", host_log_last(&f->host));
    CHECK_HAS(host_log_last(&f->host), ".comp");
    CHECK_HAS(host_log_last(&f->host), gone.path);
    CHECK_EQ(f->host.message_count, 1);
    CHECK_STATUS(f->ag->execute(pass, &s.job, NULL), AG_OK);
    CHECK(!texture_is_poison(f, &s.t[2]));
    scene_close(f, &s);
    f->ag->pass_destroy(pass);
    CHECK(fixture_close(f));
}

// Programs belong to the device: a second pass that needs the same ones makes none.
static void test_shared_programs(void **state)
{
    (void)state;
    fixture *f = fixture_open(&(fixture_options){.quiet = true});
    if (!f)
        exit(77);
    ag_pass *a = fixture_pass(f, "convolve"), *b = fixture_pass(f, "convolve");
    scene s, wider;
    scene_open(f, &s, 12);
    scene_open(f, &wider, 60);
    CHECK_EQ(programs(f), 0);
    fixture_run(f, a, &s.job);
    uint32_t first = programs(f);
    gl_trace_reset(&f->host.trace);
    fixture_run(f, b, &s.job);
    printf("  note  %u programs for the first pass, %u after the second\n", first, programs(f));
    CHECK(first > 0);
    CHECK_EQ(programs(f), first);
    CHECK_EQ(gl_trace_calls(&f->host.trace, "glCompileShader"), 0);
    fixture_run(f, b, &wider.job); // other rows, the same columns
    CHECK(programs(f) > first && programs(f) < 2 * first);
    uint32_t both = programs(f);
    fixture_run(f, b, &s.job); // back again: they are still there
    CHECK_EQ(programs(f), both);
    scene_close(f, &s);
    scene_close(f, &wider);
    f->ag->pass_destroy(a);
    f->ag->pass_destroy(b);
    CHECK(fixture_close(f));
}

typedef struct order { // of the calls of a prepare
    bool dispatched;
    uint32_t late; // programs linked after that
} order;

static void note_order(void *user, const char *name)
{
    order *o = user;
    o->dispatched = o->dispatched || strcmp(name, "glDispatchCompute") == 0;
    o->late += o->dispatched && strcmp(name, "glLinkProgram") == 0;
}

// Every effect names all its programs before it uses one, so that drivers compile them at once.
static void test_programs_are_named(void **state)
{
    (void)state;
    fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    if (!f)
        exit(77);
    uint32_t count = 0, late = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e)
        for (uint32_t variant = 0; variant < JOB_VARIANTS; ++variant) {
            test_job j;
            order o = {0};
            job_create(f, effects[e]->id, 9, 7, &j);
            if (job_variant(&j, variant)) {
                fixture_device(f, NULL);
                job_tune(f->device, &j);
                ag_pass *pass = fixture_pass(f, effects[e]->id);
                f->host.trace.on_call = note_order;
                f->host.trace.on_call_user = &o;
                CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
                f->host.trace.on_call = NULL;
                printf("  %-5s %s, variant %u: %u programs that `programs` does not name\n",
                       o.late ? "WRONG" : "ok", effects[e]->id, variant, o.late);
                late += o.late;
                f->ag->device_destroy(f->device, 0);
                f->device = NULL;
            }
            job_destroy(f, &j);
        }
    CHECK(fixture_close(f));
    CHECK_EQ(late, 0);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--dump") == 0)
        return shader_dump(argv[2]);
    const check_test tests[] = {
        UNIT_TEST(test_embedded),           UNIT_TEST(test_includes),
        UNIT_TEST(test_conditions),         UNIT_TEST(test_expressions),
        UNIT_TEST(test_include_limits),     UNIT_TEST(test_logs),
        UNIT_TEST(test_special_files),      UNIT_TEST(test_large_files),
        UNIT_TEST(test_strange_texts),      UNIT_TEST(test_embedded_files),
        UNIT_TEST(test_no_folder),          UNIT_TEST(test_shared_programs),
        UNIT_TEST(test_programs_are_named),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
