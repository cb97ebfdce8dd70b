// records.c - records of three words by each layout, stores of whole and partial sectors, a
// filter's halo
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>

enum { THREADS = 256, ITEMS = 4 };

// ---- reads -------------------------------------------------------------------------------------

enum { FLOAT3, VEC4_XYZ, AOS, SOA, AOS_ONE, SOA_ONE, VEC4, VEC4_OFF, WAYS };

static const char *const way_names[WAYS] = {"float[3]",   "vec4 as 3",          "AoS",
                                            "SoA",        "AoS one member",     "SoA one member",
                                            "vec4 whole", "four words off by 4"};

typedef struct layout {
    int way;
    uint32_t threads, records;
} layout;

static uint32_t record_of(const layout *it, uint32_t e)
{
    uint32_t at = 4 * e, next = 1, words = 3;
    switch (it->way) {
    case FLOAT3: at = 3 * e; break;
    case SOA: at = e, next = it->records; break;
    case AOS_ONE: words = 1; break;
    case SOA_ONE: at = e, words = 1; break;
    case VEC4: words = 4; break;
    case VEC4_OFF: at = 4 * e + 1, words = 4; break;
    default: break;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < words; i++)
        sum += (2 * i + 1) * memory_value(at + i * next);
    return sum;
}

static uint32_t records_of(const void *user, uint32_t id)
{
    const layout *it = user;
    uint32_t sum = 0;
    for (uint32_t k = 0; k < ITEMS; k++)
        sum += record_of(it, id + k * it->threads);
    return sum;
}

static int measure_layout(memory_bench *self, int way)
{
    layout it = {.way = way, .records = (uint32_t)(self->bytes / 16)};
    it.threads = it.records / ITEMS;
    GLuint program = memory_program(self, "records.comp",
                                    "#define THREADS %d\n#define ITEMS %d\n#define WAY %d\n",
                                    THREADS, ITEMS, way);
    const memory_work work = {.program = program,
                              .groups = it.threads / THREADS,
                              .p = {it.threads, it.records, it.records},
                              .buffers = {self->source, self->source, self->source}};
    const memory_right right = {.expected = records_of, .user = &it, .threads = it.threads};
    int status = memory_measure(
        self, memory_head("global", "record", (double)NAN, "records/ns", "%s", way_names[way]),
        &work, &right, it.records);
    self->gl->DeleteProgram(program);
    return status;
}

// ---- stores ------------------------------------------------------------------------------------

enum { STORE_ALL, STORE_THREE, STORE_HALF, STORE_ALTERNATE, STORES };

static const char *const store_names[STORES] = {"whole", "12 of 16 bytes", "16 of 32 bytes",
                                                "4 of 8 bytes"};

static uint32_t stored(const void *user, uint32_t at)
{
    const int *way = user;
    bool kept = *way == STORE_ALL || (*way == STORE_THREE && at % 4 < 3) ||
                (*way == STORE_HALF && at % 8 < 4) || (*way == STORE_ALTERNATE && at % 2 == 0);
    return kept ? memory_value(at) : MEMORY_POISON;
}

static int measure_stores(memory_bench *self, GLuint target)
{
    uint32_t elements = (uint32_t)(self->bytes / 16), threads = elements / 4;
    int ways = self->quick ? STORE_HALF : STORES, status = STATUS_OK; // the rule's two come first
    for (int way = 0; way < ways && status == STATUS_OK; way++) {
        GLuint program = memory_program(self, "store.comp", "#define THREADS %d\n#define WAY %d\n",
                                        THREADS, way);
        const memory_work work = {.program = program,
                                  .groups = threads / THREADS,
                                  .p = {threads, elements},
                                  .buffers = {target, target}};
        const memory_right right = {
            .expected = stored, .user = &way, .target = target, .words = self->bytes / 4};
        status = memory_measure(self,
                                memory_head("global", "store", (double)NAN, "GB/s of footprint",
                                            "%s", store_names[way]),
                                &work, &right, (double)self->bytes);
        self->gl->DeleteProgram(program);
    }
    return status;
}

// ---- halo --------------------------------------------------------------------------------------

static uint32_t filtered(const void *user, uint32_t at)
{
    const uint32_t *elements = user;
    uint32_t e = at / 4, word = at % 4, last = *elements - 1;
    uint32_t left = e > 0 ? e - 1 : 0, right = e < last ? e + 1 : last;
    return memory_value(4 * left + word) + 2 * memory_value(at) + memory_value(4 * right + word);
}

static int measure_halo(memory_bench *self, GLuint target)
{
    static const char *const names[] = {"three loads", "shared memory"};
    uint32_t elements = (uint32_t)(self->bytes / 32);
    int status = STATUS_OK;
    for (int way = 0; way < 2 && status == STATUS_OK; way++) {
        GLuint program =
            memory_program(self, "halo.comp", "#define THREADS %d\n#define WAY %d\n", THREADS, way);
        const memory_work work = {.program = program,
                                  .groups = elements / THREADS,
                                  .p = {elements},
                                  .buffers = {self->source, target}};
        const memory_right right = {.expected = filtered,
                                    .user = &elements,
                                    .target = target,
                                    .words = (uint64_t)elements * 4};
        status = memory_measure(
            self, memory_head("global", "three taps", (double)NAN, "GB/s", "%s", names[way]), &work,
            &right, 32.0 * elements); // read once and written once
        self->gl->DeleteProgram(program);
    }
    return status;
}

int memory_records(memory_bench *self)
{
    GLuint target = memory_buffer(self, self->bytes, NULL);
    int status = target ? STATUS_OK : STATUS_FAILED;
    for (int way = 0; way < WAYS && status == STATUS_OK; way++)
        status = measure_layout(self, way);
    if (status == STATUS_OK)
        status = measure_stores(self, target);
    if (status == STATUS_OK)
        status = measure_halo(self, target);
    self->gl->DeleteBuffers(1, &target);
    return status;
}
