// wave_ways.c - wavelets beside the effect's: two passes a level, and Haar in one dispatch
// SPDX-License-Identifier: MIT
#include "wave_ways.h"

#include "cli/report.h"
#include "compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_pyramid[];

typedef struct wave_filters { // in the order of samples
    int taps;
    float low[10], high[10];
} wave_filters;

#define HALF 0.70710678f
static const wave_filters filters[] = {
    [WAVE_SEPARABLE_HAAR] = {2, {HALF, HALF}, {HALF, -HALF}},
    [WAVE_SEPARABLE_CDF97] = {10,
                              {0.037828455f, -0.023849465f, -0.110624404f, 0.377402856f,
                               0.852698679f, 0.377402856f, -0.110624404f, -0.023849465f,
                               0.037828455f, 0},
                              {0, 0, -0.064538883f, 0.040689418f, 0.418092273f, -0.788485616f,
                               0.418092273f, 0.040689418f, -0.064538883f, 0}},
    [WAVE_ONE_DISPATCH] = {2, {HALF, HALF}, {HALF, -HALF}}};
static const char *const names[] = {"separable, haar", "separable, cdf97", "one dispatch, haar"};

typedef struct wave_run {
    const GladGLContext *gl;
    wave_way way;
    GLuint rows[2], columns; // rows: from the texture, from a buffer
    GLuint buffers[2];       // planes, approximation
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    int sets, width, height;
} wave_run;

static void dispatch(const wave_run *run, GLuint program, int width, int height, int side_x,
                     int side_y)
{
    run->gl->UseProgram(program);
    run->gl->DispatchCompute((GLuint)((width + side_x - 1) / side_x),
                             (GLuint)((height + side_y - 1) / side_y), 1);
}

static bool record(void *user, int set)
{
    const wave_run *run = user;
    const GladGLContext *gl = run->gl;
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, run->sources[set]);
    gl->BindImageTexture(0, run->targets[set], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    if (run->way == WAVE_ONE_DISPATCH) {
        gl->ProgramUniform4i(run->columns, 0, run->width, run->height, 0, 0);
        dispatch(run, run->columns, run->width, run->height, 32, 32);
        gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        return true;
    }
    for (GLuint i = 0; i < 2; i++)
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, run->buffers[i]);
    for (int level = 1; level <= WAVE_LEVELS; level++) {
        int w = run->width >> (level - 1), h = run->height >> (level - 1);
        GLuint rows = run->rows[level > 1];
        gl->ProgramUniform4i(rows, 0, w, h, 0, 0);
        dispatch(run, rows, w / 2, h, 32, 8);
        gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        gl->ProgramUniform4i(run->columns, 0, w, h, 0, 0);
        gl->ProgramUniform4i(run->columns, 1, w / 2, h / 2, level == WAVE_LEVELS, 0);
        dispatch(run, run->columns, w / 2, h / 2, 32, 8);
        gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    return true;
}

static GLuint line_program(const wave_run *run, int axis, int from_buffer, char *error, size_t size)
{
    const wave_filters *f = &filters[run->way];
    char defines[768];
    int used = snprintf(defines, sizeof defines, "#define AXIS %d\n#define FROM_BUFFER %d\n", axis,
                        from_buffer);
    used += snprintf(defines + used, sizeof defines - (size_t)used, "#define TAPS %d\n", f->taps);
    for (int high = 0; high < 2; high++)
        for (int k = 0; k < f->taps; k++) {
            const char *begin = k ? ", " : high ? "#define HIGH float[](" : "#define LOW float[](";
            used +=
                snprintf(defines + used, sizeof defines - (size_t)used, "%s%.9f%s", begin,
                         (double)(high ? f->high[k] : f->low[k]), k == f->taps - 1 ? ")\n" : "");
        }
    return compute_program(run->gl, ag_embedded_pyramid, "wave_line.comp", defines, error, size);
}

static int make(wave_run *run, const picture *source)
{
    const GladGLContext *gl = run->gl;
    char error[1024] = "";
    bool complete = true;
    for (int i = 0; i < run->sets; i++) {
        run->sources[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, source);
        run->targets[i] = picture_texture(gl, GL_RGBA16F, run->width, run->height, NULL);
        complete = complete && run->sources[i] && run->targets[i];
    }
    GLsizeiptr texels = (GLsizeiptr)run->width * run->height;
    gl->GenBuffers(2, run->buffers);
    for (int i = 0; i < 2; i++) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, run->buffers[i]);
        gl->BufferData(GL_SHADER_STORAGE_BUFFER, 16 * texels >> (2 * i), NULL, GL_DYNAMIC_COPY);
    }
    if (!complete || gl->GetError() != GL_NO_ERROR)
        return fail(STATUS_FAILED, "GL has no memory for a transform");
    if (run->way == WAVE_ONE_DISPATCH) {
        run->columns =
            compute_program(gl, ag_embedded_pyramid, "wave_haar.comp", NULL, error, sizeof error);
        return run->columns ? STATUS_OK : fail(STATUS_FAILED, "wave_haar.comp: %s", error);
    }
    for (int i = 0; i < 2; i++)
        run->rows[i] = line_program(run, 0, i, error, sizeof error);
    run->columns = line_program(run, 1, 1, error, sizeof error);
    return run->rows[0] && run->rows[1] && run->columns
               ? STATUS_OK
               : fail(STATUS_FAILED, "wave_line.comp: %s", error);
}

static void destroy(wave_run *run)
{
    const GladGLContext *gl = run->gl;
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    for (GLuint i = 0; i < 2; i++) {
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
        gl->DeleteProgram(run->rows[i]);
    }
    gl->DeleteProgram(run->columns);
    gl->DeleteBuffers(2, run->buffers);
    gl->DeleteTextures(run->sets, run->sources);
    gl->DeleteTextures(run->sets, run->targets);
}

// One axis of a level, in place; `line` has room for the longer axis.
static void split_on_cpu(const wave_filters *f, float *at, int n, size_t stride, float *line)
{
    for (int o = 0; o < n / 2; o++) {
        float low = 0, high = 0;
        for (int m = 0; m < f->taps; m++) {
            float x = at[(size_t)((2 * o + m - f->taps / 2 + 1 + n) % n) * stride];
            low += f->low[m] * x;
            high += f->high[m] * x;
        }
        line[o] = low;
        line[n / 2 + o] = high;
    }
    for (int i = 0; i < n; i++)
        at[(size_t)i * stride] = line[i];
}

// A baseline that computes something else is none.
static int compare(const wave_run *run, const picture *source)
{
    size_t width = (size_t)run->width, count = 4 * width * (size_t)run->height;
    float *right = malloc(count * sizeof *right);
    float *line = malloc((width + (size_t)run->height) * sizeof *line);
    picture got = picture_read(run->gl, run->targets[0], run->width, run->height);
    double worst = 0, largest = 0;
    bool memory = right && line && got.texels;
    if (memory)
        memcpy(right, source->texels, count * sizeof *right);
    for (int l = 0; memory && l < WAVE_LEVELS; l++) {
        int w = run->width >> l, h = run->height >> l;
        for (size_t c = 0; c < 4; c++) {
            for (size_t y = 0; y < (size_t)h; y++)
                split_on_cpu(&filters[run->way], right + 4 * y * width + c, w, 4, line);
            for (size_t x = 0; x < (size_t)w; x++)
                split_on_cpu(&filters[run->way], right + 4 * x + c, h, 4 * width, line);
        }
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
               : fail(STATUS_FAILED, "%s: off by %g of %g", names[run->way], worst, largest);
}

int wave_way_bench(bench *owner, const picture *source, wave_way way)
{
    wave_run run = {
        .gl = &owner->gpu.gl, .way = way, .width = source->width, .height = source->height};
    report_row row = {.effect = "wavelet",
                      .width = run.width,
                      .height = run.height,
                      .launches = way == WAVE_ONE_DISPATCH ? 1 : 2 * WAVE_LEVELS};
    double texels = (double)run.width * run.height;
    // RGBA16F in and out. Two passes: planes written and read, 32 bytes; approximations too.
    double bytes = 16 * texels;
    for (int l = 1; l <= WAVE_LEVELS && way != WAVE_ONE_DISPATCH; l++)
        bytes += texels / pow(4, l - 1) * 32 + (l < WAVE_LEVELS ? texels / pow(4, l) * 32 : 0);
    row.bytes = (uint64_t)bytes;
    run.sets = measure_sets(16 * texels, owner->cold_bytes);
    snprintf(row.subject, sizeof row.subject, "%s",
             way == WAVE_ONE_DISPATCH ? "one dispatch" : "two passes");
    snprintf(row.variant, sizeof row.variant, "%s", names[way]);
    snprintf(row.plan, sizeof row.plan, "%s, %d levels", names[way], WAVE_LEVELS);
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
