// shader_tests.h - what the files of test_shader share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SHADER_TESTS_H
#define AG_TEST_SHADER_TESTS_H

#include <stddef.h>

typedef struct folder { // a temporary one
    char path[64];
    char files[64][96]; // written so far
    int count;
} folder;

folder folder_create(void);
// Writes a file, and the folders above it.
void folder_put(folder *d, const char *name, const char *text);
void folder_put_bytes(folder *d, const char *name, const char *bytes, size_t length);
void folder_drop(folder *d, const char *name);
void folder_destroy(folder *d);

// Runs real prepares and writes every text that the module hands to glShaderSource, once each, as
// DIR/0001.comp and so on. Returns main's exit code: 77 when there is no GL.
int shader_dump(const char *directory);

#endif
