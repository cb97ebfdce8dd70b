// source.h - expands a shader's includes into one string, and maps driver messages back to files
// SPDX-License-Identifier: MIT
//
// Drivers lose or refuse file information in #line (Mesa drops the string number, NVIDIA and Mesa
// disagree on names), so the expanded text has no #line at all: a table of our own knows which file
// and line each expanded line came from.
#ifndef AG_SOURCE_H
#define AG_SOURCE_H

#include "memory.h"

enum { AG_SOURCE_MAX_FILES = 32, AG_SOURCE_MAX_DEPTH = 8 };

typedef struct ag_source_line {
    uint32_t file; // index into ag_source.files; AG_SOURCE_MAX_FILES for generated lines
    uint32_t line; // from 1
} ag_source_line;

typedef struct ag_source {
    ag_text text;                        // what the driver gets
    ag_text lines;                       // ag_source_line per expanded line
    char files[AG_SOURCE_MAX_FILES][96]; // every file it was made from, the entry first
    uint32_t file_count;
} ag_source;

// Where sources come from: a directory, or NULL for the ones compiled into the module.
typedef struct ag_source_root {
    const ag_host *host;
    const char *directory;
} ag_source_root;

// Expands the file `path`. Its #version line becomes `head`, and `defines` follows it.
// The source must be freed, also after a failure: its `files` then say what it depends on.
//   errors  AG_E_SHADER (file missing, includes in a circle; logged), AG_E_MEMORY
ag_status ag_source_expand(const ag_source_root *root, const char *path, const char *head,
                           const char *defines, ag_source *source);
void ag_source_free(ag_source *source);

// Rewrites a driver's log: every line that names a line of the expanded text becomes
// "file:line:column: message", the source line and a caret. The raw log follows.
// `first` receives file, line and column of the first one. The text must be freed.
void ag_source_explain(const ag_source *source, const char *log, ag_text *out, ag_message *first);

#endif
