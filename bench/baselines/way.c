// way.c - a baseline: work of the bench's own, on as many sets of textures as a cold run needs
// SPDX-License-Identifier: MIT
#include "way.h"

#include "cli/report.h"
#include "compute.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern const ag_embedded_file ag_embedded_baselines[];

void way_begin(way *out, bench *owner, const picture *source, GLenum from, GLenum to,
               double set_bytes)
{
    *out = (way){.owner = owner,
                 .gl = &owner->gpu.gl,
                 .status = source ? STATUS_OK : STATUS_FAILED, // bench_picture says why
                 .to = to};
    if (!source)
        return;
    out->width = source->width;
    out->height = source->height;
    out->sets = measure_sets(set_bytes, owner->cold_bytes);
    for (int i = 0; i < out->sets && out->status == STATUS_OK; i++) {
        if (from)
            out->sources[i] = picture_texture(out->gl, from, out->width, out->height, source);
        if (to)
            out->targets[i] = picture_texture(out->gl, to, out->width, out->height, NULL);
        if ((from && !out->sources[i]) || (to && !out->targets[i]))
            out->status =
                fail(STATUS_FAILED, "GL has no memory for %d sets of textures", out->sets);
    }
}

GLuint way_program(way *self, const char *path, const char *defines, ...)
{
    char text[1024], error[1024] = "";
    if (self->status != STATUS_OK)
        return 0;
    va_list arguments;
    va_start(arguments, defines);
    vsnprintf(text, sizeof text, defines, arguments);
    va_end(arguments);
    GLuint program =
        compute_program(self->gl, ag_embedded_baselines, path, text, error, sizeof error);
    if (!program)
        self->status = fail(STATUS_FAILED, "%s: %s", path, error);
    return self->programs[self->program_count++] = program;
}

GLuint way_texture(way *self, GLenum format, int width, int height, const picture *from)
{
    GLuint name = 0;
    if (self->status == STATUS_OK &&
        !(name = picture_texture(self->gl, format, width, height, from)))
        self->status =
            fail(STATUS_FAILED, "GL has no memory for a texture of %dx%d", width, height);
    return name ? self->textures[self->texture_count++] = name : 0;
}

GLuint way_buffer(way *self, size_t bytes, const void *data)
{
    GLuint *name = &self->buffers[self->buffer_count++];
    self->gl->GenBuffers(1, name);
    self->gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, *name);
    self->gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    self->gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    if (self->status == STATUS_OK && self->gl->GetError() != GL_NO_ERROR)
        self->status = fail(STATUS_FAILED, "GL has no memory for a buffer of %zu bytes", bytes);
    return *name;
}

void way_bind(const way *self, int set)
{
    self->gl->ActiveTexture(GL_TEXTURE0);
    self->gl->BindTexture(GL_TEXTURE_2D, self->sources[set]);
    self->gl->BindImageTexture(0, self->targets[set], 0, GL_FALSE, 0, GL_WRITE_ONLY, self->to);
}

void way_dispatch(const way *self, GLuint program, int columns, int rows, int layers,
                  GLbitfield barrier)
{
    self->gl->UseProgram(program);
    self->gl->DispatchCompute((GLuint)columns, (GLuint)rows, (GLuint)layers);
    self->gl->MemoryBarrier(barrier);
}

void way_compare(way *self, const char *name, const float *right, double least, double limit)
{
    size_t count = 4 * (size_t)self->width * (size_t)self->height;
    self->gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    picture got = picture_read(self->gl, self->targets[0], self->width, self->height);
    double worst = 0, largest = 0;
    for (size_t i = 0; right && i < count; i++)
        largest = fmax(largest, fabs((double)right[i]));
    for (size_t i = 0; right && got.texels && !isnan(worst) && i < count; i++) {
        double scale = least > 0 ? fmax(fabs((double)right[i]), least) : largest;
        double error = fabs((double)got.texels[i] - (double)right[i]) / scale;
        if (!(error <= worst)) // fmax would drop a NaN
            worst = error;
    }
    if (!right || !got.texels)
        self->status = fail_memory();
    else if (!(worst <= limit) || largest == 0) // a baseline that computes something else is none
        self->status = fail(STATUS_FAILED, "%s: off by %g", name, worst);
    picture_free(&got);
}

static void destroy(way *self)
{
    const GladGLContext *gl = self->gl;
    gl->UseProgram(0);
    for (GLuint k = 3; k-- > 0;) {
        gl->ActiveTexture(GL_TEXTURE0 + k);
        gl->BindTexture(GL_TEXTURE_2D, 0);
        gl->BindImageTexture(k, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, k, 0);
    }
    for (int i = 0; i < self->program_count; i++)
        gl->DeleteProgram(self->programs[i]);
    gl->DeleteTextures(self->texture_count, self->textures);
    gl->DeleteBuffers(self->buffer_count, self->buffers);
    gl->DeleteTextures(self->sets, self->sources);
    gl->DeleteTextures(self->sets, self->targets);
}

int way_end(way *self, report_row *row, bool (*record)(void *user, int set),
            void (*check)(way *self))
{
    const measure_work work = {record, NULL, self, self->sets};
    row->width = row->width ? row->width : self->width;
    row->height = row->height ? row->height : self->height;
    if (self->status == STATUS_OK &&
        !measure(&self->owner->timer, &work, self->owner->samples, &row->times))
        self->status = fail(STATUS_FAILED, "%s %s failed", row->effect, row->variant);
    if (self->status == STATUS_OK && check)
        check(self);
    destroy(self);
    return self->status == STATUS_OK ? report_add(&self->owner->report, row) : self->status;
}
