// line_copies.c - copies of a plane by lines, as the dispatches of a transform access memory
// SPDX-License-Identifier: MIT
#include "way.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line_way {
    const char *variant;
    int reads, writes; // 0: along x, 1: along y
    bool buffer, partial;
    report_claim claim; // text NULL: none
} line_way;

static const line_way ways[] = {
    {"rows to rows", 0, 0, .buffer = false},
    {"rows to columns", 0, 1,
     .claim = {"the paper: columns are written in 85 us where rows are in 32", "rows to rows", true,
               85.0 / 32}},
    {"columns to rows", 1, 0,
     .claim = {"the paper: columns are read as fast as rows, 13 us", "rows to rows", true, 1}},
    {"columns to columns", 1, 1, .buffer = false},
    {"into a buffer, whole", 0, 0, .buffer = true},
    {"into a buffer, 12 of 16 bytes", 0, 0, .buffer = true, .partial = true,
     .claim =
         {"the article: a partial write reads first (512 x 512 stays in the L2 cache, unlike the "
          "256 MiB of memory.md)",
          "into a buffer, whole", true, 2}},
};

typedef struct copies {
    way base;
    const line_way *how; // into a buffer: way.buffers in place of targets
} copies;

static bool record(void *user, int set)
{
    const copies *c = user;
    const way *self = &c->base;
    way_bind(self, set);
    if (c->how->buffer)
        self->gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, self->buffers[set]);
    way_dispatch(self, self->programs[0], self->width, 1, 1,
                 GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    return true;
}

// Whether each texel arrived: where both sides run along one axis at its place, else transposed.
static void check(way *self)
{
    const copies *c = (const copies *)self; // its first member
    const GladGLContext *gl = self->gl;
    const picture *source = bench_picture(self->owner, picture_scene, self->width, self->height);
    size_t n = (size_t)self->width, wrong = 0;
    float *got = need_memory(n * n * 16);
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    if (c->how->buffer) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, self->buffers[0]);
        gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(n * n * 16), got);
    } else {
        gl->BindTexture(GL_TEXTURE_2D, self->targets[0]);
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, got);
    }
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++) {
            size_t from = c->how->reads == c->how->writes ? y * n + x : x * n + y;
            wrong += memcmp(got + 4 * (y * n + x), source->texels + 4 * from, 12) != 0;
        }
    free(got);
    must(!wrong, "line_copies, %s: %zu texels are wrong", c->how->variant, wrong);
}

static void measure_way(bench *owner, int size, const line_way *how)
{
    copies c = {.how = how};
    way *self = &c.base;
    report_row row = {.effect = "fft_ladder",
                      .subject = "lines",
                      .plan = "texelFetch, then imageStore or a buffer: a line a group of 128",
                      .launches = 1};
    size_t texels = (size_t)size * (size_t)size;
    snprintf(row.variant, sizeof row.variant, "%s", how->variant);
    row.bytes = texels * (how->partial ? 28 : 32);
    way_begin(self, owner, bench_picture(owner, picture_scene, size, size), GL_RGBA32F,
              how->buffer ? 0 : GL_RGBA32F, (double)row.bytes);
    for (int i = 0; how->buffer && i < self->sets; i++)
        way_buffer(self, texels * 16, NULL);
    way_program(self, "line_copies.comp",
                "#define N %d\n#define READS %d\n#define WRITES %d\n#define TO_BUFFER %d\n"
                "#define PARTIAL %d\n",
                size, how->reads, how->writes, how->buffer, how->partial);
    way_end(self, &row, record, check);
    if (how->claim.text)
        report_judge(&owner->report, &how->claim);
}

void line_copies_bench(bench *owner, int size)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        measure_way(owner, size, &ways[i]);
}
