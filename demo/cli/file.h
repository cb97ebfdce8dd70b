// cli/file.h - reads whole files; writes whole files or none
// SPDX-License-Identifier: MIT
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Reads a regular file, or "-", standard input, into memory that the caller frees; one of more
// than `most` bytes is refused, or of more than file_half_memory. Returns a STATUS_*; errors are
// printed.
int file_read(const char *path, unsigned char **data, size_t *size);
int file_read_within(const char *path, size_t most, unsigned char **data, size_t *size);
size_t file_half_memory(void); // half of the machine's memory, in bytes
// Prints that `what` of a file would take more memory than allowed; returns STATUS_USAGE.
int file_over_memory(const char *path, const char *what, size_t bytes, size_t limit);

// A file that is being written beside its final path. When it is complete, it gets the final name
// and the mode of the file that it replaces. A symbolic link stays, and its target is made or
// replaced. A pipe, a device or "-", standard output, is written to directly.
typedef struct file_writer {
    FILE *stream;
    char *temporary, *target; // NULL for pipes and devices
    const char *path;         // not copied
} file_writer;

// Installs handlers: signals that end a program, all but SIGKILL, remove the files that are being
// written.
void file_remove_on_signals(void);
// Makes a file from a name that ends with XXXXXX, as mkstemp does, which these handlers remove
// until file_forget is called with the same pointer. Returns a descriptor, or -1 and errno.
int file_temporary(char *name);
// Renames the file to `target`; with NULL, or where that fails, removes it. False with errno: it
// was not renamed.
bool file_forget(const char *name, const char *target);
int file_begin(file_writer *writer, const char *path);
// Renames the file if `status` is STATUS_OK and all of it was written; else removes it.
int file_end(file_writer *writer, int status);

// STATUS_USAGE unless a file of this path could be written: its folder exists and is writable.
int file_check_writable(const char *path);
int file_check_pipe(void); // STATUS_USAGE if standard output is a terminal
bool file_is_folder(const char *path);
// The path without links of a file that need not exist, nor its folders; the caller frees it. NULL
// with errno where links form a loop, the path is too long, or out of memory.
char *file_resolve(const char *path);

// FOLDER/NAME, `length` bytes of the name, and the extension; the caller frees it. NULL when out of
// memory.
char *file_join(const char *folder, const char *name, size_t length, const char *extension);
// The part after the last slash, and its extension with the dot ("" when it has none).
const char *file_name(const char *path);
const char *file_extension(const char *path);

#endif
