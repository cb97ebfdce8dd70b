// overlap.c - whether two works run at the same time: in one context, and in two that share their
// objects
// SPDX-License-Identifier: MIT
//
// OpenGL has one queue a context and no word for asynchronous compute. One work group that counts
// takes one multiprocessor of many: two of them take as long as one where the GPU runs both at
// once, else twice as long. Times are of the CPU's clock, from the first call until both are done,
// because stamps of two contexts have no order.
#include "cli/report.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 4000000, SOFTWARE_ROUNDS = 20000, RUNS = 5 };

static uint32_t advanced(const void *user, uint32_t id)
{
    const uint32_t *rounds = user;
    uint32_t state = memory_value(id);
    for (uint32_t i = 0; i < *rounds; i++)
        state = state * 747796405u + 2891336453u;
    return state;
}

typedef enum how { ONE, TWO_UNORDERED, TWO_ORDERED, TWO_CONTEXTS, HOWS } how;

static const char *const how_names[HOWS] = {"one work", "two, no barrier between",
                                            "two, a barrier between", "two contexts"};

typedef struct pair {
    memory_bench *self;
    headless *other;
    memory_work work;
} pair;

static void run(const pair *it, how way)
{
    const GladGLContext *gl = it->self->gl;
    memory_record(it->self, &it->work, 1);
    if (way == TWO_CONTEXTS) {
        gl->Flush();
        headless_make_current(it->other);
        memory_record(it->self, &it->work, 1);
        gl->Finish();
        headless_make_current(it->self->bench.gpu.context);
    }
    gl->Finish();
}

static int measure_one(pair *it, how way, const uint32_t *rounds)
{
    double least = INFINITY;
    it->work.dispatches = way == TWO_UNORDERED || way == TWO_ORDERED ? 2 : 1;
    it->work.unordered = way == TWO_UNORDERED;
    memory_result result = {.group = "overlap", .x = (double)NAN, .unit = "works/ms"};
    snprintf(result.series, sizeof result.series, "counting");
    snprintf(result.name, sizeof result.name, "%s", how_names[way]);
    int status = memory_check(it->self, &it->work, 32, advanced, rounds, &result.checked);
    for (int i = 0; i < (it->self->software ? 1 : RUNS) && status == STATUS_OK; i++) {
        double start = bench_now_us();
        run(it, way);
        double us = bench_now_us() - start;
        least = us < least ? us : least;
    }
    result.value = (way == ONE ? 1 : 2) / least * 1e3;
    return status == STATUS_OK ? memory_add_value(it->self, &result) : status;
}

int memory_overlap(memory_bench *self)
{
    char error[1024];
    const uint32_t rounds = self->software ? SOFTWARE_ROUNDS : ROUNDS;
    pair it = {.self = self};
    it.work = (memory_work){.groups = 1, .p = {256, rounds}}; // blocks of 256: the first way alone
    it.work.program = memory_program(self, "divergence.comp", "#define THREADS 32\n");
    if (!it.work.program)
        return STATUS_FAILED;
    it.other =
        headless_create(&(headless_options){.share = self->bench.gpu.context}, error, sizeof error);
    headless_make_current(self->bench.gpu.context);
    int status = STATUS_OK;
    for (int way = 0; way < HOWS && status == STATUS_OK; way++)
        if (way != TWO_CONTEXTS || it.other)
            status = measure_one(&it, (how)way, &rounds);
    if (!it.other)
        note("no second context that shares with the first: %s", error);
    headless_destroy(it.other);
    headless_make_current(self->bench.gpu.context);
    self->gl->DeleteProgram(it.work.program);
    return status;
}
