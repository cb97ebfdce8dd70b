// denoise_ways.c - a threshold of cdf97 by the schedule of plain wavelet libraries
// SPDX-License-Identifier: MIT
//
// Two kernels a level each way, and one for the threshold, as PDWT does; periodic border.
#include "denoise_ways.h"

#include "wavelet_cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = WAVELET_LEVELS, STEPS = 5, ROWS_FROM_TEXTURE = 5, ROWS_TO_TEXTURE = 6 };
static const float THRESHOLD = 0.05f;

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

static bool record(void *user, int set)
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

static void check(way *self)
{
    size_t width = (size_t)self->width, count = 4 * width * (size_t)self->height;
    if (count > (size_t)4 << 21)
        return;
    const picture *source = bench_picture(self->owner, picture_scene, self->width, self->height);
    float *right = malloc(count * sizeof *right);
    float *line = malloc((width + (size_t)self->height) * sizeof *line);
    bool memory = source && right && line;
    if (memory) {
        memcpy(right, source->texels, count * sizeof *right);
        wavelet_on_cpu(&wavelet_cdf97, right, self->width, self->height, 0, line);
        for (size_t i = 0; i < count; i++)
            if ((int)(i / 4 % width) >= self->width >> LEVELS ||
                (int)(i / 4 / width) >= self->height >> LEVELS)
                right[i] -= fmaxf(fminf(right[i], THRESHOLD), -THRESHOLD);
        wavelet_on_cpu(&wavelet_cdf97, right, self->width, self->height, 1, line);
    }
    way_compare(self, "two passes, cdf97", memory ? right : NULL, 0, 1e-3);
    free(right);
    free(line);
}

int denoise_way_bench(bench *owner, int width, int height)
{
    way self;
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
    way_begin(&self, owner, bench_picture(owner, picture_scene, width, height), GL_RGBA16F,
              GL_RGBA16F, 16.0 * (double)texels);
    way_buffer(&self, 16 * texels, NULL);
    for (int i = 0; i <= LEVELS; i++) // level 1 reads the texture
        way_buffer(&self, i == 0 ? 16 : 16 * texels >> (2 * (i - 1)), NULL);
    for (int i = 0; i < STEPS; i++)
        way_program(&self, "denoise_line.comp", "#define STEP %d\n#define TEXTURE 0\n", i);
    for (int i = 0; i < STEPS; i += 4)
        way_program(&self, "denoise_line.comp", "#define STEP %d\n#define TEXTURE 1\n", i);
    return way_end(&self, &row, record, check);
}
