// picture.h - images and kernels as numbers, and the textures that hold them
// SPDX-License-Identifier: MIT
#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include <glad/gl.h>
#include <stdbool.h>

typedef struct picture {
    int width, height;
    float *texels; // RGBA, row by row
} picture;

// Noise up to 1 with a few lights in it. Every value is exact in float16.
enum { PICTURE_BRIGHTEST = 64 };
picture picture_scene(int width, int height);
// The same with noise of sigma 0.05, a sum of uniform numbers.
picture picture_noisy(int width, int height);
// Red is a value of the place, x and y from 0 to 1; green and blue are 0, alpha is 1.
picture picture_field(int width, int height, double (*value)(double x, double y));
// A kernel that falls off from the centre texel (w/2, h/2) differently in each colour; each colour
// sums to 1. `even`: equal at opposite sides of the centre; both sizes must then be odd. Else it
// has no symmetry.
picture picture_kernel(int width, int height, bool even);
void picture_free(picture *target); // a zeroed picture is fine

int picture_levels(int width, int height); // down to 1 x 1
// A texture in a sized format, whose first level holds the picture; `from` may be NULL. `layers` 0:
// a 2-D texture. `chain`: with all levels.
GLuint texture_make(const GladGLContext *gl, GLenum format, int width, int height, int layers,
                    bool chain, const picture *from);
// The same of one level and no layers.
GLuint picture_texture(const GladGLContext *gl, GLenum format, int width, int height,
                       const picture *from);
// A level of it, once all stores are done.
picture picture_read(const GladGLContext *gl, GLuint texture, int level, int width, int height);

#endif
