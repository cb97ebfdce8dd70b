// assembly.h - counts the lines of assembly that a driver made of a program
// SPDX-License-Identifier: MIT
#ifndef BENCH_ASSEMBLY_H
#define BENCH_ASSEMBLY_H

#include <glad/gl.h>
#include <stddef.h>

// Lines of the first program text in a binary, first and last line included; -1: there is none.
int assembly_lines_in(const char *binary, size_t bytes);
// The same for a linked program; -1 where the driver's binary has no text.
int assembly_lines(const GladGLContext *gl, GLuint program);

#endif
