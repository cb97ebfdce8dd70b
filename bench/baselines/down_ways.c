// down_ways.c - images made smaller as engines draw them
// SPDX-License-Identifier: MIT
#include "down_ways.h"

#include <stdio.h>

const char *const down_subjects[DOWN_WAYS] = {"glGenerateMipmap", "blits", "progressive",
                                              "fragment loop"};

static const char *const sample_text = "#version 430 core\n"
                                       "layout(binding = 0) uniform sampler2D t_above;\n"
                                       "in vec2 v_at;\n"
                                       "out vec4 colour;\n"
                                       "void main() { colour = textureLod(t_above, v_at, 0.0); }\n";

static const char *const loop_text =
    "#version 430 core\n"
    "layout(binding = 0) uniform sampler2D t_src;\n"
    "layout(location = 0) uniform ivec2 u_texels; // of an output\n"
    "out vec4 colour;\n"
    "void main()\n"
    "{\n"
    "    ivec2 first = ivec2(gl_FragCoord.xy) * u_texels;\n"
    "    vec4 sum = vec4(0.0);\n"
    "    for (int y = 0; y < u_texels.y; ++y)\n"
    "        for (int x = 0; x < u_texels.x; ++x)\n"
    "            sum += texelFetch(t_src, first + ivec2(x, y), 0);\n"
    "    colour = sum / float(u_texels.x * u_texels.y);\n"
    "}\n";

// A texture with all levels, filtered linearly within one.
static GLuint make_chain(const GladGLContext *gl, GLenum format, const picture *source)
{
    GLuint name = texture_make(gl, format, source->width, source->height, 0, true, source);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

void down_ways_open(bench *owner, GLenum format, const picture *source, down_way by, int levels,
                    int sets, down_ways *out)
{
    *out = (down_ways){.by = by, .levels = levels, .format = format};
    out->base = (way){.owner = owner,
                      .gl = &owner->gpu.gl,
                      .width = source->width,
                      .height = source->height,
                      .sets = sets};
    out->sample = way_drawing(&out->base, sample_text);
    out->loop = way_drawing(&out->base, loop_text);
    out->base.gl->GenVertexArrays(1, &out->vertices);
    for (int i = 0; i < sets; i++)
        out->base.sources[i] = make_chain(out->base.gl, format, source);
}

void down_ways_close(down_ways *target)
{
    if (!target->base.gl)
        return;
    down_ways_destroy(target);
    target->base.gl->DeleteVertexArrays(1, &target->vertices);
    way_close(&target->base);
    *target = (down_ways){0};
}

static int size_of(int size, int level)
{
    return size >> level > 1 ? size >> level : 1;
}

static void make_target(down_ways *self, int index, int level)
{
    const GladGLContext *gl = self->base.gl;
    gl->GenTextures(1, &self->textures[index]);
    gl->BindTexture(GL_TEXTURE_2D, self->textures[index]);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, self->format, size_of(self->base.width, level),
                     size_of(self->base.height, level));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->GenFramebuffers(1, &self->targets[index]);
    gl->BindFramebuffer(GL_FRAMEBUFFER, self->targets[index]);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                             self->textures[index], 0);
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
}

void down_ways_create(down_ways *self)
{
    if (self->by == DOWN_BLITS)
        self->base.gl->GenFramebuffers(2, self->framebuffers);
    for (int i = 1; self->by == DOWN_PROGRESSIVE && i <= self->levels; i++)
        make_target(self, i - 1, i);
    if (self->by == DOWN_LOOP)
        make_target(self, 0, self->levels);
}

void down_ways_destroy(down_ways *self)
{
    const GladGLContext *gl = self->base.gl;
    gl->DeleteFramebuffers(2, self->framebuffers); // names of 0 are ignored
    gl->DeleteFramebuffers(DOWN_MAX_LEVELS, self->targets);
    gl->DeleteTextures(DOWN_MAX_LEVELS, self->textures);
    for (int i = 0; i < DOWN_MAX_LEVELS; i++)
        self->targets[i] = self->textures[i] = 0;
    self->framebuffers[0] = self->framebuffers[1] = 0;
}

// Draws the texture `from` into a level's framebuffer.
static void draw(const down_ways *self, GLuint program, GLuint from, int index, int level)
{
    const GladGLContext *gl = self->base.gl;
    gl->UseProgram(program);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, from);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, self->targets[index]);
    gl->Viewport(0, 0, size_of(self->base.width, level), size_of(self->base.height, level));
    gl->BindVertexArray(self->vertices);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

static void record_blits(const down_ways *self, GLuint source)
{
    const GladGLContext *gl = self->base.gl;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, self->framebuffers[0]);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, self->framebuffers[1]);
    for (int i = 1; i <= self->levels; i++) {
        gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source,
                                 i - 1);
        gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source,
                                 i);
        gl->BlitFramebuffer(0, 0, size_of(self->base.width, i - 1),
                            size_of(self->base.height, i - 1), 0, 0, size_of(self->base.width, i),
                            size_of(self->base.height, i), GL_COLOR_BUFFER_BIT, GL_LINEAR);
    }
}

void down_ways_record(const down_ways *self, GLuint source)
{
    const GladGLContext *gl = self->base.gl;
    if (self->by == DOWN_GENERATE) {
        gl->BindTexture(GL_TEXTURE_2D, source);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, self->levels);
        gl->GenerateMipmap(GL_TEXTURE_2D);
    } else if (self->by == DOWN_BLITS) {
        record_blits(self, source);
    } else if (self->by == DOWN_PROGRESSIVE) {
        for (int i = 1; i <= self->levels; i++)
            draw(self, self->sample, i == 1 ? source : self->textures[i - 2], i - 1, i);
    } else {
        gl->ProgramUniform2i(self->loop, 0,
                             self->base.width / size_of(self->base.width, self->levels),
                             self->base.height / size_of(self->base.height, self->levels));
        draw(self, self->loop, source, 0, self->levels);
    }
    gl->BindVertexArray(0);
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
}

GLuint down_ways_result(const down_ways *self, GLuint source, int *level)
{
    bool in_place = self->by == DOWN_GENERATE || self->by == DOWN_BLITS;
    *level = in_place ? self->levels : 0;
    return in_place ? source : self->textures[self->by == DOWN_LOOP ? 0 : self->levels - 1];
}

static bool record(void *user, int set)
{
    const down_ways *self = user;
    down_ways_record(self, self->base.sources[set]);
    return true;
}

void down_ways_bench(bench *owner, GLenum format, const picture *source, down_way by, int levels,
                     report_row *row, accuracy (*judge)(const down_ways *done), void *user)
{
    static down_ways self; // large
    down_ways_open(owner, format, source, by, levels,
                   measure_sets((double)row->bytes, owner->cold_bytes), &self);
    self.user = user;
    down_ways_create(&self);
    const measure_work work = {record, NULL, &self, self.base.sets};
    snprintf(row->subject, sizeof row->subject, "%s", down_subjects[by]);
    row->width = source->width;
    row->height = source->height;
    measure(owner, &work, row);
    row->error = judge(&self);
    down_ways_close(&self);
    report_add(&owner->report, row);
}
