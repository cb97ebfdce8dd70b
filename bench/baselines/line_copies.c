// line_copies.c - copies of a plane by lines, as the dispatches of a transform access memory
// SPDX-License-Identifier: MIT
#include "line_copies.h"

#include "cli/report.h"
#include "compute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ag_embedded_file ag_embedded_pyramid[];

typedef struct way {
    const char *variant;
    int reads, writes; // 0: along x, 1: along y
    bool buffer, partial;
    report_claim claim; // text NULL: none
} way;

static const way ways[] = {
    {"rows to rows", 0, 0, false, false, {NULL, NULL, false, 0}},
    {"rows to columns",
     0,
     1,
     false,
     false,
     {"the paper: columns are written in 85 us where rows are in 32", "rows to rows", true,
      85.0 / 32}},
    {"columns to rows",
     1,
     0,
     false,
     false,
     {"the paper: columns are read as fast as rows, 13 us", "rows to rows", true, 1}},
    {"columns to columns", 1, 1, false, false, {NULL, NULL, false, 0}},
    {"into a buffer, whole", 0, 0, true, false, {NULL, NULL, false, 0}},
    {"into a buffer, 12 of 16 bytes",
     0,
     0,
     true,
     true,
     {"the article: a partial write reads first", "into a buffer, whole", true, 2}},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct copies {
    const GladGLContext *gl;
    const way *way;
    int size, sets;
    GLuint program, sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS]; // textures, or buffers
} copies;

static bool record(void *user, int set)
{
    const copies *c = user;
    const GladGLContext *gl = c->gl;
    gl->UseProgram(c->program);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, c->sources[set]);
    if (c->way->buffer)
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, c->targets[set]);
    else
        gl->BindImageTexture(0, c->targets[set], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    gl->DispatchCompute((GLuint)c->size, 1, 1);
    gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    return true;
}

static GLuint make_target(const copies *c, size_t bytes)
{
    GLuint name;
    if (!c->way->buffer)
        return picture_texture(c->gl, GL_RGBA32F, c->size, c->size, NULL);
    c->gl->GenBuffers(1, &name);
    c->gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    c->gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_STATIC_COPY);
    return name;
}

static int make(copies *c, const picture *source)
{
    char defines[160], error[1024] = "";
    bool complete = true;
    for (int i = 0; i < c->sets; i++) {
        c->sources[i] = picture_texture(c->gl, GL_RGBA32F, c->size, c->size, source);
        c->targets[i] = make_target(c, (size_t)c->size * (size_t)c->size * 16);
        complete = complete && c->sources[i] && c->targets[i];
    }
    if (!complete)
        return fail(STATUS_FAILED, "GL has no memory for copies of lines");
    snprintf(defines, sizeof defines,
             "#define N %d\n#define READS %d\n#define WRITES %d\n#define TO_BUFFER %d\n"
             "#define PARTIAL %d\n",
             c->size, c->way->reads, c->way->writes, c->way->buffer, c->way->partial);
    c->program = compute_program(c->gl, ag_embedded_pyramid, "line_copies.comp", defines, error,
                                 sizeof error);
    return c->program ? STATUS_OK : fail(STATUS_FAILED, "line_copies.comp: %s", error);
}

// Whether each texel arrived: where both sides run along one axis at its place, else transposed.
static int check(const copies *c, const picture *source)
{
    const GladGLContext *gl = c->gl;
    size_t n = (size_t)c->size, wrong = 0;
    float *got = malloc(n * n * 4 * sizeof *got);
    if (!got)
        return fail_memory();
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    if (c->way->buffer) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, c->targets[0]);
        gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(n * n * 16), got);
    } else {
        gl->BindTexture(GL_TEXTURE_2D, c->targets[0]);
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, got);
    }
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            size_t from = c->way->reads == c->way->writes ? y * n + x : x * n + y;
            wrong += memcmp(got + 4 * (y * n + x), source->texels + 4 * from, 12) != 0;
        }
    free(got);
    return wrong ? fail(STATUS_FAILED, "line_copies, %s: %zu texels are wrong", c->way->variant,
                        wrong)
                 : STATUS_OK;
}

static void destroy(copies *c)
{
    const GladGLContext *gl = c->gl;
    gl->UseProgram(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    gl->DeleteProgram(c->program);
    gl->DeleteTextures(c->sets, c->sources);
    if (c->way->buffer)
        gl->DeleteBuffers(c->sets, c->targets);
    else
        gl->DeleteTextures(c->sets, c->targets);
}

static int measure_way(bench *owner, const picture *source, const way *which)
{
    copies c = {.gl = &owner->gpu.gl, .way = which, .size = source->width};
    report_row row = {.effect = "fft_ladder",
                      .subject = "lines",
                      .plan = "texelFetch, then imageStore or a buffer: a line a group of 128",
                      .width = c.size,
                      .height = c.size,
                      .launches = 1};
    snprintf(row.variant, sizeof row.variant, "%s", which->variant);
    row.bytes = (uint64_t)c.size * (uint64_t)c.size * (which->partial ? 28 : 32);
    c.sets = measure_sets((double)row.bytes, owner->cold_bytes);
    int status = make(&c, source);
    if (status == STATUS_OK) {
        const measure_work work = {record, NULL, &c, c.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
        status = check(&c, source);
    }
    destroy(&c);
    if (status == STATUS_OK)
        status = report_add(&owner->report, &row);
    return status == STATUS_OK && which->claim.text ? report_judge(&owner->report, &which->claim)
                                                    : status;
}

int line_copies_bench(bench *owner, const picture *source)
{
    int status = STATUS_OK;
    for (int i = 0; i < WAYS && status == STATUS_OK; i++)
        status = measure_way(owner, source, &ways[i]);
    return status;
}
