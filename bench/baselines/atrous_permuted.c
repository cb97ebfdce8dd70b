// atrous_permuted.c - the denoiser's a-trous filter with texels permuted between levels
// SPDX-License-Identifier: MIT
//
// Dolp, Hanika, Dachsbacher 2024. The effect leaves texels where they are (docs/denoise.md).
#include "atrous_permuted.h"

#include "cli/report.h"
#include "compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_pyramid[];

enum { LEVELS = 5, COMPARED = 1 << 18 };
static const double SIGMA = 0.05;

typedef struct permuted_run {
    const GladGLContext *gl;
    GLuint programs[LEVELS], between[2];
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    int sets, width, height;
} permuted_run;

static double unit_of(int level) // log2 of a weight is minus the square of the distance in this
{
    return sqrt(1.4426950408889634 / 8 / (3 * SIGMA * SIGMA)) * (1 << level);
}

static bool record(void *user, int set)
{
    const permuted_run *run = user;
    const GladGLContext *gl = run->gl;
    gl->ActiveTexture(GL_TEXTURE0);
    for (int level = 0; level < LEVELS; level++) {
        bool last = level == LEVELS - 1;
        int w = run->width >> level, h = run->height >> level;
        gl->BindTexture(GL_TEXTURE_2D, level ? run->between[level % 2] : run->sources[set]);
        gl->BindImageTexture(0, last ? run->targets[set] : run->between[(level + 1) % 2], 0,
                             GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        gl->ProgramUniform4i(run->programs[level], 0, w, h, 0, 0);
        gl->ProgramUniform1f(run->programs[level], 1, (float)unit_of(level));
        gl->UseProgram(run->programs[level]);
        gl->DispatchCompute((GLuint)(w + 15) / 16, (GLuint)(h + 15) / 16, 1u << (2 * level));
        gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
    return true;
}

static int make(permuted_run *run, const picture *source)
{
    const GladGLContext *gl = run->gl;
    bool complete = true;
    for (int i = 0; i < run->sets; i++) {
        run->sources[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, source);
        run->targets[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, NULL);
        complete = complete && run->sources[i] && run->targets[i];
    }
    for (int i = 0; i < 2; i++) {
        run->between[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, NULL);
        complete = complete && run->between[i];
    }
    if (!complete || gl->GetError() != GL_NO_ERROR)
        return fail(STATUS_FAILED, "GL has no memory for an a-trous filter");
    for (int level = 0; level < LEVELS; level++) {
        char defines[64], error[1024] = "";
        snprintf(defines, sizeof defines, "#define LEVEL %d\n#define LAST %d\n", level,
                 level == LEVELS - 1);
        run->programs[level] = compute_program(gl, ag_embedded_pyramid, "atrous_permuted.comp",
                                               defines, error, sizeof error);
        if (!run->programs[level])
            return fail(STATUS_FAILED, "atrous_permuted.comp: %s", error);
    }
    return STATUS_OK;
}

static void destroy(permuted_run *run)
{
    const GladGLContext *gl = run->gl;
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    for (int level = 0; level < LEVELS; level++)
        gl->DeleteProgram(run->programs[level]);
    gl->DeleteTextures(2, run->between);
    gl->DeleteTextures(run->sets, run->sources);
    gl->DeleteTextures(run->sets, run->targets);
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

// A baseline that computes something else is none. Halves lie between the levels.
static int compare(const permuted_run *run, const picture *source)
{
    size_t count = 4 * (size_t)run->width * (size_t)run->height;
    float *right = malloc(count * sizeof *right), *next = malloc(count * sizeof *next);
    picture got = picture_read(run->gl, run->targets[0], run->width, run->height);
    double worst = 0, largest = 0;
    bool memory = right && next && got.texels;
    if (memory)
        memcpy(right, source->texels, count * sizeof *right);
    for (int level = 0; memory && level < LEVELS; level++) {
        level_on_cpu(right, run->width, run->height, level, next);
        float *done = next;
        next = right;
        right = done;
    }
    for (size_t i = 0; memory && !isnan(worst) && i < count; i++) {
        double size = fmax(fabs((double)right[i]), 0.1);
        double error = fabs((double)got.texels[i] - (double)right[i]) / size;
        if (!(error <= worst)) // fmax would drop a NaN
            worst = error;
        largest = fmax(largest, fabs((double)right[i]));
    }
    free(right);
    free(next);
    picture_free(&got);
    if (!memory)
        return fail_memory();
    return worst <= 2e-2 && largest > 0
               ? STATUS_OK
               : fail(STATUS_FAILED, "a-trous, permuted: off by %g of a texel", worst);
}

int atrous_permuted_bench(bench *owner, const picture *source)
{
    permuted_run run = {.gl = &owner->gpu.gl, .width = source->width, .height = source->height};
    double texels = (double)run.width * run.height;
    report_row row = {.effect = "denoise",
                      .subject = "permuted texels",
                      .variant = "atrous, 5 levels",
                      .width = run.width,
                      .height = run.height,
                      .launches = LEVELS,
                      .bytes = (uint64_t)(16 * LEVELS * texels)};
    run.sets = measure_sets(16 * texels, owner->cold_bytes);
    snprintf(row.plan, sizeof row.plan, "a-trous, %d levels, texels permuted after each", LEVELS);
    int status = make(&run, source);
    if (status == STATUS_OK) {
        const measure_work work = {record, NULL, &run, run.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
        run.gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
        status = texels <= COMPARED ? compare(&run, source) : STATUS_OK;
    }
    destroy(&run);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}
