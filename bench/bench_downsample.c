// bench_downsample.c - the effect "downsample": methods, filters and targets, beside reading alone
// and ways that draw
// SPDX-License-Identifier: MIT
//
// A row's error is against the exact area average: filters of samplers are shown to leave texels
// out, exact ones to be exact.
#include "baselines/way.h"
#include "cli/format.h"
#include "cli/report.h"
#include "down_case.h"
#include "effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct down_case {
    bench_size from, to;
    GLenum format;
} down_case;

// What is to be beaten comes first: --quick takes the first two, --smallest the first.
static const down_case cases[] = {
    {{2048, 2048}, {64, 64}, GL_RGBA16F},         {{3840, 2160}, {1920, 1080}, GL_RGBA16F},
    {{3840, 2160}, {1279, 719}, GL_RGBA16F},      {{4096, 4096}, {64, 64}, GL_RGBA16F},
    {{1920, 1080}, {1279, 719}, GL_RGBA16F},      {{1920, 1080}, {640, 360}, GL_RGBA16F},
    {{4096, 4096}, {1, 1}, GL_RGBA16F},           {{4096, 4096}, {509, 509}, GL_RGBA16F},
    {{2048, 2048}, {64, 64}, GL_RGBA8},           {{3840, 2160}, {1920, 1080}, GL_RGBA8},
    {{3840, 2160}, {1280, 720}, GL_SRGB8_ALPHA8},
};
enum { QUICK_CASES = 2, FILTERED_CASES = 3, TARGETS = 4 };
static const char *const methods[] = {"auto",         "tile",   "columns",
                                      "partial_sums", "blocks", "register_columns"};
enum { TILE = 1, COLUMNS, PARTIAL_SUMS, BLOCKS, REGISTER_COLUMNS }; // the last is an effect
static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos"};

// On a software renderer sizes are an eighth: ratios stay.
static down_case scaled(const bench *self, down_case c)
{
    int by = self->report.names.software ? 8 : 1;
    c.from = (bench_size){c.from.width / by, c.from.height / by};
    c.to = (bench_size){c.to.width / by ? c.to.width / by : 1,
                        c.to.height / by ? c.to.height / by : 1};
    return c;
}

static report_row row_of(const down_case *c, const char *subject, const char *how)
{
    report_row row = {.effect = "downsample", .width = c->from.width, .height = c->from.height};
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.variant, sizeof row.variant, "%s to %dx%d %s", format_by_enum(c->format)->name,
             c->to.width, c->to.height, how);
    return row;
}

// Of codes, textures hold what is below 1: else the error would be that of the upload.
static picture codes(int width, int height)
{
    picture out = picture_scene(width, height);
    for (size_t i = 0; out.texels && i < 4 * (size_t)width * (size_t)height; i++)
        out.texels[i] = out.texels[i] < 1 ? out.texels[i] : 1;
    return out;
}

static picture (*source_of(const down_case *c))(int, int)
{
    return c->format == GL_RGBA8 || c->format == GL_SRGB8_ALPHA8 ? codes : picture_scene;
}

// Whether a method takes the ratio, and is worth a GPU's time there.
static bool applies(const down_case *c, int method)
{
    int x = c->from.width / c->to.width, y = c->from.height / c->to.height;
    bool whole = x * c->to.width == c->from.width && y * c->to.height == c->from.height;
    bool powers = whole && (x & (x - 1)) == 0 && (y & (y - 1)) == 0 && x <= 32 && y <= 32;
    bool columns = x <= 512 && y <= 512;
    bool blocks = whole && x == y && x <= 64 && (x % 2 == 0 || x % 3 == 0 || x % 5 == 0);
    return method == TILE               ? x <= 8 && y <= 8
           : method == COLUMNS          ? columns
           : method == BLOCKS           ? blocks
           : method == REGISTER_COLUMNS ? powers
                                        : true;
}

static int measure_pass(bench *owner, const down_case *c, double *exact, const char *kind,
                        const char *value)
{
    char how[64];
    snprintf(how, sizeof how, "%s=%s", kind, value);
    report_row row = row_of(c, "afterglow", how);
    bool ladder = strcmp(value, methods[REGISTER_COLUMNS]) == 0;
    const pass_case timed = {.effect = ladder ? value : "downsample",
                             .ladder = ladder,
                             .settings = ladder ? NULL : how,
                             .width = c->from.width,
                             .height = c->from.height,
                             .slots = {{"src", c->format, .make = source_of(c)},
                                       {ladder ? "dst" : "dst0", c->format, c->to.width,
                                        .height = c->to.height}}};
    bool srgb = c->format == GL_SRGB8_ALPHA8; // GL gives its codes
    const pass_expected right = {srgb ? NULL : exact, PICTURE_BRIGHTEST};
    return pass_bench(owner, &timed, &right, &row);
}

// ---- several targets from one read -------------------------------------------------------------

// Half the size and so on: four sizes at once, or the first `count` of them.
static int measure_targets(bench *owner, const down_case *c, int count)
{
    static const char *const names[TARGETS] = {"dst0", "dst1", "dst2", "dst3"};
    char how[64];
    snprintf(how, sizeof how, "and %d more sizes at once", count - 1);
    report_row row = row_of(c, "afterglow", how);
    pass_case timed = {.effect = "downsample",
                       .width = c->from.width,
                       .height = c->from.height,
                       .slots = {{"src", c->format, .make = picture_scene}}};
    timed.bytes = (uint64_t)c->from.width * (uint64_t)c->from.height;
    for (int i = 0; i < count; i++) {
        int width = c->to.width >> i, height = c->to.height >> i;
        timed.slots[1 + i] = (pass_slot){names[i], c->format, width, .height = height};
        timed.bytes += (uint64_t)width * (uint64_t)height;
    }
    timed.bytes *= (uint64_t)format_by_enum(c->format)->texel_bytes;
    return pass_bench(owner, &timed, NULL, &row);
}

// ---- what reads, and what draws ----------------------------------------------------------------

static bool record_read(void *user, int set)
{
    const way *self = user;
    way_bind(self, set);
    self->gl->BindImageTexture(0, self->textures[0], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    way_dispatch(self, self->programs[0], (self->width + 31) / 32, (self->height + 31) / 32, 1,
                 GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

static int measure_read(bench *owner, const down_case *c)
{
    way self;
    report_row row = row_of(c, "read alone", "every texel");
    const picture *source = bench_picture(owner, source_of(c), c->from.width, c->from.height);
    row.bytes = (uint64_t)c->from.width * (uint64_t)c->from.height *
                (uint64_t)format_by_enum(c->format)->texel_bytes;
    row.launches = 1;
    snprintf(row.plan, sizeof row.plan, "reads alone");
    way_begin(&self, owner, source, c->format, 0, (double)row.bytes);
    way_texture(&self, GL_RGBA16F, 1, 1, NULL);
    way_program(&self, "read_all.comp", "\n");
    return way_end(&self, &row, record_read, NULL);
}

// What the way itself moves: chains read again what they wrote.
static uint64_t drawn_bytes(const down_case *c, down_way by, int levels)
{
    uint64_t texels = 0;
    for (int i = 0; i <= levels; i++) {
        int w = c->from.width >> i, h = c->from.height >> i;
        uint64_t level = (uint64_t)(w ? w : 1) * (uint64_t)(h ? h : 1);
        bool between = i > 0 && i < levels;
        if (by != DOWN_LOOP || !between)
            texels += level * (between ? 2 : 1);
    }
    return texels * (uint64_t)format_by_enum(c->format)->texel_bytes;
}

// `levels` halvings. Loops take any ratio of a power of two.
static int measure_way(bench *owner, const down_case *c, down_way by, int levels,
                       const double *exact)
{
    char how[32];
    snprintf(how, sizeof how, by == DOWN_LOOP ? "N = %d" : "%d levels",
             by == DOWN_LOOP ? 1 << levels : levels);
    report_row row = row_of(c, down_subjects[by], how);
    const picture *source = bench_picture(owner, picture_scene, c->from.width, c->from.height);
    drawn self = {0};
    row.bytes = drawn_bytes(c, by, levels);
    row.launches = by == DOWN_LOOP ? 1 : levels;
    snprintf(row.plan, sizeof row.plan, "draws");
    int status =
        source ? drawn_measure(owner, c->format, source, by, levels, &row, &self) : STATUS_FAILED;
    if (status == STATUS_OK) {
        int level = 0;
        GLuint result = down_ways_result(&self.ways, by, self.sources[0], &level);
        row.error = down_compare(&owner->gpu.gl, result, level, c->to.width, c->to.height, exact,
                                 PICTURE_BRIGHTEST);
    }
    drawn_close(&self);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

// ---- all of it ---------------------------------------------------------------------------------

static int measure_case(bench *owner, const down_case *c, bool filtered)
{
    const picture *source = bench_picture(owner, source_of(c), c->from.width, c->from.height);
    double *exact = source ? down_exact(source, c->to.width, c->to.height) : NULL;
    int status = exact ? measure_read(owner, c) : fail_memory();
    for (int i = 0; i < COUNT(methods) && status == STATUS_OK; i++)
        if (applies(c, i))
            status = measure_pass(owner, c, exact, "method", methods[i]);
    for (int i = 0; filtered && i < COUNT(filters) && status == STATUS_OK; i++)
        if (i < 3 || c->from.width <= 16 * c->to.width)
            status = measure_pass(owner, c, exact, "filter", filters[i]);
    free(exact);
    return status;
}

// The ways that draw, to 1/32; loops over 2 x 2 to 32 x 32 texels.
static int measure_ways(bench *owner, down_case c)
{
    const picture *source = bench_picture(owner, picture_scene, c.from.width, c.from.height);
    int status = source ? STATUS_OK : STATUS_FAILED;
    for (int levels = 1; levels <= 5 && status == STATUS_OK; levels++) {
        c.to = (bench_size){c.from.width >> levels, c.from.height >> levels};
        double *exact = down_exact(source, c.to.width, c.to.height);
        for (int w = levels == 5 ? 0 : DOWN_LOOP; w < DOWN_WAYS && status == STATUS_OK; w++)
            status = measure_way(owner, &c, (down_way)w, levels, exact);
        free(exact);
    }
    return status;
}

static int measure_several(bench *owner, down_case c)
{
    int status = measure_targets(owner, &c, 1);
    return status == STATUS_OK ? measure_targets(owner, &c, TARGETS) : status;
}

static int run(bench *self)
{
    static const int divisors[] = {2, 3, 32};
    int count = self->smallest ? 1 : self->quick ? QUICK_CASES : COUNT(cases), status = STATUS_OK;
    for (int i = 0; self->only.width && i < COUNT(divisors) && status == STATUS_OK; i++) {
        const down_case c = {self->only,
                             {self->only.width / divisors[i], self->only.height / divisors[i]},
                             GL_RGBA16F};
        status = measure_case(self, &c, true);
    }
    if (self->only.width)
        return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const down_case c = scaled(self, cases[i]);
        status = measure_case(self, &c, i < FILTERED_CASES);
    }
    if (status == STATUS_OK)
        status = measure_several(self,
                                 scaled(self, (down_case){{3840, 2160}, {1920, 1080}, GL_RGBA16F}));
    if (status == STATUS_OK && !self->smallest)
        status =
            measure_several(self, scaled(self, (down_case){{4096, 4096}, {512, 512}, GL_RGBA16F}));
    if (status == STATUS_OK)
        status = measure_ways(self, scaled(self, (down_case){{2048, 2048}, {64, 64}, GL_RGBA16F}));
    return status == STATUS_OK ? down_document(self) : status;
}

const bench_effect bench_downsample = {"downsample", .run = run};
