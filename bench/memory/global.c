// global.c - global memory: how wide, how aligned, in which order, how far apart, and how long one
// load takes
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>

enum { THREADS = 256, ITEMS = 8, ALL_READ = 16 };

typedef struct pattern { // of read.comp
    const char *series, *name;
    double x;
    int width;                   // bytes of an element
    uint32_t stride, first;      // in elements
    uint32_t multiplier, addend; // of the place among 32
    uint32_t skipped;            // thread of 16; ALL_READ: none
    bool quick;
} pattern;

#define PLAIN 1, 0, ALL_READ
static const pattern patterns[] = {
    {"width", "4", 4, 4, 1, 0, PLAIN, true},
    {"width", "8", 8, 8, 1, 0, PLAIN, true},
    {"width", "16", 16, 16, 1, 0, PLAIN, true},
    {"4 off by", "4", 4, 4, 1, 1, PLAIN, true},
    {"4 off by", "8", 8, 4, 1, 2, PLAIN, false},
    {"4 off by", "64", 64, 4, 1, 16, PLAIN, false},
    {"8 off by", "8", 8, 8, 1, 1, PLAIN, false},
    {"8 off by", "64", 64, 8, 1, 8, PLAIN, false},
    {"16 off by", "64", 64, 16, 1, 4, PLAIN, false},
    {"order", "permuted", NAN, 4, 1, 0, 13, 7, ALL_READ, true},
    {"order", "one of 16 skipped", NAN, 4, 1, 0, 1, 0, 5, true},
    {"stride", "1", 1, 4, 1, 0, PLAIN, true},
    {"stride", "2", 2, 4, 2, 0, PLAIN, true},
    {"stride", "3", 3, 4, 3, 0, PLAIN, false},
    {"stride", "4", 4, 4, 4, 0, PLAIN, false},
    {"stride", "8", 8, 4, 8, 0, PLAIN, true},
    {"stride", "16", 16, 4, 16, 0, PLAIN, false},
    {"stride", "17", 17, 4, 17, 0, PLAIN, false},
    {"stride", "32", 32, 4, 32, 0, PLAIN, true},
    {"stride", "64", 64, 4, 64, 0, PLAIN, false},
};

typedef struct reading {
    const pattern *pattern;
    uint32_t threads, elements, log2;
} reading;

// read.comp again.
static uint32_t sum_of(const void *user, uint32_t id)
{
    static const uint32_t weights[] = {1, 3, 5, 7};
    const reading *it = user;
    const pattern *row = it->pattern;
    uint32_t words = (uint32_t)row->width / 4, sum = 0;
    for (uint32_t k = 0; k < ITEMS; k++) {
        uint32_t element = id + k * it->threads;
        element = (element & ~31u) | ((element * row->multiplier + row->addend) & 31u);
        uint32_t place = element * row->stride;
        uint32_t at = (place & (it->elements - 1)) + (place >> it->log2) + row->first;
        if ((id & 15u) != row->skipped)
            for (uint32_t i = 0; i < words; i++)
                sum += weights[i] * memory_value(words * at + i);
    }
    return sum;
}

static int measure_pattern(memory_bench *self, const pattern *row, GLuint program)
{
    reading it = {row, 0, (uint32_t)(self->bytes / (uint64_t)row->width), 0};
    it.threads = it.elements / ITEMS;
    while (it.elements >> it.log2 > 1)
        it.log2++;
    // Of those who skip, too: what they would have read counts, because the claim is about time.
    const memory_work work = {.program = program,
                              .groups = it.threads / THREADS,
                              .p = {it.threads, row->stride, row->first, it.elements - 1},
                              .q = {row->multiplier, row->addend, row->skipped, it.log2},
                              .buffers = {self->source}};
    const memory_right right = {.expected = sum_of, .user = &it, .threads = it.threads};
    return memory_measure(self, memory_head("global", row->series, row->x, "GB/s", "%s", row->name),
                          &work, &right, (double)self->bytes);
}

static int measure_patterns(memory_bench *self)
{
    static const char *const types[] = {[4] = "uint", [8] = "uvec2", [16] = "uvec4"};
    GLuint programs[17] = {0};
    int status = STATUS_OK;
    for (int width = 4; width <= 16 && status == STATUS_OK; width *= 2) {
        programs[width] = memory_program(self, "read.comp",
                                         "#define THREADS %d\n#define ITEMS %d\n#define TYPE %s\n",
                                         THREADS, ITEMS, types[width]);
        status = programs[width] ? STATUS_OK : STATUS_FAILED;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns && status == STATUS_OK; i++)
        if (!self->quick || patterns[i].quick)
            status = measure_pattern(self, &patterns[i], programs[patterns[i].width]);
    for (int width = 4; width <= 16; width *= 2)
        self->gl->DeleteProgram(programs[width]);
    return status;
}

// ---- latency -----------------------------------------------------------------------------------

enum {
    LINE_WORDS = 64
}; // a place every 256 bytes: no two in a line of any cache, nor fetched together

// A ring through all places in an order without a pattern (Sattolo 1986): no prefetch helps.
static uint32_t *make_ring(uint32_t places)
{
    uint32_t *order = malloc((size_t)places * sizeof *order);
    uint32_t *ring = calloc((size_t)places * LINE_WORDS, sizeof *ring);
    for (uint32_t i = 0; order && i < places; i++)
        order[i] = i;
    for (uint32_t i = places - 1; order && i > 0; i--) {
        uint32_t k = memory_value(i) % i, kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (uint32_t i = 0; order && ring && i < places; i++)
        ring[order[i] * LINE_WORDS] = order[(i + 1) % places] * LINE_WORDS;
    free(order);
    return ring;
}

typedef struct chase {
    const uint32_t *ring;
    uint32_t loads;
} chase;

static uint32_t end_of(const void *user, uint32_t id)
{
    const chase *it = user;
    uint32_t at = 0;
    (void)id;
    for (uint32_t i = 0; i < it->loads; i++)
        at = it->ring[at];
    return at;
}

static int measure_latency(memory_bench *self, GLuint program, uint64_t bytes, const char *name)
{
    uint32_t *ring = make_ring((uint32_t)(bytes / (LINE_WORDS * 4)));
    GLuint buffer = ring ? memory_buffer(self, bytes, ring) : 0;
    const chase it = {ring, self->software ? 64 : 8192};
    const memory_work work = {
        .program = program, .groups = 1, .p = {it.loads}, .buffers = {buffer}};
    const memory_right right = {.expected = end_of, .user = &it, .threads = 1};
    int status = buffer ? memory_measure(self,
                                         memory_head("global", "latency", (double)bytes, "loads/us",
                                                     "%s", name),
                                         &work, &right, 1e3 * it.loads)
                        : STATUS_FAILED;
    free(ring);
    if (buffer)
        self->gl->DeleteBuffers(1, &buffer);
    return status;
}

int memory_global(memory_bench *self)
{
    int status = measure_patterns(self);
    GLuint program =
        status == STATUS_OK ? memory_program(self, "chase.comp", "#define THREADS 32\n") : 0;
    if (!program)
        return STATUS_FAILED;
    status = measure_latency(self, program, 8 << 10, "8 KiB");
    if (status == STATUS_OK && !self->quick)
        status = measure_latency(self, program, self->software ? 64 << 10 : 4 << 20,
                                 self->software ? "64 KiB" : "4 MiB");
    if (status == STATUS_OK)
        status = measure_latency(self, program, self->bytes, "all");
    self->gl->DeleteProgram(program);
    return status;
}
