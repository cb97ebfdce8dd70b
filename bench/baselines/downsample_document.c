// downsample_document.c - the document's table, remade: what the CPU and the GPU do in a first
// frame and in later ones
// SPDX-License-Identifier: MIT
//
// The document (docs/ladder.md) times 2048 x 2048 texels: glGenerateMipmap, framebuffers level by
// level, a chain of blits (by Vulkan there), and an average to 64 x 64 by compute. Here all of them
// on one GPU, with what it left together taken apart: objects made, commands recorded, commands
// handed over; only 64 x 64, and full chains; in the first frame of fresh objects, the second, and
// the median of later ones. The source changes in every frame and the result of every frame is read
// back and compared with its own exact mean: work that is skipped would show.
#include "down_ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 22, PICTURES = 2, LEVELS = 5, EFFECT = -1 };

typedef enum part { CREATE, RECORD, SUBMIT, GPU, PARTS } part; // of a frame's time, microseconds

typedef struct table_way {
    const char *name;
    bool chain; // to 1 x 1; else to 1/32 alone
    bool anew;  // objects are made in every frame, as the document does
    int way;    // down_way, or EFFECT, which has the name
} table_way;

static const table_way ways[] = {
    {"glGenerateMipmap, to 1/32", false, false, DOWN_GENERATE},
    {"framebuffers, made each time", false, true, DOWN_PROGRESSIVE},
    {"framebuffers, made once", false, false, DOWN_PROGRESSIVE},
    {"blits", false, false, DOWN_BLITS},
    {"fragment loop, 32 x 32", false, false, DOWN_LOOP},
    {"register_columns", false, false, EFFECT},
    {"downsample", false, false, EFFECT},
    {"glGenerateMipmap", true, false, DOWN_GENERATE},
    {"framebuffers, made each time", true, true, DOWN_PROGRESSIVE},
    {"framebuffers, made once", true, false, DOWN_PROGRESSIVE},
    {"blits", true, false, DOWN_BLITS},
    {"mipchain", true, false, EFFECT},
};

typedef struct table {
    bench *owner;
    int size; // of both sides
    GLenum format;
    GLuint pictures[PICTURES], queries[2];
    double *exact[PICTURES]; // at 1/32
    down_ways drawn;         // its first source is that of effects, too
    pass pass;
} table;

static void create(table *self, const table_way *w)
{
    if (w->way != EFFECT) {
        down_ways_create(&self->drawn);
        return;
    }
    bool ladder = w->name[0] == 'r';
    const pass_slot source = {w->chain ? "texture" : "src", self->format,
                              .texture = self->drawn.base.sources[0]};
    const pass_slot to = {ladder ? "dst" : "dst0", self->format, self->size >> LEVELS,
                          .height = self->size >> LEVELS};
    const pass_case desc = {.effect = w->name,
                            .ladder = ladder,
                            .width = self->size,
                            .height = self->size,
                            .slots = {source, w->chain ? (pass_slot){NULL} : to}};
    pass_open(self->owner, &desc, 1, &self->pass);
}

static void destroy(table *self, const table_way *w)
{
    if (w->way != EFFECT)
        down_ways_destroy(&self->drawn);
    else
        pass_close(&self->pass);
}

// The 1/32 of this frame's picture, and not of the one before.
static void check(const table *self, const table_way *w, int which)
{
    int level = LEVELS, side = self->size >> LEVELS;
    GLuint result = self->drawn.base.sources[0];
    if (w->way == DOWN_PROGRESSIVE || w->way == DOWN_LOOP)
        level = 0, result = self->drawn.textures[w->way == DOWN_LOOP ? 0 : LEVELS - 1];
    else if (w->way == EFFECT && !w->chain)
        level = 0, result = self->pass.sets[0].slots[self->pass.result].name;
    double snr[PICTURES];
    for (int i = 0; i < PICTURES; i++)
        snr[i] = reference_reduced_compare(&self->owner->gpu.gl, result, level, side, side,
                                           self->exact[i], 1)
                     .snr_db;
    must(snr[which] > 30 && snr[which] > snr[1 - which] + 3,
         "%s: a frame's result is %.1f dB from its mean, %.1f from another's", w->name, snr[which],
         snr[1 - which]);
}

// A frame. What came before is done when it begins; the GPU is then kept busy, so that the stamps
// time its work alone.
static void one_frame(table *self, const table_way *w, int number, double us[PARTS])
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    GLuint source = self->drawn.base.sources[0];
    int which = number % PICTURES;
    gl->CopyImageSubData(self->pictures[which], GL_TEXTURE_2D, 0, 0, 0, 0, source, GL_TEXTURE_2D, 0,
                         0, 0, 0, self->size, self->size, 1);
    gl->Finish();
    double begin = bench_now_us();
    if (number == 0 || w->anew)
        create(self, w);
    us[CREATE] = bench_now_us() - begin;
    gpu_timer_busy(&self->owner->timer);
    gl->QueryCounter(self->queries[0], GL_TIMESTAMP);
    begin = bench_now_us();
    if (w->way != EFFECT)
        down_ways_record(&self->drawn, source);
    else
        must(pass_record(&self->pass, 0), "%s: execute failed", w->name);
    us[RECORD] = bench_now_us() - begin;
    gl->QueryCounter(self->queries[1], GL_TIMESTAMP);
    begin = bench_now_us();
    gl->Flush();
    us[SUBMIT] = bench_now_us() - begin;
    gl->Finish();
    GLuint64 stamps[2] = {0};
    for (int i = 0; i < 2; i++)
        gl->GetQueryObjectui64v(self->queries[i], GL_QUERY_RESULT, &stamps[i]);
    us[GPU] = (double)(stamps[1] - stamps[0]) * 1e-3;
    check(self, w, which);
    if (w->anew)
        destroy(self, w);
    bench_frame(self->owner);
}

// What a way moves: reads and writes of its own plan.
static double megabytes(const table *self, const table_way *w)
{
    double texels = (double)self->size * self->size, read = texels, wrote = 0;
    int levels = w->chain ? DOWN_MAX_LEVELS : LEVELS;
    bool steps = w->way == DOWN_GENERATE || w->way == DOWN_PROGRESSIVE || w->way == DOWN_BLITS;
    for (int i = 1; i <= levels && texels / pow(4, i) >= 1; i++) {
        double level = texels / pow(4, i);
        wrote += steps || w->chain || i == levels ? level : 0;
        read += steps && i < levels ? level : 0;
    }
    return (read + wrote) * (self->format == GL_RGBA8 ? 4 : 8) * 1e-6;
}

static void time_way(table *self, const table_way *w)
{
    static const char *const names[] = {"first", "second", "later"};
    double us[PARTS], rows[3][PARTS], later[PARTS][FRAMES - 2];
    self->drawn.by = (down_way)w->way;
    self->drawn.levels = w->chain ? picture_levels(self->size, self->size) - 1 : LEVELS;
    for (int i = 0; i < FRAMES; i++) {
        one_frame(self, w, i, us);
        for (int k = 0; k < PARTS; k++)
            *(i < 2 ? &rows[i][k] : &later[k][i - 2]) = us[k];
    }
    destroy(self, w);
    for (int k = 0; k < PARTS; k++)
        rows[2][k] = bench_median(later[k], FRAMES - 2);
    for (int i = 0; i < 3; i++)
        printf("%-11s %-30s %-7s %8.1f %10.1f %9.1f %9.1f %9.1f\n",
               i          ? ""
               : w->chain ? "full chain"
                          : "only 1/32",
               i ? "" : w->name, names[i], megabytes(self, w), rows[i][CREATE], rows[i][RECORD],
               rows[i][SUBMIT], rows[i][GPU]);
    fflush(stdout);
}

// Of 8-bit textures; the second frame's is another picture.
static void make_picture(table *self, int index)
{
    int side = self->size;
    picture p = picture_scene(side, side);
    for (size_t k = 0; k < 4 * (size_t)side * (size_t)side; k++) {
        float v = fminf(p.texels[k], 1);
        p.texels[k] = index ? 1 - 0.75f * v : v;
    }
    self->pictures[index] = picture_texture(&self->owner->gpu.gl, self->format, side, side, &p);
    self->exact[index] = reference_reduced(&p, side >> LEVELS, side >> LEVELS);
    if (!index)
        down_ways_open(self->owner, self->format, &p, DOWN_GENERATE, LEVELS, 1, &self->drawn);
    picture_free(&p);
}

static void run_table(table *self)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    printf("\nthe document's table, %dx%d %s; us. create: objects and, by effects, programs; "
           "record: the calls; submit: glFlush\n"
           "%-11s %-30s %-7s %8s %10s %9s %9s %9s\n",
           self->size, self->size, self->format == GL_RGBA8 ? "RGBA8" : "RGBA16F", "result", "way",
           "frame", "MB", "create", "record", "submit", "GPU");
    gl->GenQueries(2, self->queries);
    for (int i = 0; i < PICTURES; i++)
        make_picture(self, i);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        time_way(self, &ways[i]);
    down_ways_close(&self->drawn);
    gl->DeleteQueries(2, self->queries);
    gl->DeleteTextures(PICTURES, self->pictures);
    for (int i = 0; i < PICTURES; i++)
        free(self->exact[i]);
}

void downsample_document(bench *owner)
{
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA16F};
    for (int k = 0; k < (owner->smallest ? 1 : 2); k++) {
        static table self; // large
        self = (table){.owner = owner,
                       .size = owner->report.names.software ? 256 : 2048,
                       .format = formats[k]};
        run_table(&self);
    }
    puts("every frame's result was read back and was the mean of that frame's own picture\n"
         "Ways that draw are slow on GPUs made for computing: an H200 draws some 30 times slower "
         "than it computes.\n");
}
