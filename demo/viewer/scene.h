// viewer/scene.h - what the frame begins with: the street, and the particles in it
// SPDX-License-Identifier: MIT
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include "camera.h"
#include "own.h"

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SCENE_COLOUR,
    SCENE_NORMAL,
    SCENE_ALBEDO,
    SCENE_MOTION,
    SCENE_DEPTH,
    SCENE_RADIUS,
    SCENE_TEXTURES
};
extern const struct scene_texture {
    const char *name;
    GLenum format;
} scene_textures[SCENE_TEXTURES]; // what the street writes; row 0 is the top

typedef struct scene_frame { // one frame of it
    camera_view now, before;
    float time, dt; // seconds
    uint64_t number;
    int width, height;
} scene_frame;

typedef struct scene {
    const GladGLContext *gl;
    GLuint street, update, draw; // programs
    GLuint points, vertices;     // the particles' buffer, and how it is drawn from
    GLuint target;               // a framebuffer
    uint64_t updates;            // of the particles, since they began
    int32_t seed;                // that they began with
} scene;

bool scene_open(scene *s, const GladGLContext *gl); // false: printed why
void scene_close(scene *s);

// The street into `textures`, by image stores: a barrier is owed.
void scene_street(scene *s, const scene_settings *settings, float rain, const scene_frame *frame,
                  const GLuint textures[SCENE_TEXTURES]);
// Moves the particles on by frame->dt, and adds their light to a picture where `depth` lets it.
void scene_particles(scene *s, const particle_settings *settings, int32_t seed,
                     const scene_frame *frame, GLuint colour, GLuint depth);

#endif
