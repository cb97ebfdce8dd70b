// abi_lifetime.c - order of calls, threads, lost and gone contexts, forgetting
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/bloom.h"
#include "afterglow/convolve.h"
#include "jobs.h"
#include "minimums.h"
#include "test_abi.h"

static const ag_resource *resource_at(const ag_plan *plan, uint32_t i)
{
    return (const ag_resource *)(const void *)((const char *)plan->resources +
                                               (size_t)i * plan->resource_stride);
}

static const ag_step *step_at(const ag_plan *plan, uint32_t i)
{
    return (const ag_step *)(const void *)((const char *)plan->steps +
                                           (size_t)i * plan->step_stride);
}

static void check_plan(const test_job *j, const ag_plan *plan)
{
    CHECK_EQ(plan->struct_size, sizeof *plan);
    CHECK(plan->step_count > 0 && plan->step_stride >= sizeof(ag_step));
    CHECK(plan->resource_count > 0 && plan->resource_stride >= sizeof(ag_resource));
    CHECK(memchr(plan->text, 0, sizeof plan->text) && plan->text[0]);
    // inputs are read through image units
    CHECK(plan->barriers_before & GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    CHECK(plan->scratch_alignment > 0);
    for (uint32_t i = 0; i < plan->step_count; ++i) {
        const ag_step *step = step_at(plan, i);
        CHECK(step->name && step->name[0] && step->dispatches > 0 && step->bytes > 0);
        CHECK_F(step->groups[0] && step->groups[1] && step->groups[2], "%s", step->name);
    }
    uint32_t seen = 0;
    for (uint32_t i = 0; i < plan->resource_count; ++i) {
        const ag_resource *a = resource_at(plan, i);
        CHECK_F(a->first_step <= a->last_step && a->last_step < plan->step_count, "%s", a->name);
        CHECK_F(a->bytes > 0 && a->access != 0, "%s", a->name);
        for (uint32_t s = 0; s < j->info->slot_count; ++s) {
            const ag_slot_info *slot = job_slot_info(j->info, s);
            if (strcmp(slot->name, a->name) == 0) {
                CHECK_EQ(a->access, slot->access & (AG_READ | AG_WRITE));
                seen |= 1u << s;
            }
        }
        if (a->kind != AG_RESOURCE_SCRATCH)
            continue;
        CHECK(a->offset + a->bytes <= plan->scratch_bytes);
        for (uint32_t k = 0; k < i; ++k) {
            const ag_resource *b = resource_at(plan, k);
            if (b->kind != AG_RESOURCE_SCRATCH)
                continue;
            bool apart = a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset;
            bool never = a->last_step < b->first_step || b->last_step < a->first_step;
            CHECK_F(apart || never, "scratch rows %u and %u meet", k, i);
        }
    }
    for (uint32_t s = 0; s < j->info->slot_count; ++s) {
        if (j->slots[s].format != 0)
            CHECK_F(seen >> s & 1, "no resource %s", job_slot_info(j->info, s)->name);
    }
}

void test_declare(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        for (uint32_t variant = 0; variant < JOB_VARIANTS; ++variant) {
            test_job j, big;
            if (job_generates(*e))
                break;
            job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
            job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &big);
            if (!job_variant(&j, variant)) {
                job_destroy(f, &j);
                job_destroy(f, &big);
                break;
            }
            job_variant(&big, variant);
            job_tune(f->device, &j);
            for (uint32_t s = 0; s < big.info->slot_count; ++s) {
                big.slots[s].name = 0; // not yet created
                const ag_slot_info *slot = job_slot_info(big.info, s);
                if (strncmp(slot->name, "kernel", 6) != 0 && !(slot->access & AG_STATE)) {
                    big.slots[s].width = 1920;
                    big.slots[s].height = 1080;
                }
            }
            ag_pass *pass = fixture_pass(f, (*e)->id);
            const ag_plan *plan = NULL;
            gl_trace_reset(&f->host.trace);
            CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
            check_plan(&j, plan);
            printf("  plan  %s\n", plan->text);
            uint64_t key = plan->key;
            host_log_clear(&f->host);
            ag_status big_status = f->ag->declare(pass, &big.job, &plan);
            if (!minimums_refused(&f->host, big_status)) {
                CHECK_STATUS(big_status, AG_OK);
                check_plan(&big, plan);
                CHECK(plan->key != key);
            }
            CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
            CHECK(plan->key == key);
            CHECK_EQ(f->host.trace.total, 0); // touches no GL
            if (variant == 0) {               // what runs does not notice declare
                fixture_run(f, pass, &j.job);
                CHECK(f->ag->declare(pass, &big.job, &plan) == big_status);
                texture_poison(f, job_output(&j));
                CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
                CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
            }
            f->ag->pass_destroy(pass);
            job_destroy(f, &j);
            job_destroy(f, &big);
        }
    }
}

static void expect_unprepared(fixture *f, ag_pass *pass, test_job *j, const char *name)
{
    texture_poison(f, job_output(j));
    host_log_clear(&f->host);
    ag_status status = f->ag->execute(pass, &j->job, NULL);
    CHECK_F(check_case(name, status == AG_E_STATE), "%s", check_status_name(status));
    CHECK(host_log_error(&f->host, AG_E_STATE, "prepare"));
    CHECK(texture_is_poison(f, job_output(j)));
}

void test_execute_before_prepare(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j, other;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        job_create(f, (*e)->id, JOB_WIDTH + 2, JOB_HEIGHT, &other);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        expect_unprepared(f, pass, &j, "nothing prepared");
        fixture_run(f, pass, &j.job);
        expect_unprepared(f, pass, &other, "another size prepared");
        if (strcmp((*e)->id, "bloom") == 0) {
            job_set(&j, "size", 0, 1);
            expect_unprepared(f, pass, &j, "another kernel size prepared");
        } else if (strcmp((*e)->id, "convolve") == 0) {
            job_set(&j, "method", 0, AG_CONVOLVE_DIRECT);
            expect_unprepared(f, pass, &j, "another method prepared");
        }
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
        job_destroy(f, &other);
    }
}

void test_failed_prepare_keeps_plan(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        fixture_run(f, pass, &j.job);
        double *before = texture_read(f, job_output(&j), 0);
        job_spoil(&j);
        CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_ARG);
        job_mend(&j);
        uint32_t format = j.slots[0].format;
        j.slots[0].format = GL_STENCIL_INDEX8;
        CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_FORMAT);
        j.slots[0].format = format;
        texture_poison(f, job_output(&j));
        CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
        double *after = texture_read(f, job_output(&j), 0);
        CHECK(memcmp(before, after, texture_value_count(job_output(&j), 0) * sizeof *before) == 0);
        free(before);
        free(after);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

// The functions that a command-recording function may call.
typedef struct recording {
    const ag_effect_info *effect;
    uint32_t wrong;
} recording;

static void only_recording(void *user, const char *name)
{
    recording *r = user;
    // What a texture unit reads, of the effects that state any.
    static const char *const sampling[] = {"glActiveTexture", "glBindTexture", "glBindSampler"};
    bool samples = r->effect->texture_units > 0;
    for (size_t i = 0; samples && i < sizeof sampling / sizeof sampling[0]; ++i) {
        if (strcmp(name, sampling[i]) == 0)
            return;
    }
    static const char *const allowed[] = {
        "glUseProgram",      "glBindImageTexture", "glBindBuffer",     "glBindBufferBase",
        "glBindBufferRange", "glProgramUniform",   "glUniform",        "glDispatchCompute",
        "glMemoryBarrier",   "glQueryCounter",     "glPushDebugGroup", "glPopDebugGroup"};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; ++i) {
        if (strncmp(name, allowed[i], strlen(allowed[i])) == 0)
            return;
    }
    printf("  execute calls %s\n", name);
    ++r->wrong;
}

void test_execute_records_only(void **state)
{
    fixture *f = *state;
    recording r = {0};
    sweep *share = sweep_start("variants", 3);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        r.effect = *e;
        for (uint32_t variant = 0; variant < JOB_VARIANTS; ++variant) {
            test_job j;
            job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
            bool exists = job_variant(&j, variant) && (!variant || sweep_takes(share));
            job_tune(f->device, &j);
            ag_pass *pass = exists ? fixture_pass(f, (*e)->id) : NULL;
            if (exists) {
                CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
                f->host.trace.on_call = only_recording;
                f->host.trace.on_call_user = &r;
                for (int i = 0; i < 3; ++i) {
                    host_alloc_reset(&f->host, 0);
                    gl_trace_reset(&f->host.trace);
                    j.job.flags = i == 2 ? AG_JOB_TIME_STEPS : 0;
                    ag_gl_state restore = {.struct_size = sizeof restore};
                    j.job.restore = i == 1 ? &restore : NULL;
                    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
                    CHECK_EQ(f->host.alloc_calls, 0);
                    CHECK(gl_trace_calls_with(&f->host.trace, "glDispatchCompute") > 0);
                }
                f->host.trace.on_call = NULL;
            }
            f->ag->pass_destroy(pass);
            job_destroy(f, &j);
        }
    }
    CHECK_EQ(r.wrong, 0);
}

// What a graph may know before anything exists: declare says which barriers execute asks for, or
// places itself.
void test_barriers(void **state)
{
    static const struct {
        const char *name;
        uint32_t use, needed, excess; // bits that must and must not be there
    } rows[] = {
        {"pass", AG_USE_PASS, GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT,
         GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT},
        {"sample", AG_USE_SAMPLE, GL_TEXTURE_FETCH_BARRIER_BIT,
         GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT},
        {"image", AG_USE_IMAGE, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT, GL_FRAMEBUFFER_BARRIER_BIT},
        {"framebuffer", AG_USE_FRAMEBUFFER, GL_FRAMEBUFFER_BARRIER_BIT,
         GL_TEXTURE_FETCH_BARRIER_BIT},
        {"copy", AG_USE_COPY, GL_TEXTURE_UPDATE_BARRIER_BIT, GL_FRAMEBUFFER_BARRIER_BIT},
        {"sample and copy", AG_USE_SAMPLE | AG_USE_COPY,
         GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT, GL_FRAMEBUFFER_BARRIER_BIT},
        {"unknown", AG_USE_UNKNOWN,
         GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
             GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT,
         0},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    fixture *f = *state;
    uint32_t wrong = 0;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        uint64_t keys[ROWS];
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        fixture_run(f, pass, &j.job); // the first one may have more to do
        for (int i = 0; i < ROWS; ++i) {
            const ag_plan *plan = NULL;
            uint32_t bits = 0;
            j.job.next_use = rows[i].use;
            CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
            uint32_t declared = plan->barriers_after;
            keys[i] = plan->key;
            for (int k = 0; k < i; ++k)
                CHECK(keys[k] != keys[i]);
            CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
            gl_trace_reset(&f->host.trace);
            CHECK_STATUS(f->ag->execute(pass, &j.job, &bits), AG_OK);
            uint32_t without = gl_trace_calls(&f->host.trace, "glMemoryBarrier");
            gl_trace_reset(&f->host.trace);
            CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
            uint32_t with = gl_trace_calls(&f->host.trace, "glMemoryBarrier");
            bool right = (bits & rows[i].needed) == rows[i].needed && !(bits & rows[i].excess) &&
                         bits == declared && with == without + 1;
            if (!right)
                printf("  FAIL  %s, %s: bits 0x%x, declared 0x%x, barriers %u and %u\n", (*e)->id,
                       rows[i].name, bits, declared, without, with);
            wrong += !right;
        }
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
    CHECK_EQ(wrong, 0);
}

void test_other_thread(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve"), *more = NULL;
    fixture_run(f, pass, &j.job);
    texture_poison(f, job_output(&j));
    ag_device *device = NULL;
    f->host.not_current = true;
    gl_trace_reset(&f->host.trace);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->device_create(&f->host.host, NULL, &device), AG_E_THREAD);
    CHECK_STATUS(f->ag->pass_create(f->device, "bloom", &more), AG_E_THREAD);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_THREAD);
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_E_THREAD);
    CHECK_STATUS(f->ag->frame(f->device, 1), AG_E_THREAD);
    CHECK_STATUS(f->ag->health(f->device, NULL), AG_E_THREAD);
    CHECK(device == NULL && more == NULL);
    CHECK_EQ(f->host.trace.total, 0);
    CHECK(host_log_error(&f->host, AG_E_THREAD, "current"));
    CHECK(f->host.message_count >= 6);
    f->host.not_current = false;
    CHECK(texture_is_poison(f, job_output(&j)));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

void test_lost(void **state)
{
    MINIMUMS_LACK("GL_KHR_robustness");
    fixture *group = *state;
    fixture *f = fixture_open(&(fixture_options){.no_device = true, .robust = true, .quiet = true});
    CHECK(f != NULL);
    enum { RESET_STRATEGY = 0x8256, LOSE_CONTEXT = 0x8252 };
    f->host.trace.limits[0] = (gl_trace_limit){RESET_STRATEGY, LOSE_CONTEXT};
    f->host.trace.limit_count = 1;
    fixture_device(f, NULL);
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve"), *more = NULL;
    fixture_run(f, pass, &j.job);
    texture_poison(f, job_output(&j));
    CHECK_STATUS(f->ag->health(f->device, NULL), AG_OK);
    f->host.trace.reset_status = 0x8253; // GL_GUILTY_CONTEXT_RESET
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->health(f->device, NULL), AG_E_LOST);
    CHECK(host_log_error(&f->host, AG_E_LOST, "lost"));
    f->host.trace.reset_status = 0; // GL says it once; the context stays lost
    gl_trace_reset(&f->host.trace);
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_E_LOST);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_LOST);
    CHECK_STATUS(f->ag->frame(f->device, 1), AG_E_LOST);
    CHECK_STATUS(f->ag->health(f->device, NULL), AG_E_LOST);
    CHECK_STATUS(f->ag->pass_create(f->device, "bloom", &more), AG_E_LOST);
    f->ag->forget(f->device, j.slots[0].name);
    CHECK_EQ(f->host.trace.total, 0);
    CHECK(texture_is_poison(f, job_output(&j)));
    f->ag->pass_destroy(pass); // of a lost device: memory only
    CHECK_EQ(f->host.trace.total, 0);
    job_destroy(f, &j);
    CHECK(fixture_close_gone(f));
    fixture_current(group);
}

void test_context_gone(void **state)
{
    fixture *group = *state;
    for (int prepared = 0; prepared < 3; ++prepared) {
        fixture *f = fixture_open(&(fixture_options){.quiet = true});
        CHECK(f != NULL);
        if (prepared) {
            test_job j;
            job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
            ag_pass *pass = fixture_pass(f, "convolve");
            job_set(&j, "method", 0, AG_CONVOLVE_FFT);
            fixture_run(f, pass, &j.job);
            fixture_pass(f, "bloom");
            if (prepared == 2)
                f->ag->pass_destroy(pass); // one gone already, one left to the device
            job_destroy(f, &j);
        }
        CHECK(f->host.block_count > 0);
        CHECK(fixture_close_gone(f));
    }
    fixture_current(group);
}

// After forget, new content under the same name and version is used.
void test_forget(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    job_set(&j, "method", 0, AG_CONVOLVE_FFT);
    uint32_t kernel = job_slot(&j, "kernel"), src = job_slot(&j, "src");
    enum { COUNT = JOB_WIDTH * JOB_HEIGHT * 4 };
    double values[15] = {0};
    for (int round = 0; round < 2; ++round) {
        // a 1 in the middle, then a 2: dst is src, then twice src
        values[1 * 5 + 2] = round + 1;
        texture_upload(f, &j.textures[kernel], 0, values);
        f->ag->forget(f->device, j.slots[kernel].name);
        fixture_run(f, pass, &j.job);
        double *in = texture_read(f, &j.textures[src], 0);
        double *out = texture_read(f, job_output(&j), 0);
        for (size_t i = 0; i < COUNT; ++i) // alpha is copied
            out[i] /= i % 4 == 3 ? 1 : round + 1;
        CHECK_LIMIT("after forget", check_max_error(in, out, COUNT), 2e-6);
        free(in);
        free(out);
    }
    f->ag->forget(f->device, 0);
    f->ag->forget(f->device, 4000000000u);
    for (uint32_t s = 0; s < j.info->slot_count; ++s) {
        f->ag->forget(f->device, j.slots[s].name);
        ag_status status = f->ag->execute(pass, &j.job, NULL);
        CHECK_F(status == AG_OK || status == AG_E_STATE, "%s", check_status_name(status));
        fixture_run(f, pass, &j.job);
    }
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}
