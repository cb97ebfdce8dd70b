// program.h - compute programs, keyed by their full text and shared by all passes of a device
// SPDX-License-Identifier: MIT
#ifndef AG_PROGRAM_H
#define AG_PROGRAM_H

#include "gl.h"
#include "source.h"

typedef struct ag_program {
    struct ag_program *next;
    GLuint name;
    uint32_t local_size[3]; // threads of a work group, as linked
    uint64_t hash;          // of the expanded text
    char *text;             // the expanded text itself: two texts with one hash stay apart
    size_t length;
} ag_program;

struct ag_device;

// Finds or makes the program of a shader with a define block ("#define N 64\n..."). It lives as
// long as the device. This is where a cache of program binaries and live reload will come in: both
// need the full text, and only this function turns text into a program.
//   errors  AG_E_SHADER (logged with file, line, source line and caret), AG_E_MEMORY
ag_status ag_program_get(struct ag_device *device, const char *path, const char *defines,
                         const ag_program **program);
// Frees all programs; calls GL only if `with_gl`.
void ag_programs_free(struct ag_device *device, bool with_gl);

#endif
