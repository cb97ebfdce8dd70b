// groups.c - work groups: their size, how many run at once and what limits it, two ways in one,
// dispatches in a row
// SPDX-License-Identifier: MIT
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static GLint shared_limit(const memory_bench *self)
{
    GLint bytes = 0;
    self->gl->GetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
    return bytes;
}

// ---- size, and how much shared memory is taken beside: a copy ----------------------------------

// `words` of shared memory taken beside; each thread copies ITEMS elements.
static void measure_copy(memory_bench *self, int threads, int words, memory_result head)
{
    enum { ITEMS = 4 };
    char packed[32];
    uint32_t elements = (uint32_t)(self->bytes / 16), all = elements / ITEMS;
    snprintf(packed, sizeof packed, "#define PACKED %d\n", words);
    const memory_work work = {.shader = "copy.comp",
                              .threads = threads,
                              .defines = packed,
                              .groups = (all + (uint32_t)threads - 1) / (uint32_t)threads,
                              .p = {all, elements, ITEMS},
                              .buffers = {self->source, self->target},
                              .target = self->target,
                              .results = self->bytes / 4};
    memory_measure(self, head, &work, 32.0 * elements);
}

static void measure_sizes(memory_bench *self)
{
    static const struct {
        int threads;
        bool quick;
    } sizes[] = {{32, false},  {48, true},   {64, true},   {96, false},
                 {128, false}, {160, false}, {192, true},  {256, false},
                 {320, false}, {512, false}, {768, false}, {1024, false}};
    for (int i = 0; i < COUNT(sizes); i++)
        if (!self->quick || sizes[i].quick)
            measure_copy(self, sizes[i].threads, 0,
                         memory_head("groups", "copy by threads", sizes[i].threads, "GB/s", "%d",
                                     sizes[i].threads));
    // Groups of 64, fewer and fewer at once.
    for (int kib = 0; kib <= shared_limit(self) / 1024; kib += kib < 16 ? 8 : 16)
        if (!self->quick || kib % 32 == 0)
            measure_copy(self, 64, kib * 256,
                         memory_head("groups", "copy beside KiB", kib, "GB/s", "%d", kib));
}

// ---- values that a thread holds ----------------------------------------------------------------

// The three lines that registers.comp is made of; of no values none. The caller frees them.
static char *registers_text(int count)
{
    size_t room = 256 + (size_t)count * 80, at = 0;
    char *text = need_memory(room);
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

static uint32_t held_sum(const memory_work *work, uint32_t id)
{
    uint32_t r[512], sum = 0, count = work->q[0];
    for (uint32_t i = 0; i < count; i++)
        r[i] = memory_value(id + i);
    for (uint32_t round = 0; round < work->p[1]; round++)
        for (uint32_t i = 0; i < count; i++)
            r[i] = r[i] * 1664525u + r[(i + 1) % count];
    for (uint32_t i = 0; i < count; i++)
        sum += r[i];
    return sum;
}

static void measure_registers(memory_bench *self)
{
    enum { THREADS = 128, STEPS = 16384 };
    const uint32_t groups = self->software ? 2 : 4096;
    for (int count = 16; count <= 384; count = count < 128 ? 2 * count : count + 64) {
        if (self->quick && count != 64 && count != 384)
            continue;
        uint32_t rounds = (uint32_t)(self->software ? 4 : STEPS / count);
        char *text = registers_text(count);
        const memory_work work = {.shader = "registers.comp",
                                  .threads = THREADS,
                                  .defines = text,
                                  .groups = groups,
                                  .p = {groups * THREADS, rounds},
                                  .q = {(GLuint)count},
                                  .expected = held_sum,
                                  .results = groups * THREADS};
        memory_measure(self, memory_head("groups", "values held", count, "steps/ns", "%d", count),
                       &work, (double)groups * THREADS * rounds * count);
        free(text);
    }
}

// ---- how many run at once ----------------------------------------------------------------------

static uint32_t multiprocessors(const memory_bench *self)
{
    const GLenum SM_COUNT_NV = 0x933B; // GL_NV_shader_thread_group
    GLint count = 0;
    if (bench_has_extension(self->gl, "GL_NV_shader_thread_group"))
        self->gl->GetIntegerv(SM_COUNT_NV, &count);
    return count > 0 ? (uint32_t)count : 0;
}

// A figure that is no time, where it is positive.
static void tell(memory_bench *self, memory_result head, double value, long long checked)
{
    head.value = value;
    head.checked = checked;
    if (value > 0)
        memory_add_value(self, &head);
}

// `values` 0: each thread holds next to nothing.
static void measure_live(memory_bench *self, int threads, int bytes, int values)
{
    const GladGLContext *gl = self->gl;
    const GLuint zero[4] = {0};
    GLuint groups = self->software ? 64 : 16384, got[4];
    uint32_t steps = self->software ? 200 : 8192, count = multiprocessors(self);
    char defines[32 * 1024], series[32], *text = registers_text(values);
    snprintf(defines, sizeof defines, "%s#define PACKED %d\n", text, bytes / 4);
    free(text);
    memory_work work = {.shader = "live.comp",
                        .threads = threads,
                        .defines = defines,
                        .groups = groups,
                        .p = {values ? steps / (uint32_t)values : steps}};
    work.program = memory_program(self, &work);
    // Twice: the first run may still be at a low clock, and its count is not taken.
    for (int i = 0; i < 2; i++) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->out);
        gl->BufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof zero, zero);
        memory_record(self, &work, 0);
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->out);
    gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    must(got[0] == 0 && got[2] == groups && got[1] >= 1 && got[1] <= groups,
         "live groups: %u are left, %u of %u came, %u at once", (unsigned)got[0], (unsigned)got[2],
         (unsigned)groups, (unsigned)got[1]);
    snprintf(series, sizeof series, values ? "live, holding values" : "live, of %d threads",
             threads);
    tell(self,
         memory_head("groups", series, values ? values : bytes, "groups at once",
                     values ? "%d" : "%d bytes", values ? values : bytes),
         got[1], 3);
    if (count && threads == 64 && !values)
        tell(self,
             memory_head("groups", "shared memory together", bytes, "KiB a multiprocessor",
                         "%d bytes", bytes),
             (double)got[1] * bytes / 1024 / count, 0);
}

static void measure_lives(memory_bench *self)
{
    static const int sizes[] = {1024, 4096, 8192, 16384, 24576, 32768, 49152};
    for (int i = 0; i < COUNT(sizes); i++)
        if (sizes[i] <= shared_limit(self) && (!self->quick || i % 3 == 0))
            measure_live(self, 64, sizes[i], 0);
    for (int threads = 32; threads <= 1024; threads *= self->quick ? 32 : 2)
        measure_live(self, threads, 256, 0);
    for (int values = 16; values <= 256; values *= self->quick ? 16 : 2)
        measure_live(self, 128, 256, values);
}

// ---- two ways ----------------------------------------------------------------------------------

static uint32_t way_of(const memory_work *work, uint32_t id)
{
    uint32_t state = memory_value(id), local = id % 256;
    for (uint32_t i = 0; i < work->p[1]; i++)
        state = (local / work->p[0] & 1) == 0 ? state * 747796405u + 2891336453u
                                              : (state ^ (state >> 3)) * 277803737u;
    return state;
}

static void measure_ways(memory_bench *self)
{
    enum { THREADS = 256 };
    const uint32_t groups = self->software ? 4 : 4096, rounds = self->software ? 16 : 1024;
    for (uint32_t block = 1; block <= 128; block *= self->quick ? 128 : 2) {
        const memory_work work = {.shader = "divergence.comp",
                                  .threads = THREADS,
                                  .groups = groups,
                                  .p = {block, rounds},
                                  .expected = way_of,
                                  .results = groups * THREADS};
        memory_measure(self,
                       memory_head("groups", "two ways, blocks of", block, "steps/ns", "%u",
                                   (unsigned)block),
                       &work, (double)groups * THREADS * rounds);
    }
}

// ---- dispatches in a row -----------------------------------------------------------------------

static uint32_t counted(const memory_work *work, uint32_t id)
{
    (void)id;
    return (uint32_t)work->dispatches;
}

static void measure_dispatches(memory_bench *self)
{
    for (int unordered = 0; unordered < (self->quick ? 1 : 2); unordered++)
        for (int count = 1; count <= 16; count *= self->quick ? 16 : 2) {
            const memory_work work = {.shader = "count.comp",
                                      .threads = 32,
                                      .groups = 1,
                                      .dispatches = count,
                                      .unordered = unordered,
                                      .expected = counted,
                                      .results = 1,
                                      .adds = true};
            memory_measure(self,
                           memory_head("groups", unordered ? "dispatches" : "dispatches, barriers",
                                       count, "dispatches/us", "%d", count),
                           &work, 1e3 * count);
        }
}

// ---- what the driver says ----------------------------------------------------------------------

static void measure_told(memory_bench *self)
{
    const GLenum SUBGROUP_SIZE_KHR = 0x9532;
    const GladGLContext *gl = self->gl;
    GLint subgroup = 0, invocations = 0;
    if (bench_has_extension(self->gl, "GL_KHR_shader_subgroup"))
        gl->GetIntegerv(SUBGROUP_SIZE_KHR, &subgroup);
    gl->GetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &invocations);
    const struct {
        const char *name, *unit;
        double value;
    } told[] = {{"subgroup", "threads", subgroup},
                {"multiprocessors", "", multiprocessors(self)},
                {"largest group", "threads", invocations},
                {"shared memory of a group", "bytes", shared_limit(self)}};
    for (int i = 0; i < COUNT(told); i++)
        tell(self,
             memory_head("groups", "driver says", (double)NAN, told[i].unit, "%s", told[i].name),
             told[i].value, 0);
}

void memory_groups(memory_bench *self)
{
    measure_told(self);
    measure_sizes(self);
    measure_lives(self);
    measure_registers(self);
    measure_ways(self);
    measure_dispatches(self);
}
