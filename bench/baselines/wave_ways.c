// wave_ways.c - wavelets by the schedule of plain wavelet libraries, as PDWT does it: two kernels a
// level; Haar in one dispatch; and a threshold of cdf97 between its two ways
// SPDX-License-Identifier: MIT
#include "way.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS = 10, LEVELS = 3, STEPS = 5, ROWS_FROM_TEXTURE = 5, ROWS_TO_TEXTURE = 6 };
static const float THRESHOLD = 0.05f;

typedef struct filters { // in the order of samples: sample 2 o + m - taps / 2 + 1 is tap m's
    int taps;
    float low[TAPS], high[TAPS];           // forward
    float low_back[TAPS], high_back[TAPS]; // back
} filters;

#define HALF 0.70710678f
static const filters haar = {2, {HALF, HALF}, {HALF, -HALF}, {HALF, HALF}, {HALF, -HALF}};
// clang-format off
static const filters cdf97 = {
    .taps = 10,
    .low = {0.037828455f, -0.023849465f, -0.110624404f, 0.377402856f, 0.852698679f,
            0.377402856f, -0.110624404f, -0.023849465f, 0.037828455f, 0},
    .high = {0, 0, -0.064538883f, 0.040689418f, 0.418092273f,
             -0.788485616f, 0.418092273f, 0.040689418f, -0.064538883f, 0},
    .low_back = {0, -0.064538883f, -0.040689418f, 0.418092273f, 0.788485616f,
                 0.418092273f, -0.040689418f, -0.064538883f, 0, 0},
    .high_back = {0, -0.037828455f, -0.023849465f, 0.110624404f, 0.377402856f,
                  -0.852698679f, 0.377402856f, 0.110624404f, -0.023849465f, -0.037828455f}};
// clang-format on

typedef struct wave_way {
    way base;
    const char *name;
    const filters *filters;
    bool at_once, denoises;
} wave_way;

// ---- on the CPU --------------------------------------------------------------------------------

// One axis of a level, in place: forward to low, then high coefficients, or back.
static void line_on_cpu(const filters *f, float *at, int n, size_t stride, bool back, float *line)
{
    memset(line, 0, (size_t)n * sizeof *line);
    for (int o = 0; o < n / 2; o++)
        for (int m = 0; m < f->taps; m++) {
            int i = (2 * o + m - f->taps / 2 + 1 + n) % n;
            if (back) {
                line[i] += f->low_back[m] * at[(size_t)o * stride] +
                           f->high_back[m] * at[(size_t)(n / 2 + o) * stride];
            } else {
                line[o] += f->low[m] * at[(size_t)i * stride];
                line[n / 2 + o] += f->high[m] * at[(size_t)i * stride];
            }
        }
    for (int i = 0; i < n; i++)
        at[(size_t)i * stride] = line[i];
}

// An image of four channels, in place: coefficients as a pyramid, low ones first.
static void wavelet_on_cpu(const filters *of, float *texels, int width, int height, bool back)
{
    float *line = need_memory((size_t)(width + height) * sizeof *line);
    for (int l = 0; l < LEVELS; l++) {
        int level = back ? LEVELS - 1 - l : l, w = width >> level, h = height >> level;
        for (int axis = 0; axis < 2; axis++) {
            bool columns = axis != back; // forward: rows first
            for (int i = 0; i < (columns ? w : h); i++)
                for (int c = 0; c < 4; c++)
                    line_on_cpu(of, texels + 4 * (size_t)i * (columns ? 1 : (size_t)width) + c,
                                columns ? h : w, columns ? 4 * (size_t)width : 4, back, line);
        }
    }
    free(line);
}

static void check(way *self)
{
    const wave_way *run = (const wave_way *)self; // its first member
    size_t width = (size_t)self->width, count = 4 * width * (size_t)self->height;
    if (count > (size_t)4 << 21)
        return;
    const picture *source = bench_picture(self->owner, picture_scene, self->width, self->height);
    float *right = need_memory(count * sizeof *right);
    memcpy(right, source->texels, count * sizeof *right);
    wavelet_on_cpu(run->filters, right, self->width, self->height, false);
    for (size_t i = 0; i < count && run->denoises; i++)
        if ((int)(i / 4 % width) >= self->width >> LEVELS ||
            (int)(i / 4 / width) >= self->height >> LEVELS)
            right[i] -= fmaxf(fminf(right[i], THRESHOLD), -THRESHOLD);
    if (run->denoises)
        wavelet_on_cpu(run->filters, right, self->width, self->height, true);
    way_compare(self, run->name, right, 0, 1e-3);
    free(right);
}

// ---- forward alone: wave_line.comp -------------------------------------------------------------

// Programs: rows from the texture, rows from a buffer, columns. Buffers: planes, approximation.
static bool record(void *user, int set)
{
    const wave_way *run = user;
    const way *self = &run->base;
    const GladGLContext *gl = self->gl;
    way_bind(self, set);
    if (run->at_once) {
        gl->ProgramUniform4i(self->programs[0], 0, self->width, self->height, 0, 0);
        way_dispatch(self, self->programs[0], (self->width + 31) / 32, (self->height + 31) / 32, 1,
                     GL_TEXTURE_FETCH_BARRIER_BIT);
        return true;
    }
    for (GLuint i = 0; i < 2; i++)
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, self->buffers[i]);
    for (int level = 1; level <= LEVELS; level++) {
        int w = self->width >> (level - 1), h = self->height >> (level - 1);
        GLuint rows = self->programs[level > 1], columns = self->programs[2];
        gl->ProgramUniform4i(rows, 0, w, h, 0, 0);
        way_dispatch(self, rows, (w / 2 + 31) / 32, (h + 7) / 8, 1, GL_SHADER_STORAGE_BARRIER_BIT);
        gl->ProgramUniform4i(columns, 0, w, h, 0, 0);
        gl->ProgramUniform4i(columns, 1, w / 2, h / 2, level == LEVELS, 0);
        way_dispatch(self, columns, (w / 2 + 31) / 32, (h / 2 + 7) / 8, 1,
                     GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    return true;
}

static void list_taps(const char *name, const float *taps, int count, char *out, size_t size)
{
    int used = snprintf(out, size, "#define %s float[](", name);
    for (int k = 0; k < count; k++)
        used += snprintf(out + used, size - (size_t)used, "%s%.9f", k ? ", " : "", (double)taps[k]);
    snprintf(out + used, size - (size_t)used, ")\n");
}

static void make_programs(wave_way *run)
{
    const filters *f = run->filters;
    char low[256], high[256];
    if (run->at_once) {
        way_program(&run->base, "wave_haar.comp", "\n");
        return;
    }
    list_taps("LOW", f->low, f->taps, low, sizeof low);
    list_taps("HIGH", f->high, f->taps, high, sizeof high);
    for (int i = 0; i < 3; i++)
        way_program(&run->base, "wave_line.comp",
                    "#define AXIS %d\n#define FROM_BUFFER %d\n#define TAPS %d\n%s%s", i == 2, i > 0,
                    f->taps, low, high);
}

static void begin(wave_way *run, bench *owner, int width, int height)
{
    way_begin(&run->base, owner, bench_picture(owner, picture_scene, width, height), GL_RGBA16F,
              GL_RGBA16F, 16.0 * width * height);
}

static void measure_way(bench *owner, int width, int height, wave_way *run)
{
    size_t texels = (size_t)width * (size_t)height;
    report_row row = {.effect = "wavelet", .launches = run->at_once ? 1 : 2 * LEVELS};
    // RGBA16F in and out. Two passes: planes written and read, 32 bytes; approximations too.
    double bytes = 16 * (double)texels;
    for (int l = 1; l <= LEVELS && !run->at_once; l++)
        bytes += (double)texels / pow(4, l - 1) * 32 +
                 (l < LEVELS ? (double)texels / pow(4, l) * 32 : 0);
    row.bytes = (uint64_t)bytes;
    snprintf(row.subject, sizeof row.subject, run->at_once ? "one dispatch" : "two passes");
    snprintf(row.variant, sizeof row.variant, "%s", run->name);
    snprintf(row.plan, sizeof row.plan, "%s, %d levels", run->name, LEVELS);
    begin(run, owner, width, height);
    for (int i = 0; i < 2; i++)
        way_buffer(&run->base, 16 * texels >> (2 * i), NULL);
    make_programs(run);
    way_end(&run->base, &row, record, check);
}

void wave_ways_bench(bench *owner, int width, int height)
{
    wave_way ways[] = {{.name = "separable, haar", .filters = &haar},
                       {.name = "separable, cdf97", .filters = &cdf97},
                       {.name = "one dispatch, haar", .filters = &haar, .at_once = true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        measure_way(owner, width, height, &ways[i]);
}

// ---- there and back: denoise_line.comp ---------------------------------------------------------

// Of the buffers the first has planes, the others the bands of a level and its approximation.
static void step(const way *self, int step, int level, GLuint in, GLuint out)
{
    const GladGLContext *gl = self->gl;
    int w = self->width >> (level - 1), h = self->height >> (level - 1);
    int index = level > 1 || (step != 0 && step != 4) ? step
                : step == 0                           ? ROWS_FROM_TEXTURE
                                                      : ROWS_TO_TEXTURE;
    int x = step == 0 || step == 2 ? w / 2 : w, y = step == 1 || step == 2 ? h / 2 : h;
    GLuint program = self->programs[index];
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out);
    gl->ProgramUniform4i(program, 0, w, h, 0, 0);
    if (step == 2)
        gl->ProgramUniform1f(program, 1, THRESHOLD);
    way_dispatch(self, program, (x + 31) / 32, (y + 7) / 8, 1,
                 GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
}

static bool record_library(void *user, int set)
{
    const way *self = user;
    const GLuint planes = self->buffers[0], *bands = self->buffers + 1;
    way_bind(self, set);
    for (int level = 1; level <= LEVELS; level++) {
        step(self, 0, level, bands[level - 1], planes);
        step(self, 1, level, planes, bands[level]);
    }
    for (int level = 1; level <= LEVELS; level++)
        step(self, 2, level, planes, bands[level]);
    for (int level = LEVELS; level >= 1; level--) { // LL is the first band
        step(self, 3, level, bands[level], planes);
        step(self, 4, level, planes, bands[level - 1]);
    }
    return true;
}

void plain_library_bench(bench *owner, int width, int height)
{
    wave_way run = {.name = "two passes, cdf97", .filters = &cdf97, .denoises = true};
    way *self = &run.base;
    report_row row = {.effect = "denoise",
                      .subject = "plain library",
                      .variant = "two passes, cdf97",
                      .launches = STEPS * LEVELS};
    size_t texels = (size_t)width * (size_t)height;
    double bytes = 16.0 * (double)texels;
    // planes written and read both ways, bands too, details read and written by the threshold
    for (int l = 0; l < LEVELS; l++)
        bytes += (double)texels / pow(4, l) * 16 * (4 + 4 + 1.5) - (l ? 0 : 32 * (double)texels);
    row.bytes = (uint64_t)bytes;
    snprintf(row.plan, sizeof row.plan, "cdf97, %d levels, soft, %d dispatches", LEVELS,
             STEPS * LEVELS);
    begin(&run, owner, width, height);
    way_buffer(self, 16 * texels, NULL);
    for (int i = 0; i <= LEVELS; i++) // level 1 reads the texture
        way_buffer(self, i == 0 ? 16 : 16 * texels >> (2 * (i - 1)), NULL);
    for (int i = 0; i < STEPS; i++)
        way_program(self, "denoise_line.comp", "#define STEP %d\n#define TEXTURE 0\n", i);
    for (int i = 0; i < STEPS; i += 4)
        way_program(self, "denoise_line.comp", "#define STEP %d\n#define TEXTURE 1\n", i);
    way_end(self, &row, record_library, check);
}
