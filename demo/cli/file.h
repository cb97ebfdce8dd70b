// cli/file.h - reads whole files; writes whole files or none
// SPDX-License-Identifier: MIT
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Reads a regular file into memory that the caller frees. Returns a STATUS_*; errors are printed.
int file_read(const char *path, unsigned char **data, size_t *size);

// A file that is being written beside its final path. When it is complete, it gets the final name
// and the mode of the file that it replaces. A symbolic link stays, and its target is replaced. A
// pipe or a device is written to directly.
typedef struct file_writer {
    FILE *stream;
    char *temporary, *target; // NULL for pipes and devices
    const char *path;         // not copied
} file_writer;

// Installs handlers: SIGINT, SIGTERM and the other signals that end a program remove the file that
// is being written. Only one file is written at a time.
void file_remove_on_signals(void);
int file_begin(file_writer *writer, const char *path);
// Renames the file if `status` is STATUS_OK and all of it was written; else removes it.
int file_end(file_writer *writer, int status);

// STATUS_USAGE unless a file of this path could be written: its folder exists and is writable.
int file_check_writable(const char *path);
bool file_is_folder(const char *path);
// Whether both paths name the same file, which need not exist yet.
bool file_same(const char *a, const char *b);

// The part after the last slash, and its extension with the dot ("" when it has none).
const char *file_name(const char *path);
const char *file_extension(const char *path);

#endif
