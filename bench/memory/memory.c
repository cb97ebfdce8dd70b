// memory.c - a kernel of `afterglow-bench memory` with all that it is given: recorded, checked
// against the CPU, timed
// SPDX-License-Identifier: MIT
#include "memory.h"

#include "compute.h"
#include "flags.h"
#include "subcommands.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_memory[]; // shaders/

enum {
    SAMPLES = 15,
    QUICK_SAMPLES = 7,
    SOFTWARE_SAMPLES = 3, // its times say nothing anyway
    BYTES = 256 << 20,    // no cache of 2026 holds as much
    SOFTWARE_BYTES = 1 << 18,
    OUT_BYTES = 64 << 20, // a word for each thread that reads 16 bytes of it
    ROW = 32768,
    RANGE = 32768,
    RANGES = 32,
    TRIES = 3
};

uint32_t memory_value(uint32_t i)
{
    uint32_t v = i * 2654435761u;
    return v ^ (v >> 15);
}

// ---- programs and buffers ----------------------------------------------------------------------

static const char *embedded(const char *path)
{
    const ag_embedded_file *at = ag_embedded_memory;
    while (at->path && strcmp(at->path, path) != 0)
        at++;
    return at->path ? at->text : "";
}

GLuint memory_program(const memory_bench *self, const memory_work *work)
{
    enum { LINES = 1 << 16 }; // registers.comp is given a body
    static char kept[LINES], kept_path[MEMORY_TEXT], head[LINES];
    static GLuint program;
    char error[2048];
    int length = snprintf(head, LINES, "#define THREADS %d\n#define WAY %d\n%s%s", work->threads,
                          work->way, work->defines ? work->defines : "", embedded("common.glsl"));
    must(length < LINES, "%s: defines of %d bytes are too long", work->shader, length);
    if (!program || strcmp(kept, head) != 0 || strcmp(kept_path, work->shader) != 0) {
        self->gl->DeleteProgram(program);
        program =
            compute_program(self->gl, ag_embedded_memory, work->shader, head, error, sizeof error);
        must(program, "%s: %s", work->shader, error);
        strcpy(kept, head);
        snprintf(kept_path, sizeof kept_path, "%s", work->shader);
    }
    return program;
}

GLuint memory_buffer(const memory_bench *self, uint64_t bytes, const void *data)
{
    const GladGLContext *gl = self->gl;
    GLuint buffer = 0;
    while (gl->GetError() != GL_NO_ERROR)
        ; // only ours counts below
    gl->GenBuffers(1, &buffer);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, data, GL_STATIC_COPY);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    must(gl->GetError() == GL_NO_ERROR, "GL has no memory for a buffer of %llu bytes",
         (unsigned long long)bytes);
    return buffer;
}

// ---- works -------------------------------------------------------------------------------------

void memory_record(const memory_bench *self, const memory_work *work, GLuint store)
{
    const GladGLContext *gl = self->gl;
    GLuint columns = work->columns        ? work->columns
                     : work->groups < ROW ? (GLuint)work->groups
                                          : ROW;
    GLuint rows = (GLuint)((work->groups + columns - 1) / columns);
    gl->UseProgram(work->program);
    // Those that the compiler found no use for have no place.
    GLint place = gl->GetUniformLocation(work->program, "u_store");
    if (place >= 0)
        gl->Uniform1ui(place, store);
    if ((place = gl->GetUniformLocation(work->program, "u_p")) >= 0)
        gl->Uniform4uiv(place, 1, work->p);
    if ((place = gl->GetUniformLocation(work->program, "u_q")) >= 0)
        gl->Uniform4uiv(place, 1, work->q);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, self->out);
    for (GLuint i = 0; i < MEMORY_BUFFERS; i++)
        if (work->buffers[i])
            gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i + 1, work->buffers[i]);
    if (work->uniforms)
        gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, work->uniforms);
    if (work->image)
        gl->BindImageTexture(0, work->image, 0, GL_FALSE, 0,
                             work->writes_image ? GL_WRITE_ONLY : GL_READ_ONLY, work->format);
    if (work->texture)
        gl->BindTexture(GL_TEXTURE_2D, work->texture);
    int dispatches = work->dispatches ? work->dispatches : 1;
    for (int i = 0; i < dispatches; i++) {
        gl->DispatchCompute(columns, rows, 1);
        if (i + 1 == dispatches || !work->unordered)
            gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                              GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    }
}

// Of many words, RANGES ranges from the first to the last, and of each every 47th, the first and
// the last.
long long memory_check_words(const memory_bench *self, GLuint buffer, uint64_t words,
                             const memory_work *work)
{
    const GladGLContext *gl = self->gl;
    bool all = words <= RANGE;
    uint64_t length = all ? words : RANGE, ranges = all ? 1 : RANGES;
    uint32_t *got = need_memory((size_t)length * 4);
    long long checked = 0;
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    for (uint64_t k = 0; k < ranges; k++) {
        uint64_t from = all ? 0 : (words - length) / (ranges - 1) * k;
        if (!all && k + 1 == ranges)
            from = words - length;
        gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(from * 4),
                             (GLsizeiptr)(length * 4), got);
        for (uint64_t i = 0; i < length; i += all ? 1 : 47, checked++) {
            uint64_t at = i + 47 < length || all ? i : length - 1;
            uint32_t id = (uint32_t)(from + at);
            uint32_t right = work->expected ? work->expected(work, id) : memory_value(id);
            must(got[at] == right, "%s: result %u of %llu is 0x%08x; 0x%08x is right", work->shader,
                 (unsigned)id, (unsigned long long)words, (unsigned)got[at], (unsigned)right);
        }
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    free(got);
    return checked;
}

long long memory_check(memory_bench *self, const memory_work *work)
{
    const GladGLContext *gl = self->gl;
    const GLuint poison = work->adds ? 0 : MEMORY_POISON;
    GLuint target = work->target ? work->target : self->out;
    must(work->target || work->results * 4 <= self->out_bytes, "%s: %llu results do not fit",
         work->shader, (unsigned long long)work->results);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, target);
    gl->ClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        &poison);
    memory_record(self, work, 1);
    return memory_check_words(self, target, work->results, work);
}

typedef struct recorded {
    const memory_bench *self;
    const memory_work *work;
} recorded;

static bool record(void *user, unsigned turn)
{
    const recorded *it = user;
    (void)turn;
    memory_record(it->self, it->work, 0);
    return true;
}

static gpu_times time_work(memory_bench *self, const memory_work *work)
{
    // An H200 that idled for seconds needs more than 256 ms until its times are what they stay.
    const double short_us = 120e3, long_us = 500e3, idle_us = 250e3, software_us = 1e3;
    recorded it = {self, work};
    gpu_times out = {0};
    bool idled = bench_now_us() - self->idle_since > idle_us;
    self->bench.timer.warm_up_us = self->software ? software_us : idled ? long_us : short_us;
    for (int i = 0; i < TRIES; i++) {
        gpu_times times;
        must(gpu_time_run(&self->bench.timer, &(gpu_work){.record = record, .user = &it},
                          self->samples, &times),
             "%s cannot be timed", work->shader);
        if (i == 0 || times.p95 / times.min < out.p95 / out.min)
            out = times;
        if (self->software || out.p95 <= 1.3 * out.min)
            break;
    }
    self->idle_since = bench_now_us();
    GLenum error = self->gl->GetError();
    must(error == GL_NO_ERROR, "%s: GL error 0x%04x while measuring", work->shader, error);
    return out;
}

// ---- figures -----------------------------------------------------------------------------------

void memory_add_value(memory_bench *self, const memory_result *result)
{
    must(self->count < MEMORY_MAX_RESULTS, "more than %d figures", MEMORY_MAX_RESULTS);
    must(result->value > 0 && isfinite(result->value), "%s %s %s is %g", result->group,
         result->series, result->name, result->value);
    memory_result *added = &self->results[self->count++];
    *added = *result;
    if (!(added->us > 0))
        added->us = added->us_min = added->us_p95 = (double)NAN;
}

memory_result memory_head(const char *group, const char *series, double x, const char *unit,
                          const char *name, ...)
{
    memory_result head = {.group = group, .x = x, .unit = unit};
    va_list arguments;
    snprintf(head.series, sizeof head.series, "%s", series);
    va_start(arguments, name);
    vsnprintf(head.name, sizeof head.name, name, arguments);
    va_end(arguments);
    return head;
}

void memory_measure(memory_bench *self, memory_result head, const memory_work *of, double amount)
{
    memory_work work = *of;
    if (!work.program)
        work.program = memory_program(self, of);
    if (work.results)
        head.checked = memory_check(self, &work);
    const gpu_times times = time_work(self, &work);
    head.value = amount * 1e-3 / times.median;
    head.us = times.median;
    head.us_min = times.min;
    head.us_p95 = times.p95;
    head.samples = times.samples;
    memory_add_value(self, &head);
}

// ---- the command -------------------------------------------------------------------------------

#define MEMORY_ROW(name) {#name, memory_##name},
static const struct {
    const char *name;
    void (*run)(memory_bench *self);
} parts[] = {MEMORY_PARTS(MEMORY_ROW)};

typedef struct memory_wishes {
    const char *json, *only;
    bool quick;
    int device;
} memory_wishes;

#define WISH(kind, member) FLAG_INTO(memory_wishes, kind, member)
static const flag flags[] = {
    FLAG_JSON(memory_wishes),
    {"--quick", NULL, "what the rules need, in some 10 s; else under a minute", WISH(SET, quick)},
    {"--only", "PART", "one part; rules that need others stay without a verdict", WISH(TEXT, only)},
    FLAG_DEVICE(memory_wishes),
    {.name = NULL}};

static void list_parts(void)
{
    printf("\nParts:");
    for (int i = 0; i < COUNT(parts); i++)
        printf(" %s", parts[i].name);
    puts("");
}

static const subcommand description = {
    .name = "afterglow-bench memory",
    .usage = "[options]",
    .help =
        "What the documents say of a GPU's memory, each rule beside what it claims, what this\n"
        "GPU does, and a verdict. docs/memory.md has the rules, how they are judged and how to\n"
        "read them.\n",
    .flags = flags,
    .list = list_parts};

static void open_memory(memory_bench *self, int device)
{
    bench_open(&self->bench, device);
    bench_timer(&self->bench);
    const GladGLContext *gl = self->gl = &self->bench.gpu.gl;
    GLint64 limit = 0;
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    self->software = self->bench.report.names.software;
    self->samples = self->software ? SOFTWARE_SAMPLES : self->quick ? QUICK_SAMPLES : SAMPLES;
    self->bytes = self->software ? SOFTWARE_BYTES : BYTES;
    while (self->bytes + 4096 > (uint64_t)limit)
        self->bytes /= 2;
    self->out_bytes = self->bytes < OUT_BYTES ? self->bytes : OUT_BYTES;
    const GLuint words = (GLuint)(self->bytes / 4 + 1024);
    self->out = self->source = memory_buffer(self, (uint64_t)words * 4, NULL);
    memory_work fill = {.shader = "fill.comp", .threads = 256, .groups = words / 256, .p = {words}};
    fill.program = memory_program(self, &fill);
    memory_record(self, &fill, 1); // into `out`, this once
    memory_check_words(self, self->source, self->bytes / 4, &fill);
    self->out = memory_buffer(self, self->out_bytes, NULL);
    self->target = memory_buffer(self, self->bytes, NULL);
}

void memory_main(int argc, char **argv)
{
    memory_wishes wanted = {0};
    static memory_bench self; // large
    bool known = false;
    flags_read(&description, argc, argv, &wanted);
    for (int i = 0; i < COUNT(parts); i++)
        known |= !wanted.only || strcmp(parts[i].name, wanted.only) == 0;
    if (!known)
        stop(STATUS_USAGE, "--only %s: no such part; --help lists them", wanted.only);
    self.quick = wanted.quick;
    open_memory(&self, wanted.device);
    for (int i = 0; i < COUNT(parts); i++) {
        if (wanted.only && strcmp(wanted.only, parts[i].name) != 0)
            continue;
        progress(parts[i].name, i, COUNT(parts));
        parts[i].run(&self);
    }
    progress_clear();
    memory_print(&self);
    memory_save(&self, wanted.json);
    bench_close(&self.bench); // and all that the context has
}
