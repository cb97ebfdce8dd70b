// bench_mipchain.c - the effect "mipchain", beside glGenerateMipmap and a chain of blits
// SPDX-License-Identifier: MIT
//
// A row's error is the largest difference of any level from the exact chain in double precision,
// relative to the brightest value. Odd sizes show the errors of the baselines.
#include "cli/format.h"
#include "cli/report.h"
#include "down_case.h"
#include "effects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct chain {
    int width, height;
    GLenum format;
} chain;

// The sizes with a target time come first: --quick takes the first two, --smallest the first.
static const chain chains[] = {
    {1920, 1080, GL_RGBA16F},      {2048, 2048, GL_RGBA16F},        {3840, 2160, GL_RGBA16F},
    {4096, 4096, GL_RGBA16F},      {4095, 4095, GL_RGBA16F},        {8192, 8192, GL_RGBA16F},
    {1024, 1024, GL_RGBA16F},      {1024, 1024, GL_RGBA8},          {2048, 2048, GL_RGBA8},
    {4096, 4096, GL_RGBA8},        {4095, 4095, GL_RGBA8},          {8192, 8192, GL_RGBA8},
    {4096, 4096, GL_SRGB8_ALPHA8}, {4096, 4096, GL_R11F_G11F_B10F}, {2048, 2048, GL_R32F},
    {4096, 4096, GL_RGBA32F},
};
enum { QUICK_CHAINS = 2 };

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

static int full_levels(const chain *c)
{
    int levels = 0;
    while (c->width >> levels > 1 || c->height >> levels > 1)
        levels++;
    return levels;
}

// The least that any chain moves: it reads level 0 and writes the levels below it.
static uint64_t chain_bytes(const chain *c)
{
    uint64_t texels = 0, texel = (uint64_t)format_by_enum(c->format)->texel_bytes;
    int width = c->width, height = c->height;
    for (int i = 0; i <= full_levels(c); i++) {
        texels += (uint64_t)width * (uint64_t)height;
        width = half(width);
        height = half(height);
    }
    return texels * texel;
}

// ---- exact results -----------------------------------------------------------------------------

// A level's values, four channels; NULL: no memory.
static double *read_level(const GladGLContext *gl, GLuint texture, int level, size_t count)
{
    float *values = malloc(count * sizeof *values);
    double *out = malloc(count * sizeof *out);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    if (values)
        gl->GetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_FLOAT, values);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    for (size_t i = 0; values && out && i < count; i++)
        out[i] = (double)values[i];
    free(values);
    return out;
}

// Compares level by level with a chain made from the texture's level 0. Not checked: sRGB, because
// glGetTexImage returns encoded values, and sizes whose doubles would take gigabytes.
static int compare(const GladGLContext *gl, const chain *c, GLuint texture, accuracy *out)
{
    if (c->format == GL_SRGB8_ALPHA8 || c->width > 4096 || c->height > 4096)
        return STATUS_OK;
    int width = c->width, height = c->height;
    double worst = 0, peak = 0, squares = 0, total = 0;
    size_t count = 4 * (size_t)width * (size_t)height;
    gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    double *above = read_level(gl, texture, 0, count);
    for (size_t i = 0; above && i < count; i++)
        peak = fmax(peak, fabs(above[i]));
    for (int level = 1; level <= full_levels(c) && above; level++) {
        double *exact = area_average(above, 4, width, height, half(width), half(height));
        width = half(width);
        height = half(height);
        count = 4 * (size_t)width * (size_t)height;
        double *got = read_level(gl, texture, level, count);
        for (size_t i = 0; exact && got && i < count; i++) {
            double e = fabs(got[i] - exact[i]);
            worst = !(e <= worst) ? e : worst;
            squares += e * e;
        }
        total += (double)count;
        free(above);
        above = got ? exact : NULL;
        if (!got)
            free(exact);
        free(got);
    }
    if (!above)
        return fail_memory();
    free(above);
    *out = (accuracy){.checked = true,
                      .snr_db = squares > 0 ? 10 * log10(peak * peak * total / squares) : 999,
                      .max_error = worst / peak};
    return STATUS_OK;
}

// ---- rows --------------------------------------------------------------------------------------

static report_row row_of(const chain *c, const char *subject)
{
    report_row row = {.effect = "mipchain", .width = c->width, .height = c->height};
    snprintf(row.subject, sizeof row.subject, "%s", subject);
    snprintf(row.variant, sizeof row.variant, "%s", format_by_enum(c->format)->name);
    return row;
}

static int measure_effect(bench *owner, const chain *c)
{
    const pass_case timed = {.effect = "mipchain",
                             .width = c->width,
                             .height = c->height,
                             .slots = {
                                 {"texture", c->format, .levels = true, .make = picture_scene}}};
    report_row row = row_of(c, "afterglow");
    pass self;
    int status = pass_open(owner, &timed, 0, &self);
    if (status == STATUS_OK)
        status = pass_declare(&self, &row);
    row.bytes = chain_bytes(c);
    if (status == STATUS_OK)
        status = pass_measure(&self, &row);
    if (status == STATUS_OK)
        status = compare(&owner->gpu.gl, c, self.sets[0].slots[0].name, &row.error);
    pass_close(&self);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

static int measure_drawn(bench *owner, const chain *c, down_way way)
{
    report_row row = row_of(c, down_subjects[way]);
    const picture *source = bench_picture(owner, picture_scene, c->width, c->height);
    drawn self = {0};
    row.launches = full_levels(c);
    row.bytes = chain_bytes(c);
    snprintf(row.plan, sizeof row.plan, "%d levels", row.launches);
    int status = source ? drawn_measure(owner, c->format, source, way, row.launches, &row, &self)
                        : STATUS_FAILED;
    if (status == STATUS_OK)
        status = compare(&owner->gpu.gl, c, self.sources[0], &row.error);
    drawn_close(&self);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}

static int run(bench *self)
{
    bench_size sizes[COUNT(chains)], chosen[BENCH_MAX_SIZES];
    for (int i = 0; i < COUNT(chains); i++)
        sizes[i] = (bench_size){chains[i].width, chains[i].height};
    int count = bench_sizes(self, sizes, COUNT(chains), QUICK_CHAINS, chosen), status = STATUS_OK;
    bool listed = !self->only.width && !self->smallest; // else both formats
    for (int i = 0; i < count * (listed ? 1 : 2) && status == STATUS_OK; i++) {
        const bench_size *size = &chosen[listed ? i : i / 2];
        const chain c = {size->width, size->height,
                         listed  ? chains[i].format
                         : i % 2 ? GL_RGBA8
                                 : GL_RGBA16F};
        status = measure_effect(self, &c);
        if (status == STATUS_OK)
            status = measure_drawn(self, &c, DOWN_GENERATE);
        if (status == STATUS_OK)
            status = measure_drawn(self, &c, DOWN_BLITS);
    }
    return status;
}

const bench_effect bench_mipchain = {"mipchain", .run = run};
