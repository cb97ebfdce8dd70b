// way.c - a baseline: work of the bench's own, on as many sets of textures as a cold run needs
// SPDX-License-Identifier: MIT
#include "way.h"

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
                 .width = source->width,
                 .height = source->height,
                 .sets = measure_sets(set_bytes, owner->cold_bytes),
                 .to = to};
    for (int i = 0; i < out->sets; i++) {
        if (from)
            out->sources[i] = picture_texture(out->gl, from, out->width, out->height, source);
        if (to)
            out->targets[i] = picture_texture(out->gl, to, out->width, out->height, NULL);
    }
}

GLuint way_program(way *self, const char *path, const char *defines, ...)
{
    char text[1024], error[1024] = "";
    va_list arguments;
    va_start(arguments, defines);
    vsnprintf(text, sizeof text, defines, arguments);
    va_end(arguments);
    GLuint program =
        compute_program(self->gl, ag_embedded_baselines, path, text, error, sizeof error);
    must(program, "%s: %s", path, error);
    return self->programs[self->program_count++] = program;
}

GLuint way_drawing(way *self, const char *fragment)
{
    static const char *const vertex = "#version 430 core\n"
                                      "out vec2 v_at;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
                                      "    gl_Position = vec4(v_at * 2.0 - 1.0, 0.0, 1.0);\n"
                                      "}\n";
    const GladGLContext *gl = self->gl;
    const char *const texts[] = {vertex, fragment};
    char error[1024] = "";
    GLint linked = 0;
    GLuint program = gl->CreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = gl->CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        gl->ShaderSource(shader, 1, &texts[i], NULL);
        gl->CompileShader(shader);
        gl->AttachShader(program, shader);
        gl->DeleteShader(shader); // it goes with the program
    }
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl->GetProgramInfoLog(program, sizeof error, NULL, error);
    must(linked, "%s", error);
    return self->programs[self->program_count++] = program;
}

GLuint way_texture(way *self, GLenum format, int width, int height, const picture *from)
{
    return self->textures[self->texture_count++] =
               picture_texture(self->gl, format, width, height, from);
}

GLuint way_buffer(way *self, size_t bytes, const void *data)
{
    GLuint *name = &self->buffers[self->buffer_count++];
    self->gl->GenBuffers(1, name);
    self->gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, *name);
    self->gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    self->gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    must(self->gl->GetError() == GL_NO_ERROR, "GL has no memory for a buffer of %zu bytes", bytes);
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
    picture got = picture_read(self->gl, self->targets[0], 0, self->width, self->height);
    double worst = 0, largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)right[i]));
    for (size_t i = 0; !isnan(worst) && i < count; i++) {
        double scale = least > 0 ? fmax(fabs((double)right[i]), least) : largest;
        double error = fabs((double)got.texels[i] - (double)right[i]) / scale;
        if (!(error <= worst)) // fmax would drop a NaN
            worst = error;
    }
    must(worst <= limit && largest > 0, "%s: off by %g", name, worst);
    picture_free(&got);
}

void way_close(way *self)
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

void way_end(way *self, report_row *row, bool (*record)(void *user, int set),
             void (*check)(way *self))
{
    const measure_work work = {record, NULL, self, self->sets};
    row->width = row->width ? row->width : self->width;
    row->height = row->height ? row->height : self->height;
    measure(self->owner, &work, row);
    if (check)
        check(self);
    way_close(self);
    report_add(&self->owner->report, row);
}
