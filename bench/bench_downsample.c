// bench_downsample.c - the effect "downsample": methods, filters and targets, beside reading alone
// and ways that draw
// SPDX-License-Identifier: MIT
//
// A row's error is against the exact area average: filters of samplers are shown to leave texels
// out, exact ones to be exact.
#include "baselines/copy_pair.h"
#include "baselines/down_ways.h"
#include "bench.h"
#include "cli/format.h"
#include "cli/report.h"
#include "compute.h"
#include "down_case.h"
#include "pass_bench.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct bench_case {
    bench_size from, to;
    GLenum format;
} bench_case;

// What is to be beaten comes first: --quick takes the first two, --smallest the first.
static const bench_case cases[] = {
    {{2048, 2048}, {64, 64}, GL_RGBA16F},         {{3840, 2160}, {1920, 1080}, GL_RGBA16F},
    {{3840, 2160}, {1279, 719}, GL_RGBA16F},      {{4096, 4096}, {64, 64}, GL_RGBA16F},
    {{1920, 1080}, {1279, 719}, GL_RGBA16F},      {{1920, 1080}, {640, 360}, GL_RGBA16F},
    {{4096, 4096}, {1, 1}, GL_RGBA16F},           {{4096, 4096}, {509, 509}, GL_RGBA16F},
    {{2048, 2048}, {64, 64}, GL_RGBA8},           {{3840, 2160}, {1920, 1080}, GL_RGBA8},
    {{3840, 2160}, {1280, 720}, GL_SRGB8_ALPHA8},
};
enum { CASES = sizeof cases / sizeof *cases, QUICK_CASES = 2 };
static const char *const methods[] = {
    "auto", "tile", "columns", "partial_sums", "register_columns", "blocks"};
enum { METHODS = sizeof methods / sizeof *methods };
static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos"};

// On a software renderer sizes are an eighth: ratios stay.
static bench_case scaled(const bench *self, bench_case c)
{
    int by = self->software ? 8 : 1;
    c.from = (bench_size){c.from.width / by, c.from.height / by};
    c.to = (bench_size){c.to.width / by ? c.to.width / by : 1,
                        c.to.height / by ? c.to.height / by : 1};
    return c;
}

static void name_row(const bench_case *c, const char *subject, const char *how, report_row *row)
{
    *row = (report_row){.effect = "downsample", .width = c->from.width, .height = c->from.height};
    snprintf(row->subject, sizeof row->subject, "%s", subject);
    snprintf(row->variant, sizeof row->variant, "%s to %dx%d %s", format_by_enum(c->format)->name,
             c->to.width, c->to.height, how);
}

// Whether a method takes the ratio, and is worth a GPU's time there.
static bool applies(const bench_case *c, int method)
{
    int x = c->from.width / c->to.width, y = c->from.height / c->to.height;
    bool whole = x * c->to.width == c->from.width && y * c->to.height == c->from.height;
    bool powers = whole && (x & (x - 1)) == 0 && (y & (y - 1)) == 0 && x <= 32 && y <= 32;
    bool columns = x <= 512 && y <= 512;
    bool blocks = whole && x == y && x <= 64 && (x % 2 == 0 || x % 3 == 0 || x % 5 == 0);
    return method == 1   ? x <= 8 && y <= 8
           : method == 2 ? columns
           : method == 4 ? powers
           : method == 5 ? blocks
                         : true;
}

static int measure_pass(bench *owner, const bench_case *c, const picture *source,
                        const double *exact, const char *how)
{
    const pass_case timed = {.effect = "downsample",
                             .settings = {how},
                             .source = source,
                             .source_format = c->format,
                             .target_format = c->format,
                             .target_width = c->to.width,
                             .target_height = c->to.height};
    bool srgb = c->format == GL_SRGB8_ALPHA8; // GL gives its codes
    const pass_expected right = {srgb ? NULL : exact, PICTURE_BRIGHTEST};
    report_row row;
    name_row(c, "afterglow", how, &row);
    return pass_bench(owner, &timed, &right, &row);
}

// ---- several targets from one read -------------------------------------------------------------

typedef struct several {
    bench *owner;
    down_pass passes[MEASURE_MAX_SETS];
    GLuint sources[MEASURE_MAX_SETS];
    int sets;
    uint64_t frame;
} several;

static bool record_several(void *user, int set)
{
    const several *self = user;
    const down_pass *pass = &self->passes[set];
    return self->owner->api->execute(pass->pass, &pass->job, NULL) >= 0;
}

static void next_frame(void *user)
{
    several *self = user;
    self->owner->api->frame(self->owner->device, ++self->frame);
}

// Half the size and so on: four sizes at once, or the first `count` of them.
static int measure_targets(bench *owner, const bench_case *c, const picture *source, int count)
{
    several self = {.owner = owner};
    bench_size sizes[DOWN_TARGETS];
    report_row row;
    char how[64];
    snprintf(how, sizeof how, "and %d more sizes at once", count - 1);
    name_row(c, "afterglow", how, &row);
    uint64_t texels = (uint64_t)c->from.width * (uint64_t)c->from.height;
    for (int i = 0; i < count; i++) {
        sizes[i] = (bench_size){c->to.width >> i, c->to.height >> i};
        texels += (uint64_t)sizes[i].width * (uint64_t)sizes[i].height;
    }
    row.bytes = texels * (uint64_t)format_by_enum(c->format)->texel_bytes;
    self.sets = measure_sets((double)row.bytes, owner->cold_bytes);
    int status = STATUS_OK;
    for (int i = 0; i < self.sets && status == STATUS_OK; i++) {
        self.sources[i] =
            picture_texture(&owner->gpu.gl, c->format, c->from.width, c->from.height, source);
        status = self.sources[i] ? down_pass_open(owner, "downsample", NULL, self.sources[i],
                                                  c->format, c->from, sizes, count, &self.passes[i])
                                 : fail(STATUS_FAILED, "GL has no memory for %d sets", self.sets);
    }
    const ag_plan *plan = NULL;
    if (status == STATUS_OK &&
        owner->api->declare(self.passes[0].pass, &self.passes[0].job, &plan) >= 0) {
        snprintf(row.plan, sizeof row.plan, "%s", plan->text);
        row.launches = (int)plan->step_count;
    }
    const measure_work work = {record_several, next_frame, &self, self.sets};
    if (status == STATUS_OK && !measure(&owner->timer, &work, owner->samples, &row.times))
        status = fail(STATUS_FAILED, "downsample: execute failed while it was measured");
    for (int i = 0; i < self.sets; i++) {
        down_pass_close(&self.passes[i]);
        owner->gpu.gl.DeleteTextures(1, &self.sources[i]);
    }
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

// ---- what reads, and what draws ----------------------------------------------------------------

extern const ag_embedded_file ag_embedded_pyramid[];

typedef struct drawn {
    bench *owner;
    const bench_case *desc;
    down_ways ways;
    down_way way;
    GLuint read; // the program that only reads; 0: one of the ways
    GLuint sources[MEASURE_MAX_SETS], never;
    int sets;
} drawn;

static bool record_drawn(void *user, int set)
{
    const drawn *self = user;
    const GladGLContext *gl = &self->owner->gpu.gl;
    if (!self->read) {
        down_ways_record(&self->ways, self->way, self->sources[set]);
        return true;
    }
    gl->UseProgram(self->read);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, self->sources[set]);
    gl->BindImageTexture(0, self->never, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    gl->DispatchCompute((GLuint)(self->desc->from.width + 31) / 32,
                        (GLuint)(self->desc->from.height + 31) / 32, 1);
    gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

// A level has this part of the first one's texels.
static uint64_t level_texels(bench_size size, int level)
{
    int w = size.width >> level, h = size.height >> level;
    return (uint64_t)(w ? w : 1) * (uint64_t)(h ? h : 1);
}

// What the way itself moves: chains read again what they wrote.
static uint64_t bytes_of(const drawn *self)
{
    const bench_case *c = self->desc;
    uint64_t texels = level_texels(c->from, 0);
    if (!self->read && self->way == DOWN_LOOP)
        texels += level_texels(c->from, self->ways.levels);
    for (int i = 1; !self->read && self->way != DOWN_LOOP && i <= self->ways.levels; i++)
        texels += level_texels(c->from, i) * (i < self->ways.levels ? 2 : 1);
    return texels * (uint64_t)format_by_enum(c->format)->texel_bytes;
}

static int run_drawn(drawn *self, const char *subject, const char *how, const picture *source,
                     const double *exact)
{
    bench *owner = self->owner;
    const bench_case *c = self->desc;
    const GladGLContext *gl = &owner->gpu.gl;
    report_row row;
    name_row(c, subject, how, &row);
    row.bytes = bytes_of(self);
    row.launches = self->read || self->way == DOWN_LOOP ? 1 : self->ways.levels;
    snprintf(row.plan, sizeof row.plan, "%s", self->read ? "reads alone" : "draws");
    self->sets = measure_sets((double)row.bytes, owner->cold_bytes);
    int status = STATUS_OK;
    for (int i = 0; i < self->sets && status == STATUS_OK; i++) {
        self->sources[i] = down_chain(gl, c->format, source);
        status = self->sources[i] ? STATUS_OK
                                  : fail(STATUS_FAILED, "GL has no memory for %d sets", self->sets);
    }
    const measure_work work = {record_drawn, NULL, self, self->sets};
    if (status == STATUS_OK && !measure(&owner->timer, &work, owner->samples, &row.times))
        status = STATUS_FAILED;
    if (status == STATUS_OK && !self->read && exact) {
        int level = 0;
        GLuint result = down_ways_result(&self->ways, self->way, self->sources[0], &level);
        row.error =
            down_compare(gl, result, level, c->to.width, c->to.height, exact, PICTURE_BRIGHTEST);
    }
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    gl->DeleteTextures(self->sets, self->sources);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

static int measure_read(bench *owner, const bench_case *c, const picture *source)
{
    drawn self = {.owner = owner, .desc = c};
    char error[512] = "";
    const GladGLContext *gl = &owner->gpu.gl;
    self.read =
        compute_program(gl, ag_embedded_pyramid, "read_all.comp", NULL, error, sizeof error);
    self.never = picture_texture(gl, GL_RGBA16F, 1, 1, NULL);
    int status = self.read ? run_drawn(&self, "read alone", "every texel", source, NULL)
                           : fail(STATUS_FAILED, "read_all.comp: %s", error);
    gl->DeleteProgram(self.read);
    gl->DeleteTextures(1, &self.never);
    return status;
}

// `levels` halvings. Loops take any ratio of a power of two.
static int measure_way(bench *owner, const bench_case *c, down_way way, int levels,
                       const picture *source, const double *exact)
{
    static const char *const subjects[DOWN_WAYS] = {"glGenerateMipmap", "blits", "progressive",
                                                    "fragment loop"};
    drawn self = {.owner = owner, .desc = c, .way = way};
    char error[512] = "", how[32];
    snprintf(how, sizeof how, way == DOWN_LOOP ? "N = %d" : "%d levels",
             way == DOWN_LOOP ? 1 << levels : levels);
    int status = STATUS_OK;
    if (!down_ways_open(&owner->gpu.gl, c->format, c->from.width, c->from.height, levels,
                        &self.ways, error, sizeof error))
        status = fail(STATUS_FAILED, "%s: %s", subjects[way], error);
    if (status == STATUS_OK) {
        down_ways_create(&self.ways, way);
        status = run_drawn(&self, subjects[way], how, source, exact);
    }
    down_ways_close(&self.ways);
    return status;
}

// ---- all of it ---------------------------------------------------------------------------------

// What textures of codes hold of a scene; else the error would be that of the upload.
static void clamp_codes(picture *source)
{
    size_t count = 4 * (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < count; i++)
        source->texels[i] = source->texels[i] < 1 ? source->texels[i] : 1;
}

static int measure_case(bench *owner, const bench_case *c, bool filtered)
{
    picture source = picture_scene(c->from.width, c->from.height);
    if (c->format == GL_RGBA8 || c->format == GL_SRGB8_ALPHA8)
        clamp_codes(&source);
    double *exact = source.texels ? down_exact(&source, c->to.width, c->to.height) : NULL;
    int status = exact ? measure_read(owner, c, &source) : fail_memory();
    char how[PASS_MAX_VALUES][64];
    for (int i = 0; i < METHODS && status == STATUS_OK; i++) {
        snprintf(how[0], sizeof how[0], "method=%s", methods[i]);
        if (applies(c, i))
            status = measure_pass(owner, c, &source, exact, how[0]);
    }
    for (int i = 0; filtered && i < 4 && status == STATUS_OK; i++) {
        snprintf(how[0], sizeof how[0], "filter=%s", filters[i]);
        if (i < 3 || c->from.width <= 16 * c->to.width)
            status = measure_pass(owner, c, &source, exact, how[0]);
    }
    free(exact);
    picture_free(&source);
    return status;
}

// The ways that draw, to 1/32; loops over 2 x 2 to 32 x 32 texels.
static int measure_ways(bench *owner, bench_case c)
{
    picture source = picture_scene(c.from.width, c.from.height);
    int status = source.texels ? STATUS_OK : fail_memory();
    for (int levels = 1; levels <= 5 && status == STATUS_OK; levels++) {
        bench_case to = c;
        to.to = (bench_size){c.from.width >> levels, c.from.height >> levels};
        double *exact = down_exact(&source, to.to.width, to.to.height);
        for (int way = levels == 5 ? 0 : DOWN_LOOP; way < DOWN_WAYS && status == STATUS_OK; way++)
            status = measure_way(owner, &to, (down_way)way, levels, &source, exact);
        free(exact);
    }
    picture_free(&source);
    return status;
}

static int measure_several(bench *owner, bench_case c)
{
    picture source = picture_scene(c.from.width, c.from.height);
    int status = source.texels ? STATUS_OK : fail_memory();
    for (int count = 1; count <= DOWN_TARGETS && status == STATUS_OK; count += 3)
        status = measure_targets(owner, &c, &source, count);
    picture_free(&source);
    return status;
}

static int run(bench *self)
{
    int count = self->smallest ? 1 : self->quick ? QUICK_CASES : CASES, status = STATUS_OK;
    if (self->only.width) // to a half, a third and a 32nd
        for (int by = 2; by <= 32 && status == STATUS_OK; by = by == 2 ? 3 : by == 3 ? 32 : 33) {
            bench_case c = {self->only,
                            {self->only.width / by, self->only.height / by},
                            GL_RGBA16F};
            status = measure_case(self, &c, true);
        }
    for (int i = 0; !self->only.width && i < count && status == STATUS_OK; i++) {
        bench_case c = scaled(self, cases[i]);
        status = measure_case(self, &c, i < 3);
    }
    bench_case halves = scaled(self, (bench_case){{3840, 2160}, {1920, 1080}, GL_RGBA16F});
    bench_case quarters = scaled(self, (bench_case){{4096, 4096}, {512, 512}, GL_RGBA16F});
    bench_case square = scaled(self, (bench_case){{2048, 2048}, {64, 64}, GL_RGBA16F});
    if (status == STATUS_OK && !self->only.width)
        status = measure_several(self, halves);
    if (status == STATUS_OK && !self->only.width && !self->smallest)
        status = measure_several(self, quarters);
    if (status == STATUS_OK && !self->only.width)
        status = measure_ways(self, square);
    return status == STATUS_OK && !self->only.width ? down_document(self) : status;
}

const bench_effect bench_downsample = {"downsample", run, false};
