// down_case.h - what the files of the bench "downsample" share: exact results, textures with
// levels, jobs
// SPDX-License-Identifier: MIT
#ifndef BENCH_DOWN_CASE_H
#define BENCH_DOWN_CASE_H

#include "bench.h"
#include "picture.h"
#include "reference.h"

// The colours of an area average in double precision, RGB row by row; the caller frees. NULL: no
// memory.
double *down_exact(const picture *source, int width, int height);
// A texture with all levels, filtered linearly, of which the first holds the picture. 0: no memory.
GLuint down_chain(const GladGLContext *gl, GLenum format, const picture *source);
// The colours of a level against what they should be; `scale` as reference_compare has it.
accuracy down_compare(const GladGLContext *gl, GLuint texture, int level, int width, int height,
                      const double *exact, double scale);

// An execution of an effect from one texture to others; levels of a chain are in place: no targets.
enum { DOWN_TARGETS = 4 };
typedef struct down_pass {
    const bench *owner;
    ag_pass *pass;
    void *settings;
    ag_texture slots[1 + DOWN_TARGETS];
    int targets;
    ag_job job;
} down_pass;

// Makes the targets, of the source's format, and prepares. `settings`: "name=value", NULL ends
// them.
int down_pass_open(bench *owner, const char *effect, const char *const *settings, GLuint source,
                   GLenum format, bench_size size, const bench_size *targets, int count,
                   down_pass *out);
void down_pass_close(down_pass *target);

// The document's table, remade: downsample_document.c.
int down_document(bench *owner);

#endif
