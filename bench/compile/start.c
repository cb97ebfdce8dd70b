// start.c - one start of a plan, from device_create to its first picture, in a process of its own
// SPDX-License-Identifier: MIT
//
// The processes write their results into memory that they share with the parent; the plugin's
// program cache is in that memory, too, not in files.
//
// The first program of a process is slower, whoever compiles it, and in an engine that is a program
// of the host. Therefore each child first compiles an empty program and reports its time
// separately.
#include "assembly.h"
#include "child.h"
#include "cli/report.h"
#include "compile.h"
#include "compute.h"
#include "driver_cache.h"
#include "pretend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_ENTRIES = 256, KEPT_BYTES = 256 << 20, AGAIN = 5 };

typedef struct kept { // a program from ag_host.cache_store
    size_t used;
    int count;
    struct kept_entry {
        char key[33];
        size_t at, bytes;
    } entries[KEPT_ENTRIES];
    unsigned char data[KEPT_BYTES]; // untouched pages take no memory
} kept;

typedef struct shared { // by parent and child
    start_kind kind;
    const compile_plan *plan;
    const compile_wishes *wanted;
    start answer;
    kept kept;
} shared;

typedef struct run { // in the child
    bench bench;
    pass scene;
    overheard heard;
} run;

static shared *common; // the parent's, and by fork the children's

// ---- the host ----------------------------------------------------------------------------------

static void *gl_proc(void *user, const char *name)
{
    (void)user;
    return overhear_proc(name);
}

static size_t cache_load(void *user, const char *key, void *data, size_t capacity)
{
    const kept *from = &common->kept;
    (void)user;
    for (int i = from->count; i-- > 0;) {
        const struct kept_entry *entry = &from->entries[i];
        if (strcmp(entry->key, key) != 0)
            continue;
        if (entry->bytes <= capacity)
            memcpy(data, from->data + entry->at, entry->bytes);
        return entry->bytes;
    }
    return 0;
}

static void cache_store(void *user, const char *key, const void *data, size_t bytes)
{
    kept *to = &common->kept;
    (void)user;
    if (to->count == KEPT_ENTRIES || bytes > KEPT_BYTES - to->used)
        return;
    struct kept_entry *entry = &to->entries[to->count++];
    snprintf(entry->key, sizeof entry->key, "%s", key);
    entry->at = to->used;
    entry->bytes = bytes;
    memcpy(to->data + to->used, data, bytes);
    to->used += bytes;
}

// ---- in the child ------------------------------------------------------------------------------

// By default 0: a compiler with threads of its own would hide the cost of a program.
static void set_threads(const run *self, int count)
{
    if (!bench_has_extension(&self->bench.gpu.gl, "GL_KHR_parallel_shader_compile"))
        return;
    void *address = headless_proc(self->bench.gpu.context, "glMaxShaderCompilerThreadsKHR");
    void(GLAD_API_PTR * max_threads)(GLuint count);
    memcpy(&max_threads, &address, sizeof max_threads);
    if (max_threads)
        max_threads((GLuint)count);
}

static int wake_driver(run *self, int threads)
{
    char error[1024] = "";
    const GladGLContext *gl = &self->bench.gpu.gl;
    set_threads(self, threads);
    double begin = bench_now_us();
    GLuint program =
        compute_program(gl, ag_embedded_common, "empty.comp", NULL, error, sizeof error);
    if (!program)
        return fail(STATUS_FAILED, "%s", error);
    gl->UseProgram(program);
    gl->DispatchCompute(1, 1, 1);
    gl->Finish();
    common->answer.driver_ms = (bench_now_us() - begin) * 1e-3;
    gl->UseProgram(0);
    gl->DeleteProgram(program);
    return STATUS_OK;
}

// Executes again, then a second pass: programs that run only in prepare get a later dispatch by it.
static int go_on(run *self)
{
    const bench *b = &self->bench;
    const ag_job *job = &self->scene.sets[0].job;
    ag_pass *other = NULL;
    int status = STATUS_OK;
    for (int i = 0; i < AGAIN && status == STATUS_OK; i++)
        status = bench_check(b, b->api->execute(self->scene.pass, job, NULL), "execute");
    if (status == STATUS_OK)
        status = bench_check(b, b->api->pass_create(b->device, self->scene.effect->id, &other),
                             "pass_create");
    if (status == STATUS_OK)
        status = bench_check(b, b->api->prepare(other, job), "prepare");
    for (int i = 0; i < self->heard.count; i++)
        self->heard.programs[i].assembly_lines =
            assembly_lines(&self->bench.gpu.gl, self->heard.programs[i].program);
    return status;
}

static int start_plan(run *self, start_kind kind)
{
    start *out = &common->answer;
    bench *b = &self->bench;
    const ag_job *job = &self->scene.sets[0].job;
    bool keeps = kind == START_APART || kind == START_WARM;
    const ag_device_desc desc = {.struct_size = sizeof desc, .flags = AG_DEVICE_LABELS};
    ag_host host = bench_host(b);
    host.gl_proc = gl_proc;
    host.cache_load = keeps ? cache_load : NULL;
    host.cache_store = keeps ? cache_store : NULL;
    b->gpu.gl.Finish();
    double begin = bench_now_us();
    int status = bench_device(b, &desc, &host);
    double created = bench_now_us();
    if (status == STATUS_OK)
        status =
            bench_check(b,
                        b->api->pass_create(b->device, self->scene.effect->id, &self->scene.pass),
                        "pass_create");
    if (status == STATUS_OK)
        status = bench_check(b, b->api->prepare(self->scene.pass, job), "prepare");
    double prepared = bench_now_us();
    out->compile_ms = self->heard.compile_ms;
    out->link_ms = self->heard.link_ms;
    self->heard.executing = true;
    if (status == STATUS_OK && kind != START_LIST)
        status = bench_check(b, b->api->execute(self->scene.pass, job, NULL), "execute");
    b->gpu.gl.Finish();
    self->heard.executing = false;
    out->picture_ms = (bench_now_us() - begin) * 1e-3;
    out->create_ms = (created - begin) * 1e-3;
    out->prepare_ms = (prepared - created) * 1e-3;
    out->total_ms = out->create_ms + out->prepare_ms;
    out->rest_ms = out->total_ms - out->compile_ms - out->link_ms;
    if (status == STATUS_OK && kind == START_APART)
        status = go_on(self);
    ag_health health = {.struct_size = sizeof health};
    report_row row = {0};
    if (status == STATUS_OK)
        status = bench_check(b, b->api->health(b->device, &health), "health");
    if (status == STATUS_OK)
        status = pass_declare(&self->scene, &row);
    snprintf(out->plan, sizeof out->plan, "%s", row.plan);
    out->from_cache = health.programs_from_cache;
    return status;
}

// All times are NaN: nothing was timed.
static void forget_times(start *out)
{
    out->driver_ms = out->create_ms = out->prepare_ms = (double)NAN;
    out->compile_ms = out->link_ms = out->picture_ms = (double)NAN;
    for (int i = 0; i < out->count; i++)
        out->programs[i].compile_ms = out->programs[i].link_ms = (double)NAN;
}

// What was heard that no start should have.
static int check_heard(const run *self)
{
    const char *effect = common->plan->job.effect, *variant = common->plan->variant;
    if (self->heard.too_many)
        return fail(STATUS_FAILED, "%s %s has too many programs for the bench", effect, variant);
    if (self->heard.complaints)
        return fail(STATUS_FAILED, "%s %s: GL had %d messages", effect, variant,
                    self->heard.complaints);
    return self->heard.unwritable ? fail(STATUS_FAILED, "--texts %s: the texts cannot be written",
                                         common->wanted->texts)
                                  : STATUS_OK;
}

static int run_plan(run *self)
{
    start *out = &common->answer;
    start_kind kind = common->kind;
    heard_dispatch *dispatches = calloc(HEARD_DISPATCHES, sizeof *dispatches);
    self->heard = (overheard){.proc = headless_proc,
                              .user = self->bench.gpu.context,
                              .pretends = kind == START_LIST,
                              .texts = common->wanted->texts,
                              .apart = kind == START_APART,
                              .programs = out->programs,
                              .dispatches = dispatches};
    int status = dispatches ? STATUS_OK : fail_memory();
    if (status == STATUS_OK && kind != START_LIST)
        status = wake_driver(self, common->wanted->threads);
    if (status == STATUS_OK)
        status = pass_make(&self->bench, &common->plan->job, 1, &self->scene);
    pretend_begin(&(pretence){headless_proc, self->bench.gpu.context,
                              kind == START_LIST && *common->wanted->list == 'f'});
    overhear_begin(&self->heard);
    if (kind == START_HEAR)
        overhear_messages();
    if (status == STATUS_OK)
        status = start_plan(self, kind);
    pass_close(&self->scene);
    if (self->bench.device)
        self->bench.api->device_destroy(self->bench.device, 0);
    self->bench.device = NULL;
    overhear_end(&self->heard);
    out->count = self->heard.count;
    if (status == STATUS_OK)
        status = check_heard(self);
    if (kind == START_LIST)
        forget_times(out);
    free(dispatches);
    return status;
}

static int run_in_child(void *user)
{
    run self = {0};
    start_kind kind = common->kind;
    bool own = !common->wanted->driver_cache && (kind == START_APART || kind == START_WARM);
    int status = own ? driver_cache_new(false) : STATUS_OK;
    (void)user;
    if (status == STATUS_OK)
        status = bench_open(&self.bench, common->wanted->device);
    common->answer.names = self.bench.report.names;
    if (status == STATUS_OK && kind != START_DEVICE)
        status = run_plan(&self);
    bench_close(&self.bench);
    if (own)
        driver_cache_drop();
    return status;
}

// ---- in the parent -----------------------------------------------------------------------------

void start_forget(void)
{
    if (common)
        common->kept.used = 0, common->kept.count = 0;
}

int start_run(start_kind kind, const compile_plan *plan, const compile_wishes *wanted,
              const start **out)
{
    if (!common && !(common = child_memory(sizeof *common)))
        return STATUS_FAILED;
    common->kind = kind;
    common->plan = plan;
    common->wanted = wanted;
    common->answer = (start){0};
    int status = wanted->driver_cache && kind != START_WARM ? driver_cache_new(true) : STATUS_OK;
    *out = &common->answer;
    return status == STATUS_OK ? child_run(run_in_child, NULL) : status;
}
