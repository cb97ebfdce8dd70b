// atrous_permuted.c - the denoiser's a-trous filter with texels permuted between levels
// SPDX-License-Identifier: MIT
#include "way.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5, COMPARED = 1 << 18 };
static const double SIGMA = 0.05;

static double unit_of(int level) // log2 of a weight is minus the square of the distance in this
{
    return sqrt(1.4426950408889634 / 8 / (3 * SIGMA * SIGMA)) * (1 << level);
}

static bool record(void *user, int set)
{
    const way *self = user;
    const GladGLContext *gl = self->gl;
    way_bind(self, set);
    for (int level = 0; level < LEVELS; level++) {
        GLuint program = self->programs[level];
        int w = self->width >> level, h = self->height >> level;
        if (level > 0)
            gl->BindTexture(GL_TEXTURE_2D, self->textures[level % 2]);
        gl->BindImageTexture(0,
                             level == LEVELS - 1 ? self->targets[set]
                                                 : self->textures[(level + 1) % 2],
                             0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        gl->ProgramUniform4i(program, 0, w, h, 0, 0);
        gl->ProgramUniform1f(program, 1, (float)unit_of(level));
        way_dispatch(self, program, (w + 15) / 16, (h + 15) / 16, 1 << (2 * level),
                     GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
    return true;
}

// A level where texels are, 2^level apart.
static void level_on_cpu(const float *from, int w, int h, int level, float *to)
{
    static const double filter[3] = {6 / 16.0, 4 / 16.0, 1 / 16.0};
    int stride = 1 << level;
    for (int p = 0; p < w * h; p++) {
        double sum[3] = {0}, weights = 0;
        for (int k = 0; k < 25; k++) {
            int dx = k % 5 - 2, dy = k / 5 - 2;
            int x = p % w + dx * stride, y = p / w + dy * stride;
            if (x < 0 || y < 0 || x >= w || y >= h)
                continue;
            const float *c = from + 4 * (size_t)(y * w + x), *here = from + 4 * (size_t)p;
            double distance = 0;
            for (int i = 0; i < 3; i++)
                distance += pow(((double)c[i] - (double)here[i]) * unit_of(level), 2);
            double weight = filter[abs(dx)] * filter[abs(dy)] * exp2(-distance);
            for (int i = 0; i < 3; i++)
                sum[i] += weight * (double)c[i];
            weights += weight;
        }
        for (int i = 0; i < 3; i++)
            to[4 * (size_t)p + (size_t)i] = (float)(sum[i] / weights);
        to[4 * (size_t)p + 3] = from[4 * (size_t)p + 3];
    }
}

static void check(way *self)
{
    size_t count = 4 * (size_t)self->width * (size_t)self->height;
    if (count > 4 * COMPARED)
        return;
    float *right = need_memory(count * sizeof *right), *next = need_memory(count * sizeof *next);
    const picture *source = bench_picture(self->owner, picture_noisy, self->width, self->height);
    memcpy(right, source->texels, count * sizeof *right);
    for (int level = 0; level < LEVELS; level++) {
        level_on_cpu(right, self->width, self->height, level, next);
        float *done = next;
        next = right;
        right = done;
    }
    way_compare(self, "a-trous, permuted", right, 0.1, 2e-2); // halves in between
    free(right);
    free(next);
}

void atrous_permuted_bench(bench *owner, int width, int height)
{
    way self;
    double texels = (double)width * height;
    report_row row = {.effect = "denoise",
                      .subject = "permuted texels",
                      .variant = "atrous, 5 levels",
                      .launches = LEVELS,
                      .bytes = (uint64_t)(16 * LEVELS * texels)};
    snprintf(row.plan, sizeof row.plan, "a-trous, %d levels, texels permuted after each", LEVELS);
    way_begin(&self, owner, bench_picture(owner, picture_noisy, width, height), GL_RGBA16F,
              GL_RGBA16F, 16 * texels);
    for (int i = 0; i < 2; i++)
        way_texture(&self, GL_RGBA16F, width, height, NULL);
    for (int level = 0; level < LEVELS; level++)
        way_program(&self, "atrous_permuted.comp", "#define LEVEL %d\n#define LAST %d\n", level,
                    level == LEVELS - 1);
    way_end(&self, &row, record, check);
}
