// way.h - a baseline: work of the bench's own, on as many sets of textures as a cold run needs
// SPDX-License-Identifier: MIT
#ifndef BENCH_WAY_H
#define BENCH_WAY_H

#include "baselines.h"

enum { WAY_OBJECTS = MEASURE_MAX_SETS + 16 };

typedef struct way {
    bench *owner;
    const GladGLContext *gl;
    int width, height, sets;
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    GLenum to;
    GLuint programs[WAY_OBJECTS], textures[WAY_OBJECTS], buffers[WAY_OBJECTS];
    int program_count, texture_count, buffer_count;
} way;

// As many sets as `set_bytes` each make a cold run's; a format of 0 leaves these textures out.
void way_begin(way *out, bench *owner, const picture *source, GLenum from, GLenum to,
               double set_bytes);
// What these make is deleted by way_end. `defines`: lines.
GLuint way_program(way *self, const char *path, const char *defines, ...)
    __attribute__((format(printf, 3, 4)));
// One that draws a triangle over all of a framebuffer, whose `in vec2 v_at` goes from 0 to 1.
GLuint way_drawing(way *self, const char *fragment);
GLuint way_texture(way *self, GLenum format, int width, int height, const picture *from);
GLuint way_buffer(way *self, size_t bytes, const void *data);

// A set's source at texture unit 0, and its target at image unit 0.
void way_bind(const way *self, int set);
// Runs groups, and a barrier.
void way_dispatch(const way *self, GLuint program, int columns, int rows, int layers,
                  GLbitfield barrier);

// How far the first target's texels are from what they should be, relative to each, but at least to
// `least` (0: to the largest). A baseline that computes something else is none: beyond `limit` the
// program stops.
void way_compare(way *self, const char *name, const float *right, double least, double limit);

// Measures `record`, whose user is the way, then calls `check` (NULL: none), deletes all and adds
// the row.
void way_end(way *self, report_row *row, bool (*record)(void *user, int set),
             void (*check)(way *self));
void way_close(way *self); // the last part of it

#endif
