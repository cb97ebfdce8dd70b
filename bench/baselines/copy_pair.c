// copy_pair.c - copies between the source and the target of a pass, measured beside it
// SPDX-License-Identifier: MIT
#include "copy_pair.h"

#include "cli/report.h"
#include "compute.h"

#include <stdio.h>

extern const ag_embedded_file ag_embedded_pyramid[];

typedef struct copy_run {
    const GladGLContext *gl;
    const copy_pair *pair;
    GLuint program;
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    int sets, width, height;
} copy_run;

static bool record(void *user, int set)
{
    const copy_run *run = user;
    const GladGLContext *gl = run->gl;
    gl->UseProgram(run->program);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, run->sources[set]);
    gl->BindImageTexture(0, run->targets[set], 0, GL_FALSE, 0, GL_WRITE_ONLY, run->pair->to);
    gl->DispatchCompute((GLuint)(run->width + 31) / 32, (GLuint)(run->height + 15) / 16, 1);
    gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    return true;
}

static int make(copy_run *run, const picture *source)
{
    char error[1024] = "";
    bool complete = true;
    for (int i = 0; i < run->sets; i++) {
        run->sources[i] =
            picture_texture(run->gl, run->pair->from, run->width, run->height, source);
        run->targets[i] = picture_texture(run->gl, run->pair->to, run->width, run->height, NULL);
        complete = complete && run->sources[i] && run->targets[i];
    }
    if (!complete)
        return fail(STATUS_FAILED, "GL has no memory for a copy");
    run->program =
        compute_program(run->gl, ag_embedded_pyramid, "copy_pair.comp", NULL, error, sizeof error);
    return run->program ? STATUS_OK : fail(STATUS_FAILED, "copy_pair.comp: %s", error);
}

static void destroy(copy_run *run)
{
    const GladGLContext *gl = run->gl;
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    gl->DeleteProgram(run->program);
    gl->DeleteTextures(run->sets, run->sources);
    gl->DeleteTextures(run->sets, run->targets);
}

int copy_pair_bench(bench *owner, const picture *source, const copy_pair *pair)
{
    copy_run run = {
        .gl = &owner->gpu.gl, .pair = pair, .width = source->width, .height = source->height};
    report_row row = {.subject = "copy", .width = run.width, .height = run.height, .launches = 1};
    double texels = (double)run.width * run.height;
    row.bytes = (uint64_t)(texels * (pair->from_bytes + pair->to_bytes));
    run.sets = measure_sets((double)row.bytes, owner->cold_bytes);
    snprintf(row.effect, sizeof row.effect, "%s", pair->effect);
    snprintf(row.variant, sizeof row.variant, "%s", pair->variant);
    snprintf(row.plan, sizeof row.plan, "texelFetch and imageStore, 16x8 threads of 2x2 texels");
    int status = make(&run, source);
    if (status == STATUS_OK) {
        const measure_work work = {record, NULL, &run, run.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
    }
    destroy(&run);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}
