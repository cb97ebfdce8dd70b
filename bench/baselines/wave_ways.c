// wave_ways.c - wavelets beside the effect's: two passes a level, and Haar in one dispatch
// SPDX-License-Identifier: MIT
#include "wave_ways.h"

#include "wavelet_cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct wave_way {
    way base;
    const char *name;
    const wavelet_filters *filters;
    bool at_once;
} wave_way;

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
    for (int level = 1; level <= WAVELET_LEVELS; level++) {
        int w = self->width >> (level - 1), h = self->height >> (level - 1);
        GLuint rows = self->programs[level > 1], columns = self->programs[2];
        gl->ProgramUniform4i(rows, 0, w, h, 0, 0);
        way_dispatch(self, rows, (w / 2 + 31) / 32, (h + 7) / 8, 1, GL_SHADER_STORAGE_BARRIER_BIT);
        gl->ProgramUniform4i(columns, 0, w, h, 0, 0);
        gl->ProgramUniform4i(columns, 1, w / 2, h / 2, level == WAVELET_LEVELS, 0);
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
    const wavelet_filters *f = run->filters;
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

static void check(way *self)
{
    const wave_way *run = (const wave_way *)self; // its first member
    size_t width = (size_t)self->width, count = 4 * width * (size_t)self->height;
    if (count > (size_t)4 << 21)
        return;
    const picture *source = bench_picture(self->owner, picture_scene, self->width, self->height);
    float *right = malloc(count * sizeof *right);
    float *line = malloc((width + (size_t)self->height) * sizeof *line);
    bool memory = source && right && line;
    if (memory) {
        memcpy(right, source->texels, count * sizeof *right);
        wavelet_on_cpu(run->filters, right, self->width, self->height, 0, line);
    }
    way_compare(self, run->name, memory ? right : NULL, 0, 1e-3);
    free(right);
    free(line);
}

static int measure_way(bench *owner, int width, int height, wave_way *run)
{
    size_t texels = (size_t)width * (size_t)height;
    report_row row = {.effect = "wavelet", .launches = run->at_once ? 1 : 2 * WAVELET_LEVELS};
    // RGBA16F in and out. Two passes: planes written and read, 32 bytes; approximations too.
    double bytes = 16 * (double)texels;
    for (int l = 1; l <= WAVELET_LEVELS && !run->at_once; l++)
        bytes += (double)texels / pow(4, l - 1) * 32 +
                 (l < WAVELET_LEVELS ? (double)texels / pow(4, l) * 32 : 0);
    row.bytes = (uint64_t)bytes;
    snprintf(row.subject, sizeof row.subject, run->at_once ? "one dispatch" : "two passes");
    snprintf(row.variant, sizeof row.variant, "%s", run->name);
    snprintf(row.plan, sizeof row.plan, "%s, %d levels", run->name, WAVELET_LEVELS);
    way_begin(&run->base, owner, bench_picture(owner, picture_scene, width, height), GL_RGBA16F,
              GL_RGBA16F, 16 * (double)texels);
    for (int i = 0; i < 2; i++)
        way_buffer(&run->base, 16 * texels >> (2 * i), NULL);
    make_programs(run);
    return way_end(&run->base, &row, record, check);
}

int wave_ways_bench(bench *owner, int width, int height)
{
    wave_way ways[] = {{.name = "separable, haar", .filters = &wavelet_haar},
                       {.name = "separable, cdf97", .filters = &wavelet_cdf97},
                       {.name = "one dispatch, haar", .filters = &wavelet_haar, .at_once = true}};
    int status = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && status == 0; i++)
        status = measure_way(owner, width, height, &ways[i]);
    return status;
}
