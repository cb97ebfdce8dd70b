// start.c - one start of a plan, from device_create to its first picture, in a process of its own
// SPDX-License-Identifier: MIT
//
// The processes write their results into memory that they share with the parent; the plugin's
// program cache is in that memory, too, not in files.
//
// The first program of a process is slower, whoever compiles it, and in an engine that is a program
// of the host. Therefore each child first compiles an empty program and reports its time
// separately.
#include "compile.h"
#include "compute.h"
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

static void wake_driver(run *self, int threads)
{
    char error[1024] = "";
    const GladGLContext *gl = &self->bench.gpu.gl;
    set_threads(self, threads);
    double begin = bench_now_us();
    GLuint program =
        compute_program(gl, ag_embedded_common, "empty.comp", NULL, error, sizeof error);
    must(program, "%s", error);
    gl->UseProgram(program);
    gl->DispatchCompute(1, 1, 1);
    gl->Finish();
    common->answer.driver_ms = (bench_now_us() - begin) * 1e-3;
    gl->UseProgram(0);
    gl->DeleteProgram(program);
}

// NVIDIA's program binaries contain the assembly of the machine code as text, from a line such as
// "!!NVcp5.0" to a line "END". Lines of the first text, first and last line included; -1: none.
static int assembly_lines_in(const char *binary, size_t bytes)
{
    static const char head[] = "!!NV";
    const char *end = binary + bytes, *at = binary;
    size_t length = sizeof head - 1;
    while (at < end && ((size_t)(end - at) < length || memcmp(at, head, length) != 0))
        at++;
    for (int lines = 1; at < end; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line = stop ? (size_t)(stop - at) : (size_t)(end - at);
        if (line >= 3 && memcmp(at, "END", 3) == 0 && (line == 3 || at[3] == '\r' || !at[3]))
            return lines;
        if (!stop || memchr(at, '\0', line)) // the text is cut off, or it is no text
            return -1;
        at = stop + 1;
    }
    return -1;
}

static int assembly_lines(const GladGLContext *gl, GLuint program)
{
    GLint bytes = 0, lines = -1;
    gl->GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
    char *binary = need_memory((size_t)bytes);
    GLsizei got = 0;
    GLenum format = 0;
    if (bytes > 0)
        gl->GetProgramBinary(program, bytes, &got, &format, binary);
    if (got > 0 && got <= bytes)
        lines = assembly_lines_in(binary, (size_t)got);
    free(binary);
    return lines;
}

static ag_pass *new_pass(const run *self)
{
    const bench *b = &self->bench;
    ag_pass *out = NULL;
    bench_check(b, b->api->pass_create(b->device, self->scene.effect->id, &out), "pass_create");
    return out;
}

// Executes again, then a second pass: programs that run only in prepare get a later dispatch by it.
static void go_on(run *self)
{
    const bench *b = &self->bench;
    const ag_job *job = &self->scene.sets[0].job;
    for (int i = 0; i < AGAIN; i++)
        bench_check(b, b->api->execute(self->scene.pass, job, NULL), "execute");
    bench_check(b, b->api->prepare(new_pass(self), job), "prepare");
    for (int i = 0; i < self->heard.count; i++)
        self->heard.programs[i].assembly_lines =
            assembly_lines(&self->bench.gpu.gl, self->heard.programs[i].program);
}

static void start_plan(run *self, start_kind kind)
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
    bench_device(b, &desc, &host);
    double created = bench_now_us();
    self->scene.pass = new_pass(self);
    bench_check(b, b->api->prepare(self->scene.pass, job), "prepare");
    double prepared = bench_now_us();
    out->compile_ms = self->heard.compile_ms;
    out->link_ms = self->heard.link_ms;
    self->heard.executing = true;
    if (kind != START_LIST)
        bench_check(b, b->api->execute(self->scene.pass, job, NULL), "execute");
    b->gpu.gl.Finish();
    self->heard.executing = false;
    out->picture_ms = (bench_now_us() - begin) * 1e-3;
    out->create_ms = (created - begin) * 1e-3;
    out->prepare_ms = (prepared - created) * 1e-3;
    out->total_ms = out->create_ms + out->prepare_ms;
    out->rest_ms = out->total_ms - out->compile_ms - out->link_ms;
    if (kind == START_APART)
        go_on(self);
    ag_health health = {.struct_size = sizeof health};
    report_row row = {0};
    bench_check(b, b->api->health(b->device, &health), "health");
    pass_declare(&self->scene, &row);
    snprintf(out->plan, sizeof out->plan, "%s", row.plan);
    out->from_cache = health.programs_from_cache;
}

// All times are NaN: nothing was timed.
static void forget_times(start *out)
{
    out->driver_ms = out->create_ms = out->prepare_ms = (double)NAN;
    out->compile_ms = out->link_ms = out->picture_ms = (double)NAN;
    for (int i = 0; i < out->count; i++)
        out->programs[i].compile_ms = out->programs[i].link_ms = (double)NAN;
}

static void run_plan(run *self)
{
    start *out = &common->answer;
    start_kind kind = common->kind;
    const char *effect = common->plan->job.effect, *variant = common->plan->variant;
    heard_dispatch *dispatches = need_memory(HEARD_DISPATCHES * sizeof *dispatches);
    self->heard = (overheard){.proc = headless_proc,
                              .user = self->bench.gpu.context,
                              .pretends = kind == START_LIST,
                              .texts = common->wanted->texts,
                              .apart = kind == START_APART,
                              .programs = out->programs,
                              .dispatches = dispatches};
    if (kind != START_LIST)
        wake_driver(self, common->wanted->threads);
    pass_make(&self->bench, &common->plan->job, 1, &self->scene);
    pretend_begin(&(pretence){headless_proc, self->bench.gpu.context,
                              kind == START_LIST && *common->wanted->list == 'f'});
    overhear_begin(&self->heard);
    if (kind == START_HEAR)
        overhear_messages();
    start_plan(self, kind);
    pass_close(&self->scene);
    self->bench.api->device_destroy(self->bench.device, 0);
    self->bench.device = NULL;
    overhear_end(&self->heard);
    out->count = self->heard.count;
    must(!self->heard.complaints, "%s %s: GL had %d messages", effect, variant,
         self->heard.complaints);
    if (kind == START_LIST)
        forget_times(out);
    free(dispatches);
}

static void run_in_child(void *user)
{
    run self = {0};
    start_kind kind = common->kind;
    bool own = !common->wanted->driver_cache && (kind == START_APART || kind == START_WARM);
    (void)user;
    if (own)
        driver_cache_new(false);
    bench_open(&self.bench, common->wanted->device);
    common->answer.names = self.bench.report.names;
    if (kind != START_DEVICE)
        run_plan(&self);
    bench_close(&self.bench);
    if (own)
        driver_cache_drop();
}

// ---- in the parent -----------------------------------------------------------------------------

void start_forget(void)
{
    common->kept.used = 0, common->kept.count = 0;
}

const start *start_run(start_kind kind, const compile_plan *plan, const compile_wishes *wanted)
{
    if (!common)
        common = child_memory(sizeof *common);
    common->kind = kind;
    common->plan = plan;
    common->wanted = wanted;
    common->answer = (start){0};
    if (wanted->driver_cache && kind != START_WARM)
        driver_cache_new(true);
    child_run(run_in_child, NULL);
    return &common->answer;
}
