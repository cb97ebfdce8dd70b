// state_random.c - random legal values in all of the state that state_table.c reads
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "state_table.h"

#define QUERY_BUFFER 0x9192u

static const GLenum targets[12] = {GL_TEXTURE_1D,
                                   GL_TEXTURE_2D,
                                   GL_TEXTURE_3D,
                                   GL_TEXTURE_CUBE_MAP,
                                   GL_TEXTURE_1D_ARRAY,
                                   GL_TEXTURE_2D_ARRAY,
                                   GL_TEXTURE_RECTANGLE,
                                   GL_TEXTURE_BUFFER,
                                   GL_TEXTURE_CUBE_MAP_ARRAY,
                                   GL_TEXTURE_2D_MULTISAMPLE,
                                   GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
                                   0};

static GLuint compute_program(fixture *f, const char *body)
{
    const char *sources[] = {"#version 430 core\nlayout(local_size_x = 1) in;\n"
                             "layout(std430, binding = 0) buffer B { uint b[]; };\n",
                             body};
    GLuint shader = f->gl.CreateShader(GL_COMPUTE_SHADER), program = f->gl.CreateProgram();
    f->gl.ShaderSource(shader, 2, sources, NULL);
    f->gl.CompileShader(shader);
    f->gl.AttachShader(program, shader);
    f->gl.ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    f->gl.LinkProgram(program);
    f->gl.DeleteShader(shader);
    GLint linked = 0;
    f->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked);
    return program;
}

static void create_texture(fixture *f, GLenum target, GLuint name, GLuint buffer)
{
    f->gl.BindTexture(target, name);
    switch (target) {
    case GL_TEXTURE_1D: f->gl.TexStorage1D(target, 3, GL_RGBA8, 16); break;
    case GL_TEXTURE_3D:
    case GL_TEXTURE_2D_ARRAY: f->gl.TexStorage3D(target, 3, GL_RGBA8, 16, 16, 4); break;
    case GL_TEXTURE_CUBE_MAP_ARRAY: f->gl.TexStorage3D(target, 3, GL_RGBA8, 16, 16, 6); break;
    case GL_TEXTURE_RECTANGLE: f->gl.TexStorage2D(target, 1, GL_RGBA8, 16, 16); break;
    case GL_TEXTURE_BUFFER: f->gl.TexBuffer(target, GL_RGBA8, buffer); break;
    case GL_TEXTURE_2D_MULTISAMPLE:
        f->gl.TexStorage2DMultisample(target, 4, GL_RGBA8, 16, 16, GL_TRUE);
        break;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
        f->gl.TexStorage3DMultisample(target, 4, GL_RGBA8, 16, 16, 2, GL_TRUE);
        break;
    default: f->gl.TexStorage2D(target, 3, GL_RGBA8, 16, 16); break;
    }
    f->gl.BindTexture(target, 0);
}

state_objects state_objects_create(fixture *f)
{
    state_objects o = {0};
    f->gl.GenBuffers(STATE_OBJECTS, o.buffers);
    f->gl.GenSamplers(STATE_OBJECTS, o.samplers);
    f->gl.GenVertexArrays(STATE_OBJECTS, o.arrays);
    f->gl.GenFramebuffers(STATE_OBJECTS, o.framebuffers);
    f->gl.GenRenderbuffers(STATE_OBJECTS, o.renderbuffers);
    f->gl.GenProgramPipelines(STATE_OBJECTS, o.pipelines);
    f->gl.GenTransformFeedbacks(STATE_OBJECTS, o.feedbacks);
    f->gl.GenTextures(STATE_OBJECTS, o.images);
    f->gl.GenQueries(1, &o.query);
    for (int i = 0; i < STATE_OBJECTS; ++i) {
        f->gl.BindBuffer(GL_ARRAY_BUFFER, o.buffers[i]);
        f->gl.BufferData(GL_ARRAY_BUFFER, STATE_BUFFER_BYTES, NULL, GL_DYNAMIC_DRAW);
        f->gl.BindFramebuffer(GL_FRAMEBUFFER, o.framebuffers[i]);
        f->gl.FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 16);
        f->gl.FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 16);
        f->gl.BindRenderbuffer(GL_RENDERBUFFER, o.renderbuffers[i]);
        f->gl.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, o.feedbacks[i]);
        f->gl.BindVertexArray(o.arrays[i]);
        f->gl.BindProgramPipeline(o.pipelines[i]);
        f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, o.images[i]); // for image units
        f->gl.TexStorage3D(GL_TEXTURE_2D_ARRAY, 3, GL_RGBA32F, 16, 16, 4);
    }
    f->gl.BindBuffer(GL_ARRAY_BUFFER, 0);
    f->gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    f->gl.BindRenderbuffer(GL_RENDERBUFFER, 0);
    f->gl.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    f->gl.BindVertexArray(0);
    f->gl.BindProgramPipeline(0);
    f->gl.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
    for (int t = 0; targets[t]; ++t) {
        f->gl.GenTextures(2, o.textures[t]);
        for (int i = 0; i < 2; ++i)
            create_texture(f, targets[t], o.textures[t][i], o.buffers[i]);
    }
    o.programs[0] = compute_program(f, "void main() { b[0] = 1u; }\n");
    o.programs[1] = compute_program(f, "void main() { b[1] = 2u; }\n");
    return o;
}

void state_objects_destroy(fixture *f, state_objects *o)
{
    f->gl.UseProgram(0);
    f->gl.DeleteBuffers(STATE_OBJECTS, o->buffers);
    f->gl.DeleteSamplers(STATE_OBJECTS, o->samplers);
    f->gl.DeleteVertexArrays(STATE_OBJECTS, o->arrays);
    f->gl.DeleteFramebuffers(STATE_OBJECTS, o->framebuffers);
    f->gl.DeleteRenderbuffers(STATE_OBJECTS, o->renderbuffers);
    f->gl.DeleteProgramPipelines(STATE_OBJECTS, o->pipelines);
    f->gl.DeleteTransformFeedbacks(STATE_OBJECTS, o->feedbacks);
    f->gl.DeleteTextures(STATE_OBJECTS, o->images);
    f->gl.DeleteQueries(1, &o->query);
    for (int t = 0; targets[t]; ++t)
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
        for (int t = 0; targets[t]; ++t)
            f->gl.BindTexture(targets[t], pick(r, o->textures[t], 2));
        f->gl.BindSampler((GLuint)unit, pick(r, o->samplers, STATE_OBJECTS));
    }
    f->gl.ActiveTexture((GLenum)(GL_TEXTURE0 + rng_int(r, 0, STATE_UNITS - 1)));

    f->gl.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, pick(r, o->feedbacks, STATE_OBJECTS));
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

    GLuint array = pick(r, o->arrays, STATE_OBJECTS);
    f->gl.BindVertexArray(array);
    for (GLuint i = 0; array && i < 4; ++i) {
        f->gl.BindBuffer(GL_ARRAY_BUFFER, o->buffers[rng_int(r, 0, STATE_OBJECTS - 1)]);
        f->gl.VertexAttribPointer(i, rng_int(r, 1, 4), GL_FLOAT, coin(r), 16, NULL);
        (coin(r) ? f->gl.EnableVertexAttribArray : f->gl.DisableVertexAttribArray)(i);
    }
    if (array)
        f->gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, pick(r, o->buffers, STATE_OBJECTS));
    f->gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, pick(r, o->framebuffers, STATE_OBJECTS));
    f->gl.BindFramebuffer(GL_READ_FRAMEBUFFER, pick(r, o->framebuffers, STATE_OBJECTS));
    f->gl.BindRenderbuffer(GL_RENDERBUFFER, pick(r, o->renderbuffers, STATE_OBJECTS));
}

static void random_pixel_store(fixture *f, rng *r)
{
    static const GLenum sizes[] = {GL_PACK_ROW_LENGTH,     GL_PACK_IMAGE_HEIGHT,
                                   GL_PACK_SKIP_ROWS,      GL_PACK_SKIP_PIXELS,
                                   GL_PACK_SKIP_IMAGES,    GL_UNPACK_ROW_LENGTH,
                                   GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_ROWS,
                                   GL_UNPACK_SKIP_PIXELS,  GL_UNPACK_SKIP_IMAGES};
    static const GLenum blocks[] = {
        GL_PACK_COMPRESSED_BLOCK_WIDTH,   GL_PACK_COMPRESSED_BLOCK_HEIGHT,
        GL_PACK_COMPRESSED_BLOCK_DEPTH,   GL_PACK_COMPRESSED_BLOCK_SIZE,
        GL_UNPACK_COMPRESSED_BLOCK_WIDTH, GL_UNPACK_COMPRESSED_BLOCK_HEIGHT,
        GL_UNPACK_COMPRESSED_BLOCK_DEPTH, GL_UNPACK_COMPRESSED_BLOCK_SIZE};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        f->gl.PixelStorei(sizes[i], rng_int(r, 0, 77));
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
        f->gl.PixelStorei(blocks[i], 4 * rng_int(r, 0, 4));
    f->gl.PixelStorei(GL_PACK_SWAP_BYTES, coin(r));
    f->gl.PixelStorei(GL_PACK_LSB_FIRST, coin(r));
    f->gl.PixelStorei(GL_UNPACK_SWAP_BYTES, coin(r));
    f->gl.PixelStorei(GL_UNPACK_LSB_FIRST, coin(r));
    f->gl.PixelStorei(GL_PACK_ALIGNMENT, 1 << rng_int(r, 0, 3));
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1 << rng_int(r, 0, 3));
}

static void random_enables(fixture *f, rng *r)
{
    static const GLenum names[] = {GL_COLOR_LOGIC_OP,
                                   GL_CULL_FACE,
                                   GL_DEPTH_CLAMP,
                                   GL_DEPTH_TEST,
                                   GL_DITHER,
                                   GL_FRAMEBUFFER_SRGB,
                                   GL_LINE_SMOOTH,
                                   GL_MULTISAMPLE,
                                   GL_POLYGON_OFFSET_FILL,
                                   GL_POLYGON_OFFSET_LINE,
                                   GL_POLYGON_OFFSET_POINT,
                                   GL_POLYGON_SMOOTH,
                                   GL_PRIMITIVE_RESTART,
                                   GL_PRIMITIVE_RESTART_FIXED_INDEX,
                                   GL_PROGRAM_POINT_SIZE,
                                   GL_RASTERIZER_DISCARD,
                                   GL_SAMPLE_ALPHA_TO_COVERAGE,
                                   GL_SAMPLE_ALPHA_TO_ONE,
                                   GL_SAMPLE_COVERAGE,
                                   GL_SAMPLE_MASK,
                                   GL_SAMPLE_SHADING,
                                   GL_STENCIL_TEST,
                                   GL_TEXTURE_CUBE_MAP_SEAMLESS};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        (coin(r) ? f->gl.Enable : f->gl.Disable)(names[i]);
    for (GLenum i = 0; i < 8; ++i) {
        (coin(r) ? f->gl.Enablei : f->gl.Disablei)(GL_BLEND, i);
        (coin(r) ? f->gl.Enable : f->gl.Disable)(GL_CLIP_DISTANCE0 + i);
    }
    for (GLenum i = 0; i < 16; ++i)
        (coin(r) ? f->gl.Enablei : f->gl.Disablei)(GL_SCISSOR_TEST, i);
}

static GLfloat unit(rng *r)
{
    return (GLfloat)rng_uniform(r, 0, 1);
}

#define FACTORS GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_DST_ALPHA, GL_CONSTANT_COLOR
#define EQUATIONS GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX
#define COMPARES GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_ALWAYS
#define STENCILS GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR_WRAP, GL_INVERT
#define HINTS GL_DONT_CARE, GL_FASTEST, GL_NICEST

static void random_output(fixture *f, rng *r) // blending, depth, stencil
{
    for (GLuint i = 0; i < 8; ++i) {
        f->gl.BlendFuncSeparatei(i, CHOOSE(r, FACTORS), CHOOSE(r, FACTORS), CHOOSE(r, FACTORS),
                                 CHOOSE(r, FACTORS));
        f->gl.BlendEquationSeparatei(i, CHOOSE(r, EQUATIONS), CHOOSE(r, EQUATIONS));
        f->gl.ColorMaski(i, coin(r), coin(r), coin(r), coin(r));
    }
    f->gl.BlendColor(unit(r), unit(r), unit(r), unit(r));
    f->gl.ClearColor(unit(r), unit(r), unit(r), unit(r));
    f->gl.ClearDepth(unit(r));
    f->gl.ClearStencil(rng_int(r, 0, 255));
    f->gl.DepthFunc(CHOOSE(r, COMPARES));
    f->gl.DepthMask(coin(r));
    for (GLuint i = 0; i < 16; ++i)
        f->gl.DepthRangeIndexed(i, unit(r), unit(r));
    for (int face = 0; face < 2; ++face) {
        GLenum side = face ? GL_BACK : GL_FRONT;
        f->gl.StencilFuncSeparate(side, CHOOSE(r, COMPARES), rng_int(r, 0, 255),
                                  (GLuint)rng_int(r, 0, 255));
        f->gl.StencilOpSeparate(side, CHOOSE(r, STENCILS), CHOOSE(r, STENCILS),
                                CHOOSE(r, STENCILS));
        f->gl.StencilMaskSeparate(side, (GLuint)rng_int(r, 0, 255));
    }
}

void state_random_raster(fixture *f, const state_objects *o, rng *r)
{
    (void)o;
    random_pixel_store(f, r);
    random_enables(f, r);
    random_output(f, r);
    for (GLuint i = 0; i < 16; ++i) {
        f->gl.ViewportIndexedf(i, unit(r) * 100, unit(r) * 100, unit(r) * 500, unit(r) * 500);
        f->gl.ScissorIndexed(i, rng_int(r, 0, 99), rng_int(r, 0, 99), rng_int(r, 0, 99),
                             rng_int(r, 0, 99));
    }
    f->gl.CullFace(CHOOSE(r, GL_FRONT, GL_BACK, GL_FRONT_AND_BACK));
    f->gl.FrontFace(CHOOSE(r, GL_CW, GL_CCW));
    f->gl.PolygonMode(GL_FRONT_AND_BACK, CHOOSE(r, GL_POINT, GL_LINE, GL_FILL));
    f->gl.PolygonOffset(unit(r), unit(r));
    f->gl.LineWidth(1);
    f->gl.PointSize(1 + unit(r));
    f->gl.PointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, unit(r));
    f->gl.PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN,
                          (GLint)CHOOSE(r, GL_LOWER_LEFT, GL_UPPER_LEFT));
    f->gl.ProvokingVertex(CHOOSE(r, GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION));
    f->gl.PrimitiveRestartIndex((GLuint)rng_int(r, 0, 65535));
    f->gl.LogicOp(CHOOSE(r, GL_CLEAR, GL_XOR, GL_COPY, GL_NAND));
    f->gl.SampleCoverage(unit(r), coin(r));
    f->gl.SampleMaski(0, (GLbitfield)rng_int(r, 0, 65535));
    f->gl.MinSampleShading(unit(r));
    f->gl.Hint(GL_LINE_SMOOTH_HINT, CHOOSE(r, HINTS));
    f->gl.Hint(GL_POLYGON_SMOOTH_HINT, CHOOSE(r, HINTS));
    f->gl.Hint(GL_TEXTURE_COMPRESSION_HINT, CHOOSE(r, HINTS));
    f->gl.Hint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, CHOOSE(r, HINTS));
    f->gl.ClampColor(GL_CLAMP_READ_COLOR, CHOOSE(r, GL_TRUE, GL_FALSE, GL_FIXED_ONLY));
    f->gl.PatchParameteri(GL_PATCH_VERTICES, rng_int(r, 1, 8));
    const GLfloat levels[4] = {unit(r), unit(r), unit(r), unit(r)};
    f->gl.PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
    f->gl.PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
}

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
