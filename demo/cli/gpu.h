// cli/gpu.h - an OpenGL context and its functions, for one command
// SPDX-License-Identifier: MIT
#ifndef CLI_GPU_H
#define CLI_GPU_H

#include "headless.h"
#include "shader/embedded.h"

#include <glad/gl.h>
#include <stdbool.h>

typedef struct gpu {
    headless *context;
    GladGLContext gl;
} gpu;

int gpu_open(gpu *out, int device); // returns a STATUS_*; errors are printed
void gpu_close(gpu *target);        // a zeroed gpu is fine

// Compiles a compute shader of a table; returns a STATUS_*, errors are printed.
int gpu_program(const gpu *device, const ag_embedded_file *table, const char *path, GLuint *out);

// Whether times on this renderer are times of a GPU.
bool gpu_is_software(const gpu *device);

#endif
