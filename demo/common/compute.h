// compute.h - compute programs from text, for programs around the plugin
// SPDX-License-Identifier: MIT
#ifndef AFTERGLOW_COMPUTE_H
#define AFTERGLOW_COMPUTE_H

#include "shader/embedded.h"

#include <glad/gl.h>
#include <stddef.h>

extern const ag_embedded_file ag_embedded_common[]; // the shaders beside this file

// Compiles the compute shader `path` of a table, with `defines` after its #version line (NULL:
// none), and a file of the table that it includes. Returns 0 and writes the driver's log to `error`
// on failure.
GLuint compute_program(const GladGLContext *gl, const ag_embedded_file *table, const char *path,
                       const char *defines, char *error, size_t error_size);

#endif
