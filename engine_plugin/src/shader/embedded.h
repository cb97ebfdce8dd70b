// embedded.h - text files compiled into the binary by cmake/AgEmbed.cmake
// SPDX-License-Identifier: MIT
#ifndef AG_EMBEDDED_H
#define AG_EMBEDDED_H

#include <stddef.h>

typedef struct ag_embedded_file {
    const char *path; // relative to the root; the table ends with NULL
    const char *text; // NUL-terminated
    size_t length;
} ag_embedded_file;

extern const ag_embedded_file ag_embedded_shaders[];
extern const ag_embedded_file ag_embedded_scene[];

#endif
