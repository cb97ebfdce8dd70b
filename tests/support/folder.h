// folder.h - a temporary folder of files, edited in the ways that editors do it
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FOLDER_H
#define AG_TEST_FOLDER_H

#include <stddef.h>

enum { FOLDER_FILES = 512 }; // the shaders, and some more

typedef struct folder {
    char path[64];
    char files[FOLDER_FILES][96]; // written so far
    int count;
} folder;

// Finds a file of the build or the source tree, also on a machine that the program was copied to:
// `path` if it exists; else the file of that name in ../lib beside the program, or in the working
// directory. The string is static.
const char *folder_find(const char *path);

folder folder_create(void);
// Writes a file in place, and makes the folders above it.
void folder_put(folder *d, const char *name, const char *text);
void folder_put_bytes(folder *d, const char *name, const char *bytes, size_t length);
// Writes a file beside it and renames it over the name.
void folder_replace(folder *d, const char *name, const char *text);
void folder_touch(folder *d, const char *name); // a new modification time, the same content
// Writes other bytes in place and keeps the modification time, as with a clock of low resolution.
void folder_put_unseen(folder *d, const char *name, const char *text);
void folder_drop(folder *d, const char *name);
void folder_destroy(folder *d);

#endif
