// texture_fft.c - radix 2 through textures: by fragment shaders, and with a lookup texture
// SPDX-License-Identifier: MIT
#include "texture_fft.h"

#include "cli/report.h"
#include "compute.h"
#include "effects/fft/ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char vertex_text[] =
    "#version 430 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, "
    "1.0); }\n";

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

extern const ag_embedded_file ag_embedded_pyramid[];

typedef struct drawing {
    const GladGLContext *gl;
    texture_fft way;
    int size, log;
    GLuint program, weights, lookup, vertices, framebuffers[2];
    GLuint planes[2 + MEASURE_MAX_SETS][2]; // two that take turns, then the sources
    int sets;
} drawing;

static GLuint link(const GladGLContext *gl)
{
    const char *const texts[] = {vertex_text, fragment_text};
    const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    GLuint program = gl->CreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = gl->CreateShader(kinds[i]);
        gl->ShaderSource(shader, 1, &texts[i], NULL);
        gl->CompileShader(shader);
        gl->AttachShader(program, shader);
        gl->DeleteShader(shader);
    }
    gl->LinkProgram(program);
    GLint linked = 0;
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        gl->DeleteProgram(program);
    return linked ? program : 0;
}

static void dispatch_passes(const drawing *d, int set)
{
    const GladGLContext *gl = d->gl;
    gl->UseProgram(d->program);
    gl->ActiveTexture(GL_TEXTURE2);
    gl->BindTexture(GL_TEXTURE_2D, d->lookup);
    int from = 2 + set;
    for (int i = 0; i < 2 * d->log; i++) {
        int to = from == 0;
        for (int k = 0; k < 2; k++) {
            gl->ActiveTexture(GL_TEXTURE0 + (GLenum)k);
            gl->BindTexture(GL_TEXTURE_2D, d->planes[from][k]);
            gl->BindImageTexture((GLuint)k, d->planes[to][k], 0, GL_FALSE, 0, GL_WRITE_ONLY,
                                 GL_RGBA32F);
        }
        gl->Uniform4i(0, i % d->log, i / d->log, d->log, d->size);
        gl->DispatchCompute((GLuint)(d->size + 15) / 16, (GLuint)(d->size + 15) / 16, 1);
        gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        from = to;
    }
}

static bool record(void *user, int set)
{
    const drawing *d = user;
    const GladGLContext *gl = d->gl;
    if (d->way == TEXTURE_FFT_LOOKUP) {
        dispatch_passes(d, set);
        return true;
    }
    gl->UseProgram(d->program);
    gl->BindVertexArray(d->vertices);
    gl->Viewport(0, 0, d->size, d->size);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d->weights);
    int from = 2 + set;
    for (int i = 0; i < 2 * d->log; i++) {
        int to = from == 0;
        for (int k = 0; k < 2; k++) {
            gl->ActiveTexture(GL_TEXTURE0 + (GLenum)k);
            gl->BindTexture(GL_TEXTURE_2D, d->planes[from][k]);
        }
        gl->BindFramebuffer(GL_FRAMEBUFFER, d->framebuffers[to]);
        gl->Uniform4i(0, i % d->log, i / d->log, d->log, d->size);
        gl->DrawArrays(GL_TRIANGLES, 0, 3);
        from = to;
    }
    return true;
}

// A texel for each output of each pass: two indices, a weight.
static bool make_lookup(drawing *d)
{
    const GladGLContext *gl = d->gl;
    float *table = malloc((size_t)d->size * (size_t)d->log * 4 * sizeof *table);
    if (!table)
        return false;
    ag_ladder_lookup(d->size, table);
    gl->GenTextures(1, &d->lookup);
    gl->BindTexture(GL_TEXTURE_2D, d->lookup);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, d->size, d->log);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, d->size, d->log, GL_RGBA, GL_FLOAT, table);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    free(table);
    return true;
}

static bool make_program(drawing *d)
{
    char error[1024] = "";
    if (d->way == TEXTURE_FFT_FRAGMENTS) {
        d->program = link(d->gl);
        return d->program;
    }
    d->program =
        compute_program(d->gl, ag_embedded_pyramid, "texture_fft.comp", NULL, error, sizeof error);
    if (!d->program)
        note("texture_fft.comp: %s", error);
    return d->program && make_lookup(d);
}

static bool make(drawing *d, const picture *source)
{
    static const GLenum targets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const GladGLContext *gl = d->gl;
    bool complete = make_program(d);
    gl->GenVertexArrays(1, &d->vertices);
    gl->GenFramebuffers(2, d->framebuffers);
    for (int i = 0; i < 2 + d->sets; i++)
        for (int k = 0; k < 2; k++) {
            d->planes[i][k] =
                picture_texture(gl, GL_RGBA32F, d->size, d->size, i >= 2 ? source : NULL);
            complete = complete && d->planes[i][k];
        }
    for (int i = 0; i < 2 && complete; i++) {
        gl->BindFramebuffer(GL_FRAMEBUFFER, d->framebuffers[i]);
        for (int k = 0; k < 2; k++)
            gl->FramebufferTexture2D(GL_FRAMEBUFFER, targets[k], GL_TEXTURE_2D, d->planes[i][k], 0);
        gl->DrawBuffers(2, targets);
        complete = gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    float *weights = malloc((size_t)d->size * 2 * sizeof *weights);
    for (int i = 0; i < d->size && weights; i++) {
        weights[2 * i] = (float)cos(6.283185307179586 * i / d->size);
        weights[2 * i + 1] = (float)-sin(6.283185307179586 * i / d->size);
    }
    complete = complete && weights;
    gl->GenBuffers(1, &d->weights);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, d->weights);
    gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)d->size * 8, weights, GL_STATIC_DRAW);
    free(weights);
    return complete;
}

static void destroy(drawing *d)
{
    const GladGLContext *gl = d->gl;
    gl->UseProgram(0);
    gl->BindVertexArray(0);
    gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    for (int k = 2; k >= 0; k--) {
        gl->ActiveTexture(GL_TEXTURE0 + (GLenum)k);
        gl->BindTexture(GL_TEXTURE_2D, 0);
        gl->BindImageTexture((GLuint)k, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    }
    gl->DeleteTextures(1, &d->lookup);
    gl->DeleteProgram(d->program);
    gl->DeleteVertexArrays(1, &d->vertices);
    gl->DeleteFramebuffers(2, d->framebuffers);
    gl->DeleteBuffers(1, &d->weights);
    for (int i = 0; i < 2 + d->sets; i++)
        gl->DeleteTextures(2, d->planes[i]);
}

// After an even number of passes the result is in planes[1].
static void compare(const drawing *d, const pass_expected *right, report_row *row)
{
    record((void *)d, 0);
    d->gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    picture result = picture_read(d->gl, d->planes[1][0], d->size, d->size);
    row->error_float = row->error = reference_compare(&result, right->expected, right->scale);
    picture_free(&result);
}

int texture_fft_bench(bench *owner, const char *effect, const picture *source, texture_fft way,
                      const pass_expected *right)
{
    bool drawn = way == TEXTURE_FFT_FRAGMENTS;
    drawing d = {.gl = &owner->gpu.gl, .way = way, .size = source->width};
    d.sets = measure_sets(32.0 * d.size * d.size, owner->cold_bytes);
    while (1 << d.log < d.size)
        d.log++;
    report_row row = {.width = d.size, .height = d.size, .launches = 2 * d.log};
    snprintf(row.effect, sizeof row.effect, "%s", effect);
    snprintf(row.subject, sizeof row.subject, "%s", drawn ? "fragment" : "lookup");
    snprintf(row.variant, sizeof row.variant, "%s",
             drawn ? "radix 2, forward complex"
                   : "texture_radix2 forward complex, weights: lookup texture");
    snprintf(row.plan, sizeof row.plan, "%s",
             drawn ? "a triangle a butterfly pass, two colour targets"
                   : "a dispatch a butterfly pass; indices and weights from an RGBA32F texture");
    // Four texels read, two written; a texel of the lookup texture.
    row.bytes = (uint64_t)d.size * (uint64_t)d.size * 16 * (drawn ? 6 : 7) * (uint64_t)(2 * d.log);
    int status =
        make(&d, source) ? STATUS_OK : fail(STATUS_FAILED, "texture_fft: GL refused its objects");
    if (status == STATUS_OK) {
        const measure_work work = {record, NULL, &d, d.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
        compare(&d, right, &row);
    }
    destroy(&d);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}
