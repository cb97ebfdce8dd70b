// main.c - `afterglow-bench-profiler`: what timing a pass costs the GPU and the CPU
// SPDX-License-Identifier: MIT
//
// The GPU's cost of a timestamp is measured twice: as the time between two successive timestamps on
// a busy GPU, and as the time by which timestamps lengthen a bloom. Each round executes that bloom
// untimed, timed as a whole (2 timestamps) and timed by step (N + 1). The CPU's cost of a timed
// pass is the time by which execute becomes longer, plus the time that frame() takes to collect one
// sample. A fourth way shows the share of GL in it: the bench itself places two glQueryCounter
// around an untimed execute, and reads their results.
#include "gpu.h"
#include "gpu_time.h"
#include "options.h"
#include "prices.h"
#include "report.h"

#include <afterglow/afterglow.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, ROUNDS = 5, SAMPLES = 50, STAMPS = 64, EXECUTES = 100, BATCHES = 100, WORK = 50 };
static const struct {
    const char *name;
    uint32_t flags;
} ways[WAYS] = {{"untimed", AG_JOB_UNTIMED}, {"whole", 0}, {"by step", AG_JOB_TIME_STEPS}};

enum { OPT_SIZE, OPT_DEVICE, OPT_COUNT };
static const option options[OPT_COUNT] = {
    [OPT_SIZE] = {"--size", "WxH", "size of the frame; default 1920x1080"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};
static const command description = {.name = "afterglow-bench-profiler",
                                    .options = options,
                                    .option_count = OPT_COUNT};

typedef struct self {
    gpu gpu;
    gpu_timer timer;
    const ag_api *api;
    ag_device *device;
    ag_pass *pass;
    ag_texture slots[3]; // of bloom: src, kernel_image, dst
    ag_job job;
    uint32_t steps;
    bool software;
} self;

// GL functions have no user pointer, so the module's calls are counted here.
static PFNGLQUERYCOUNTERPROC real_query_counter;
static uint32_t stamps_placed;

static void GLAD_API_PTR count_stamp(GLuint query, GLenum target)
{
    ++stamps_placed;
    real_query_counter(query, target);
}

static void *gl_proc(void *user, const char *name)
{
    void *function = headless_proc(user, name);
    if (strcmp(name, "glQueryCounter") == 0) {
        PFNGLQUERYCOUNTERPROC counting = count_stamp;
        memcpy(&real_query_counter, &function, sizeof function);
        memcpy(&function, &counting, sizeof function);
    }
    return function;
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level <= AG_LOG_WARNING)
        note("%s", message->text);
}

// ---- the pass ----------------------------------------------------------------------------------

static ag_texture make_texture(const GladGLContext *gl, int width, int height)
{
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D,
                    .format = GL_RGBA16F,
                    .width = width,
                    .height = height};
    gl->GenTextures(1, &t.name);
    gl->BindTexture(GL_TEXTURE_2D, t.name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, width, height);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    const float grey[] = {0.5f, 0.5f, 0.5f, 1};
    GLuint framebuffer = 0;
    gl->GenFramebuffers(1, &framebuffer);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.name, 0);
    gl->ClearBufferfv(GL_COLOR, 0, grey);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->DeleteFramebuffers(1, &framebuffer);
    return t;
}

static int check(const self *s, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s", what, s->api->status_text(status));
}

static int open_pass(self *s, int width, int height)
{
    const GladGLContext *gl = &s->gpu.gl;
    const ag_host host = {
        .struct_size = sizeof host, .user = s->gpu.context, .gl_proc = gl_proc, .log = log_message};
    int status = check(s, s->api->device_create(&host, NULL, &s->device), "device_create");
    if (status == STATUS_OK)
        status = check(s, s->api->pass_create(s->device, "bloom", &s->pass), "pass_create");
    if (status != STATUS_OK)
        return status;
    s->slots[0] = make_texture(gl, width, height);
    s->slots[1] = (ag_texture){.struct_size = sizeof s->slots[1]};
    s->slots[2] = make_texture(gl, width, height);
    s->job = (ag_job){.struct_size = sizeof s->job,
                      .slots = s->slots,
                      .slot_count = 3,
                      .next_use = AG_USE_SAMPLE};
    const ag_plan *plan = NULL;
    status = check(s, s->api->prepare(s->pass, &s->job), "prepare");
    if (status == STATUS_OK)
        status = check(s, s->api->declare(s->pass, &s->job, &plan), "declare");
    if (status == STATUS_OK)
        s->steps = plan->step_count;
    return status;
}

static bool record(void *user, unsigned turn)
{
    self *s = user;
    (void)turn;
    return s->api->execute(s->pass, &s->job, NULL) >= 0;
}

static void collect(void *user)
{
    self *s = user;
    s->api->frame(s->device, 1);
}

static uint32_t stamps_of(const self *s, int way)
{
    return way == 0 ? 0 : way == 1 ? 2 : s->steps + 1;
}

// ---- the GPU -----------------------------------------------------------------------------------

static bool record_stamps(void *user, unsigned turn)
{
    GLuint *queries = ((void **)user)[1];
    const self *s = ((void **)user)[0];
    (void)turn;
    for (int i = 0; i < STAMPS; i++)
        s->gpu.gl.QueryCounter(queries[i], GL_TIMESTAMP);
    return true;
}

static int print_stamps(self *s)
{
    GLuint queries[STAMPS];
    s->gpu.gl.GenQueries(STAMPS, queries);
    gpu_times times;
    void *user[] = {s, queries};
    bool done = gpu_time_run(&s->timer, &(gpu_work){record_stamps, NULL, user}, SAMPLES, &times);
    s->gpu.gl.DeleteQueries(STAMPS, queries);
    if (!done)
        return fail(STATUS_FAILED, "stamps cannot be timed");
    printf("a stamp between stamps      GPU %8.3f us   CPU %8.3f us   (%d in a row)\n",
           times.median / (STAMPS + 1), times.cpu_median / STAMPS, STAMPS);
    return STATUS_OK;
}

static int print_pass_gpu(self *s)
{
    double took[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            gpu_times times;
            s->job.flags = ways[way].flags;
            uint32_t before = stamps_placed;
            if (!gpu_time_run(&s->timer, &(gpu_work){record, collect, s}, SAMPLES, &times))
                return fail(STATUS_FAILED, "execute failed");
            if (way == 0 && stamps_placed != before)
                return fail(STATUS_FAILED, "untimed executes placed %u stamps",
                            (unsigned)(stamps_placed - before));
            took[way][round] = times.median;
        }
    double none = median(took[0], ROUNDS);
    printf("bloom %s: GPU %.2f us, no stamps (counted)\n", ways[0].name, none);
    for (int way = 1; way < WAYS; way++) {
        double with = median(took[way], ROUNDS);
        printf("bloom timed %-8s        GPU %8.2f us   %+.3f us a stamp (%u)\n", ways[way].name,
               with, (with - none) / stamps_of(s, way), (unsigned)stamps_of(s, way));
    }
    return STATUS_OK;
}

// ---- the CPU -----------------------------------------------------------------------------------

// The ways, and BY_HAND: untimed, with two timestamps of the bench's own around each execute.
enum { BY_HAND = WAYS, CPU_WAYS };

typedef struct cpu_cost { // us, of one execute and of collecting its sample
    double execute, frame;
} cpu_cost;

static void read_by_hand(const self *s, const GLuint *queries)
{
    GLuint64 value = 0;
    for (int i = 0; i < 2 * EXECUTES; i++)
        s->gpu.gl.GetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &value);
}

// The GPU is finished before frame() is called, so frame() only collects.
static cpu_cost batch(self *s, int way, const GLuint *queries)
{
    const GladGLContext *gl = &s->gpu.gl;
    cpu_cost cost;
    s->job.flags = way == BY_HAND ? AG_JOB_UNTIMED : ways[way].flags;
    double begin = now_us();
    for (int i = 0; i < EXECUTES; i++) {
        if (way == BY_HAND)
            gl->QueryCounter(queries[2 * i], GL_TIMESTAMP);
        record(s, 0);
        if (way == BY_HAND)
            gl->QueryCounter(queries[2 * i + 1], GL_TIMESTAMP);
    }
    cost.execute = (now_us() - begin) / EXECUTES;
    gl->Finish();
    begin = now_us();
    if (way == BY_HAND)
        read_by_hand(s, queries);
    collect(s);
    cost.frame = (now_us() - begin) / EXECUTES;
    collect(s); // by then frame() has read the counter of non-finite texels
    gl->Finish();
    return cost;
}

static void print_pass_cpu(self *s)
{
    static double execute[CPU_WAYS][BATCHES], frame[CPU_WAYS][BATCHES];
    static GLuint queries[2 * EXECUTES];
    int batches = s->software ? 2 : BATCHES;
    s->gpu.gl.GenQueries(2 * EXECUTES, queries);
    for (int i = 0; i < batches; i++)
        for (int way = 0; way < CPU_WAYS; way++) {
            cpu_cost cost = batch(s, way, queries);
            execute[way][i] = cost.execute;
            frame[way][i] = cost.frame;
        }
    s->gpu.gl.DeleteQueries(2 * EXECUTES, queries);
    double none = median(execute[0], batches), idle = median(frame[0], batches);
    printf("bloom %s: CPU %.3f us an execute\n", ways[0].name, none);
    for (int way = 1; way < CPU_WAYS; way++) {
        double recorded = median(execute[way], batches) - none;
        double collected = median(frame[way], batches) - idle;
        printf("bloom timed %-8s        CPU %+8.3f us in execute, %+.3f us in frame(): "
               "%.3f us a pass%s\n",
               way == BY_HAND ? "by hand" : ways[way].name, recorded, collected,
               recorded + collected, way == BY_HAND ? " (bare GL: 2 stamps, 2 results)" : "");
    }
}

static void queue_work(void *user)
{
    self *s = user;
    s->job.flags = AG_JOB_UNTIMED;
    for (int i = 0; i < (s->software ? 1 : WORK); i++)
        record(s, 0);
}

// The cost of reading both clocks once, with work queued; the module does it three times a second.
static void print_clock(self *s)
{
    double costs[SAMPLES];
    s->job.flags = AG_JOB_UNTIMED;
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; k < 20; k++)
            record(s, 0);
        GLint64 value = 0;
        double begin = now_us();
        s->gpu.gl.GetInteger64v(GL_TIMESTAMP, &value);
        costs[i] = now_us() - begin;
        s->gpu.gl.Finish();
    }
    double half = median(costs, SAMPLES);
    printf("the GPU's clock, work queued: CPU %.3f us, at most %.3f (read less often beyond 50)\n",
           half, costs[SAMPLES - 1]);
}

// ---- the program -------------------------------------------------------------------------------

static int run(int width, int height, int index)
{
    char error[512];
    self s = {.api = ag_entry_v1(AG_ABI_MINOR)};
    int status = gpu_open(&s.gpu, index);
    if (status != STATUS_OK)
        return status;
    s.software = gpu_is_software(&s.gpu);
    printf("%s, bloom of %dx%d RGBA16F\n", (const char *)s.gpu.gl.GetString(GL_RENDERER), width,
           height);
    if (!gpu_timer_create(&s.gpu.gl, &s.timer, error, sizeof error))
        status = fail(STATUS_FAILED, "%s", error);
    if (status == STATUS_OK)
        status = open_pass(&s, width, height);
    if (status == STATUS_OK)
        status = print_stamps(&s);
    if (status == STATUS_OK)
        status = print_pass_gpu(&s);
    if (status == STATUS_OK) {
        print_pass_cpu(&s);
        prices calls = prices_measure(&s.gpu.gl, queue_work, &s);
        prices_print(&calls);
        print_clock(&s);
        if (s.software)
            puts("This renderer runs on the CPU: its times say nothing about a GPU.");
    }
    gpu_timer_destroy(&s.timer);
    s.api->device_destroy(s.device, 0);
    GLuint names[] = {s.slots[0].name, s.slots[2].name};
    s.gpu.gl.DeleteTextures(2, names);
    gpu_close(&s.gpu);
    return status;
}

static void print_help(void)
{
    puts("usage: afterglow-bench-profiler [options]\n\n"
         "Measures what the timestamps of a pass cost the GPU, and what timing costs the CPU.\n");
    for (int i = 0; i < OPT_COUNT; i++)
        printf("  %-10s %-5s %s\n", options[i].name, options[i].value, options[i].help);
}

int main(int argc, char **argv)
{
    int width = 1920, height = 1080, index = 0;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return STATUS_OK;
    }
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        char end = 0;
        if (which == OPT_SIZE && (sscanf(reader.value, "%dx%d%c", &width, &height, &end) != 2 ||
                                  width < 1 || height < 1 || width > 16384 || height > 16384))
            return fail(STATUS_USAGE, "--size %s: expected WxH, 1 .. 16384 each", reader.value);
        else if (which == OPT_DEVICE && (sscanf(reader.value, "%d%c", &index, &end) != 1))
            return fail(STATUS_USAGE, "--device %s: expected a number", reader.value);
        else if (which == OPTION_INPUT)
            return fail(STATUS_USAGE, "expected options only, got %s", reader.value);
        else if (which != OPT_SIZE && which != OPT_DEVICE)
            return STATUS_USAGE;
    }
    return run(width, height, index);
}
