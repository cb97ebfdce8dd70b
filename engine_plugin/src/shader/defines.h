// defines.h - the #define lines that make a variant of a shader
// SPDX-License-Identifier: MIT
#ifndef AG_DEFINES_H
#define AG_DEFINES_H

#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AG_DEFINES = 2048 }; // characters, the end included

// All zero is empty. If a define does not fit, `overflows` is set and ag_program_get fails, because
// a shader without some of its defines might compile.
typedef struct ag_defines {
    size_t length;
    bool overflows;
    char text[AG_DEFINES];
} ag_defines;

// Appends "#define NAME VALUE".
void ag_define(ag_defines *defines, const char *name, int32_t value);
// Appends whole lines.
void ag_defines_add(ag_defines *defines, const char *format, ...) AG_PRINTF(2, 3);

#endif
