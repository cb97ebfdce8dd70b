// texture_fft.c - radix 2 through textures: by fragment shaders, and with a lookup texture
// SPDX-License-Identifier: MIT
#include "ladder/fft_documents.h"
#include "way.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Fig 12 of the article, with weights from a table of n values.
static const char fragment_text[] =
    "#version 430 core\n"
    "layout(location = 0) uniform ivec4 u_pass; // pass, axis, log2 n, n\n"
    "layout(binding = 0) uniform sampler2D t_real;\n"
    "layout(binding = 1) uniform sampler2D t_imag;\n"
    "layout(std430, binding = 0) readonly buffer Weights { vec2 b_weights[]; };\n"
    "layout(location = 0) out vec4 o_real;\n"
    "layout(location = 1) out vec4 o_imag;\n"
    "void main() {\n"
    "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "    int axis = u_pass.y, x = p[axis], section = 2 << u_pass.x, half_section = section / 2;\n"
    "    int start = x & ~(section - 1), offset = x & (half_section - 1);\n"
    "    uvec2 at = uvec2(start + offset, start + offset + half_section);\n"
    "    if (u_pass.x == 0)\n"
    "        at = bitfieldReverse(at) >> (32 - u_pass.z);\n"
    "    vec2 w = b_weights[(x & (section - 1)) * (u_pass.w / section)];\n"
    "    ivec2 a = p, b = p;\n"
    "    a[axis] = int(at.x);\n"
    "    b[axis] = int(at.y);\n"
    "    vec4 r1 = texelFetch(t_real, a, 0), i1 = texelFetch(t_imag, a, 0);\n"
    "    vec4 r2 = texelFetch(t_real, b, 0), i2 = texelFetch(t_imag, b, 0);\n"
    "    o_real = r1 + w.x * r2 - w.y * i2;\n"
    "    o_imag = i1 + w.y * r2 + w.x * i2;\n"
    "}\n";

typedef struct transform {
    way base;
    texture_fft by;
    const pass_expected *right;
    report_row *row;
    int log;
    GLuint program, lookup, vertices, framebuffers[2];
    GLuint planes[2 + MEASURE_MAX_SETS][2]; // two that take turns, then the sources
} transform;

static bool record(void *user, int set)
{
    const transform *t = user;
    const GladGLContext *gl = t->base.gl;
    int size = t->base.width, groups = (size + 15) / 16, from = 2 + set;
    bool drawn = t->by == TEXTURE_FFT_FRAGMENTS;
    gl->UseProgram(t->program);
    if (drawn) {
        gl->BindVertexArray(t->vertices);
        gl->Viewport(0, 0, size, size);
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, t->base.buffers[0]);
    } else {
        gl->ActiveTexture(GL_TEXTURE2);
        gl->BindTexture(GL_TEXTURE_2D, t->lookup);
    }
    for (int i = 0; i < 2 * t->log; i++) {
        int to = from == 0;
        for (GLuint k = 0; k < 2; k++) {
            gl->ActiveTexture(GL_TEXTURE0 + k);
            gl->BindTexture(GL_TEXTURE_2D, t->planes[from][k]);
            if (!drawn)
                gl->BindImageTexture(k, t->planes[to][k], 0, GL_FALSE, 0, GL_WRITE_ONLY,
                                     GL_RGBA32F);
        }
        if (drawn)
            gl->BindFramebuffer(GL_FRAMEBUFFER, t->framebuffers[to]);
        gl->Uniform4i(0, i % t->log, i / t->log, t->log, size);
        if (drawn)
            gl->DrawArrays(GL_TRIANGLES, 0, 3);
        else
            way_dispatch(&t->base, t->program, groups, groups, 1,
                         GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        from = to;
    }
    return true;
}

// A texel for each output of each pass: two indices, a weight.
static void make_lookup(transform *t)
{
    int size = t->base.width;
    picture table = {size, t->log, need_memory((size_t)size * (size_t)t->log * 16)};
    ag_ladder_lookup(size, table.texels);
    t->lookup = way_texture(&t->base, GL_RGBA32F, size, t->log, &table);
    picture_free(&table);
    t->program = way_program(&t->base, "texture_fft.comp", "\n");
}

static void make_drawing(transform *t)
{
    static const GLenum targets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const GladGLContext *gl = t->base.gl;
    int size = t->base.width;
    t->program = way_drawing(&t->base, fragment_text);
    for (int i = 0; i < 2; i++) {
        gl->BindFramebuffer(GL_FRAMEBUFFER, t->framebuffers[i]);
        for (int k = 0; k < 2; k++)
            gl->FramebufferTexture2D(GL_FRAMEBUFFER, targets[k], GL_TEXTURE_2D, t->planes[i][k], 0);
        gl->DrawBuffers(2, targets);
        must(gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
             "texture_fft: GL refused a framebuffer");
    }
    float *weights = need_memory((size_t)size * 2 * sizeof *weights);
    for (int i = 0; i < size; i++) {
        weights[2 * i] = (float)cos(6.283185307179586 * i / size);
        weights[2 * i + 1] = (float)-sin(6.283185307179586 * i / size);
    }
    way_buffer(&t->base, (size_t)size * 8, weights);
    free(weights);
}

// After an even number of passes the result is in planes[1].
static void check(way *self)
{
    const transform *t = (const transform *)self; // its first member
    record(self, 0);
    picture result = picture_read(self->gl, t->planes[1][0], 0, self->width, self->height);
    t->row->error_float = t->row->error =
        reference_compare(&result, t->right->values, t->right->scale);
    picture_free(&result);
}

void texture_fft_bench(bench *owner, const char *effect, int size, texture_fft by,
                       const pass_expected *right)
{
    bool drawn = by == TEXTURE_FFT_FRAGMENTS;
    const GladGLContext *gl = &owner->gpu.gl;
    const picture *source = bench_picture(owner, picture_scene, size, size);
    report_row row = {.width = size};
    static transform t; // large
    t = (transform){.by = by, .right = right, .row = &row};
    while (1 << t.log < size)
        t.log++;
    snprintf(row.effect, sizeof row.effect, "%s", effect);
    snprintf(row.subject, sizeof row.subject, "%s", drawn ? "fragment" : "lookup");
    snprintf(row.variant, sizeof row.variant, "%s",
             drawn ? "radix 2, forward complex"
                   : "texture_radix2 forward complex, weights: lookup texture");
    snprintf(row.plan, sizeof row.plan, "%s",
             drawn ? "a triangle a butterfly pass, two colour targets"
                   : "a dispatch a butterfly pass; indices and weights from an RGBA32F texture");
    // Four texels read, two written; a texel of the lookup texture.
    row.launches = 2 * t.log;
    row.bytes = (uint64_t)size * (uint64_t)size * 16 * (drawn ? 6 : 7) * (uint64_t)(2 * t.log);
    way_begin(&t.base, owner, source, GL_RGBA32F, 0, 32.0 * size * size);
    for (int i = 0; i < 2 + t.base.sets; i++)
        for (int k = 0; k < 2; k++)
            t.planes[i][k] = i >= 2 && k == 0 ? t.base.sources[i - 2]
                                              : way_texture(&t.base, GL_RGBA32F, size, size,
                                                            i >= 2 ? source : NULL);
    gl->GenVertexArrays(1, &t.vertices);
    gl->GenFramebuffers(2, t.framebuffers);
    (drawn ? make_drawing : make_lookup)(&t);
    way_end(&t.base, &row, record, check);
    gl->BindVertexArray(0);
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->DeleteVertexArrays(1, &t.vertices);
    gl->DeleteFramebuffers(2, t.framebuffers);
}
