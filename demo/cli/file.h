// cli/file.h - whole files in, whole files or none out
// SPDX-License-Identifier: MIT
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Reads a regular file into memory that the caller frees; returns a STATUS_*, having printed why.
int file_read(const char *path, unsigned char **data, size_t *size);

// A file being written beside its final path; it takes that name only when it is complete, and the
// mode of the file that it replaces. A link stays, and what it leads to is replaced; a pipe or a
// device is written to as it is.
typedef struct file_writer {
    FILE *stream;
    char *temporary, *target; // NULL where there is no name to be taken
    const char *path;         // not copied
} file_writer;

// From here on SIGINT, SIGTERM and what else ends a program by default remove the file being
// written, one at a time.
void file_remove_on_signals(void);
int file_begin(file_writer *writer, const char *path);
// Moves the file to its name when `status` is STATUS_OK and all of it was written, else removes it.
int file_end(file_writer *writer, int status);

// STATUS_USAGE unless a file of this path could be written: its folder exists and is writable.
int file_check_writable(const char *path);
bool file_is_folder(const char *path);
// Whether both paths name the same file, be it there already or not.
bool file_same(const char *a, const char *b);

// The part after the last slash, and its extension with the dot ("" when it has none).
const char *file_name(const char *path);
const char *file_extension(const char *path);

#endif
