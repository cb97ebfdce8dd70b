// downsample_document.c - the document's table, remade: what the CPU and the GPU do in a first
// frame and in later ones
// SPDX-License-Identifier: MIT
//
// The document (docs/downsample.md) times 2048 x 2048 texels: glGenerateMipmap, framebuffers level
// by level, a chain of blits (by Vulkan there), and an average to 64 x 64 by compute. Here all of
// them on one GPU, with what it left together taken apart: objects made, commands recorded,
// commands handed over; only 64 x 64, and full chains; in the first frame of fresh objects, the
// second, and the median of later ones. The source changes in every frame and the result of every
// frame is read back and compared with its own exact mean: work that is skipped would show.
#include "cli/report.h"
#include "down_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 22, PICTURES = 2, LEVELS = 5 };

typedef struct frame_times { // microseconds
    double create, record, submit, gpu;
} frame_times;

typedef struct table_way {
    const char *name;
    bool chain; // to 1 x 1; else to 1/32 alone
    bool anew;  // objects are made in every frame, as the document does
    int way;    // down_way, or -1: an effect
    const char *effect, *settings;
} table_way;

static const table_way ways[] = {
    {"glGenerateMipmap, to 1/32", false, false, DOWN_GENERATE, NULL, NULL},
    {"framebuffers, made each time", false, true, DOWN_PROGRESSIVE, NULL, NULL},
    {"framebuffers, made once", false, false, DOWN_PROGRESSIVE, NULL, NULL},
    {"blits", false, false, DOWN_BLITS, NULL, NULL},
    {"fragment loop, 32 x 32", false, false, DOWN_LOOP, NULL, NULL},
    {"register_columns", false, false, -1, "register_columns", NULL},
    {"downsample", false, false, -1, "downsample", NULL},
    {"glGenerateMipmap", true, false, DOWN_GENERATE, NULL, NULL},
    {"framebuffers, made each time", true, true, DOWN_PROGRESSIVE, NULL, NULL},
    {"framebuffers, made once", true, false, DOWN_PROGRESSIVE, NULL, NULL},
    {"blits", true, false, DOWN_BLITS, NULL, NULL},
    {"mipchain", true, false, -1, "mipchain", NULL},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct table {
    bench *owner;
    bench_size size;
    GLenum format;
    GLuint pictures[PICTURES], source, queries[2];
    double *exact[PICTURES]; // at 1/32
    down_ways drawn;
    pass pass;
} table;

static int create(table *self, const table_way *w)
{
    if (w->way >= 0) {
        down_ways_create(&self->drawn, (down_way)w->way);
        return STATUS_OK;
    }
    const pass_slot source = {w->chain ? "texture" : "src", self->format, .texture = self->source};
    bool ladder = strcmp(w->effect, "register_columns") == 0;
    const pass_slot to = {ladder ? "dst" : "dst0", self->format, self->size.width >> LEVELS,
                          .height = self->size.height >> LEVELS};
    const pass_case desc = {.effect = w->effect,
                            .ladder = ladder,
                            .settings = w->settings,
                            .width = self->size.width,
                            .height = self->size.height,
                            .slots = {source, w->chain ? (pass_slot){NULL} : to}};
    return pass_open(self->owner, &desc, 1, &self->pass);
}

static void destroy(table *self, const table_way *w)
{
    if (w->way >= 0)
        down_ways_destroy(&self->drawn);
    else
        pass_close(&self->pass);
}

static int record(table *self, const table_way *w)
{
    if (w->way >= 0) {
        down_ways_record(&self->drawn, (down_way)w->way, self->source);
        return STATUS_OK;
    }
    return pass_record(&self->pass, 0) ? STATUS_OK
                                       : fail(STATUS_FAILED, "%s: execute failed", w->name);
}

// The 1/32 of this frame's picture, and not of the one before.
static int check(const table *self, const table_way *w, int which)
{
    int level = 0, width = self->size.width >> LEVELS, height = self->size.height >> LEVELS;
    GLuint result = self->source;
    if (w->way == DOWN_PROGRESSIVE)
        result = self->drawn.textures[LEVELS - 1];
    else if (w->way == DOWN_LOOP)
        result = self->drawn.textures[0];
    else if (w->way < 0 && !w->chain)
        result = self->pass.sets[0].slots[self->pass.result].name;
    else
        level = LEVELS;
    accuracy mine =
        down_compare(&self->owner->gpu.gl, result, level, width, height, self->exact[which], 1);
    accuracy other =
        down_compare(&self->owner->gpu.gl, result, level, width, height, self->exact[1 - which], 1);
    bool right = mine.snr_db > 30 && mine.snr_db > other.snr_db + 3;
    return right ? STATUS_OK
                 : fail(STATUS_FAILED,
                        "%s: a frame's result is %.1f dB from its mean, %.1f from another's",
                        w->name, mine.snr_db, other.snr_db);
}

// A frame. What came before is done when it begins; the GPU is then kept busy, so that the stamps
// time its work alone.
static int one_frame(table *self, const table_way *w, int number, frame_times *out)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    gpu_timer *timer = &self->owner->timer;
    int which = number % PICTURES, status = STATUS_OK;
    gl->CopyImageSubData(self->pictures[which], GL_TEXTURE_2D, 0, 0, 0, 0, self->source,
                         GL_TEXTURE_2D, 0, 0, 0, 0, self->size.width, self->size.height, 1);
    gl->Finish();
    double begin = bench_now_us();
    if (number == 0 || w->anew)
        status = create(self, w);
    double created = bench_now_us();
    gpu_timer_busy(timer);
    gl->QueryCounter(self->queries[0], GL_TIMESTAMP);
    double start = bench_now_us();
    if (status == STATUS_OK)
        status = record(self, w);
    double recorded = bench_now_us();
    gl->QueryCounter(self->queries[1], GL_TIMESTAMP);
    double stamped = bench_now_us();
    gl->Flush();
    double submitted = bench_now_us();
    gl->Finish();
    GLuint64 stamps[2] = {0};
    for (int i = 0; i < 2; i++)
        gl->GetQueryObjectui64v(self->queries[i], GL_QUERY_RESULT, &stamps[i]);
    *out = (frame_times){created - begin, recorded - start, submitted - stamped,
                         (double)(stamps[1] - stamps[0]) * 1e-3};
    if (status == STATUS_OK)
        status = check(self, w, which);
    if (w->anew)
        destroy(self, w);
    bench_frame(self->owner);
    return status;
}

// Of the frames from the third on.
static double median(const frame_times *frames, size_t member)
{
    double values[FRAMES];
    for (int i = 2; i < FRAMES; i++)
        memcpy(&values[i - 2], (const char *)&frames[i] + member, sizeof *values);
    return bench_median(values, FRAMES - 2);
}

// What a way moves: reads and writes of its own plan.
static double megabytes(const table *self, const table_way *w)
{
    double texels = (double)self->size.width * self->size.height, read = texels, wrote = 0;
    int levels = w->chain ? DOWN_MAX_LEVELS : LEVELS;
    bool steps = w->way == DOWN_GENERATE || w->way == DOWN_PROGRESSIVE || w->way == DOWN_BLITS;
    for (int i = 1; i <= levels; i++) {
        double level = texels / pow(4, i);
        if (level < 1)
            break;
        wrote += steps || w->chain || i == levels ? level : 0;
        read += steps && i < levels ? level : 0;
    }
    return (read + wrote) * (self->format == GL_RGBA8 ? 4 : 8) * 1e-6;
}

static int time_way(table *self, const table_way *w)
{
    frame_times frames[FRAMES];
    char error[512] = "";
    int levels = LEVELS, status = STATUS_OK;
    for (; w->chain && (self->size.width >> levels > 1 || self->size.height >> levels > 1);)
        levels++;
    if (w->way >= 0 &&
        !down_ways_open(&self->owner->gpu.gl, self->format, self->size.width, self->size.height,
                        levels, &self->drawn, error, sizeof error))
        return fail(STATUS_FAILED, "%s: %s", w->name, error);
    for (int i = 0; i < FRAMES && status == STATUS_OK; i++)
        status = one_frame(self, w, i, &frames[i]);
    destroy(self, w);
    if (w->way >= 0)
        down_ways_close(&self->drawn);
    if (status != STATUS_OK)
        return status;
    frame_times steady = {median(frames, offsetof(frame_times, create)),
                          median(frames, offsetof(frame_times, record)),
                          median(frames, offsetof(frame_times, submit)),
                          median(frames, offsetof(frame_times, gpu))};
    const frame_times *rows[] = {&frames[0], &frames[1], &steady};
    static const char *const names[] = {"first", "second", "later"};
    for (int i = 0; i < 3; i++)
        printf("%-11s %-30s %-7s %8.1f %10.1f %9.1f %9.1f %9.1f\n",
               i          ? ""
               : w->chain ? "full chain"
                          : "only 1/32",
               i ? "" : w->name, names[i], megabytes(self, w), rows[i]->create, rows[i]->record,
               rows[i]->submit, rows[i]->gpu);
    fflush(stdout);
    return STATUS_OK;
}

static int open_table(table *self)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    gl->GenQueries(2, self->queries);
    for (int i = 0; i < PICTURES; i++) {
        picture p = picture_scene(self->size.width, self->size.height);
        for (size_t k = 0; p.texels && k < 4 * (size_t)p.width * (size_t)p.height; k++) {
            float v = p.texels[k] < 1
                          ? p.texels[k]
                          : 1; // of 8-bit textures; the second frame's is another picture
            p.texels[k] = i ? 1 - 0.75f * v : v;
        }
        self->pictures[i] = p.texels ? picture_texture(gl, self->format, p.width, p.height, &p) : 0;
        if (!self->source && p.texels)
            self->source = down_chain(gl, self->format, &p);
        self->exact[i] = p.texels ? down_exact(&p, p.width >> LEVELS, p.height >> LEVELS) : NULL;
        picture_free(&p);
        if (!self->pictures[i] || !self->source || !self->exact[i])
            return fail_memory();
    }
    return STATUS_OK;
}

static void close_table(table *self)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    gl->DeleteQueries(2, self->queries);
    gl->DeleteTextures(PICTURES, self->pictures);
    gl->DeleteTextures(1, &self->source);
    for (int i = 0; i < PICTURES; i++)
        free(self->exact[i]);
}

int down_document(bench *owner)
{
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA16F};
    int size = owner->report.names.software ? 256 : 2048, status = STATUS_OK;
    for (int k = 0; k < (owner->smallest ? 1 : 2) && status == STATUS_OK; k++) {
        table self = {.owner = owner, .size = {size, size}, .format = formats[k]};
        printf(
            "\nthe document's table, %dx%d %s; us. create: objects and, by effects, programs; record: the calls; submit: "
            "glFlush\n"
            "%-11s %-30s %-7s %8s %10s %9s %9s %9s\n",
            size, size, k ? "RGBA16F" : "RGBA8", "result", "way", "frame", "MB", "create", "record",
            "submit", "GPU");
        status = open_table(&self);
        for (int i = 0; i < WAYS && status == STATUS_OK; i++)
            status = time_way(&self, &ways[i]);
        close_table(&self);
    }
    if (status == STATUS_OK)
        puts(
            "every frame's result was read back and was the mean of that frame's own picture\n"
            "Ways that draw are slow on GPUs made for computing: an H200 draws some 30 times slower than it computes.\n");
    return status;
}
