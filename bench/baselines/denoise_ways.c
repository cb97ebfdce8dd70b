// denoise_ways.c - a threshold of cdf97 by the schedule of plain wavelet libraries
// SPDX-License-Identifier: MIT
//
// Two kernels a level each way, and one for the threshold, as PDWT does; periodic border.
#include "denoise_ways.h"

#include "cli/report.h"
#include "compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_pyramid[];

enum { LEVELS = 3, TAPS = 10, STEPS = 5 };
static const float THRESHOLD = 0.05f;

static const float low[TAPS] = {
    0.037828455f, -0.023849465f, -0.110624404f, 0.377402856f, 0.852698679f,
    0.377402856f, -0.110624404f, -0.023849465f, 0.037828455f, 0};
static const float high[TAPS] = {0,
                                 0,
                                 -0.064538883f,
                                 0.040689418f,
                                 0.418092273f,
                                 -0.788485616f,
                                 0.418092273f,
                                 0.040689418f,
                                 -0.064538883f,
                                 0};
static const float low_back[TAPS] = {0,
                                     -0.064538883f,
                                     -0.040689418f,
                                     0.418092273f,
                                     0.788485616f,
                                     0.418092273f,
                                     -0.040689418f,
                                     -0.064538883f,
                                     0,
                                     0};
static const float high_back[TAPS] = {0,
                                      -0.037828455f,
                                      -0.023849465f,
                                      0.110624404f,
                                      0.377402856f,
                                      -0.852698679f,
                                      0.377402856f,
                                      0.110624404f,
                                      -0.023849465f,
                                      -0.037828455f};

typedef struct way_run {
    const GladGLContext *gl;
    GLuint programs[2][STEPS]; // [1]: with the texture
    GLuint planes, bands[LEVELS + 1];
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    int sets, width, height;
} way_run;

static void step(const way_run *run, int step, int level, GLuint in, GLuint out)
{
    const GladGLContext *gl = run->gl;
    int w = run->width >> (level - 1), h = run->height >> (level - 1);
    GLuint program = run->programs[level == 1 && (step == 0 || step == 4)][step];
    GLuint x = (GLuint)(step == 0 || step == 2 ? w / 2 : w);
    GLuint y = (GLuint)(step == 1 || step == 2 ? h / 2 : h);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out);
    gl->ProgramUniform4i(program, 0, w, h, 0, 0);
    if (step == 2)
        gl->ProgramUniform1f(program, 1, THRESHOLD);
    gl->UseProgram(program);
    gl->DispatchCompute((x + 31) / 32, (y + 7) / 8, 1);
    gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
}

static bool record(void *user, int set)
{
    const way_run *run = user;
    const GladGLContext *gl = run->gl;
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, run->sources[set]);
    gl->BindImageTexture(0, run->targets[set], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    for (int level = 1; level <= LEVELS; level++) {
        step(run, 0, level, run->bands[level - 1], run->planes);
        step(run, 1, level, run->planes, run->bands[level]);
    }
    for (int level = 1; level <= LEVELS; level++)
        step(run, 2, level, run->planes, run->bands[level]);
    for (int level = LEVELS; level >= 1; level--) { // LL is the first band
        step(run, 3, level, run->bands[level], run->planes);
        step(run, 4, level, run->planes, run->bands[level - 1]);
    }
    return true;
}

static int make(way_run *run, const picture *source)
{
    const GladGLContext *gl = run->gl;
    GLsizeiptr texels = (GLsizeiptr)run->width * run->height;
    bool complete = true;
    for (int i = 0; i < run->sets; i++) {
        run->sources[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, source);
        run->targets[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, NULL);
        complete = complete && run->sources[i] && run->targets[i];
    }
    gl->GenBuffers(1, &run->planes);
    gl->GenBuffers(LEVELS + 1, run->bands);
    for (int i = -1; i <= LEVELS; i++) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, i < 0 ? run->planes : run->bands[i]);
        gl->BufferData(GL_SHADER_STORAGE_BUFFER,
                       i < 0    ? 16 * texels
                       : i == 0 ? 16 // level 1 reads the texture
                                : 16 * texels >> (2 * (i - 1)),
                       NULL, GL_DYNAMIC_COPY);
    }
    if (!complete || gl->GetError() != GL_NO_ERROR)
        return fail(STATUS_FAILED, "GL has no memory for a transform");
    for (int texture = 0; texture < 2; texture++)
        for (int i = 0; i < STEPS; i += texture ? 4 : 1) {
            char defines[64], error[1024] = "";
            snprintf(defines, sizeof defines, "#define STEP %d\n#define TEXTURE %d\n", i, texture);
            run->programs[texture][i] =
                compute_program(gl, ag_embedded_pyramid, "denoise_line.comp", defines, error,
                                sizeof error);
            if (!run->programs[texture][i])
                return fail(STATUS_FAILED, "denoise_line.comp: %s", error);
        }
    return STATUS_OK;
}

static void destroy(way_run *run)
{
    const GladGLContext *gl = run->gl;
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    for (GLuint i = 0; i < 2; i++) {
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
        for (int k = 0; k < STEPS; k++)
            gl->DeleteProgram(run->programs[i][k]);
    }
    gl->DeleteBuffers(1, &run->planes);
    gl->DeleteBuffers(LEVELS + 1, run->bands);
    gl->DeleteTextures(run->sets, run->sources);
    gl->DeleteTextures(run->sets, run->targets);
}

// One axis of a level, in place: forward to low, then high coefficients, or back.
static void line_on_cpu(float *at, int n, size_t stride, bool back, float *line)
{
    memset(line, 0, (size_t)n * sizeof *line);
    for (int o = 0; o < n / 2; o++)
        for (int m = 0; m < TAPS; m++) {
            int i = (2 * o + m - TAPS / 2 + 1 + n) % n;
            if (back) {
                line[i] += low_back[m] * at[(size_t)o * stride] +
                           high_back[m] * at[(size_t)(n / 2 + o) * stride];
            } else {
                line[o] += low[m] * at[(size_t)i * stride];
                line[n / 2 + o] += high[m] * at[(size_t)i * stride];
            }
        }
    for (int i = 0; i < n; i++)
        at[(size_t)i * stride] = line[i];
}

static void level_on_cpu(float *values, int width, int w, int h, bool back, float *line)
{
    size_t row = 4 * (size_t)width;
    for (size_t c = 0; c < 4; c++)
        for (int pass = 0; pass < 2; pass++) {
            bool rows = pass == (back ? 1 : 0);
            for (int i = 0; i < (rows ? h : w); i++)
                line_on_cpu(values + c + (rows ? row : 4) * (size_t)i, rows ? w : h, rows ? 4 : row,
                            back, line);
        }
}

// A baseline that computes something else is none.
static int compare(const way_run *run, const picture *source)
{
    size_t width = (size_t)run->width, count = 4 * width * (size_t)run->height;
    float *right = malloc(count * sizeof *right);
    float *line = malloc((width + (size_t)run->height) * sizeof *line);
    picture got = picture_read(run->gl, run->targets[0], run->width, run->height);
    double worst = 0, largest = 0;
    bool memory = right && line && got.texels;
    if (memory) {
        memcpy(right, source->texels, count * sizeof *right);
        for (int l = 0; l < LEVELS; l++)
            level_on_cpu(right, run->width, run->width >> l, run->height >> l, false, line);
        for (size_t i = 0; i < count; i++)
            if ((int)(i / 4 % width) >= run->width >> LEVELS ||
                (int)(i / 4 / width) >= run->height >> LEVELS)
                right[i] -= fmaxf(fminf(right[i], THRESHOLD), -THRESHOLD);
        for (int l = LEVELS - 1; l >= 0; l--)
            level_on_cpu(right, run->width, run->width >> l, run->height >> l, true, line);
    }
    for (size_t i = 0; memory && !isnan(worst) && i < count; i++) {
        double error = fabs((double)got.texels[i] - (double)right[i]);
        if (!(error <= worst)) // fmax would drop a NaN
            worst = error;
        largest = fmax(largest, fabs((double)right[i]));
    }
    free(right);
    free(line);
    picture_free(&got);
    if (!memory)
        return fail_memory();
    return worst <= 1e-3 * largest
               ? STATUS_OK
               : fail(STATUS_FAILED, "two passes, cdf97: off by %g of %g", worst, largest);
}

int denoise_way_bench(bench *owner, const picture *source)
{
    way_run run = {.gl = &owner->gpu.gl, .width = source->width, .height = source->height};
    report_row row = {.effect = "denoise",
                      .subject = "plain library",
                      .variant = "two passes, cdf97",
                      .width = run.width,
                      .height = run.height,
                      .launches = STEPS * LEVELS};
    double texels = (double)run.width * run.height, bytes = 16 * texels;
    // planes written and read both ways, bands too, details read and written by the threshold
    for (int l = 0; l < LEVELS; l++)
        bytes += texels / pow(4, l) * 16 * (4 + 4 + 1.5) - (l ? 0 : 32 * texels);
    row.bytes = (uint64_t)bytes;
    run.sets = measure_sets(16 * texels, owner->cold_bytes);
    snprintf(row.plan, sizeof row.plan, "cdf97, %d levels, soft, %d dispatches", LEVELS,
             STEPS * LEVELS);
    int status = make(&run, source);
    if (status == STATUS_OK) {
        const measure_work work = {record, NULL, &run, run.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
        run.gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
        status = texels <= 1 << 21 ? compare(&run, source) : STATUS_OK;
    }
    destroy(&run);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}
