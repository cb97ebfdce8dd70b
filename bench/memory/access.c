// access.c - how words are read and written: global memory, records, constants, shared memory,
// atomic additions
// SPDX-License-Identifier: MIT
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 256 };

// ---- global: how wide, how aligned, in which order, how far apart ------------------------------

enum { ITEMS = 8, ALL_READ = 16 };

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

// read.comp again; `way`: words of an element.
static uint32_t sum_of(const memory_work *work, uint32_t id)
{
    static const uint32_t weights[] = {1, 3, 5, 7};
    const GLuint *p = work->p, *q = work->q;
    uint32_t words = (uint32_t)work->way, sum = 0;
    for (uint32_t k = 0; k < ITEMS; k++) {
        uint32_t element = id + k * p[0];
        element = (element & ~31u) | ((element * q[0] + q[1]) & 31u);
        uint32_t place = element * p[1];
        uint32_t at = (place & p[3]) + (place >> q[3]) + p[2];
        if ((id & 15u) != q[2])
            for (uint32_t i = 0; i < words; i++)
                sum += weights[i] * memory_value(words * at + i);
    }
    return sum;
}

static void measure_pattern(memory_bench *self, const pattern *row)
{
    static const char *const types[] = {[4] = "uint", [8] = "uvec2", [16] = "uvec4"};
    char defines[64];
    uint32_t elements = (uint32_t)(self->bytes / (uint64_t)row->width), log2 = 0;
    uint32_t threads = elements / ITEMS;
    while (elements >> log2 > 1)
        log2++;
    snprintf(defines, sizeof defines, "#define ITEMS %d\n#define TYPE %s\n", ITEMS,
             types[row->width]);
    // Of those who skip, too: what they would have read counts, because the claim is about time.
    const memory_work work = {.shader = "read.comp",
                              .threads = THREADS,
                              .way = row->width / 4,
                              .defines = defines,
                              .groups = threads / THREADS,
                              .p = {threads, row->stride, row->first, elements - 1},
                              .q = {row->multiplier, row->addend, row->skipped, log2},
                              .buffers = {self->source},
                              .expected = sum_of,
                              .results = threads};
    memory_measure(self, memory_head("global", row->series, row->x, "GB/s", "%s", row->name), &work,
                   (double)self->bytes);
}

// ---- global: how long one load takes -----------------------------------------------------------

enum {
    LINE_WORDS = 64
}; // a place every 256 bytes: no two in a line of any cache, nor fetched together

// A ring through all places in an order without a pattern (Sattolo 1986): no prefetch helps.
static uint32_t *make_ring(uint32_t places)
{
    uint32_t *order = need_memory((size_t)places * sizeof *order);
    uint32_t *ring = need_memory((size_t)places * LINE_WORDS * sizeof *ring);
    for (uint32_t i = 0; i < places; i++)
        order[i] = i;
    for (uint32_t i = places - 1; i > 0; i--) {
        uint32_t k = memory_value(i) % i, kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (uint32_t i = 0; i < places; i++)
        ring[order[i] * LINE_WORDS] = order[(i + 1) % places] * LINE_WORDS;
    free(order);
    return ring;
}

static uint32_t end_of(const memory_work *work, uint32_t id)
{
    const uint32_t *ring = work->user;
    uint32_t at = 0;
    (void)id;
    for (uint32_t i = 0; i < work->p[0]; i++)
        at = ring[at];
    return at;
}

static void measure_latency(memory_bench *self, uint64_t bytes, const char *name)
{
    uint32_t *ring = make_ring((uint32_t)(bytes / (LINE_WORDS * 4)));
    GLuint buffer = memory_buffer(self, bytes, ring);
    const memory_work work = {.shader = "chase.comp",
                              .threads = 32,
                              .groups = 1,
                              .p = {self->software ? 64 : 8192},
                              .buffers = {buffer},
                              .expected = end_of,
                              .results = 1,
                              .user = ring};
    memory_measure(self, memory_head("global", "latency", (double)bytes, "loads/us", "%s", name),
                   &work, 1e3 * work.p[0]);
    free(ring);
    self->gl->DeleteBuffers(1, &buffer);
}

void memory_global(memory_bench *self)
{
    for (int i = 0; i < COUNT(patterns); i++)
        if (!self->quick || patterns[i].quick)
            measure_pattern(self, &patterns[i]);
    measure_latency(self, 8 << 10, "8 KiB");
    if (!self->quick)
        measure_latency(self, self->software ? 64 << 10 : 4 << 20,
                        self->software ? "64 KiB" : "4 MiB");
    measure_latency(self, self->bytes, "all");
}

// ---- records: of three words by each layout ----------------------------------------------------

enum { RECORDS = 4, FLOAT3 = 0, SOA = 3, AOS_ONE, SOA_ONE, VEC4, VEC4_OFF };

static const char *const layouts[] = {"float[3]",   "vec4 as 3",          "AoS",
                                      "SoA",        "AoS one member",     "SoA one member",
                                      "vec4 whole", "four words off by 4"};

static uint32_t records_of(const memory_work *work, uint32_t id)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < RECORDS; k++) {
        uint32_t e = id + k * work->p[0], at = 4 * e, next = 1, words = 3;
        switch (work->way) {
        case FLOAT3: at = 3 * e; break;
        case SOA: at = e, next = work->p[2]; break;
        case AOS_ONE: words = 1; break;
        case SOA_ONE: at = e, words = 1; break;
        case VEC4: words = 4; break;
        case VEC4_OFF: at = 4 * e + 1, words = 4; break;
        default: break;
        }
        for (uint32_t i = 0; i < words; i++)
            sum += (2 * i + 1) * memory_value(at + i * next);
    }
    return sum;
}

// ---- records: stores of whole and partial sectors ----------------------------------------------

enum { STORE_ALL, STORE_THREE, STORE_HALF, STORE_ALTERNATE };

static const char *const stores[] = {"whole", "12 of 16 bytes", "16 of 32 bytes", "4 of 8 bytes"};

static uint32_t stored(const memory_work *work, uint32_t at)
{
    bool kept = work->way == STORE_ALL || (work->way == STORE_THREE && at % 4 < 3) ||
                (work->way == STORE_HALF && at % 8 < 4) ||
                (work->way == STORE_ALTERNATE && at % 2 == 0);
    return kept ? memory_value(at) : MEMORY_POISON;
}

// ---- records: a filter's halo ------------------------------------------------------------------

static const char *const halos[] = {"three loads", "shared memory"};

static uint32_t filtered(const memory_work *work, uint32_t at)
{
    uint32_t e = at / 4, word = at % 4, last = work->p[0] - 1;
    uint32_t left = e > 0 ? e - 1 : 0, right = e < last ? e + 1 : last;
    return memory_value(4 * left + word) + 2 * memory_value(at) + memory_value(4 * right + word);
}

void memory_records(memory_bench *self)
{
    const double no_x = (double)NAN;
    const uint32_t count = (uint32_t)(self->bytes / 16), quarter = count / 4, half = count / 2;
    memory_work work = {.shader = "records.comp",
                        .threads = THREADS,
                        .defines = "#define ITEMS 4\n",
                        .groups = quarter / THREADS,
                        .p = {quarter, count, count},
                        .buffers = {self->source, self->source, self->source},
                        .expected = records_of,
                        .results = quarter};
    for (work.way = 0; work.way < COUNT(layouts); work.way++)
        memory_measure(self,
                       memory_head("global", "record", no_x, "records/ns", "%s", layouts[work.way]),
                       &work, count);
    work = (memory_work){.shader = "store.comp",
                         .threads = THREADS,
                         .groups = quarter / THREADS,
                         .p = {quarter, count},
                         .buffers = {self->target, self->target},
                         .expected = stored,
                         .target = self->target,
                         .results = self->bytes / 4};
    const int most = self->quick ? STORE_HALF : COUNT(stores); // the rule's two come first
    for (work.way = 0; work.way < most; work.way++)
        memory_measure(
            self, memory_head("global", "store", no_x, "GB/s of footprint", "%s", stores[work.way]),
            &work, (double)self->bytes);
    work = (memory_work){.shader = "halo.comp",
                         .threads = THREADS,
                         .groups = half / THREADS,
                         .p = {half},
                         .buffers = {self->source, self->target},
                         .expected = filtered,
                         .target = self->target,
                         .results = (uint64_t)half * 4};
    for (work.way = 0; work.way < COUNT(halos); work.way++) // read once and written once
        memory_measure(self,
                       memory_head("global", "three taps", no_x, "GB/s", "%s", halos[work.way]),
                       &work, 32.0 * half);
}

// ---- constants: a small table in the program, as uniforms, as storage --------------------------

enum { READS = 16, PLACES = 256 };
static const char *const constants[] = {"constant array", "uniform buffer", "storage buffer"};

// constants.comp again.
static uint32_t constants_of(const memory_work *work, uint32_t id)
{
    uint32_t at = id % THREADS * work->p[0], sum = 0;
    for (uint32_t round = 0; round < work->p[1]; round++, at += READS)
        for (uint32_t j = 0; j < READS; j++)
            sum += memory_value((at + j) % PLACES);
    return sum;
}

void memory_constants(memory_bench *self)
{
    uint32_t words[4 * PLACES] = {0}; // 16 bytes a place, as std140 has it
    uint32_t groups = self->software ? 4 : 2048, rounds = self->software ? 3 : 64;
    char list[PLACES * 14 + 64];
    int used = snprintf(list, sizeof list, "#define PLACES %d\n#define LIST ", PLACES);
    for (uint32_t i = 0; i < PLACES; i++) {
        words[4 * i] = memory_value(i);
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%uu", i ? ", " : "",
                         (unsigned)memory_value(i));
    }
    snprintf(list + used, sizeof list - (size_t)used, "\n");
    GLuint table = memory_buffer(self, sizeof words, words);
    for (int way = 0; way < COUNT(constants); way++)
        for (uint32_t spread = 0; spread < 2; spread++) {
            const memory_work work = {.shader = "constants.comp",
                                      .threads = THREADS,
                                      .way = way,
                                      .defines = list,
                                      .groups = groups,
                                      .p = {spread, rounds},
                                      .buffers = {table},
                                      .uniforms = table,
                                      .expected = constants_of,
                                      .results = groups * THREADS};
            memory_measure(self,
                           memory_head("constants", spread ? "a place a thread" : "one place",
                                       (double)NAN, "reads/ns", "%s", constants[way]),
                           &work, (double)groups * THREADS * rounds * READS);
        }
    self->gl->DeleteBuffers(1, &table);
}

// ---- shared: strides, bytes, columns of a tile with and without padding ------------------------

// shared_stride.comp again; all groups alike. `way` 1: bytes.
static uint32_t strided(const memory_work *work, uint32_t id)
{
    uint32_t local = id % THREADS, sum = 0;
    uint32_t at = (local & 31) * work->p[0] + (local >> 5), shift = (at & 3) * 8;
    if (work->way)
        at >>= 2;
    for (uint32_t round = 0; round < work->p[1]; round++, at = (at + READS) & 2047)
        for (uint32_t j = 0; j < READS; j++)
            sum += work->way ? memory_value(at + j) >> shift & 255 : memory_value(at + j);
    return sum;
}

// What a tile, of `way` squared, holds does not depend on where it lies.
static uint32_t columned(const memory_work *work, uint32_t id)
{
    uint32_t local = id % THREADS, tile = (uint32_t)work->way, sum = 0;
    uint32_t row = local % tile, column = local / tile;
    for (uint32_t round = 0; round < work->p[2]; round++, column++)
        for (uint32_t j = 0; j < READS; j++)
            sum += memory_value(row * tile + ((column + j) & (tile - 1)));
    return sum;
}

static bool is_quick(uint32_t stride)
{
    return stride < 4 || stride == 16 || stride == 32;
}

void memory_shared(memory_bench *self)
{
    static const struct {
        const char *name;
        int tile;
        uint32_t pitch, mask;
    } tiles[] = {{"[16][16]", 16, 16, 0},
                 {"[16][17]", 16, 17, 0},
                 {"[32][32]", 32, 32, 0},
                 {"[32][33]", 32, 33, 0},
                 {"[32][32] swizzled", 32, 32, 31}};
    const GLuint groups = self->software ? 4 : 2048, rounds = self->software ? 3 : 64;
    const double reads = (double)groups * THREADS * rounds * READS;
    memory_work work = {.shader = "shared_stride.comp",
                        .threads = THREADS,
                        .groups = groups,
                        .expected = strided,
                        .results = groups * THREADS};
    for (work.way = 0; work.way < 2; work.way++) // of bytes strides 1 and 4
        for (uint32_t stride = work.way ? 1 : 0; stride <= (work.way ? 4u : 33u);
             stride += work.way ? 3 : 1) {
            if (self->quick && !work.way && !is_quick(stride))
                continue;
            work.p[0] = stride;
            work.p[1] = rounds;
            memory_measure(self,
                           memory_head("shared", work.way ? "bytes at stride" : "stride", stride,
                                       "reads/ns", "%u", (unsigned)stride),
                           &work, reads);
        }
    work.shader = "shared_tile.comp";
    work.expected = columned;
    for (int i = 0; i < COUNT(tiles); i++) {
        work.way = tiles[i].tile;
        work.defines = "#define TILE WAY\n";
        work.p[0] = tiles[i].pitch;
        work.p[1] = tiles[i].mask;
        work.p[2] = rounds;
        memory_measure(
            self, memory_head("shared", "columns", (double)NAN, "reads/ns", "%s", tiles[i].name),
            &work, reads);
    }
}

// ---- atomics: additions by many threads, to one place or spread --------------------------------

enum { ADDITIONS = 16, MAX_PLACES = 65536 };

static uint32_t count_of(const memory_work *work, uint32_t place)
{
    return ((const uint32_t *)work->user)[place];
}

void memory_atomics(memory_bench *self)
{
    static uint32_t counts[MAX_PLACES];
    const uint32_t groups = self->software ? 4 : 2048, threads = groups * THREADS;
    for (int way = 0; way < 2; way++) {
        uint32_t most = way ? THREADS : MAX_PLACES;
        for (uint32_t places = 1; places <= most;
             places = self->quick && places == 1 ? most : places * 16) {
            for (uint32_t i = 0; i < places; i++)
                counts[i] = 0;
            for (uint32_t id = 0; id < threads; id++)
                for (uint32_t i = 0; i < ADDITIONS; i++)
                    counts[((way ? id % THREADS : memory_value(id)) + i) & (places - 1)]++;
            const memory_work work = {.shader = "atomics.comp",
                                      .threads = THREADS,
                                      .way = way,
                                      .groups = groups,
                                      .p = {places - 1, ADDITIONS},
                                      .expected = count_of,
                                      .results = places,
                                      .adds = true,
                                      .user = counts};
            memory_measure(self,
                           memory_head("atomics", way ? "shared, places" : "global, places", places,
                                       "additions/ns", "%u", (unsigned)places),
                           &work, (double)threads * ADDITIONS);
        }
    }
}
