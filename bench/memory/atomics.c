// atomics.c - additions by many threads: to one place, or spread
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <stdlib.h>

enum { THREADS = 256, GROUPS = 2048, SOFTWARE_GROUPS = 4, ADDITIONS = 16, MAX_PLACES = 65536 };

typedef struct counts {
    uint32_t *places;
} counts;

static uint32_t count_of(const void *user, uint32_t place)
{
    const counts *it = user;
    return it->places[place];
}

static int measure_one(memory_bench *self, GLuint program, int way, uint32_t places)
{
    uint32_t groups = self->software ? SOFTWARE_GROUPS : GROUPS, threads = groups * THREADS;
    counts it = {calloc(places, sizeof *it.places)};
    if (!it.places)
        return fail_memory();
    for (uint32_t id = 0; id < threads; id++)
        for (uint32_t i = 0; i < ADDITIONS; i++)
            it.places[((way ? id % THREADS : memory_value(id)) + i) & (places - 1)]++;
    const memory_work work = {.program = program, .groups = groups, .p = {places - 1, ADDITIONS}};
    const memory_right right = {.expected = count_of, .user = &it, .words = places};
    int status = memory_measure(self,
                                memory_head("atomics", way ? "shared, places" : "global, places",
                                            places, "additions/ns", "%u", (unsigned)places),
                                &work, &right, (double)threads * ADDITIONS);
    free(it.places);
    return status;
}

int memory_atomics(memory_bench *self)
{
    int status = STATUS_OK;
    for (int way = 0; way < 2 && status == STATUS_OK; way++) {
        GLuint program = memory_program(self, "atomics.comp",
                                        "#define THREADS %d\n#define WAY %d\n", THREADS, way);
        uint32_t most = way ? THREADS : MAX_PLACES;
        status = program ? STATUS_OK : STATUS_FAILED;
        for (uint32_t places = 1; places <= most && status == STATUS_OK;
             places = self->quick && places == 1 ? most : places * 16)
            status = measure_one(self, program, way, places);
        self->gl->DeleteProgram(program);
    }
    return status;
}
