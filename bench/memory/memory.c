// memory.c - the device of `afterglow-bench memory`, its programs and buffers
// SPDX-License-Identifier: MIT
#include "memory.h"

#include "cli/report.h"
#include "compute.h"

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
};

uint32_t memory_value(uint32_t i)
{
    uint32_t v = i * 2654435761u;
    return v ^ (v >> 15);
}

static const char *embedded(const char *path)
{
    const ag_embedded_file *at = ag_embedded_memory;
    while (at->path && strcmp(at->path, path) != 0)
        at++;
    return at->path ? at->text : "";
}

GLuint memory_program(const memory_bench *self, const char *path, const char *defines, ...)
{
    enum { LINES = 1 << 16 }; // registers.comp is given a body
    const char *common = embedded("common.glsl");
    char error[2048], *head = malloc(LINES + strlen(common) + 2);
    if (!head) {
        fail_memory();
        return 0;
    }
    va_list arguments;
    va_start(arguments, defines);
    int length = vsnprintf(head, LINES, defines, arguments);
    va_end(arguments);
    GLuint program = 0;
    if (length < 0 || length >= LINES) {
        fail(STATUS_FAILED, "%s: defines of %d bytes are too long", path, length);
    } else {
        strcpy(head + length, common);
        program = compute_program(self->gl, ag_embedded_memory, path, head, error, sizeof error);
        if (!program)
            fail(STATUS_FAILED, "%s: %s", path, error);
    }
    free(head);
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
    if (gl->GetError() == GL_NO_ERROR)
        return buffer;
    gl->DeleteBuffers(1, &buffer);
    fail(STATUS_FAILED, "GL has no memory for a buffer of %llu bytes", (unsigned long long)bytes);
    return 0;
}

static int fill(memory_bench *self)
{
    enum { THREADS = 256 };
    const memory_work work = {
        .program = memory_program(self, "fill.comp", "#define THREADS %d\n", THREADS),
        .groups = (self->bytes / 4 + 1024) / THREADS,
        .p = {(GLuint)(self->bytes / 4 + 1024)},
    };
    if (!work.program)
        return STATUS_FAILED;
    GLuint out = self->out;
    self->out = self->source; // this once the source is written
    memory_record(self, &work, 1);
    self->out = out;
    self->gl->DeleteProgram(work.program);
    long long checked;
    return memory_check_words(self, self->source, self->bytes / 4, NULL, NULL, &checked);
}

int memory_open(memory_bench *self, int device)
{
    int status = bench_open(&self->bench, device);
    if (status == STATUS_OK)
        status = bench_timer(&self->bench);
    if (status != STATUS_OK)
        return status;
    const GladGLContext *gl = self->gl = &self->bench.gpu.gl;
    GLint64 limit = 0;
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    self->software = self->bench.report.names.software;
    self->samples = self->software ? SOFTWARE_SAMPLES : self->quick ? QUICK_SAMPLES : SAMPLES;
    self->bytes = self->software ? SOFTWARE_BYTES : BYTES;
    while (self->bytes + 4096 > (uint64_t)limit)
        self->bytes /= 2;
    self->out_bytes = self->bytes < OUT_BYTES ? self->bytes : OUT_BYTES;
    self->out = memory_buffer(self, self->out_bytes, NULL);
    self->source = memory_buffer(self, self->bytes + 4096, NULL);
    return self->out && self->source ? fill(self) : STATUS_FAILED;
}

void memory_close(memory_bench *self)
{
    const GLuint buffers[] = {self->out, self->source};
    if (self->gl)
        self->gl->DeleteBuffers(2, buffers);
    bench_close(&self->bench);
}
