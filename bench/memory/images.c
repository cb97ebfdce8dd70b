// images.c - textures: by which way, and by groups of which shape, they are read and written
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, FILL_THREADS = 256, FETCH = 1, GATHER = 2, BUFFER = 3, WAYS = 4 };

typedef struct texture_format {
    const char *name, *glsl;
    GLenum format;
    int bytes, unorm;
    const char *word, *fold; // a texel in a buffer, and its four codes from that
    bool quick;
} texture_format;

static const texture_format formats[] = {
    {"RGBA8", "rgba8", GL_RGBA8, 4, 1, "uint", "texel", false},
    {"RGBA16F", "rgba16f", GL_RGBA16F, 8, 0, "uvec2",
     "word_of(vec4(unpackHalf2x16(texel.x), unpackHalf2x16(texel.y)))", true},
    {"RGBA32F", "rgba32f", GL_RGBA32F, 16, 0, "uvec4", "word_of(uintBitsToFloat(texel))", false},
};

static const struct {
    const char *name;
    GLuint width, height;
} shapes[] = {{"row 64x1", 64, 1}, {"tile 8x8", 8, 8}, {"column 1x64", 1, 64}};
enum { SHAPES = sizeof shapes / sizeof *shapes, TILE = 1 };

static const char *const way_names[WAYS] = {"imageLoad", "texelFetch", "gather", "buffer"};

typedef struct source { // a texture with the same bytes in every format
    const texture_format *format;
    GLuint texture, buffer;
    GLuint width, height;
} source;

// image_read.comp again. Threads are numbered by their block, row by row.
typedef struct reading {
    const source *source;
    int way;
    GLuint group_width, group_height;
} reading;

static uint32_t texels_of(const void *user, uint32_t id)
{
    const reading *it = user;
    uint32_t width = it->source->width, columns = width / 2;
    uint32_t bx = id % columns, by = id / columns;
    uint32_t gx = bx / it->group_width, gy = by / it->group_height;
    uint32_t x = gx * it->group_width * 2 + bx % it->group_width, dx = it->group_width;
    uint32_t y = gy * it->group_height * 2 + by % it->group_height, dy = it->group_height;
    if (it->way == GATHER)
        x = 2 * bx, y = 2 * by, dx = dy = 1;
    return memory_value(y * width + x) + memory_value(y * width + x + dx) +
           memory_value((y + dy) * width + x) + memory_value((y + dy) * width + x + dx);
}

// ---- the texture -------------------------------------------------------------------------------

static void fill_image(memory_bench *self, const source *s, GLuint program, GLuint only_even)
{
    const memory_work fill = {.program = program,
                              .groups = (uint64_t)s->width * s->height / FILL_THREADS,
                              .p = {s->width, s->height},
                              .q = {only_even},
                              .image = s->texture,
                              .format = s->format->format,
                              .writes_image = true};
    memory_record(self, &fill, 1);
}

static GLuint make_texture(const memory_bench *self, GLenum format, GLuint width, GLuint height)
{
    const GladGLContext *gl = self->gl;
    GLuint name = 0;
    while (gl->GetError() != GL_NO_ERROR)
        ; // only ours counts below
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, format, (GLsizei)width, (GLsizei)height);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    if (gl->GetError() == GL_NO_ERROR)
        return name;
    gl->DeleteTextures(1, &name);
    fail(STATUS_FAILED, "GL has no memory for a texture of %ux%u", (unsigned)width,
         (unsigned)height);
    return 0;
}

// The texture's texels row by row, for the reads of a buffer: GL packs them on the GPU.
static int make_source(memory_bench *self, const texture_format *format, GLuint program,
                       source *out)
{
    const GladGLContext *gl = self->gl;
    uint64_t texels = self->bytes / (uint64_t)format->bytes;
    *out = (source){.format = format, .width = 1, .height = 1};
    while ((uint64_t)out->width * out->height < texels)
        *(out->width > out->height ? &out->height : &out->width) *= 2;
    out->texture = make_texture(self, format->format, out->width, out->height);
    out->buffer = memory_buffer(self, self->bytes, NULL);
    if (!out->texture || !out->buffer)
        return STATUS_FAILED;
    fill_image(self, out, program, 0);
    gl->MemoryBarrier(GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, out->buffer);
    gl->BindTexture(GL_TEXTURE_2D, out->texture);
    gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA,
                    format->bytes == 4   ? GL_UNSIGNED_BYTE
                    : format->bytes == 8 ? GL_HALF_FLOAT
                                         : GL_FLOAT,
                    NULL);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return STATUS_OK;
}

// ---- reads -------------------------------------------------------------------------------------

static int measure_read(memory_bench *self, const source *s, GLuint program, int way, int shape)
{
    const reading it = {s, way, shapes[shape].width, shapes[shape].height};
    GLuint threads = s->width / 2 * (s->height / 2), columns = s->width / 2 / it.group_width;
    char series[32];
    snprintf(series, sizeof series, "%s %s", s->format->name, way_names[way]);
    const memory_work work = {.program = program,
                              .groups = threads / THREADS,
                              .columns = columns,
                              .p = {s->width / 2, s->height / 2, it.group_width, it.group_height},
                              .buffers = {way == BUFFER ? s->buffer : 0},
                              .image = way == 0 ? s->texture : 0,
                              .texture = way == FETCH || way == GATHER ? s->texture : 0,
                              .format = s->format->format};
    const memory_right right = {.expected = texels_of, .user = &it, .threads = threads};
    return memory_measure(
        self, memory_head("image", series, (double)NAN, "GB/s", "%s", shapes[shape].name), &work,
        &right, (double)self->bytes);
}

static int measure_reads(memory_bench *self, const source *s)
{
    const texture_format *f = s->format;
    int status = STATUS_OK;
    for (int way = 0; way < WAYS && status == STATUS_OK; way++) {
        if (self->quick && way != FETCH)
            continue;
        GLuint program = memory_program(
            self, "image_read.comp",
            "#define THREADS %d\n#define FORMAT %s\n#define UNORM %d\n#define WAY %d\n"
            "#define TYPE %s\n#define FOLD %s\n",
            THREADS, f->glsl, f->unorm, way, f->word, f->fold);
        status = program ? STATUS_OK : STATUS_FAILED;
        for (int shape = 0; shape < SHAPES && status == STATUS_OK; shape++)
            status = measure_read(self, s, program, way, shape);
        self->gl->DeleteProgram(program);
    }
    return status;
}

// ---- stores ------------------------------------------------------------------------------------

// Codes, as a CPU that knows nothing of the source would find them: what was skipped is what was
// there.
static int check_store(memory_bench *self, const source *s, bool only_even, long long *checked)
{
    const GladGLContext *gl = self->gl;
    uint32_t count = s->width * s->height;
    float *texels = malloc((size_t)count * 4 * sizeof *texels);
    if (!texels)
        return fail_memory();
    gl->BindTexture(GL_TEXTURE_2D, s->texture);
    gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    int status = STATUS_OK;
    for (uint32_t i = 0; i < count && status == STATUS_OK; i += 1 + count / 20011, ++*checked) {
        bool kept = !only_even || (i % s->width + i / s->width) % 2 == 0;
        for (int c = 0; c < 4; c++) {
            double scale = s->format->unorm ? 255 : 1,
                   got = texels[4 * (size_t)i + (size_t)c] * scale;
            double right = kept ? memory_value(i) >> (8 * c) & 255 : 0;
            if (fabs(got - right) > 0.01)
                status = fail(STATUS_FAILED, "texel %u of %s holds %g; %g is right", (unsigned)i,
                              s->format->name, got, right);
        }
    }
    free(texels);
    return status;
}

// Clears by what no texel of the source is, for the skipped ones: 0.
static void clear(memory_bench *self, const source *s)
{
    const GladGLContext *gl = self->gl;
    GLuint framebuffer = 0;
    const GLfloat zero[4] = {0};
    gl->GenFramebuffers(1, &framebuffer);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s->texture,
                             0);
    gl->ClearBufferfv(GL_COLOR, 0, zero);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->DeleteFramebuffers(1, &framebuffer);
    gl->MemoryBarrier(GL_ALL_BARRIER_BITS);
}

static int measure_stores(memory_bench *self, const source *s, GLuint program)
{
    static const char *const names[] = {"store all", "store every other texel"};
    int status = STATUS_OK;
    for (GLuint even = 0; even < 2 && status == STATUS_OK; even++) {
        memory_result head = memory_head("image", s->format->name, (double)NAN, "GB/s of footprint",
                                         "%s", names[even]);
        const memory_work work = {.program = program,
                                  .groups = (uint64_t)s->width * s->height / FILL_THREADS,
                                  .p = {s->width, s->height},
                                  .q = {even},
                                  .image = s->texture,
                                  .format = s->format->format,
                                  .writes_image = true};
        clear(self, s);
        fill_image(self, s, program, even);
        self->gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
        status = check_store(self, s, even, &head.checked);
        if (status == STATUS_OK)
            status = memory_measure(self, head, &work, NULL, (double)self->bytes);
    }
    return status;
}

int memory_images(memory_bench *self)
{
    const GladGLContext *gl = self->gl;
    int status = STATUS_OK;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && status == STATUS_OK; i++) {
        source s = {0};
        if (self->quick && !formats[i].quick)
            continue;
        GLuint program = memory_program(self, "image_fill.comp",
                                        "#define THREADS %d\n#define FORMAT %s\n#define UNORM %d\n",
                                        FILL_THREADS, formats[i].glsl, formats[i].unorm);
        status = program ? make_source(self, &formats[i], program, &s) : STATUS_FAILED;
        if (status == STATUS_OK)
            status = measure_reads(self, &s);
        if (status == STATUS_OK && !self->quick)
            status = measure_stores(self, &s, program);
        gl->DeleteTextures(1, &s.texture);
        gl->DeleteBuffers(1, &s.buffer);
        gl->DeleteProgram(program);
    }
    return status;
}
