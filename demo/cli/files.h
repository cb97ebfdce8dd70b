// cli/files.h - the files of a command line: none that it reads is replaced
// SPDX-License-Identifier: MIT
//
// The table of options says which options name files, and option_next adds these here. A command
// adds its inputs and the outputs whose names it makes up, and calls files_check once, before it
// makes a folder or opens a file for writing. Between files_begin and files_end, file_read and
// file_begin refuse any other path, so that no command works that has forgotten a file.
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>

typedef enum file_use {
    FILE_NONE,
    FILE_READ,
    FILE_WRITE,
    FILE_READ_FOLDER // every file in the folder and below is read
} file_use;

void files_begin(void);
void files_end(void);

// `label` names the option in messages, or is "" for an input. "-" is standard input or output.
// Paths are copied. Returns a STATUS_*; errors are printed.
int files_add(file_use use, const char *label, const char *path);
// The same for the value of an option, "PATH" or "NAME=PATH". The last value of an option counts,
// but of --slot and its like, "NAME=PATH", all do.
int files_add_option(file_use use, const char *option, const char *form, const char *value);

// STATUS_USAGE if an output is a file that is read, or another output. Files are the same if they
// have the same device and inode, whatever their paths; files that do not exist yet, if they have
// the same name in the same folder, after all links.
int files_check(void);

// Whether a path may be opened so: it was added, and for FILE_WRITE also checked. Always true
// outside of files_begin and files_end. Errors are printed.
bool files_allow(file_use use, const char *path);

#endif
