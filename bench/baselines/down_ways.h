// down_ways.h - images made smaller as engines draw them: glGenerateMipmap, blits, framebuffers
// level by level, loops
// SPDX-License-Identifier: MIT
//
// The ways that the first document compares (docs/ladder.md, "Downsampling"). All of them draw, or
// make the driver draw: on a GPU that draws slowly, as those made for computing do, they say
// nothing of GPUs that games run on.
#ifndef BENCH_DOWN_WAYS_H
#define BENCH_DOWN_WAYS_H

#include "way.h"

typedef enum down_way {
    DOWN_GENERATE, // glGenerateMipmap, up to the last level that is wanted
    DOWN_BLITS,    // glBlitFramebuffer from level to level, linear
    // a triangle a level, which samples the level above linearly, into textures of their own
    DOWN_PROGRESSIVE,
    DOWN_LOOP, // one triangle, of which each fragment loops over its N x N texels
    DOWN_WAYS
} down_way;

extern const char *const down_subjects[DOWN_WAYS]; // names in reports

enum { DOWN_MAX_LEVELS = 16 };

typedef struct down_ways {
    way base; // its sources have all levels
    down_way by;
    int levels; // below the source that are made
    GLenum format;
    GLuint sample, loop, vertices;    // programs, and a vertex array without anything in it
    GLuint framebuffers[2];           // of blits
    GLuint textures[DOWN_MAX_LEVELS]; // of progressive: levels 1 .. ; of loop: its target is [0]
    GLuint targets[DOWN_MAX_LEVELS];  // framebuffers with these
    void *user;                       // of who checks it
} down_ways;

// Programs, and `sets` textures with all levels whose first holds the picture.
void down_ways_open(bench *owner, GLenum format, const picture *source, down_way by, int levels,
                    int sets, down_ways *out);
void down_ways_close(down_ways *target);
// What a way draws into: textures and framebuffers. The document made these in every frame.
void down_ways_create(down_ways *self);
void down_ways_destroy(down_ways *self);
void down_ways_record(const down_ways *self, GLuint source);
// Of the last level: its texture, and the level there.
GLuint down_ways_result(const down_ways *self, GLuint source, int *level);

// Measures a way on as many chains as a cold run needs, and adds the row, which has effect, variant
// and bytes.
void down_ways_bench(bench *owner, GLenum format, const picture *source, down_way by, int levels,
                     report_row *row, accuracy (*judge)(const down_ways *done), void *user);

// The first document's table, remade; to the terminal alone.
void downsample_document(bench *owner);

#endif
