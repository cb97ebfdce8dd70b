// down_ways.h - images made smaller as engines draw them: glGenerateMipmap, blits, framebuffers
// level by level, loops
// SPDX-License-Identifier: MIT
//
// The ways that the first document compares (docs/downsample.md, "The document's table"). All of
// them draw, or make the driver draw: on a GPU that draws slowly, as those made for computing do,
// they say nothing of GPUs that games run on.
#ifndef BENCH_DOWN_WAYS_H
#define BENCH_DOWN_WAYS_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum down_way {
    DOWN_GENERATE, // glGenerateMipmap, up to the last level that is wanted
    DOWN_BLITS,    // glBlitFramebuffer from level to level, linear
    // a triangle a level, which samples the level above linearly, into textures of their own
    DOWN_PROGRESSIVE,
    DOWN_LOOP, // one triangle, of which each fragment loops over its N x N texels
    DOWN_WAYS
} down_way;

enum { DOWN_MAX_LEVELS = 16 };

typedef struct down_ways {
    const GladGLContext *gl;
    int width, height, levels; // levels below the source that are made
    GLenum format;
    GLuint sample, loop, vertices;    // programs, and a vertex array without anything in it
    GLuint framebuffers[2];           // of blits
    GLuint textures[DOWN_MAX_LEVELS]; // of progressive: levels 1 .. ; of loop: its target is [0]
    GLuint targets[DOWN_MAX_LEVELS];  // framebuffers with these
} down_ways;

// The programs, once; false with a line in `error`.
bool down_ways_open(const GladGLContext *gl, GLenum format, int width, int height, int levels,
                    down_ways *out, char *error, size_t error_size);
void down_ways_close(down_ways *target);
// What a way draws into: textures and framebuffers. The document made these in every frame.
void down_ways_create(down_ways *self, down_way way);
void down_ways_destroy(down_ways *self);
// `source`: a texture with levels for all of the chain, filter GL_LINEAR_MIPMAP_NEAREST or linear.
void down_ways_record(const down_ways *self, down_way way, GLuint source);
// Of the last level: its texture, and the level there.
GLuint down_ways_result(const down_ways *self, down_way way, GLuint source, int *level);

#endif
