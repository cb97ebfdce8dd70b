// state_random.c - random legal values in all of the state that state_table.c reads
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "state_table.h"

#define QUERY_BUFFER 0x9192u

// Those that the module binds.
static const GLenum targets[] = {GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_MULTISAMPLE};

#define PROGRAM(body)                                   \
    "#version 430 core\nlayout(local_size_x = 1) in;\n" \
    "layout(std430, binding = 0) buffer B { uint b[]; };\n" body

static void create_texture(fixture *f, GLenum target, GLuint name)
{
    f->gl.BindTexture(target, name);
    if (target == GL_TEXTURE_2D)
        f->gl.TexStorage2D(target, 3, GL_RGBA8, 16, 16);
    else if (target == GL_TEXTURE_2D_ARRAY)
        f->gl.TexStorage3D(target, 3, GL_RGBA8, 16, 16, 4);
    else
        f->gl.TexStorage2DMultisample(target, 4, GL_RGBA8, 16, 16, GL_TRUE);
    f->gl.BindTexture(target, 0);
}

state_objects state_objects_create(fixture *f)
{
    state_objects o = {0};
    f->gl.GenBuffers(STATE_OBJECTS, o.buffers);
    f->gl.GenSamplers(STATE_OBJECTS, o.samplers);
    f->gl.GenVertexArrays(1, &o.array);
    f->gl.GenProgramPipelines(STATE_OBJECTS, o.pipelines);
    f->gl.GenTextures(STATE_OBJECTS, o.images);
    f->gl.GenQueries(1, &o.query);
    for (int i = 0; i < STATE_OBJECTS; ++i) {
        f->gl.BindBuffer(GL_ARRAY_BUFFER, o.buffers[i]);
        f->gl.BufferData(GL_ARRAY_BUFFER, STATE_BUFFER_BYTES, NULL, GL_DYNAMIC_DRAW);
        f->gl.BindProgramPipeline(o.pipelines[i]);
        f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, o.images[i]); // for image units
        f->gl.TexStorage3D(GL_TEXTURE_2D_ARRAY, 3, GL_RGBA32F, 16, 16, 4);
    }
    f->gl.BindBuffer(GL_ARRAY_BUFFER, 0);
    f->gl.BindProgramPipeline(0);
    f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
    for (int t = 0; t < STATE_TARGETS; ++t) {
        f->gl.GenTextures(2, o.textures[t]);
        for (int i = 0; i < 2; ++i)
            create_texture(f, targets[t], o.textures[t][i]);
    }
    o.programs[0] = fixture_program(f, PROGRAM("void main() { b[0] = 1u; }\n"));
    o.programs[1] = fixture_program(f, PROGRAM("void main() { b[1] = 2u; }\n"));
    return o;
}

void state_objects_destroy(fixture *f, state_objects *o)
{
    f->gl.UseProgram(0);
    f->gl.DeleteBuffers(STATE_OBJECTS, o->buffers);
    f->gl.DeleteSamplers(STATE_OBJECTS, o->samplers);
    f->gl.DeleteVertexArrays(1, &o->array);
    f->gl.DeleteProgramPipelines(STATE_OBJECTS, o->pipelines);
    f->gl.DeleteTextures(STATE_OBJECTS, o->images);
    f->gl.DeleteQueries(1, &o->query);
    for (int t = 0; t < STATE_TARGETS; ++t)
        f->gl.DeleteTextures(2, o->textures[t]);
    for (int i = 0; i < 2; ++i)
        f->gl.DeleteProgram(o->programs[i]);
}

static GLuint pick(rng *r, const GLuint *names, int count) // one of them, or 0
{
    int i = rng_int(r, 0, count);
    return i < count ? names[i] : 0;
}

static GLenum choose(rng *r, const GLenum *values, int count)
{
    return values[rng_int(r, 0, count - 1)];
}
#define CHOOSE(r, ...)                       \
    choose(r, (const GLenum[]){__VA_ARGS__}, \
           (int)(sizeof((GLenum[]){__VA_ARGS__}) / sizeof(GLenum)))

static GLboolean coin(rng *r)
{
    return (GLboolean)rng_int(r, 0, 1);
}

static void random_indexed(fixture *f, const state_objects *o, rng *r, GLenum target, int count,
                           int alignment)
{
    for (int i = 0; i < count; ++i) {
        GLuint buffer = pick(r, o->buffers, STATE_OBJECTS);
        if (buffer && coin(r))
            f->gl.BindBufferRange(target, (GLuint)i, buffer, alignment * rng_int(r, 0, 3),
                                  4 * rng_int(r, 1, 512));
        else
            f->gl.BindBufferBase(target, (GLuint)i, buffer);
    }
}

void state_random_bindings(fixture *f, const state_objects *o, rng *r, bool query_buffer)
{
    f->gl.UseProgram(pick(r, o->programs, 2));
    f->gl.BindProgramPipeline(pick(r, o->pipelines, STATE_OBJECTS));
    for (int unit = 0; unit < 8; ++unit) {
        GLuint image = pick(r, o->images, STATE_OBJECTS);
        f->gl.BindImageTexture((GLuint)unit, image, rng_int(r, 0, 2), coin(r), rng_int(r, 0, 3),
                               CHOOSE(r, GL_READ_ONLY, GL_WRITE_ONLY, GL_READ_WRITE),
                               CHOOSE(r, GL_RGBA32F, GL_RGBA32UI, GL_RGBA32I));
    }
    for (int unit = 0; unit < STATE_UNITS; ++unit) {
        f->gl.ActiveTexture((GLenum)(GL_TEXTURE0 + unit));
        for (int t = 0; t < STATE_TARGETS; ++t)
            f->gl.BindTexture(targets[t], pick(r, o->textures[t], 2));
        f->gl.BindSampler((GLuint)unit, pick(r, o->samplers, STATE_OBJECTS));
    }
    f->gl.ActiveTexture((GLenum)(GL_TEXTURE0 + rng_int(r, 0, STATE_UNITS - 1)));

    random_indexed(f, o, r, GL_SHADER_STORAGE_BUFFER, 8, 256);
    random_indexed(f, o, r, GL_UNIFORM_BUFFER, 8, 256);
    random_indexed(f, o, r, GL_ATOMIC_COUNTER_BUFFER, 1, 4);
    random_indexed(f, o, r, GL_TRANSFORM_FEEDBACK_BUFFER, 4, 4);
    static const GLenum generic[] = {GL_SHADER_STORAGE_BUFFER, GL_UNIFORM_BUFFER,
                                     GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER,
                                     GL_ARRAY_BUFFER,          GL_COPY_READ_BUFFER,
                                     GL_COPY_WRITE_BUFFER,     GL_DISPATCH_INDIRECT_BUFFER,
                                     GL_DRAW_INDIRECT_BUFFER,  GL_PIXEL_PACK_BUFFER,
                                     GL_PIXEL_UNPACK_BUFFER,   GL_TEXTURE_BUFFER};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; ++i)
        f->gl.BindBuffer(generic[i], pick(r, o->buffers, STATE_OBJECTS));
    if (query_buffer)
        f->gl.BindBuffer(QUERY_BUFFER, pick(r, o->buffers, STATE_OBJECTS));

    GLuint array = pick(r, &o->array, 1);
    f->gl.BindVertexArray(array);
    if (array) // the binding belongs to it
        f->gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, pick(r, o->buffers, STATE_OBJECTS));
}

static GLfloat unit(rng *r)
{
    return (GLfloat)rng_uniform(r, 0, 1);
}

#define COMPARES GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_ALWAYS
#define WRAPS GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT
#define CHANNELS GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE
#define MINIFY GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST_MIPMAP_NEAREST

static void random_sampling(fixture *f, rng *r, GLuint sampler) // 0: the texture bound to 2D
{
    const GLfloat border[4] = {unit(r), unit(r), unit(r), unit(r)};
    const struct {
        GLenum name;
        GLfloat value;
    } rows[] = {
        {GL_TEXTURE_MIN_FILTER, (GLfloat)CHOOSE(r, MINIFY)},
        {GL_TEXTURE_MAG_FILTER, (GLfloat)CHOOSE(r, GL_NEAREST, GL_LINEAR)},
        {GL_TEXTURE_WRAP_S, (GLfloat)CHOOSE(r, WRAPS)},
        {GL_TEXTURE_WRAP_T, (GLfloat)CHOOSE(r, WRAPS)},
        {GL_TEXTURE_WRAP_R, (GLfloat)CHOOSE(r, WRAPS)},
        {GL_TEXTURE_MIN_LOD, unit(r) * 5},
        {GL_TEXTURE_MAX_LOD, 5 + unit(r)},
        {GL_TEXTURE_LOD_BIAS, unit(r)},
        {GL_TEXTURE_COMPARE_MODE, (GLfloat)CHOOSE(r, GL_NONE, GL_COMPARE_REF_TO_TEXTURE)},
        {GL_TEXTURE_COMPARE_FUNC, (GLfloat)CHOOSE(r, COMPARES)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (sampler)
            f->gl.SamplerParameterf(sampler, rows[i].name, rows[i].value);
        else
            f->gl.TexParameterf(GL_TEXTURE_2D, rows[i].name, rows[i].value);
    }
    if (sampler)
        f->gl.SamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, border);
    else
        f->gl.TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
}

void state_random_parameters(fixture *f, const state_objects *o, const test_job *j, rng *r)
{
    for (int i = 0; i < JOB_SLOTS; ++i) {
        if (!j->textures[i].name)
            continue;
        f->gl.BindTexture(GL_TEXTURE_2D, j->textures[i].name);
        random_sampling(f, r, 0);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, rng_int(r, 0, 9));
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, rng_int(r, 0, 9));
        for (GLenum c = 0; c < 4; ++c)
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R + c,
                                (GLint)CHOOSE(r, CHANNELS));
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
    }
    for (int i = 0; i < STATE_OBJECTS; ++i)
        random_sampling(f, r, o->samplers[i]);
}
