// overlap.c - whether two works run at the same time: in one context, and in two that share their
// objects
// SPDX-License-Identifier: MIT
//
// OpenGL has one queue a context and no word for asynchronous compute. One work group that counts
// takes one multiprocessor of many: two of them take as long as one where the GPU runs both at
// once, else twice as long. Times are of the CPU's clock, from the first call until both are done,
// because stamps of two contexts have no order.
#include "memory.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 4000000, SOFTWARE_ROUNDS = 20000, RUNS = 5 };

static uint32_t advanced(const memory_work *work, uint32_t id)
{
    uint32_t state = memory_value(id);
    for (uint32_t i = 0; i < work->p[1]; i++)
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

static void measure_one(pair *it, how way)
{
    double least = INFINITY;
    it->work.dispatches = way == TWO_UNORDERED || way == TWO_ORDERED ? 2 : 1;
    it->work.unordered = way == TWO_UNORDERED;
    memory_result result =
        memory_head("overlap", "counting", (double)NAN, "works/ms", "%s", how_names[way]);
    result.checked = memory_check(it->self, &it->work);
    for (int i = 0; i < (it->self->software ? 1 : RUNS); i++) {
        double start = bench_now_us();
        run(it, way);
        least = fmin(least, bench_now_us() - start);
    }
    result.value = (way == ONE ? 1 : 2) / least * 1e3;
    memory_add_value(it->self, &result);
}

void memory_overlap(memory_bench *self)
{
    char error[1024];
    const GLuint rounds = self->software ? SOFTWARE_ROUNDS : ROUNDS;
    headless *mine = self->bench.gpu.context;
    pair it = {.self = self,
               .other = headless_create(&(headless_options){.share = mine}, error, sizeof error)};
    headless_make_current(mine);
    it.work = (memory_work){.shader = "divergence.comp", // blocks of 256: the first way alone
                            .threads = 32,
                            .groups = 1,
                            .p = {256, rounds},
                            .expected = advanced,
                            .results = 32};
    it.work.program = memory_program(self, &it.work);
    for (int way = 0; way < HOWS; way++)
        if (way != TWO_CONTEXTS || it.other)
            measure_one(&it, (how)way);
    if (!it.other)
        note("no second context that shares with the first: %s", error);
    headless_destroy(it.other);
    headless_make_current(mine);
}
