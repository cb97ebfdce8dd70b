// constants.c - a small table that does not change: in the program, as uniforms, as storage
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>

enum { THREADS = 256, READS = 16, PLACES = 256, WAYS = 3 };
static const char *const way_names[WAYS] = {"constant array", "uniform buffer", "storage buffer"};

typedef struct reading {
    uint32_t spread, rounds;
} reading;

// constants.comp again.
static uint32_t sum_of(const void *user, uint32_t id)
{
    const reading *it = user;
    uint32_t at = id % THREADS * it->spread, sum = 0;
    for (uint32_t round = 0; round < it->rounds; round++, at += READS)
        for (uint32_t j = 0; j < READS; j++)
            sum += memory_value((at + j) % PLACES);
    return sum;
}

static GLuint make_program(const memory_bench *self, int way)
{
    char list[PLACES * 14];
    for (int i = 0, used = 0; i < PLACES; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%uu", i ? ", " : "",
                         (unsigned)memory_value((uint32_t)i));
    return memory_program(
        self, "constants.comp",
        "#define THREADS %d\n#define PLACES %d\n#define WAY %d\n#define LIST %s\n", THREADS, PLACES,
        way, list);
}

int memory_constants(memory_bench *self)
{
    uint32_t words[4 * PLACES] = {0}; // 16 bytes a place, as std140 has it
    uint32_t groups = self->software ? 4 : 2048;
    for (uint32_t i = 0; i < PLACES; i++)
        words[4 * i] = memory_value(i);
    GLuint table = memory_buffer(self, sizeof words, words);
    int status = table ? STATUS_OK : STATUS_FAILED;
    for (int way = 0; way < WAYS && status == STATUS_OK; way++) {
        GLuint program = make_program(self, way);
        for (uint32_t spread = 0; spread < 2 && status == STATUS_OK; spread++) {
            const reading it = {spread, self->software ? 3 : 64};
            const memory_work work = {.program = program,
                                      .groups = groups,
                                      .p = {it.spread, it.rounds},
                                      .buffers = {table},
                                      .uniforms = table};
            const memory_right right = {.expected = sum_of,
                                        .user = &it,
                                        .threads = groups * THREADS};
            status =
                memory_measure(self,
                               memory_head("constants", spread ? "a place a thread" : "one place",
                                           (double)NAN, "reads/ns", "%s", way_names[way]),
                               &work, &right, (double)groups * THREADS * it.rounds * READS);
        }
        self->gl->DeleteProgram(program);
    }
    self->gl->DeleteBuffers(1, &table);
    return status;
}
