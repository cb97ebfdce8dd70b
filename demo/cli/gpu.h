// cli/gpu.h - an OpenGL context with its functions, for the time of one command
// SPDX-License-Identifier: MIT
#ifndef CLI_GPU_H
#define CLI_GPU_H

#include "headless.h"

#include <glad/gl.h>
#include <stdbool.h>

typedef struct gpu {
    headless *context;
    GladGLContext gl;
} gpu;

int gpu_open(gpu *out, int device); // STATUS_*, having printed why
void gpu_close(gpu *target);        // a zeroed gpu is fine

// Whether times measured on this renderer say anything about a GPU.
bool gpu_is_software(const gpu *device);

#endif
