// defines.c - the #define lines that make a variant of a shader
// SPDX-License-Identifier: MIT
#include "shader/defines.h"

#include <stdarg.h>
#include <stdio.h>

void ag_defines_add(ag_defines *defines, const char *format, ...)
{
    size_t room = sizeof defines->text - defines->length;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(defines->text + defines->length, room, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < room)
        defines->length += (size_t)length;
    else
        defines->overflows = true;
}

void ag_define(ag_defines *defines, const char *name, int32_t value)
{
    ag_defines_add(defines, "#define %s %d\n", name, value);
}
