// abi_simple.c - one call a frame: ag_api.run, and the functions of simple.h on top of it
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include <afterglow/simple.h>

#include "jobs.h"
#include "test_abi.h"

// What prepare and execute make of a job. Poisons the outputs again.
static job_results expected(fixture *f, test_job *j)
{
    job_results results = {0};
    ag_pass *pass = fixture_pass(f, j->info->id);
    job_poison(f, j);
    fixture_run(f, pass, &j->job);
    job_read(f, j, &results);
    job_poison(f, j);
    f->ag->pass_destroy(pass);
    return results;
}

// Whether a job's outputs are those. Poisons the outputs again.
static bool made(fixture *f, test_job *j, const job_results *want)
{
    job_results got = {0};
    job_read(f, j, &got);
    bool same = job_results_same(&got, want);
    job_results_free(&got);
    job_poison(f, j);
    return same;
}

void test_run(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &j);
    job_results want = expected(f, &j);
    ag_pass *pass = fixture_pass(f, "bloom");
    CHECK_STATUS(f->ag->run(NULL, &j.job), AG_E_ARG);
    CHECK_STATUS(f->ag->run(pass, NULL), AG_E_ARG);
    double size = job_get(&j, "size", 0);
    job_set(&j, "size", 0, -1);
    CHECK_STATUS(f->ag->run(pass, &j.job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "size"));
    CHECK(texture_is_poison(f, job_output(&j)));
    job_set(&j, "size", 0, size);
    for (int i = 0; i < 3; ++i) { // without a prepare, and again
        CHECK_STATUS(f->ag->run(pass, &j.job), AG_OK);
        CHECK(made(f, &j, &want));
    }
    j.slots[0].format = GL_RGB8;
    CHECK_STATUS(f->ag->run(pass, &j.job), AG_E_FORMAT);
    CHECK(texture_is_poison(f, job_output(&j)));
    j.slots[0].format = GL_RGBA32F;
    f->ag->pass_destroy(pass);

    job_results_free(&want);
    job_destroy(f, &j);
}

static ag_status run_named(ag_simple *s, const test_job *j)
{
    uint32_t names[AG_SIMPLE_SLOTS] = {0}, output = 0;
    for (uint32_t i = 0; i < j->job.slot_count; ++i) {
        names[i] = j->slots[i].name;
        if (!output && (job_slot_info(j->info, i)->access & AG_WRITE))
            output = names[i];
    }
    return ag_simple_run(s, j->info->id, names, j->job.slot_count, output, j->job.dt,
                         j->job.settings);
}

static ag_status run_typed(ag_simple *s, const test_job *j)
{
    const uint32_t first = j->slots[0].name, last = j->slots[j->job.slot_count - 1].name;
    const char *id = j->info->id;
    if (strcmp(id, "bloom") == 0)
        return ag_simple_bloom(s, first, j->slots[AG_BLOOM_DST].name, j->job.settings);
    if (strcmp(id, "box_blur") == 0)
        return ag_simple_blur(s, first, j->slots[AG_BOX_BLUR_DST].name, j->job.settings);
    if (strcmp(id, "mipchain") == 0)
        return ag_simple_mips(s, first, j->job.settings);
    return ag_simple_exposure(s, first, last, j->job.dt, j->job.settings);
}

// Every effect makes the bytes that it makes by the whole interface.
void test_simple(void **state)
{
    fixture *f = *state;
    test_host h;
    ag_simple s;
    host_init(&h, f->context);
    CHECK_STATUS(ag_simple_open(&s, ag_entry_v1, &h.host, NULL), AG_OK);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        j.job.dt = 0.125f;
        job_results want = expected(f, &j);
        CHECK_STATUS(run_named(&s, &j), AG_OK);
        CHECK_F(check_case((*e)->id, made(f, &j, &want)), "other bytes");
        bool typed = strcmp(j.info->id, "bloom") == 0 || strcmp(j.info->id, "box_blur") == 0 ||
                     strcmp(j.info->id, "mipchain") == 0 || strcmp(j.info->id, "exposure") == 0;
        if (typed) {
            CHECK_STATUS(run_typed(&s, &j), AG_OK);
            CHECK_F(made(f, &j, &want), "%s by its own function", j.info->id);
            CHECK_STATUS(f->ag->defaults(j.info->id, j.settings, j.info->settings_size), AG_OK);
            job_results_free(&want);
            want = expected(f, &j);
            j.job.settings = NULL; // defaults
            CHECK_STATUS(run_typed(&s, &j), AG_OK);
            CHECK_F(made(f, &j, &want), "%s with defaults", j.info->id);
        }
        CHECK_STATUS(ag_simple_frame(&s), AG_OK);
        for (uint32_t i = 0; i < j.job.slot_count; ++i)
            if (j.slots[i].name)
                ag_simple_forget(&s, j.slots[i].name);
        job_results_free(&want);
        job_destroy(f, &j);
    }
    for (int i = 0; i < AG_SIMPLE_PASSES; ++i)
        CHECK(!s.passes[i].pass);
    ag_simple_close(&s, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
}

// Two blooms of one frame keep a pass each: from the second frame on nothing is made or asked.
// Of more outputs than there are rows each is right.
void test_simple_frames(void **state)
{
    enum { OUTPUTS = AG_SIMPLE_PASSES + 2 };
    fixture *f = *state;
    static test_job jobs[OUTPUTS];
    job_results want[OUTPUTS];
    test_host h;
    ag_simple s;
    host_init(&h, f->context);
    CHECK_STATUS(ag_simple_open(&s, ag_entry_v1, &h.host, NULL), AG_OK);
    for (int i = 0; i < OUTPUTS; ++i) {
        job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &jobs[i]);
        job_set(&jobs[i], "intensity", 0, (i + 1.0) / OUTPUTS);
        want[i] = expected(f, &jobs[i]);
    }
    for (int frame = 0; frame < 3; ++frame) {
        host_alloc_reset(&h, 0);
        gl_trace_reset(&h.trace);
        for (int i = 0; i < 2; ++i)
            CHECK_STATUS(run_typed(&s, &jobs[i]), AG_OK);
        CHECK((h.alloc_calls == 0) == (frame > 0));
        CHECK((gl_trace_calls_with(&h.trace, "glGet") == 0) == (frame > 0));
        CHECK(made(f, &jobs[0], &want[0]) && made(f, &jobs[1], &want[1]));
        CHECK_STATUS(ag_simple_frame(&s), AG_OK);
    }
    for (int i = 0; i < 2 * OUTPUTS; ++i) {
        int k = i % OUTPUTS;
        CHECK_STATUS(run_typed(&s, &jobs[k]), AG_OK);
        CHECK_F(made(f, &jobs[k], &want[k]), "output %d", k);
    }
    s.flags = AG_JOB_RESTORE;
    CHECK_STATUS(run_typed(&s, &jobs[0]), AG_OK);
    CHECK(made(f, &jobs[0], &want[0]));
    for (int i = 0; i < OUTPUTS; ++i) {
        ag_simple_forget(&s, jobs[i].slots[AG_BLOOM_SRC].name);
        ag_simple_forget(&s, jobs[i].slots[AG_BLOOM_DST].name);
        job_results_free(&want[i]);
        job_destroy(f, &jobs[i]);
    }
    ag_simple_close(&s, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
}

static const ag_api *older_entry(uint32_t minor)
{
    static ag_api older;
    older = *ag_entry_v1(minor);
    older.struct_size -= 8;
    return &older;
}

void test_simple_errors(void **state)
{
    fixture *f = *state;
    test_host h;
    ag_simple s = {0};
    test_job j;
    host_init(&h, f->context);
    job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &j);
    // not open
    CHECK_STATUS(run_typed(&s, &j), AG_E_ARG);
    CHECK_STATUS(ag_simple_frame(&s), AG_E_ARG);
    ag_simple_forget(&s, j.slots[0].name);
    ag_simple_close(&s, 0);
    CHECK_STATUS(ag_simple_open(&s, older_entry, &h.host, NULL), AG_E_ABI);
    ag_simple_close(&s, 0);
    const ag_device_desc wrong = {.struct_size = sizeof wrong, .flags = 0x80000000u};
    CHECK_STATUS(ag_simple_open(&s, ag_entry_v1, &h.host, &wrong), AG_E_ARG);
    CHECK_STATUS(run_typed(&s, &j), AG_E_ARG);
    ag_simple_close(&s, 0);
    CHECK_STATUS(ag_simple_open(&s, ag_entry_v1, NULL, NULL), AG_OK); // stderr
    ag_simple_close(&s, 0);

    CHECK_STATUS(ag_simple_open(&s, ag_entry_v1, &h.host, NULL), AG_OK);
    const uint32_t many[AG_SIMPLE_SLOTS + 1] = {0};
    CHECK_STATUS(ag_simple_run(&s, "bloom", many, AG_SIMPLE_SLOTS + 1, 0, 0, NULL), AG_E_ARG);
    host_log_clear(&h);
    CHECK_STATUS(ag_simple_bloom(&s, 0x7fffffff, j.slots[AG_BLOOM_DST].name, NULL), AG_E_ARG);
    CHECK(host_log_error(&h, AG_E_ARG, "2147483647"));
    CHECK_STATUS(ag_simple_bloom(&s, 0, j.slots[AG_BLOOM_DST].name, NULL), AG_E_ARG);
    CHECK(host_log_error(&h, AG_E_ARG, "src"));
    CHECK_STATUS(ag_simple_run(&s, "glow", many, 1, 0, 0, NULL), AG_E_ARG);
    CHECK(host_log_error(&h, AG_E_ARG, "glow"));
    ag_bloom_settings look = AG_BLOOM_DEFAULTS;
    look.intensity = -3;
    CHECK_STATUS(ag_simple_bloom(&s, j.slots[AG_BLOOM_SRC].name, j.slots[AG_BLOOM_DST].name, &look),
                 AG_E_ARG);
    CHECK(host_log_error(&h, AG_E_ARG, "intensity"));
    CHECK(texture_is_poison(f, job_output(&j)));
    CHECK_STATUS(run_typed(&s, &j), AG_OK);
    CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
    ag_simple_close(&s, 0);
    job_destroy(f, &j);
    CHECK(host_finish(&h));
    fixture_current(f);
}
