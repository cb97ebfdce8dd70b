// atomics.c - additions by many threads: to one place, or spread
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, GROUPS = 2048, SOFTWARE_GROUPS = 4, ADDITIONS = 16, MOST_PLACES = 65536 };

typedef struct counts {
    uint32_t *places;
} counts;

static uint32_t count_of(const void *user, uint32_t place)
{
    const counts *it = user;
    return it->places[place];
}

static int measure(memory_bench *self, GLuint program, int way, uint32_t places)
{
    const GladGLContext *gl = &self->gpu.gl;
    uint32_t groups = self->software ? SOFTWARE_GROUPS : GROUPS, threads = groups * THREADS;
    const memory_work work = {.program = program, .groups = groups, .p = {places - 1, ADDITIONS}};
    memory_result result = {.group = "atomics", .x = places, .unit = "additions/ns"};
    snprintf(result.series, sizeof result.series, way ? "shared, places" : "global, places");
    snprintf(result.name, sizeof result.name, "%u", (unsigned)places);
    counts it = {calloc(places, sizeof *it.places)};
    if (!it.places)
        return fail_memory();
    for (uint32_t id = 0; id < threads; id++)
        for (uint32_t i = 0; i < ADDITIONS; i++)
            it.places[((way ? id % THREADS : memory_value(id)) + i) & (places - 1)]++;
    uint32_t zero = 0;
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->out);
    gl->ClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    memory_record(self, &work, 1);
    gpu_times times;
    int status = memory_check_words(self, self->out, places, count_of, &it, &result.checked);
    free(it.places);
    if (status == STATUS_OK)
        status = memory_time(self, &work, &times);
    return status == STATUS_OK
               ? memory_add(self, &result, (double)threads * ADDITIONS, 1e-3, &times)
               : fail(status, "atomics: %s %u failed", result.series, (unsigned)places);
}

int memory_atomics(memory_bench *self)
{
    int status = STATUS_OK;
    for (int way = 0; way < 2 && status == STATUS_OK; way++) {
        GLuint program = memory_program(self, "atomics.comp",
                                        "#define THREADS %d\n#define WAY %d\n", THREADS, way);
        uint32_t most = way ? THREADS : MOST_PLACES;
        status = program ? STATUS_OK : STATUS_FAILED;
        for (uint32_t places = 1; places <= most && status == STATUS_OK;
             places = self->quick && places == 1 ? most : places * 16)
            status = measure(self, program, way, places);
        self->gpu.gl.DeleteProgram(program);
    }
    return status;
}
