// images.c - textures: by which way, and by groups of which shape, they are read and written
// SPDX-License-Identifier: MIT
#include "memory.h"

#include <math.h>
#include <stdio.h>

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

static const char *const way_names[WAYS] = {"imageLoad", "texelFetch", "gather", "buffer"};

typedef struct source { // a texture with the same bytes in every format
    const texture_format *format;
    GLuint texture, buffer;
    GLuint width, height;
    char defines[256];
} source;

// image_read.comp again. Threads are numbered by their block, row by row. p: of groups, in blocks.
static uint32_t texels_of(const memory_work *work, uint32_t id)
{
    uint32_t columns = work->p[0], width = 2 * columns, w = work->p[2], h = work->p[3];
    uint32_t bx = id % columns, by = id / columns, gx = bx / w, gy = by / h;
    uint32_t x = gx * w * 2 + bx % w, dx = w, y = gy * h * 2 + by % h, dy = h;
    if (work->way == GATHER)
        x = 2 * bx, y = 2 * by, dx = dy = 1;
    return memory_value(y * width + x) + memory_value(y * width + x + dx) +
           memory_value((y + dy) * width + x) + memory_value((y + dy) * width + x + dx);
}

// ---- the texture -------------------------------------------------------------------------------

static memory_work filling(const source *s, GLuint only_even)
{
    return (memory_work){.shader = "image_fill.comp",
                         .threads = FILL_THREADS,
                         .defines = s->defines,
                         .groups = (uint64_t)s->width * s->height / FILL_THREADS,
                         .p = {s->width, s->height},
                         .q = {only_even},
                         .image = s->texture,
                         .format = s->format->format,
                         .writes_image = true};
}

static void fill_image(memory_bench *self, const source *s, GLuint only_even)
{
    memory_work fill = filling(s, only_even);
    fill.program = memory_program(self, &fill);
    memory_record(self, &fill, 1);
}

// The texture's texels row by row, for the reads of a buffer: GL packs them on the GPU.
static void make_source(memory_bench *self, const texture_format *format, source *out)
{
    const GladGLContext *gl = self->gl;
    uint64_t texels = self->bytes / (uint64_t)format->bytes;
    *out = (source){.format = format, .width = 1, .height = 1};
    while ((uint64_t)out->width * out->height < texels)
        *(out->width > out->height ? &out->height : &out->width) *= 2;
    snprintf(out->defines, sizeof out->defines,
             "#define FORMAT %s\n#define UNORM %d\n#define TYPE %s\n#define FOLD %s\n",
             format->glsl, format->unorm, format->word, format->fold);
    out->texture = picture_texture(gl, format->format, (int)out->width, (int)out->height, NULL);
    out->buffer = memory_buffer(self, self->bytes, NULL);
    fill_image(self, out, 0);
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
}

// ---- reads -------------------------------------------------------------------------------------

static void measure_reads(memory_bench *self, const source *s)
{
    for (int way = 0; way < WAYS; way++)
        for (int shape = 0; shape < COUNT(shapes); shape++) {
            const GLuint width = shapes[shape].width, threads = s->width / 2 * (s->height / 2);
            char series[32];
            if (self->quick && way != FETCH)
                continue;
            snprintf(series, sizeof series, "%s %s", s->format->name, way_names[way]);
            const memory_work work = {.shader = "image_read.comp",
                                      .threads = THREADS,
                                      .way = way,
                                      .defines = s->defines,
                                      .groups = threads / THREADS,
                                      .columns = s->width / 2 / width,
                                      .p = {s->width / 2, s->height / 2, width,
                                            shapes[shape].height},
                                      .buffers = {way == BUFFER ? s->buffer : 0},
                                      .image = way == 0 ? s->texture : 0,
                                      .texture = way == FETCH || way == GATHER ? s->texture : 0,
                                      .format = s->format->format,
                                      .expected = texels_of,
                                      .results = threads};
            memory_measure(
                self, memory_head("image", series, (double)NAN, "GB/s", "%s", shapes[shape].name),
                &work, (double)self->bytes);
        }
}

// ---- stores ------------------------------------------------------------------------------------

// Codes, as a CPU that knows nothing of the source would find them: what was skipped is what was
// there. Returns how many texels.
static long long check_store(memory_bench *self, const source *s, bool only_even)
{
    const uint32_t count = s->width * s->height;
    const double scale = s->format->unorm ? 255 : 1;
    picture got = picture_read(self->gl, s->texture, 0, (int)s->width, (int)s->height);
    long long checked = 0;
    for (uint32_t i = 0; i < count; i += 1 + count / 20011, ++checked) {
        bool kept = !only_even || (i % s->width + i / s->width) % 2 == 0;
        for (int c = 0; c < 4; c++) {
            double code = got.texels[4 * (size_t)i + (size_t)c] * scale;
            double right = kept ? memory_value(i) >> (8 * c) & 255 : 0;
            must(fabs(code - right) <= 0.01, "texel %u of %s holds %g; %g is right", (unsigned)i,
                 s->format->name, code, right);
        }
    }
    picture_free(&got);
    return checked;
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

static void measure_stores(memory_bench *self, const source *s)
{
    static const char *const names[] = {"store all", "store every other texel"};
    for (GLuint even = 0; even < 2; even++) {
        memory_result head = memory_head("image", s->format->name, (double)NAN, "GB/s of footprint",
                                         "%s", names[even]);
        const memory_work work = filling(s, even);
        clear(self, s);
        fill_image(self, s, even);
        head.checked = check_store(self, s, even);
        memory_measure(self, head, &work, (double)self->bytes);
    }
}

void memory_images(memory_bench *self)
{
    for (int i = 0; i < COUNT(formats); i++) {
        source s;
        if (self->quick && !formats[i].quick)
            continue;
        make_source(self, &formats[i], &s);
        measure_reads(self, &s);
        if (!self->quick)
            measure_stores(self, &s);
        self->gl->DeleteTextures(1, &s.texture);
        self->gl->DeleteBuffers(1, &s.buffer);
    }
}
