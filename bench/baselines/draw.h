// draw.h - programs that draw one triangle over all of a framebuffer
// SPDX-License-Identifier: MIT
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include <glad/gl.h>
#include <stddef.h>

// Links a fragment shader behind the triangle, whose `in vec2 v_at` goes from 0 to 1. 0, with the
// driver's log in `error`, on failure.
GLuint draw_program(const GladGLContext *gl, const char *fragment, char *error, size_t size);

#endif
