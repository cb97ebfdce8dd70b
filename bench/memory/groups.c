// groups.c - work groups: their size, how many run at once and what limits it, two ways in one,
// dispatches in a row
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- size, and how much shared memory is taken beside: a copy ----------------------------------

// `words` of shared memory taken beside; each thread copies ITEMS elements.
static int measure_copy(memory_bench *self, GLuint target, int threads, int words,
                        memory_result head)
{
    enum { ITEMS = 4 };
    uint32_t elements = (uint32_t)(self->bytes / 16), all = elements / ITEMS;
    GLuint program = memory_program(self, "copy.comp", "#define THREADS %d\n#define PACKED %d\n",
                                    threads, words);
    const memory_work work = {.program = program,
                              .groups = (all + (uint32_t)threads - 1) / (uint32_t)threads,
                              .p = {all, elements, ITEMS},
                              .buffers = {self->source, target}};
    const memory_right right = {.target = target, .words = self->bytes / 4};
    int status = memory_measure(self, head, &work, &right, 32.0 * elements);
    self->gl->DeleteProgram(program);
    return status;
}

static GLint shared_limit(const memory_bench *self)
{
    GLint bytes = 0;
    self->gl->GetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    return bytes;
}

static int measure_sizes(memory_bench *self, GLuint target)
{
    static const struct {
        int threads;
        bool quick;
    } sizes[] = {{32, false},  {48, true},   {64, true},   {96, false},
                 {128, false}, {160, false}, {192, true},  {256, false},
                 {320, false}, {512, false}, {768, false}, {1024, false}};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == STATUS_OK; i++) {
        if (self->quick && !sizes[i].quick)
            continue;
        status = measure_copy(self, target, sizes[i].threads, 0,
                              memory_head("groups", "copy by threads", sizes[i].threads, "GB/s",
                                          "%d", sizes[i].threads));
    }
    // Groups of 64, fewer and fewer at once.
    for (int kib = 0; kib <= shared_limit(self) / 1024 && status == STATUS_OK;
         kib += kib < 16 ? 8 : 16) {
        if (self->quick && kib % 32)
            continue;
        status = measure_copy(self, target, 64, kib * 256,
                              memory_head("groups", "copy beside KiB", kib, "GB/s", "%d", kib));
    }
    return status;
}

// ---- how many run at once ----------------------------------------------------------------------

// The three lines that registers.comp is made of; of no values none.
static char *registers_text(int count, int threads)
{
    size_t room = 256 + (size_t)count * 80, at = 0;
    char *text = malloc(room);
    if (!text)
        return NULL;
    at += (size_t)snprintf(text, room, "#define THREADS %d\n", threads);
    if (!count)
        return text;
    at += (size_t)snprintf(text + at, room - at, "#define DECLARE uint");
    for (int i = 0; i < count; i++)
        at +=
            (size_t)snprintf(text + at, room - at, "%s r%d = value(id + %du)", i ? "," : "", i, i);
    at += (size_t)snprintf(text + at, room - at, "\n#define STEP");
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, room - at, " r%d = r%d * 1664525u + r%d;", i, i,
                               (i + 1) % count);
    at += (size_t)snprintf(text + at, room - at, "\n#define SUM ");
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, room - at, "%sr%d", i ? " + " : "", i);
    snprintf(text + at, room - at, "\n");
    return text;
}

static uint32_t multiprocessors(const memory_bench *self);

// `values` 0: each thread holds next to nothing.
static int measure_live(memory_bench *self, int threads, int bytes, int values)
{
    const GladGLContext *gl = self->gl;
    GLuint groups = self->software ? 64 : 16384, got[4];
    char *text = registers_text(values, threads);
    if (!text)
        return fail_memory();
    uint32_t steps = self->software ? 200 : 8192;
    const memory_work work = {
        .program = memory_program(self, "live.comp", "%s#define PACKED %d\n", text, bytes / 4),
        .groups = groups,
        .p = {values ? steps / (uint32_t)values : steps},
    };
    free(text);
    if (!work.program)
        return STATUS_FAILED;
    memory_result result = {.group = "groups",
                            .unit = "groups at once",
                            .x = values ? values : bytes};
    snprintf(result.series, sizeof result.series,
             values ? "live, holding values" : "live, of %d threads", threads);
    snprintf(result.name, sizeof result.name, values ? "%d" : "%d bytes", values ? values : bytes);
    const GLuint zero[4] = {0};
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->out);
    // Twice: the first run may still be at a low clock, and its count is not taken.
    for (int i = 0; i < 2; i++) {
        gl->BufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof zero, zero);
        memory_record(self, &work, 0);
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->out);
    gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    gl->DeleteProgram(work.program);
    if (got[0] != 0 || got[2] != groups || got[1] < 1 || got[1] > groups)
        return fail(STATUS_FAILED, "live groups: %u are left, %u of %u came, %u at once",
                    (unsigned)got[0], (unsigned)got[2], (unsigned)groups, (unsigned)got[1]);
    result.checked = 3;
    result.value = got[1];
    int status = memory_add_value(self, &result);
    uint32_t count = multiprocessors(self);
    memory_result together = {.group = "groups", .unit = "KiB a multiprocessor", .x = bytes};
    snprintf(together.series, sizeof together.series, "shared memory together");
    snprintf(together.name, sizeof together.name, "%d bytes", bytes);
    together.value = (double)got[1] * bytes / 1024 / (count ? count : 1);
    return status == STATUS_OK && count && threads == 64 && !values
               ? memory_add_value(self, &together)
               : status;
}

static int measure_lives(memory_bench *self)
{
    static const int sizes[] = {1024, 4096, 8192, 16384, 24576, 32768, 49152};
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == STATUS_OK; i++)
        if (sizes[i] <= shared_limit(self) && (!self->quick || i % 3 == 0))
            status = measure_live(self, 64, sizes[i], 0);
    for (int threads = 32; threads <= 1024 && status == STATUS_OK; threads *= self->quick ? 32 : 2)
        status = measure_live(self, threads, 256, 0);
    for (int values = 16; values <= 256 && status == STATUS_OK; values *= self->quick ? 16 : 2)
        status = measure_live(self, 128, 256, values);
    return status;
}

// ---- registers ---------------------------------------------------------------------------------

typedef struct held {
    uint32_t count, rounds;
} held;

static uint32_t held_sum(const void *user, uint32_t id)
{
    const held *it = user;
    uint32_t r[512], sum = 0;
    for (uint32_t i = 0; i < it->count; i++)
        r[i] = memory_value(id + i);
    for (uint32_t round = 0; round < it->rounds; round++)
        for (uint32_t i = 0; i < it->count; i++)
            r[i] = r[i] * 1664525u + r[(i + 1) % it->count];
    for (uint32_t i = 0; i < it->count; i++)
        sum += r[i];
    return sum;
}

static int measure_registers(memory_bench *self)
{
    enum { THREADS = 128, STEPS = 16384 };
    int status = STATUS_OK;
    for (int count = 16; count <= 384 && status == STATUS_OK;
         count = count < 128 ? 2 * count : count + 64) {
        if (self->quick && count != 64 && count != 384)
            continue;
        held it = {(uint32_t)count, (uint32_t)(self->software ? 4 : STEPS / count)};
        uint32_t groups = self->software ? 2 : 4096;
        char *text = registers_text(count, THREADS);
        if (!text)
            return fail_memory();
        GLuint program = memory_program(self, "registers.comp", "%s", text);
        free(text);
        const memory_work work = {.program = program,
                                  .groups = groups,
                                  .p = {groups * THREADS, it.rounds}};
        const memory_right right = {.expected = held_sum, .user = &it, .threads = groups * THREADS};
        status =
            memory_measure(self,
                           memory_head("groups", "values held", count, "steps/ns", "%d", count),
                           &work, &right, (double)groups * THREADS * it.rounds * it.count);
        self->gl->DeleteProgram(program);
    }
    return status;
}

// ---- two ways ----------------------------------------------------------------------------------

typedef struct ways {
    uint32_t block, rounds;
} ways;

static uint32_t way_of(const void *user, uint32_t id)
{
    const ways *it = user;
    uint32_t state = memory_value(id), local = id % 256;
    for (uint32_t i = 0; i < it->rounds; i++)
        state = (local / it->block & 1) == 0 ? state * 747796405u + 2891336453u
                                             : (state ^ (state >> 3)) * 277803737u;
    return state;
}

static int measure_ways(memory_bench *self)
{
    enum { THREADS = 256 };
    uint32_t groups = self->software ? 4 : 4096;
    GLuint program = memory_program(self, "divergence.comp", "#define THREADS %d\n", THREADS);
    int status = program ? STATUS_OK : STATUS_FAILED;
    for (uint32_t block = 1; block <= 128 && status == STATUS_OK; block *= 2) {
        if (self->quick && block != 1 && block != 128)
            continue;
        const ways it = {block, self->software ? 16 : 1024};
        const memory_work work = {.program = program, .groups = groups, .p = {it.block, it.rounds}};
        const memory_right right = {.expected = way_of, .user = &it, .threads = groups * THREADS};
        status = memory_measure(self,
                                memory_head("groups", "two ways, blocks of", block, "steps/ns",
                                            "%u", (unsigned)block),
                                &work, &right, (double)groups * THREADS * it.rounds);
    }
    self->gl->DeleteProgram(program);
    return status;
}

// ---- dispatches in a row -----------------------------------------------------------------------

static uint32_t counted(const void *user, uint32_t id)
{
    const int *dispatches = user;
    (void)id;
    return (uint32_t)*dispatches;
}

static int measure_dispatches(memory_bench *self)
{
    const GladGLContext *gl = self->gl;
    GLuint program = memory_program(self, "count.comp", "#define THREADS 32\n");
    int status = program ? STATUS_OK : STATUS_FAILED;
    for (int unordered = 0; unordered < (self->quick ? 1 : 2); unordered++) {
        for (int count = 1; count <= 16 && status == STATUS_OK; count *= 2) {
            if (self->quick && count != 1 && count != 16)
                continue;
            const memory_work work = {
                .program = program, .groups = 1, .dispatches = count, .unordered = unordered};
            const memory_right right = {.expected = counted, .user = &count, .words = 1};
            status = memory_measure(self,
                                    memory_head("groups",
                                                unordered ? "dispatches" : "dispatches, barriers",
                                                count, "dispatches/us", "%d", count),
                                    &work, &right, 1e3 * count);
        }
    }
    gl->DeleteProgram(program);
    return status;
}

// ---- what the driver says ----------------------------------------------------------------------

static uint32_t multiprocessors(const memory_bench *self)
{
    const GLenum SM_COUNT_NV = 0x933B; // GL_NV_shader_thread_group
    GLint count = 0;
    if (bench_has_extension(self->gl, "GL_NV_shader_thread_group"))
        self->gl->GetIntegerv(SM_COUNT_NV, &count);
    return count > 0 ? (uint32_t)count : 0;
}

// Says nothing where the driver does not say it.
static int tell(memory_bench *self, const char *name, const char *unit, GLint value)
{
    memory_result result = {
        .group = "groups", .series = "driver says", .x = (double)NAN, .unit = unit, .value = value};
    snprintf(result.name, sizeof result.name, "%s", name);
    return value > 0 ? memory_add_value(self, &result) : STATUS_OK;
}

static int measure_told(memory_bench *self)
{
    const GLenum SUBGROUP_SIZE_KHR = 0x9532;
    const GladGLContext *gl = self->gl;
    GLint subgroup = 0, invocations = 0;
    if (bench_has_extension(self->gl, "GL_KHR_shader_subgroup"))
        gl->GetIntegerv(SUBGROUP_SIZE_KHR, &subgroup);
    gl->GetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &invocations);
    int status = tell(self, "subgroup", "threads", subgroup);
    if (status == STATUS_OK)
        status = tell(self, "multiprocessors", "", (GLint)multiprocessors(self));
    if (status == STATUS_OK)
        status = tell(self, "largest group", "threads", invocations);
    return status == STATUS_OK ? tell(self, "shared memory of a group", "bytes", shared_limit(self))
                               : status;
}

int memory_groups(memory_bench *self)
{
    GLuint target = memory_buffer(self, self->bytes, NULL);
    int status = target ? measure_told(self) : STATUS_FAILED;
    if (status == STATUS_OK)
        status = measure_sizes(self, target);
    self->gl->DeleteBuffers(1, &target);
    if (status == STATUS_OK)
        status = measure_lives(self);
    if (status == STATUS_OK)
        status = measure_registers(self);
    if (status == STATUS_OK)
        status = measure_ways(self);
    return status == STATUS_OK ? measure_dispatches(self) : status;
}
