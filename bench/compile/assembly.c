// assembly.c - counts the lines of assembly that a driver made of a program
// SPDX-License-Identifier: MIT
//
// NVIDIA's program binaries contain the assembly of the machine code as text, from a line such as
// "!!NVcp5.0" to a line "END".
#include "assembly.h"

#include <stdlib.h>
#include <string.h>

static const char head[] = "!!NV";

int assembly_lines_in(const char *binary, size_t bytes)
{
    const char *end = binary + bytes, *at = binary;
    size_t length = sizeof head - 1;
    while (at < end && ((size_t)(end - at) < length || memcmp(at, head, length) != 0))
        at++;
    for (int lines = 1; at < end; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line = stop ? (size_t)(stop - at) : (size_t)(end - at);
        if (line >= 3 && memcmp(at, "END", 3) == 0 && (line == 3 || at[3] == '\r' || !at[3]))
            return lines;
        if (!stop || memchr(at, '\0', line)) // the text is cut off, or it is no text
            return -1;
        at = stop + 1;
    }
    return -1;
}

int assembly_lines(const GladGLContext *gl, GLuint program)
{
    GLint bytes = 0, lines = -1;
    gl->GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
    char *binary = bytes > 0 ? malloc((size_t)bytes) : NULL;
    GLsizei got = 0;
    GLenum format = 0;
    if (binary)
        gl->GetProgramBinary(program, bytes, &got, &format, binary);
    if (got > 0 && got <= bytes)
        lines = assembly_lines_in(binary, (size_t)got);
    free(binary);
    return lines;
}
