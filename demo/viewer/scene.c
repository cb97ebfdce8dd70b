// viewer/scene.c - what the frame begins with: the street, and the particles in it
// SPDX-License-Identifier: MIT
#include "scene.h"

#include "shader.h"

enum { MOST_POINTS = 1000000, POINT_BYTES = 32, GROUP = 8, POINT_GROUP = 256 };
enum { RANGE_POINTS = 500000 }; // GL promises 16 MiB a storage block

const struct scene_texture scene_textures[SCENE_TEXTURES] = {
    [SCENE_COLOUR] = {"scene", GL_RGBA16F}, [SCENE_NORMAL] = {"normal", GL_RGBA16F},
    [SCENE_ALBEDO] = {"albedo", GL_RGBA8},  [SCENE_MOTION] = {"motion", GL_RG16F},
    [SCENE_DEPTH] = {"depth", GL_R32F},     [SCENE_RADIUS] = {"radius", GL_R16F},
};

bool scene_open(scene *s, const GladGLContext *gl)
{
    *s = (scene){.gl = gl};
    s->street = shader_compute(gl, "street.comp");
    s->update = shader_compute(gl, "particles.comp");
    s->draw = shader_draw(gl, "particles.vert", "particles.frag");
    gl->GenBuffers(1, &s->points);
    gl->BindBuffer(GL_ARRAY_BUFFER, s->points);
    gl->BufferData(GL_ARRAY_BUFFER, MOST_POINTS * POINT_BYTES, NULL, GL_DYNAMIC_COPY);
    // The vertex stage reads the very buffer that compute writes: an instance a particle.
    gl->GenVertexArrays(1, &s->vertices);
    gl->BindVertexArray(s->vertices);
    for (GLuint i = 0; i < 2; i++) {
        gl->EnableVertexAttribArray(i);
        gl->VertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, POINT_BYTES,
                                (const void *)(uintptr_t)(16 * i));
        gl->VertexAttribDivisor(i, 1);
    }
    gl->BindVertexArray(0);
    gl->BindBuffer(GL_ARRAY_BUFFER, 0);
    gl->GenFramebuffers(1, &s->target);
    return s->street && s->update && s->draw;
}

void scene_close(scene *s)
{
    if (!s->gl)
        return;
    s->gl->DeleteProgram(s->street);
    s->gl->DeleteProgram(s->update);
    s->gl->DeleteProgram(s->draw);
    s->gl->DeleteBuffers(1, &s->points);
    s->gl->DeleteVertexArrays(1, &s->vertices);
    s->gl->DeleteFramebuffers(1, &s->target);
    *s = (scene){0};
}

void scene_street(scene *s, const scene_settings *settings, float rain, const scene_frame *frame,
                  const GLuint textures[SCENE_TEXTURES])
{
    const GladGLContext *gl = s->gl;
    gl->UseProgram(s->street);
    gl->Uniform2i(0, frame->width, frame->height);
    gl->Uniform1ui(1, (GLuint)settings->seed);
    gl->Uniform1i(2, settings->samples);
    gl->Uniform2f(3, frame->time, frame->dt);
    gl->Uniform1f(4, rain);
    gl->Uniform3fv(5, 1, frame->now.eye);
    gl->UniformMatrix3fv(6, 1, GL_FALSE, frame->now.axes[0]);
    gl->Uniform2fv(7, 1, frame->now.centre);
    gl->UniformMatrix4fv(8, 1, GL_FALSE, frame->before.clip[0]);
    gl->Uniform1f(9, (float)settings->mirror);
    for (GLuint i = 0; i < SCENE_TEXTURES; i++)
        gl->BindImageTexture(i, textures[i], 0, GL_FALSE, 0, GL_WRITE_ONLY,
                             scene_textures[i].format);
    gl->DispatchCompute((GLuint)(frame->width + GROUP - 1) / GROUP,
                        (GLuint)(frame->height + GROUP - 1) / GROUP, 1);
    for (GLuint i = 0; i < SCENE_TEXTURES; i++)
        gl->BindImageTexture(i, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    gl->UseProgram(0);
}

static void update(scene *s, const particle_settings *settings, int32_t seed,
                   const scene_frame *frame)
{
    const GladGLContext *gl = s->gl;
    bool snow = settings->fall == FALL_SNOW;
    if (seed != s->seed)
        s->updates = 0; // from the beginning
    s->seed = seed;
    gl->UseProgram(s->update);
    gl->Uniform4ui(0, (GLuint)settings->count, (GLuint)((double)settings->sparks * settings->count),
                   (GLuint)seed, (GLuint)s->updates++);
    gl->Uniform4f(1, frame->now.eye[0], frame->now.eye[1], frame->now.eye[2], frame->dt);
    gl->Uniform4f(2, snow ? -0.25f : -0.5f, snow ? -1.1f : -8.5f, snow ? 0.1f : 0.3f,
                  snow ? 0.35f : 0.0f);
    float light = settings->fall == FALL_NONE ? 0 : snow ? 5.0f : 2.2f;
    gl->Uniform1f(3, settings->light * light);
    for (int first = 0; first < settings->count; first += RANGE_POINTS) {
        int count = settings->count - first < RANGE_POINTS ? settings->count - first : RANGE_POINTS;
        gl->Uniform1ui(4, (GLuint)first);
        gl->BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, s->points, (GLintptr)first * POINT_BYTES,
                            (GLsizeiptr)count * POINT_BYTES);
        gl->DispatchCompute((GLuint)(count + POINT_GROUP - 1) / POINT_GROUP, 1, 1);
    }
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    gl->MemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

void scene_particles(scene *s, const particle_settings *settings, int32_t seed,
                     const scene_frame *frame, GLuint colour, GLuint depth)
{
    const GladGLContext *gl = s->gl;
    if (!settings->count)
        return;
    update(s, settings, seed, frame);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, s->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
    gl->Viewport(0, 0, frame->width, frame->height);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    gl->UseProgram(s->draw);
    gl->UniformMatrix4fv(0, 1, GL_FALSE, frame->now.clip[0]);
    gl->Uniform2f(1, (float)frame->width, (float)frame->height);
    gl->Uniform2f(2, settings->shutter, settings->fall == FALL_SNOW ? 0.006f : 0.0015f);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, depth);
    gl->BindVertexArray(s->vertices);
    // Sparks come first in the buffer, so they can be drawn alone.
    int drawn = settings->fall == FALL_NONE ? (int)((double)settings->sparks * settings->count)
                                            : settings->count;
    gl->DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, drawn);
    gl->BindVertexArray(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->UseProgram(0);
    gl->Disable(GL_BLEND);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}
