// shared.c - shared memory: strides, bytes, columns of a tile with and without padding
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>

enum {
    THREADS = 256,
    READS = 16,
    GROUPS = 2048,
    ROUNDS = 64,
    SOFTWARE_GROUPS = 4,
    SOFTWARE_ROUNDS = 3
};

typedef struct sizes {
    GLuint groups, rounds;
} sizes;

static sizes sizes_of(const memory_bench *self)
{
    return self->software ? (sizes){SOFTWARE_GROUPS, SOFTWARE_ROUNDS} : (sizes){GROUPS, ROUNDS};
}

typedef struct access {
    uint32_t stride, rounds;
    bool bytes;
    uint32_t tile, pitch, mask; // of a tile: 16 or 32
} access;

// shared_stride.comp again; all groups alike.
static uint32_t strided(const void *user, uint32_t id)
{
    const access *it = user;
    uint32_t local = id % THREADS, sum = 0;
    uint32_t at = (local & 31) * it->stride + (local >> 5), shift = (at & 3) * 8;
    if (it->bytes)
        at >>= 2;
    for (uint32_t round = 0; round < it->rounds; round++, at = (at + READS) & 2047)
        for (uint32_t j = 0; j < READS; j++)
            sum += it->bytes ? memory_value(at + j) >> shift & 255 : memory_value(at + j);
    return sum;
}

// What a tile holds does not depend on where it lies.
static uint32_t columned(const void *user, uint32_t id)
{
    const access *it = user;
    uint32_t local = id % THREADS, row = local % it->tile, column = local / it->tile, sum = 0;
    for (uint32_t round = 0; round < it->rounds; round++, column++)
        for (uint32_t j = 0; j < READS; j++)
            sum += memory_value(row * it->tile + ((column + j) & (it->tile - 1)));
    return sum;
}

static int measure_one(memory_bench *self, memory_result head, GLuint program,
                       memory_expected expected, const access *it, GLuint p0, GLuint p1, GLuint p2)
{
    const sizes size = sizes_of(self);
    const memory_work work = {.program = program, .groups = size.groups, .p = {p0, p1, p2}};
    const memory_right right = {.expected = expected, .user = it, .threads = size.groups * THREADS};
    return memory_measure(self, head, &work, &right,
                          (double)size.groups * THREADS * size.rounds * READS);
}

static bool is_quick(uint32_t stride)
{
    return stride < 4 || stride == 16 || stride == 32;
}

static int measure_strides(memory_bench *self, bool bytes)
{
    const sizes size = sizes_of(self);
    GLuint program = memory_program(self, "shared_stride.comp",
                                    "#define THREADS %d\n#define WAY %d\n", THREADS, bytes);
    int status = program ? STATUS_OK : STATUS_FAILED;
    uint32_t first = bytes ? 1 : 0, last = bytes ? 4 : 33;
    for (uint32_t stride = first; stride <= last && status == STATUS_OK; stride += bytes ? 3 : 1) {
        if (self->quick && !bytes && !is_quick(stride))
            continue;
        const access it = {.stride = stride, .rounds = size.rounds, .bytes = bytes};
        status = measure_one(self,
                             memory_head("shared", bytes ? "bytes at stride" : "stride", stride,
                                         "reads/ns", "%u", (unsigned)stride),
                             program, strided, &it, stride, size.rounds, 0);
    }
    self->gl->DeleteProgram(program);
    return status;
}

static int measure_tiles(memory_bench *self)
{
    static const struct {
        const char *name;
        uint32_t tile, pitch, mask;
    } tiles[] = {{"[16][16]", 16, 16, 0},
                 {"[16][17]", 16, 17, 0},
                 {"[32][32]", 32, 32, 0},
                 {"[32][33]", 32, 33, 0},
                 {"[32][32] swizzled", 32, 32, 31}};
    const sizes size = sizes_of(self);
    GLuint programs[33] = {0};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles && status == STATUS_OK; i++) {
        uint32_t tile = tiles[i].tile;
        if (!programs[tile])
            programs[tile] =
                memory_program(self, "shared_tile.comp", "#define THREADS %d\n#define TILE %u\n",
                               THREADS, (unsigned)tile);
        const access it = {
            .rounds = size.rounds, .tile = tile, .pitch = tiles[i].pitch, .mask = tiles[i].mask};
        status = measure_one(
            self, memory_head("shared", "columns", (double)NAN, "reads/ns", "%s", tiles[i].name),
            programs[tile], columned, &it, it.pitch, it.mask, size.rounds);
    }
    self->gl->DeleteProgram(programs[16]);
    self->gl->DeleteProgram(programs[32]);
    return status;
}

int memory_shared(memory_bench *self)
{
    int status = measure_strides(self, false);
    if (status == STATUS_OK)
        status = measure_strides(self, true);
    return status == STATUS_OK ? measure_tiles(self) : status;
}
