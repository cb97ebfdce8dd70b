// test_shader.h - what the files of test_shader share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SHADER_TESTS_H
#define AG_TEST_SHADER_TESTS_H

#include <stddef.h>

// Runs real prepares and writes every text that the module hands to glShaderSource, once each, as
// DIR/0001.comp and so on. Returns main's exit code: 77 when there is no GL.
int shader_dump(const char *directory);

size_t count_lines(const char *text); // newlines

// shader_source.c
void test_embedded(void **state);
void test_includes(void **state);
void test_include_limits(void **state);
void test_logs(void **state);

// shader_conditions.c
void test_conditions(void **state);
void test_expressions(void **state);

// shader_files.c
void test_special_files(void **state);
void test_large_files(void **state);
void test_strange_texts(void **state);

#endif
