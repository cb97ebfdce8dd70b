// down_ways.c - images made smaller as engines draw them
// SPDX-License-Identifier: MIT
#include "down_ways.h"

#include "draw.h"

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

bool down_ways_open(const GladGLContext *gl, GLenum format, int width, int height, int levels,
                    down_ways *out, char *error, size_t error_size)
{
    *out =
        (down_ways){.gl = gl, .width = width, .height = height, .levels = levels, .format = format};
    out->sample = draw_program(gl, sample_text, error, error_size);
    out->loop = out->sample ? draw_program(gl, loop_text, error, error_size) : 0;
    gl->GenVertexArrays(1, &out->vertices);
    return out->loop != 0;
}

void down_ways_close(down_ways *target)
{
    if (!target->gl)
        return;
    down_ways_destroy(target);
    target->gl->DeleteProgram(target->sample);
    target->gl->DeleteProgram(target->loop);
    target->gl->DeleteVertexArrays(1, &target->vertices);
    *target = (down_ways){0};
}

static int size_of(int size, int level)
{
    return size >> level > 1 ? size >> level : 1;
}

static void make_target(down_ways *self, int index, int level)
{
    const GladGLContext *gl = self->gl;
    gl->GenTextures(1, &self->textures[index]);
    gl->BindTexture(GL_TEXTURE_2D, self->textures[index]);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, self->format, size_of(self->width, level),
                     size_of(self->height, level));
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

void down_ways_create(down_ways *self, down_way way)
{
    if (way == DOWN_BLITS)
        self->gl->GenFramebuffers(2, self->framebuffers);
    for (int i = 1; way == DOWN_PROGRESSIVE && i <= self->levels; i++)
        make_target(self, i - 1, i);
    if (way == DOWN_LOOP)
        make_target(self, 0, self->levels);
}

void down_ways_destroy(down_ways *self)
{
    const GladGLContext *gl = self->gl;
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
    const GladGLContext *gl = self->gl;
    gl->UseProgram(program);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, from);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, self->targets[index]);
    gl->Viewport(0, 0, size_of(self->width, level), size_of(self->height, level));
    gl->BindVertexArray(self->vertices);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

static void record_blits(const down_ways *self, GLuint source)
{
    const GladGLContext *gl = self->gl;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, self->framebuffers[0]);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, self->framebuffers[1]);
    for (int i = 1; i <= self->levels; i++) {
        gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source,
                                 i - 1);
        gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, source,
                                 i);
        gl->BlitFramebuffer(0, 0, size_of(self->width, i - 1), size_of(self->height, i - 1), 0, 0,
                            size_of(self->width, i), size_of(self->height, i), GL_COLOR_BUFFER_BIT,
                            GL_LINEAR);
    }
}

void down_ways_record(const down_ways *self, down_way way, GLuint source)
{
    const GladGLContext *gl = self->gl;
    if (way == DOWN_GENERATE) {
        gl->BindTexture(GL_TEXTURE_2D, source);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, self->levels);
        gl->GenerateMipmap(GL_TEXTURE_2D);
    } else if (way == DOWN_BLITS) {
        record_blits(self, source);
    } else if (way == DOWN_PROGRESSIVE) {
        for (int i = 1; i <= self->levels; i++)
            draw(self, self->sample, i == 1 ? source : self->textures[i - 2], i - 1, i);
    } else {
        gl->ProgramUniform2i(self->loop, 0, self->width / size_of(self->width, self->levels),
                             self->height / size_of(self->height, self->levels));
        draw(self, self->loop, source, 0, self->levels);
    }
    gl->BindVertexArray(0);
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
}

GLuint down_ways_result(const down_ways *self, down_way way, GLuint source, int *level)
{
    bool in_place = way == DOWN_GENERATE || way == DOWN_BLITS;
    *level = in_place ? self->levels : 0;
    return in_place ? source : self->textures[way == DOWN_LOOP ? 0 : self->levels - 1];
}
