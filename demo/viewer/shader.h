// viewer/shader.h - programs from the shaders beside this file
// SPDX-License-Identifier: MIT
#ifndef VIEWER_SHADER_H
#define VIEWER_SHADER_H

#include <glad/gl.h>

// A program of the named files, 0 having printed why. `#include "x"` is one level deep.
GLuint shader_compute(const GladGLContext *gl, const char *compute);
GLuint shader_draw(const GladGLContext *gl, const char *vertex, const char *fragment);

#endif
