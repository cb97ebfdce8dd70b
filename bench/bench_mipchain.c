// bench_mipchain.c - the effect "mipchain", beside glGenerateMipmap and a chain of blits
// SPDX-License-Identifier: MIT
//
// A row's error is the largest difference of any level from the exact chain in double precision,
// relative to the brightest value. Odd sizes show the errors of the baselines.
#include "baselines/driver_mips.h"
#include "bench.h"
#include "cli/format.h"
#include "cli/report.h"
#include "picture.h"

#include <afterglow/mipchain.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_case {
    int width, height;
    GLenum format;
} bench_case;

// The sizes with a target time come first: --quick takes the first two, --smallest the first.
static const bench_case cases[] = {
    {1920, 1080, GL_RGBA16F},      {2048, 2048, GL_RGBA16F},        {3840, 2160, GL_RGBA16F},
    {4096, 4096, GL_RGBA16F},      {4095, 4095, GL_RGBA16F},        {8192, 8192, GL_RGBA16F},
    {1024, 1024, GL_RGBA16F},      {1024, 1024, GL_RGBA8},          {2048, 2048, GL_RGBA8},
    {4096, 4096, GL_RGBA8},        {4095, 4095, GL_RGBA8},          {8192, 8192, GL_RGBA8},
    {4096, 4096, GL_SRGB8_ALPHA8}, {4096, 4096, GL_R11F_G11F_B10F}, {2048, 2048, GL_R32F},
    {4096, 4096, GL_RGBA32F},
};
enum { CASES = sizeof cases / sizeof *cases, QUICK_CASES = 2 };
enum { AFTERGLOW, GENERATE, BLIT, SUBJECTS };
static const char *const subjects[SUBJECTS] = {"afterglow", "glGenerateMipmap", "blits"};

typedef struct chain_run {
    bench *owner;
    const bench_case *desc;
    int subject, levels, sets;
    GLuint textures[MEASURE_MAX_SETS], framebuffers[2];
    ag_texture slots[MEASURE_MAX_SETS];
    ag_job jobs[MEASURE_MAX_SETS];
    ag_mipchain_settings settings;
    ag_pass *pass;
    uint64_t frame;
} chain_run;

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

static int full_levels(int width, int height)
{
    int levels = 0;
    for (; width > 1 || height > 1; levels++) {
        width = half(width);
        height = half(height);
    }
    return levels;
}

// The least that any chain moves: it reads level 0 and writes the levels below it.
static uint64_t chain_bytes(const bench_case *c)
{
    uint64_t texels = 0, texel = (uint64_t)format_by_enum(c->format)->texel_bytes;
    int width = c->width, height = c->height;
    for (int i = 0; i <= full_levels(c->width, c->height); i++) {
        texels += (uint64_t)width * (uint64_t)height;
        width = half(width);
        height = half(height);
    }
    return texels * texel;
}

static int make_texture(chain_run *self, int set, const picture *source)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    const bench_case *c = self->desc;
    gl->GenTextures(1, &self->textures[set]);
    gl->BindTexture(GL_TEXTURE_2D, self->textures[set]);
    gl->TexStorage2D(GL_TEXTURE_2D, self->levels + 1, c->format, c->width, c->height);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    if (set == 0)
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, c->width, c->height, GL_RGBA, GL_FLOAT,
                          source->texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    if (set > 0)
        gl->CopyImageSubData(self->textures[0], GL_TEXTURE_2D, 0, 0, 0, 0, self->textures[set],
                             GL_TEXTURE_2D, 0, 0, 0, 0, c->width, c->height, 1);
    return gl->GetError() == GL_NO_ERROR
               ? STATUS_OK
               : fail(STATUS_FAILED, "GL has no memory for %d chains", self->sets);
}

static int make_jobs(chain_run *self)
{
    const ag_api *api = self->owner->api;
    const bench_case *c = self->desc;
    ag_status status = api->defaults("mipchain", &self->settings, sizeof self->settings);
    if (status >= 0)
        status = api->pass_create(self->owner->device, "mipchain", &self->pass);
    for (int i = 0; i < self->sets && status >= 0; i++) {
        self->slots[i] = (ag_texture){.struct_size = sizeof(ag_texture),
                                      .name = self->textures[i],
                                      .target = GL_TEXTURE_2D,
                                      .format = c->format,
                                      .width = c->width,
                                      .height = c->height};
        self->jobs[i] = (ag_job){.struct_size = sizeof(ag_job),
                                 .slots = &self->slots[i],
                                 .slot_count = 1,
                                 .settings = &self->settings,
                                 .next_use = AG_USE_SAMPLE};
        status = api->prepare(self->pass, &self->jobs[i]);
    }
    return status >= 0 ? STATUS_OK : fail(STATUS_FAILED, "mipchain: %s", api->status_text(status));
}

static bool record(void *user, int set)
{
    const chain_run *self = user;
    const GladGLContext *gl = &self->owner->gpu.gl;
    const bench_case *c = self->desc;
    switch (self->subject) {
    case AFTERGLOW: return self->owner->api->execute(self->pass, &self->jobs[set], NULL) >= 0;
    case GENERATE: driver_mips_generate(gl, self->textures[set]); return true;
    default:
        driver_mips_blit(gl, self->framebuffers, self->textures[set], c->width, c->height,
                         self->levels);
        return true;
    }
}

static void next_frame(void *user)
{
    chain_run *self = user;
    self->owner->api->frame(self->owner->device, ++self->frame);
}

// ---- exact results -----------------------------------------------------------------------------

static double area(int from, int to, int i, int j)
{
    long long low =
        (long long)i * from > (long long)j * to ? (long long)i * from : (long long)j * to;
    long long end = (long long)(i + 1) * from, high = (long long)(j + 1) * to;
    high = end < high ? end : high;
    return high > low ? (double)(high - low) / from : 0;
}

static double *next_level(const double *above, int width, int height)
{
    int w = half(width), h = half(height);
    double *out = calloc(4 * (size_t)w * (size_t)h, sizeof *out);
    for (int y = 0; y < h && out; y++)
        for (int x = 0; x < w; x++)
            for (int j = 2 * y; j < height && j <= 2 * y + 2; j++)
                for (int i = 2 * x; i < width && i <= 2 * x + 2; i++) {
                    double weight = area(width, w, x, i) * area(height, h, y, j);
                    for (int c = 0; c < 4 && weight > 0; c++)
                        out[4 * (y * w + x) + c] += weight * above[4 * (j * width + i) + c];
                }
    return out;
}

static float *read_level(const GladGLContext *gl, GLuint texture, int level, size_t texels)
{
    float *values = malloc(4 * texels * sizeof *values);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    if (values)
        gl->GetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_FLOAT, values);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return values;
}

// Compares level by level with a chain made from the texture's level 0. Not checked: sRGB, because
// glGetTexImage returns encoded values, and sizes whose doubles would take gigabytes.
static int compare(const chain_run *self, accuracy *out)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    const bench_case *c = self->desc;
    if (c->format == GL_SRGB8_ALPHA8 || c->width > 4096 || c->height > 4096)
        return STATUS_OK;
    int width = c->width, height = c->height;
    double worst = 0, peak = 0, squares = 0, count = 0;
    double *above = malloc(4 * (size_t)width * (size_t)height * sizeof *above);
    float *first = read_level(gl, self->textures[0], 0, (size_t)width * (size_t)height);
    bool good = above && first;
    for (size_t i = 0; good && i < 4 * (size_t)width * (size_t)height; i++) {
        above[i] = (double)first[i];
        peak = fmax(peak, fabs(above[i]));
    }
    free(first);
    for (int level = 1; level <= self->levels && good; level++) {
        double *exact = next_level(above, width, height);
        width = half(width);
        height = half(height);
        size_t texels = (size_t)width * (size_t)height;
        float *got = read_level(gl, self->textures[0], level, texels);
        good = exact && got;
        for (size_t i = 0; good && i < 4 * texels; i++) {
            double e = fabs((double)got[i] - exact[i]);
            worst = !(e <= worst) ? e : worst;
            squares += e * e;
            count++;
        }
        free(got);
        free(above);
        above = exact;
    }
    free(above);
    if (!good)
        return fail_memory();
    *out = (accuracy){.checked = true,
                      .snr_db = squares > 0 ? 10 * log10(peak * peak * count / squares) : 999,
                      .max_error = worst / peak};
    return STATUS_OK;
}

// ---- one row -----------------------------------------------------------------------------------

static void close_run(chain_run *self)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    self->owner->api->pass_destroy(self->pass);
    for (int i = 0; i < self->sets; i++)
        self->owner->api->forget(self->owner->device, self->textures[i]);
    gl->DeleteTextures(self->sets, self->textures);
    gl->DeleteFramebuffers(2, self->framebuffers);
}

static int describe(chain_run *self, report_row *row)
{
    const ag_plan *plan = NULL;
    row->launches = self->levels;
    snprintf(row->plan, sizeof row->plan, "%d levels", self->levels);
    if (self->subject != AFTERGLOW)
        return STATUS_OK;
    if (self->owner->api->declare(self->pass, &self->jobs[0], &plan) < 0)
        return STATUS_FAILED;
    snprintf(row->plan, sizeof row->plan, "%s", plan->text);
    row->launches = (int)plan->step_count;
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        row->dispatches += (int)step->dispatches;
    }
    return STATUS_OK;
}

static int measure_subject(bench *owner, const bench_case *c, int subject, const picture *source)
{
    chain_run self = {
        .owner = owner, .desc = c, .subject = subject, .levels = full_levels(c->width, c->height)};
    double bytes = (double)chain_bytes(c);
    self.sets = measure_sets(bytes, owner->cold_bytes);
    owner->gpu.gl.GenFramebuffers(2, self.framebuffers);
    report_row row = {
        .effect = "mipchain", .width = c->width, .height = c->height, .bytes = chain_bytes(c)};
    snprintf(row.subject, sizeof row.subject, "%s", subjects[subject]);
    snprintf(row.variant, sizeof row.variant, "%s", format_by_enum(c->format)->name);
    int status = STATUS_OK;
    for (int i = 0; i < self.sets && status == STATUS_OK; i++)
        status = make_texture(&self, i, source);
    if (status == STATUS_OK && subject == AFTERGLOW)
        status = make_jobs(&self);
    if (status == STATUS_OK)
        status = describe(&self, &row);
    const measure_work work = {record, next_frame, &self, self.sets};
    if (status == STATUS_OK && !measure(&owner->timer, &work, owner->samples, &row.times))
        status = fail(STATUS_FAILED, "mipchain: execute failed while it was measured");
    owner->gpu.gl.MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    if (status == STATUS_OK)
        status = compare(&self, &row.error);
    close_run(&self);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

static int run(bench *self)
{
    bench_size sizes[CASES], chosen[BENCH_MAX_SIZES];
    for (int i = 0; i < CASES; i++)
        sizes[i] = (bench_size){cases[i].width, cases[i].height};
    int count = bench_sizes(self, sizes, CASES, QUICK_CASES, chosen), status = STATUS_OK;
    bool listed = !self->only.width && !self->smallest;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        // A named size and the smallest size are measured in both formats.
        bench_case row[2] = {{chosen[i].width, chosen[i].height, GL_RGBA16F},
                             {chosen[i].width, chosen[i].height, GL_RGBA8}};
        if (listed)
            row[0].format = cases[i].format;
        picture source = picture_scene(chosen[i].width, chosen[i].height);
        status = source.texels ? STATUS_OK : fail_memory();
        for (int k = 0; k < (listed ? 1 : 2) * SUBJECTS && status == STATUS_OK; k++)
            status = measure_subject(self, &row[k / SUBJECTS], k % SUBJECTS, &source);
        picture_free(&source);
    }
    return status;
}

const bench_effect bench_mipchain = {"mipchain", run, false};
