// cases_down.c - mipchain and downsample, beside reading alone and ways that draw
// SPDX-License-Identifier: MIT
#include "baselines/down_ways.h"
#include "cli/format.h"
#include "effects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reduction {
    bench_size from, to;
    GLenum format;
} reduction;

static uint64_t texel_bytes(const reduction *c)
{
    return (uint64_t)format_by_enum(c->format)->texel_bytes;
}

static uint64_t texels(int width, int height)
{
    return (uint64_t)width * (uint64_t)height;
}

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

// ---- mipchain ----------------------------------------------------------------------------------
//
// A row's error is the largest difference of any level from the exact chain in double precision,
// relative to the brightest value. Odd sizes show the errors of the baselines.

// The sizes with a target time come first: --quick takes the first two, --smallest the first.
static const reduction chains[] = {
    {{1920, 1080}, .format = GL_RGBA16F},      {{2048, 2048}, .format = GL_RGBA16F},
    {{3840, 2160}, .format = GL_RGBA16F},      {{4096, 4096}, .format = GL_RGBA16F},
    {{4095, 4095}, .format = GL_RGBA16F},      {{8192, 8192}, .format = GL_RGBA16F},
    {{1024, 1024}, .format = GL_RGBA16F},      {{1024, 1024}, .format = GL_RGBA8},
    {{2048, 2048}, .format = GL_RGBA8},        {{4096, 4096}, .format = GL_RGBA8},
    {{4095, 4095}, .format = GL_RGBA8},        {{8192, 8192}, .format = GL_RGBA8},
    {{4096, 4096}, .format = GL_SRGB8_ALPHA8}, {{4096, 4096}, .format = GL_R11F_G11F_B10F},
    {{2048, 2048}, .format = GL_R32F},         {{4096, 4096}, .format = GL_RGBA32F},
};
enum { QUICK_CHAINS = 2 };

// The least that any chain moves: it reads level 0 and writes the levels below it.
static uint64_t chain_bytes(const reduction *c)
{
    uint64_t sum = 0;
    int width = c->from.width, height = c->from.height;
    for (int i = 0; i < picture_levels(c->from.width, c->from.height); i++) {
        sum += texels(width, height);
        width = half(width);
        height = half(height);
    }
    return sum * texel_bytes(c);
}

// A level's values, four channels.
static double *read_level(const GladGLContext *gl, GLuint texture, int level, int width, int height)
{
    picture got = picture_read(gl, texture, level, width, height);
    size_t count = 4 * (size_t)width * (size_t)height;
    double *out = need_memory(count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)got.texels[i];
    picture_free(&got);
    return out;
}

// Compares level by level with a chain made from the texture's level 0. Not checked: sRGB, because
// glGetTexImage returns encoded values, and sizes whose doubles would take gigabytes.
static accuracy compare_chain(const GladGLContext *gl, GLenum format, int width, int height,
                              GLuint texture)
{
    double worst = 0, peak = 0, squares = 0, total = 0;
    size_t count = 4 * (size_t)width * (size_t)height;
    if (format == GL_SRGB8_ALPHA8 || width > 4096 || height > 4096)
        return (accuracy){0};
    int levels = picture_levels(width, height);
    double *above = read_level(gl, texture, 0, width, height);
    for (size_t i = 0; i < count; i++)
        peak = fmax(peak, fabs(above[i]));
    for (int level = 1; level < levels; level++) {
        double *exact = reference_average(above, 4, width, height, half(width), half(height));
        width = half(width);
        height = half(height);
        count = 4 * (size_t)width * (size_t)height;
        double *got = read_level(gl, texture, level, width, height);
        for (size_t i = 0; i < count; i++) {
            double e = fabs(got[i] - exact[i]);
            worst = !(e <= worst) ? e : worst;
            squares += e * e;
        }
        total += (double)count;
        free(above);
        free(got);
        above = exact;
    }
    free(above);
    return (accuracy){.checked = true,
                      .snr_db = squares > 0 ? 10 * log10(peak * peak * total / squares) : 999,
                      .max_error = worst / peak};
}

static accuracy judge_pass(const pass *timed)
{
    const ag_texture *t = &timed->sets[0].slots[0];
    return compare_chain(&timed->owner->gpu.gl, t->format, t->width, t->height, t->name);
}

static accuracy judge_drawn(const down_ways *done)
{
    return compare_chain(done->base.gl, done->format, done->base.width, done->base.height,
                         done->base.sources[0]);
}

static void measure_chain(bench *owner, const reduction *c)
{
    const pass_case timed = {.effect = "mipchain",
                             .width = c->from.width,
                             .height = c->from.height,
                             .slots = {{"texture", c->format, .levels = true,
                                        .make = picture_scene}},
                             .bytes = chain_bytes(c),
                             .judge = judge_pass};
    report_row named = {.effect = "mipchain"}, row;
    snprintf(named.variant, sizeof named.variant, "%s", format_by_enum(c->format)->name);
    row = named;
    pass_bench(owner, &timed, NULL, &row);
    for (int by = DOWN_GENERATE; by <= DOWN_BLITS; by++) {
        row = named;
        row.launches = picture_levels(c->from.width, c->from.height) - 1;
        row.bytes = chain_bytes(c);
        snprintf(row.plan, sizeof row.plan, "%d levels", row.launches);
        down_ways_bench(owner, c->format,
                        bench_picture(owner, picture_scene, c->from.width, c->from.height),
                        (down_way)by, row.launches, &row, judge_drawn, NULL);
    }
}

static void run_mipchain(bench *self)
{
    bench_size sizes[COUNT(chains)], chosen[BENCH_MAX_SIZES];
    for (int i = 0; i < COUNT(chains); i++)
        sizes[i] = chains[i].from;
    int count = bench_sizes(self, sizes, COUNT(chains), QUICK_CHAINS, chosen);
    bool listed = !self->only.width && !self->smallest; // else both formats
    for (int i = 0; i < count * (listed ? 1 : 2); i++)
        measure_chain(self,
                      &(reduction){chosen[listed ? i : i / 2], .format = listed  ? chains[i].format
                                                                         : i % 2 ? GL_RGBA8
                                                                                 : GL_RGBA16F});
}

const bench_effect bench_mipchain = {"mipchain", .run = run_mipchain};

// ---- downsample --------------------------------------------------------------------------------
//
// A row's error is against the exact area average: filters of samplers are shown to leave texels
// out, exact ones to be exact.

// What is to be beaten comes first: --quick takes the first two, --smallest the first.
static const reduction cases[] = {
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
static reduction scaled(const bench *self, reduction c)
{
    int by = self->report.names.software ? 8 : 1;
    c.from = (bench_size){c.from.width / by, c.from.height / by};
    c.to = (bench_size){c.to.width / by ? c.to.width / by : 1,
                        c.to.height / by ? c.to.height / by : 1};
    return c;
}

static report_row row_of(const reduction *c, const char *subject, const char *how)
{
    report_row row = {.effect = "downsample"};
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.variant, sizeof row.variant, "%s to %dx%d %s", format_by_enum(c->format)->name,
             c->to.width, c->to.height, how);
    return row;
}

// Of codes, textures hold what is below 1: else the error would be that of the upload.
static picture codes(int width, int height)
{
    picture out = picture_scene(width, height);
    for (size_t i = 0; i < 4 * (size_t)width * (size_t)height; i++)
        out.texels[i] = fminf(out.texels[i], 1);
    return out;
}

static picture (*source_of(const reduction *c))(int, int)
{
    return c->format == GL_RGBA8 || c->format == GL_SRGB8_ALPHA8 ? codes : picture_scene;
}

// Whether a method takes the ratio, and is worth a GPU's time there.
static bool applies(const reduction *c, int method)
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

static void measure_pass(bench *owner, const reduction *c, double *exact, const char *kind,
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
    pass_bench(owner, &timed, &(pass_expected){srgb ? NULL : exact, PICTURE_BRIGHTEST}, &row);
}

// Several targets from one read: half the size and so on, the first `count` of four sizes.
static void measure_targets(bench *owner, const reduction *c, int count)
{
    static const char *const names[TARGETS] = {"dst0", "dst1", "dst2", "dst3"};
    char how[64];
    snprintf(how, sizeof how, "and %d more sizes at once", count - 1);
    report_row row = row_of(c, "afterglow", how);
    pass_case timed = {.effect = "downsample",
                       .width = c->from.width,
                       .height = c->from.height,
                       .slots = {{"src", c->format, .make = picture_scene}},
                       .bytes = texels(c->from.width, c->from.height)};
    for (int i = 0; i < count; i++) {
        int width = c->to.width >> i, height = c->to.height >> i;
        timed.slots[1 + i] = (pass_slot){names[i], c->format, width, .height = height};
        timed.bytes += texels(width, height);
    }
    timed.bytes *= texel_bytes(c);
    pass_bench(owner, &timed, NULL, &row);
}

static bool record_read(void *user, int set)
{
    const way *self = user;
    way_bind(self, set);
    self->gl->BindImageTexture(0, self->textures[0], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    way_dispatch(self, self->programs[0], (self->width + 31) / 32, (self->height + 31) / 32, 1,
                 GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

static void measure_read(bench *owner, const reduction *c)
{
    way self;
    report_row row = row_of(c, "read alone", "every texel");
    const picture *source = bench_picture(owner, source_of(c), c->from.width, c->from.height);
    row.bytes = texels(c->from.width, c->from.height) * texel_bytes(c);
    row.launches = 1;
    snprintf(row.plan, sizeof row.plan, "reads alone");
    way_begin(&self, owner, source, c->format, 0, (double)row.bytes);
    way_texture(&self, GL_RGBA16F, 1, 1, NULL);
    way_program(&self, "read_all.comp", "\n");
    way_end(&self, &row, record_read, NULL);
}

static void measure_case(bench *owner, const reduction *c, bool filtered)
{
    const picture *source = bench_picture(owner, source_of(c), c->from.width, c->from.height);
    double *exact = reference_reduced(source, c->to.width, c->to.height);
    measure_read(owner, c);
    for (int i = 0; i < COUNT(methods); i++)
        if (applies(c, i))
            measure_pass(owner, c, exact, "method", methods[i]);
    for (int i = 0; filtered && i < COUNT(filters); i++)
        if (i < 3 || c->from.width <= 16 * c->to.width)
            measure_pass(owner, c, exact, "filter", filters[i]);
    free(exact);
}

// What the way itself moves: chains read again what they wrote.
static uint64_t drawn_bytes(const reduction *c, down_way by, int levels)
{
    uint64_t sum = 0;
    for (int i = 0; i <= levels; i++) {
        int w = c->from.width >> i, h = c->from.height >> i;
        bool between = i > 0 && i < levels;
        if (by != DOWN_LOOP || !between)
            sum += texels(w ? w : 1, h ? h : 1) * (between ? 2 : 1);
    }
    return sum * texel_bytes(c);
}

static accuracy judge_level(const down_ways *done)
{
    int level, shift = done->levels;
    GLuint result = down_ways_result(done, done->base.sources[0], &level);
    return reference_reduced_compare(done->base.gl, result, level, done->base.width >> shift,
                                     done->base.height >> shift, done->user, PICTURE_BRIGHTEST);
}

// The ways that draw, to 1/32; loops over 2 x 2 to 32 x 32 texels.
static void measure_ways(bench *owner, reduction c)
{
    const picture *source = bench_picture(owner, picture_scene, c.from.width, c.from.height);
    for (int levels = 1; levels <= 5; levels++) {
        c.to = (bench_size){c.from.width >> levels, c.from.height >> levels};
        double *exact = reference_reduced(source, c.to.width, c.to.height);
        for (int by = levels == 5 ? 0 : DOWN_LOOP; by < DOWN_WAYS; by++) {
            char how[32];
            bool loop = by == DOWN_LOOP;
            snprintf(how, sizeof how, loop ? "N = %d" : "%d levels", loop ? 1 << levels : levels);
            report_row row = row_of(&c, "", how);
            row.bytes = drawn_bytes(&c, (down_way)by, levels);
            row.launches = loop ? 1 : levels;
            snprintf(row.plan, sizeof row.plan, "draws");
            down_ways_bench(owner, c.format, source, (down_way)by, levels, &row, judge_level,
                            exact);
        }
        free(exact);
    }
}

static void measure_several(bench *owner, reduction c)
{
    measure_targets(owner, &c, 1);
    measure_targets(owner, &c, TARGETS);
}

static void run_downsample(bench *self)
{
    static const int divisors[] = {2, 3, 32};
    int count = self->smallest ? 1 : self->quick ? QUICK_CASES : COUNT(cases);
    for (int i = 0; self->only.width && i < COUNT(divisors); i++)
        measure_case(self,
                     &(reduction){self->only,
                                  {self->only.width / divisors[i], self->only.height / divisors[i]},
                                  GL_RGBA16F},
                     true);
    if (self->only.width)
        return;
    for (int i = 0; i < count; i++) {
        const reduction c = scaled(self, cases[i]);
        measure_case(self, &c, i < FILTERED_CASES);
    }
    measure_several(self, scaled(self, (reduction){{3840, 2160}, {1920, 1080}, GL_RGBA16F}));
    if (!self->smallest)
        measure_several(self, scaled(self, (reduction){{4096, 4096}, {512, 512}, GL_RGBA16F}));
    measure_ways(self, scaled(self, (reduction){{2048, 2048}, {64, 64}, GL_RGBA16F}));
    downsample_document(self);
}

const bench_effect bench_downsample = {"downsample", .run = run_downsample};
