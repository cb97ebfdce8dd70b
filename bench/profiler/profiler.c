// profiler.c - `afterglow-bench profiler`: what timing a pass costs the GPU and the CPU
// SPDX-License-Identifier: MIT
//
// The GPU's cost of a timestamp is measured twice: as the time between two successive timestamps on
// a busy GPU, and as the time by which timestamps lengthen a bloom. Each round executes that bloom
// untimed, timed as a whole (2 timestamps) and timed by step (N + 1). The CPU's cost of a timed
// pass is the time by which execute becomes longer, plus the time that frame() takes to collect one
// sample. A fourth way shows the share of GL in it: the bench itself places two glQueryCounter
// around an untimed execute, and reads their results.
#include "flags.h"
#include "pass.h"
#include "prices.h"
#include "subcommands.h"

#include <stdio.h>
#include <string.h>

enum { WAYS = 3, ROUNDS = 5, SAMPLES = 50, STAMPS = 64, EXECUTES = 100, BATCHES = 100, WORK = 50 };
static const struct {
    const char *name;
    uint32_t flags;
} ways[WAYS] = {{"untimed", AG_JOB_UNTIMED}, {"whole", 0}, {"by step", AG_JOB_TIME_STEPS}};

typedef struct wishes {
    bench_size size;
    int device;
} wishes;

static const flag flags[] = {{"--size", "WxH", "size of the frame; default 1920x1080",
                              FLAG_INTO(wishes, SIZE, size)},
                             FLAG_DEVICE(wishes),
                             {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench profiler",
    .usage = "[options]",
    .help = "Measures what the timestamps of a pass cost the GPU, and what timing costs the CPU.\n",
    .flags = flags};

typedef struct profiler {
    bench bench;
    pass scene; // a bloom
    uint32_t steps;
} profiler;

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

// ---- the pass ----------------------------------------------------------------------------------

static picture grey(int width, int height)
{
    picture out = picture_scene(width, height);
    for (size_t i = 0; out.texels && i < 4 * (size_t)width * (size_t)height; i++)
        out.texels[i] = i % 4 == 3 ? 1 : 0.5f;
    return out;
}

static void open_pass(profiler *s, const wishes *w)
{
    const pass_case desc = bloom_case(w->size, grey);
    report_row row = {0};
    bench_open(&s->bench, w->device);
    ag_host host = bench_host(&s->bench);
    host.gl_proc = gl_proc;
    bench_timer(&s->bench);
    bench_device(&s->bench, NULL, &host);
    pass_open(&s->bench, &desc, 1, &s->scene);
    pass_declare(&s->scene, &row);
    s->steps = (uint32_t)row.launches;
}

static void set_flags(profiler *s, uint32_t flags_of_job)
{
    s->scene.sets[0].job.flags = flags_of_job;
}

static bool record(void *user, unsigned turn)
{
    (void)turn;
    return pass_record(&((profiler *)user)->scene, 0);
}

static void collect(void *user)
{
    const bench *b = &((profiler *)user)->bench;
    b->api->frame(b->device, 1);
}

static uint32_t stamps_of(const profiler *s, int way)
{
    return way == 0 ? 0 : way == 1 ? 2 : s->steps + 1;
}

// ---- the GPU -----------------------------------------------------------------------------------

static bool record_stamps(void *user, unsigned turn)
{
    GLuint *queries = ((void **)user)[1];
    const profiler *s = ((void **)user)[0];
    (void)turn;
    for (int i = 0; i < STAMPS; i++)
        s->bench.gpu.gl.QueryCounter(queries[i], GL_TIMESTAMP);
    return true;
}

static gpu_times time_of(profiler *s, const gpu_work *work)
{
    gpu_times times;
    must(gpu_time_run(&s->bench.timer, work, SAMPLES, &times), "execute failed");
    return times;
}

static void print_stamps(profiler *s)
{
    GLuint queries[STAMPS];
    void *user[] = {s, queries};
    s->bench.gpu.gl.GenQueries(STAMPS, queries);
    gpu_times times = time_of(s, &(gpu_work){record_stamps, NULL, user});
    s->bench.gpu.gl.DeleteQueries(STAMPS, queries);
    printf("a stamp between stamps      GPU %8.3f us   CPU %8.3f us   (%d in a row)\n",
           times.median / (STAMPS + 1), times.cpu_median / STAMPS, STAMPS);
}

static void print_pass_gpu(profiler *s)
{
    double took[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            set_flags(s, ways[way].flags);
            uint32_t before = stamps_placed;
            took[way][round] = time_of(s, &(gpu_work){record, collect, s}).median;
            must(way || stamps_placed == before, "untimed executes placed %u stamps",
                 (unsigned)(stamps_placed - before));
        }
    double none = bench_median(took[0], ROUNDS);
    printf("bloom %s: GPU %.2f us, no stamps (counted)\n", ways[0].name, none);
    for (int way = 1; way < WAYS; way++) {
        double with = bench_median(took[way], ROUNDS);
        printf("bloom timed %-8s        GPU %8.2f us   %+.3f us a stamp (%u)\n", ways[way].name,
               with, (with - none) / stamps_of(s, way), (unsigned)stamps_of(s, way));
    }
}

// ---- the CPU -----------------------------------------------------------------------------------

// The ways, and BY_HAND: untimed, with two timestamps of the bench's own around each execute.
enum { BY_HAND = WAYS, CPU_WAYS };

typedef struct cpu_cost { // us, of one execute and of collecting its sample
    double execute, frame;
} cpu_cost;

static void read_by_hand(const profiler *s, const GLuint *queries)
{
    GLuint64 value = 0;
    for (int i = 0; i < 2 * EXECUTES; i++)
        s->bench.gpu.gl.GetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &value);
}

// The GPU is finished before frame() is called, so frame() only collects.
static cpu_cost batch(profiler *s, int way, const GLuint *queries)
{
    const GladGLContext *gl = &s->bench.gpu.gl;
    cpu_cost cost;
    set_flags(s, way == BY_HAND ? AG_JOB_UNTIMED : ways[way].flags);
    double begin = bench_now_us();
    for (int i = 0; i < EXECUTES; i++) {
        if (way == BY_HAND)
            gl->QueryCounter(queries[2 * i], GL_TIMESTAMP);
        record(s, 0);
        if (way == BY_HAND)
            gl->QueryCounter(queries[2 * i + 1], GL_TIMESTAMP);
    }
    cost.execute = (bench_now_us() - begin) / EXECUTES;
    gl->Finish();
    begin = bench_now_us();
    if (way == BY_HAND)
        read_by_hand(s, queries);
    collect(s);
    cost.frame = (bench_now_us() - begin) / EXECUTES;
    collect(s); // by then frame() has read the counter of non-finite texels
    gl->Finish();
    return cost;
}

static void print_pass_cpu(profiler *s)
{
    static double execute[CPU_WAYS][BATCHES], frame[CPU_WAYS][BATCHES];
    static GLuint queries[2 * EXECUTES];
    int batches = s->bench.report.names.software ? 2 : BATCHES;
    s->bench.gpu.gl.GenQueries(2 * EXECUTES, queries);
    for (int i = 0; i < batches; i++)
        for (int way = 0; way < CPU_WAYS; way++) {
            cpu_cost cost = batch(s, way, queries);
            execute[way][i] = cost.execute;
            frame[way][i] = cost.frame;
        }
    s->bench.gpu.gl.DeleteQueries(2 * EXECUTES, queries);
    double none = bench_median(execute[0], batches), idle = bench_median(frame[0], batches);
    printf("bloom %s: CPU %.3f us an execute\n", ways[0].name, none);
    for (int way = 1; way < CPU_WAYS; way++) {
        double recorded = bench_median(execute[way], batches) - none;
        double collected = bench_median(frame[way], batches) - idle;
        printf("bloom timed %-8s        CPU %+8.3f us in execute, %+.3f us in frame(): "
               "%.3f us a pass%s\n",
               way == BY_HAND ? "by hand" : ways[way].name, recorded, collected,
               recorded + collected, way == BY_HAND ? " (bare GL: 2 stamps, 2 results)" : "");
    }
}

static void queue_work(void *user)
{
    profiler *s = user;
    set_flags(s, AG_JOB_UNTIMED);
    for (int i = 0; i < (s->bench.report.names.software ? 1 : WORK); i++)
        record(s, 0);
}

// The cost of reading both clocks once, with work queued; the module does it three times a second.
static void print_clock(profiler *s)
{
    double costs[SAMPLES];
    set_flags(s, AG_JOB_UNTIMED);
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; k < 20; k++)
            record(s, 0);
        GLint64 value = 0;
        double begin = bench_now_us();
        s->bench.gpu.gl.GetInteger64v(GL_TIMESTAMP, &value);
        costs[i] = bench_now_us() - begin;
        s->bench.gpu.gl.Finish();
    }
    double half = bench_median(costs, SAMPLES);
    printf("the GPU's clock, work queued: CPU %.3f us, at most %.3f (read less often beyond 50)\n",
           half, costs[SAMPLES - 1]);
}

void profiler_main(int argc, char **argv)
{
    wishes w = {.size = {1920, 1080}};
    profiler s = {0};
    flags_read(&description, argc, argv, &w);
    open_pass(&s, &w);
    report_print_names(&s.bench.report.names);
    printf("bloom of %dx%d RGBA16F\n", w.size.width, w.size.height);
    print_stamps(&s);
    print_pass_gpu(&s);
    print_pass_cpu(&s);
    prices_print(&s.bench.gpu.gl, queue_work, &s);
    print_clock(&s);
    pass_close(&s.scene);
    bench_close(&s.bench);
}
