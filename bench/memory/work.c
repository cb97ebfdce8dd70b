// work.c - a kernel with all that it is given: recorded, checked against the CPU, timed
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROW = 32768, RANGE = 32768, RANGES = 32, TRIES = 3 };

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

void memory_poison(const memory_bench *self, GLuint buffer, GLuint poison)
{
    const GladGLContext *gl = self->gl;
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    gl->ClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        &poison);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
}

static uint32_t value_of(const void *user, uint32_t id)
{
    (void)user;
    return memory_value(id);
}

// Of many words, RANGES ranges from the first to the last, and of each every 47th, the first and
// the last.
int memory_check_words(const memory_bench *self, GLuint buffer, uint64_t words,
                       memory_expected expected, const void *user, long long *checked)
{
    const GladGLContext *gl = self->gl;
    bool all = words <= RANGE;
    uint64_t length = all ? words : RANGE, ranges = all ? 1 : RANGES;
    uint32_t *got = malloc((size_t)length * 4);
    int status = got ? STATUS_OK : fail_memory();
    *checked = 0;
    if (!expected)
        expected = value_of;
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    for (uint64_t k = 0; k < ranges && status == STATUS_OK; k++) {
        uint64_t from = all ? 0 : (words - length) / (ranges - 1) * k;
        if (!all && k + 1 == ranges)
            from = words - length;
        gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)(from * 4),
                             (GLsizeiptr)(length * 4), got);
        for (uint64_t i = 0; i < length && status == STATUS_OK; i += all ? 1 : 47) {
            uint64_t at = i + 47 < length || all ? i : length - 1;
            uint32_t right = expected(user, (uint32_t)(from + at));
            if (got[at] != right)
                status = fail(STATUS_FAILED, "result %llu of %llu is 0x%08x; 0x%08x is right",
                              (unsigned long long)(from + at), (unsigned long long)words,
                              (unsigned)got[at], (unsigned)right);
            ++*checked;
        }
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    free(got);
    return status;
}

int memory_check(memory_bench *self, const memory_work *work, uint32_t threads,
                 memory_expected expected, const void *user, long long *checked)
{
    if ((uint64_t)threads * 4 > self->out_bytes)
        return fail(STATUS_FAILED, "%u results do not fit", (unsigned)threads);
    memory_poison(self, self->out, MEMORY_POISON);
    memory_record(self, work, 1);
    return memory_check_words(self, self->out, threads, expected, user, checked);
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

int memory_time(memory_bench *self, const memory_work *work, gpu_times *out)
{
    // An H200 that idled for seconds needs more than 256 ms until its times are what they stay.
    const double short_us = 120e3, long_us = 500e3, idle_us = 250e3, software_us = 1e3;
    recorded it = {self, work};
    bool idled = bench_now_us() - self->idle_since > idle_us;
    self->bench.timer.warm_up_us = self->software ? software_us : idled ? long_us : short_us;
    for (int i = 0; i < TRIES; i++) {
        gpu_times times;
        if (!gpu_time_run(&self->bench.timer, &(gpu_work){.record = record, .user = &it},
                          self->samples, &times))
            return STATUS_FAILED;
        if (i == 0 || times.p95 / times.min < out->p95 / out->min)
            *out = times;
        if (self->software || out->p95 <= 1.3 * out->min)
            break;
    }
    self->idle_since = bench_now_us();
    GLenum error = self->gl->GetError();
    return error == GL_NO_ERROR ? STATUS_OK
                                : fail(STATUS_FAILED, "GL error 0x%04x while measuring", error);
}
