// viewer/ui_draw.c - what ui.h laid out, onto the canvas
// SPDX-License-Identifier: MIT
#include "ui_draw.h"

#include "shader.h"
#include "ui.h"

enum { VERTEX_BYTES = 20, INDEX_BYTES = 2 };

bool ui_draw_open(ui_draw *d, const GladGLContext *gl)
{
    int width = 0, height = 0;
    const unsigned char *texels = ui_atlas(&width, &height);
    *d = (ui_draw){.gl = gl, .program = shader_draw(gl, "ui.vert", "ui.frag")};
    gl->GenTextures(1, &d->atlas);
    gl->BindTexture(GL_TEXTURE_2D, d->atlas);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    ui_set_atlas(d->atlas);
    gl->GenBuffers(1, &d->vertex_buffer);
    gl->GenBuffers(1, &d->index_buffer);
    gl->GenFramebuffers(1, &d->target);
    gl->GenVertexArrays(1, &d->vertices);
    gl->BindVertexArray(d->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, d->vertex_buffer);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, d->index_buffer);
    for (GLuint i = 0; i < 3; i++)
        gl->EnableVertexAttribArray(i);
    gl->VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, VERTEX_BYTES, (const char *)0);
    gl->VertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, VERTEX_BYTES, (const char *)0 + 8);
    gl->VertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, VERTEX_BYTES, (const char *)0 + 16);
    gl->BindVertexArray(0);
    gl->BindBuffer(GL_ARRAY_BUFFER, 0);
    return d->program != 0;
}

void ui_draw_close(ui_draw *d)
{
    if (!d->gl)
        return;
    d->gl->DeleteProgram(d->program);
    d->gl->DeleteTextures(1, &d->atlas);
    d->gl->DeleteBuffers(1, &d->vertex_buffer);
    d->gl->DeleteBuffers(1, &d->index_buffer);
    d->gl->DeleteFramebuffers(1, &d->target);
    d->gl->DeleteVertexArrays(1, &d->vertices);
    *d = (ui_draw){0};
}

static void draw_part(void *user, const ui_part *part)
{
    ui_draw *d = user;
    const GladGLContext *gl = d->gl;
    if (part->first) {
        gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)part->vertex_count * VERTEX_BYTES,
                       part->vertices, GL_STREAM_DRAW);
        gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)part->index_count * INDEX_BYTES,
                       part->indices, GL_STREAM_DRAW);
    }
    int x0 = part->clip[0] > 0 ? (int)part->clip[0] : 0,
        y0 = part->clip[1] > 0 ? (int)part->clip[1] : 0;
    int w = (int)part->clip[2] - x0, h = (int)part->clip[3] - y0;
    if (w <= 0 || h <= 0)
        return;
    gl->Scissor(x0, y0, w, h);
    gl->BindTexture(GL_TEXTURE_2D, part->texture);
    gl->DrawElementsBaseVertex(GL_TRIANGLES, part->count, GL_UNSIGNED_SHORT,
                               (const char *)0 + part->offset * INDEX_BYTES, part->base);
}

void ui_draw_all(ui_draw *d, GLuint canvas, int width, int height)
{
    const GladGLContext *gl = d->gl;
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, d->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas, 0);
    gl->Viewport(0, 0, width, height);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    gl->UseProgram(d->program);
    gl->Uniform2f(0, (float)width, (float)height);
    gl->BindVertexArray(d->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, d->vertex_buffer);
    gl->ActiveTexture(GL_TEXTURE0);
    ui_end(draw_part, d);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindVertexArray(0);
    gl->BindBuffer(GL_ARRAY_BUFFER, 0);
    gl->UseProgram(0);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_SCISSOR_TEST);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}
