// assembly.h - how many lines of assembly a driver made of a program
// SPDX-License-Identifier: MIT
#ifndef BENCH_ASSEMBLY_H
#define BENCH_ASSEMBLY_H

#include <glad/gl.h>
#include <stddef.h>

// Lines of the first program text in a binary, its head and its end included; -1: there is none.
int assembly_lines_in(const char *binary, size_t bytes);
// Of a linked program. Drivers that do not tell theirs: -1.
int assembly_lines(const GladGLContext *gl, GLuint program);

#endif
