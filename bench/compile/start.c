// start.c - one start of a plan, from device_create to its first picture, in a process of its own
// SPDX-License-Identifier: MIT
//
// A new context would not be enough: a driver may keep state for the whole process that speeds up
// later programs (NVIDIA's keeps its compiler loaded, LLVM its passes), and nothing clears it. The
// parent never opens GL, so its children start as a host does. They write their results into memory
// that they share with the parent. The plugin's program cache is in that memory, too, not in files.
//
// The first program of a process is slower, whoever compiles it, and in an engine that is a program
// of the host. Therefore each child first compiles an empty program and reports its time
// separately.
#define _DEFAULT_SOURCE
#include "assembly.h"
#include "cli/effect.h"
#include "cli/gpu.h"
#include "cli/report.h"
#include "compile.h"
#include "compute.h"
#include "driver_cache.h"
#include "pretend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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
    start answer;
    kept kept;
} shared;

typedef struct run { // in the child
    gpu gpu;
    const ag_api *api;
    shared *shared;
    overheard heard;
} run;

static shared *common; // the parent's, and by fork the children's

// ---- the host ----------------------------------------------------------------------------------

static void *gl_proc(void *user, const char *name)
{
    (void)user;
    return overhear_proc(name);
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level <= AG_LOG_WARNING)
        note("%s", message->text);
}

static size_t cache_load(void *user, const char *key, void *data, size_t capacity)
{
    const kept *from = &((run *)user)->shared->kept;
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
    kept *to = &((run *)user)->shared->kept;
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

static void copy_text(char out[COMPILE_TEXT], const GladGLContext *gl, GLenum name)
{
    const GLubyte *text = gl->GetString(name);
    snprintf(out, COMPILE_TEXT, "%s", text ? (const char *)text : "unknown");
}

static bool has_extension(const GladGLContext *gl, const char *name)
{
    GLint count = 0;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (strcmp((const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i), name) == 0)
            return true;
    return false;
}

// By default 0: a compiler with threads of its own would hide the cost of a program.
static void set_threads(const run *self, int count)
{
    if (!has_extension(&self->gpu.gl, "GL_KHR_parallel_shader_compile"))
        return;
    void *address = headless_proc(self->gpu.context, "glMaxShaderCompilerThreadsKHR");
    void(GLAD_API_PTR * max_threads)(GLuint count);
    memcpy(&max_threads, &address, sizeof max_threads);
    if (max_threads)
        max_threads((GLuint)count);
}

static int wake_driver(run *self, int threads)
{
    char error[1024] = "";
    const GladGLContext *gl = &self->gpu.gl;
    set_threads(self, threads);
    uint64_t begin = now_ns();
    GLuint program =
        compute_program(gl, ag_embedded_common, "empty.comp", NULL, error, sizeof error);
    if (!program)
        return fail(STATUS_FAILED, "%s", error);
    gl->UseProgram(program);
    gl->DispatchCompute(1, 1, 1);
    gl->Finish();
    self->shared->answer.driver_ms = (double)(now_ns() - begin) / 1e6;
    gl->UseProgram(0);
    gl->DeleteProgram(program);
    return STATUS_OK;
}

static int check(const run *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s", what, self->api->status_text(status));
}

// Executes again, then a second pass: programs that run only in prepare get a later dispatch by it.
static int go_on(run *self, ag_device *device, ag_pass *pass, compile_scene *scene,
                 const compile_plan *plan)
{
    ag_pass *other = NULL;
    int status = STATUS_OK;
    for (int i = 0; i < AGAIN && status == STATUS_OK; i++)
        status = check(self, self->api->execute(pass, &scene->job, NULL), "execute");
    if (status == STATUS_OK)
        status = check(self, self->api->pass_create(device, plan->effect, &other), "pass_create");
    if (status == STATUS_OK)
        status = check(self, self->api->prepare(other, &scene->job), "prepare");
    for (int i = 0; i < self->heard.count; i++)
        self->heard.programs[i].assembly_lines =
            assembly_lines(&self->gpu.gl, self->heard.programs[i].program);
    return status;
}

static int start_plan(run *self, start_kind kind, const compile_plan *plan, compile_scene *scene)
{
    start *out = &self->shared->answer;
    const GladGLContext *gl = &self->gpu.gl;
    bool keeps = kind == START_APART || kind == START_WARM;
    const ag_host host = {.struct_size = sizeof host,
                          .user = self,
                          .gl_proc = gl_proc,
                          .log = log_message,
                          .cache_load = keeps ? cache_load : NULL,
                          .cache_store = keeps ? cache_store : NULL};
    const ag_device_desc desc = {.struct_size = sizeof desc, .flags = AG_DEVICE_LABELS};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    gl->Finish();
    uint64_t begin = now_ns();
    int status = check(self, self->api->device_create(&host, &desc, &device), "device_create");
    uint64_t created = now_ns();
    if (status == STATUS_OK)
        status = check(self, self->api->pass_create(device, plan->effect, &pass), "pass_create");
    if (status == STATUS_OK)
        status = check(self, self->api->prepare(pass, &scene->job), "prepare");
    uint64_t prepared = now_ns();
    out->compile_ms = self->heard.compile_ms;
    out->link_ms = self->heard.link_ms;
    self->heard.executing = true;
    if (status == STATUS_OK && kind != START_LIST)
        status = check(self, self->api->execute(pass, &scene->job, NULL), "execute");
    gl->Finish();
    self->heard.executing = false;
    out->picture_ms = (double)(now_ns() - begin) / 1e6;
    out->create_ms = (double)(created - begin) / 1e6;
    out->prepare_ms = (double)(prepared - created) / 1e6;
    if (status == STATUS_OK && kind == START_APART)
        status = go_on(self, device, pass, scene, plan);
    ag_health health = {.struct_size = sizeof health};
    const ag_plan *words = NULL;
    if (status == STATUS_OK)
        status = check(self, self->api->health(device, &health), "health");
    if (status == STATUS_OK)
        status = check(self, self->api->declare(pass, &scene->job, &words), "declare");
    if (status == STATUS_OK)
        snprintf(out->plan, sizeof out->plan, "%s", words->text);
    out->from_cache = health.programs_from_cache;
    self->api->device_destroy(device, 0);
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

static int run_in_child(start_kind kind, const compile_plan *plan, const start_options *options)
{
    run self = {.shared = common, .api = effect_api()};
    start *out = &common->answer;
    int status = self.api ? gpu_open(&self.gpu, options->device) : STATUS_FAILED;
    if (status != STATUS_OK)
        return status;
    copy_text(out->device.renderer, &self.gpu.gl, GL_RENDERER);
    copy_text(out->device.vendor, &self.gpu.gl, GL_VENDOR);
    copy_text(out->device.driver, &self.gpu.gl, GL_VERSION);
    out->device.software = gpu_is_software(&self.gpu);
    if (kind == START_DEVICE) {
        gpu_close(&self.gpu);
        return STATUS_OK;
    }
    heard_dispatch *dispatches = calloc(HEARD_DISPATCHES, sizeof *dispatches);
    self.heard = (overheard){.proc = headless_proc,
                             .user = self.gpu.context,
                             .pretends = kind == START_LIST,
                             .texts = options->texts,
                             .apart = kind == START_APART,
                             .programs = out->programs,
                             .dispatches = dispatches};
    compile_scene scene = {0};
    status = dispatches ? STATUS_OK : fail_memory();
    if (status == STATUS_OK && kind != START_LIST)
        status = wake_driver(&self, options->threads);
    if (status == STATUS_OK)
        status = scene_open(&self.gpu.gl, self.api, plan, &scene);
    pretend_begin(&(pretence){headless_proc, self.gpu.context, options->full});
    overhear_begin(&self.heard);
    if (kind == START_HEAR)
        overhear_messages();
    if (status == STATUS_OK)
        status = start_plan(&self, kind, plan, &scene);
    overhear_end(&self.heard);
    out->count = self.heard.count;
    if (status == STATUS_OK && self.heard.too_many)
        status = fail(STATUS_FAILED, "%s %s has too many programs for the bench", plan->effect,
                      plan->variant);
    if (status == STATUS_OK && self.heard.complaints)
        status = fail(STATUS_FAILED, "%s %s: GL had %d messages", plan->effect, plan->variant,
                      self.heard.complaints);
    if (status == STATUS_OK && self.heard.unwritable)
        status = fail(STATUS_FAILED, "--texts %s: the texts cannot be written", options->texts);
    if (kind == START_LIST)
        forget_times(out);
    scene_close(&scene);
    free(dispatches);
    gpu_close(&self.gpu);
    return status;
}

// ---- in the parent -----------------------------------------------------------------------------

void start_forget(void)
{
    if (common)
        common->kept.used = 0, common->kept.count = 0;
}

int start_run(start_kind kind, const compile_plan *plan, const start_options *options,
              const start **out)
{
    if (!common) {
        void *memory = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return fail_memory();
        common = memory;
    }
    common->answer = (start){0};
    int status = STATUS_OK;
    if (options->driver_cache && kind != START_WARM) {
        driver_cache_drop();
        status = driver_cache_new(true);
    }
    if (status != STATUS_OK)
        return status;
    fflush(NULL); // else a child would write the buffered text again
    pid_t child = fork();
    if (child < 0)
        return fail(STATUS_FAILED, "a process could not be started");
    if (child == 0) {
        bool own = !options->driver_cache && (kind == START_APART || kind == START_WARM);
        status = own ? driver_cache_new(false) : STATUS_OK;
        if (status == STATUS_OK)
            status = run_in_child(kind, plan, options);
        if (own)
            driver_cache_drop();
        fflush(NULL);
        _exit(status);
    }
    if (waitpid(child, &status, 0) != child)
        return fail(STATUS_FAILED, "the process of a start returned no result");
    if (!WIFEXITED(status))
        return fail(STATUS_FAILED, "%s %s: a start ended by signal %d", plan ? plan->effect : "GL",
                    plan ? plan->variant : "", WTERMSIG(status));
    *out = &common->answer;
    return WEXITSTATUS(status);
}
