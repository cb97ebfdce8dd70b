// source.h - expands a shader's includes into one string, and maps driver messages back to files
// SPDX-License-Identifier: MIT
//
// Drivers lose or refuse file information in #line (Mesa drops the string number, and NVIDIA and
// Mesa differ in names). So the expanded text has no #line; a table has the file and line that each
// expanded line came from.
#ifndef AG_SOURCE_H
#define AG_SOURCE_H

#include "base/memory.h"
#include "shader/watch.h"

enum {
    AG_SOURCE_MAX_FILES = 32,
    AG_SOURCE_MAX_DEPTH = 8,
    AG_SOURCE_MAX_INCLUDES = 4096, // lines that include, in all
    AG_SOURCE_MAX_BYTES = 16 << 20 // read for one shader, and of its table of lines
};

typedef struct ag_problem { // the error of a shader, with the message for the host
    ag_text text;
    char file[AG_WATCH_PATH]; // "": no place
    uint32_t line, column;
} ag_problem;

typedef struct ag_source_line {
    uint32_t file; // index into ag_source.files; AG_SOURCE_MAX_FILES for generated lines
    uint32_t line; // from 1
} ag_source_line;

typedef struct ag_source {
    ag_text text;                                   // the text for the driver
    ag_text lines;                                  // ag_source_line per expanded line
    char files[AG_SOURCE_MAX_FILES][AG_WATCH_PATH]; // every file that it used, the entry first
    uint32_t file_count;
    uint32_t numbers[AG_SOURCE_MAX_FILES]; // of these files, for ag_watch_changed
    ag_problem problem;                    // why expanding failed
} ag_source;

// Where sources come from.
typedef enum ag_origin {
    AG_ORIGIN_FOLDER,  // shader_dir as it is now
    AG_ORIGIN_GOOD,    // shader_dir as it was when all shaders worked last
    AG_ORIGIN_BUILT_IN // compiled into the module
} ag_origin;

typedef struct ag_source_root {
    const ag_host *host;
    ag_watch *watch; // NULL: there is no folder, and the origin must be AG_ORIGIN_BUILT_IN
    ag_origin origin;
    // It is the folder of a pass: what it lacks is taken from the embedded shaders, there need be
    // no #version, and `defines` stand where a shader includes "pass.glsl", behind that file.
    bool of_pass;
} ag_source_root;

// Expands the file `path`. Its #version line becomes `head`, and `defines` follow it. Branches of
// #if that these constants rule out are left out, with their includes (shader/conditions.h), and so
// are lines without code, but for a file's first. An included file whose first directive is #pragma
// once is pasted once. Free the source also after a failure. All names that it looks for are
// watched from then on, found or not.
//   errors  AG_E_SHADER (file missing or no text, a circle of includes, an include that leaves the
//           folder, an #if without its #endif, a limit above; source->problem has the message,
//           not logged), AG_E_MEMORY
ag_status ag_source_expand(const ag_source_root *root, const char *path, const char *head,
                           const char *defines, ag_source *source);
void ag_source_free(ag_source *source);

// Finds the first occurrence of `word` in the expanded text, appends "file:line:column: what", the
// line and a caret to the problem, and sets its place. If there is none, or for NULL: the entry
// file only.
void ag_source_point_at(const ag_source *source, const char *word, const char *what,
                        ag_problem *problem);

void ag_problem_free(ag_problem *problem);
// Fills a problem: "file:line:column: what", the line that begins at `line`, and a caret below `at`
// in it.
void ag_problem_point(ag_problem *problem, const ag_host *host, const char *file, uint32_t number,
                      const char *line, const char *at, const char *what);
// Logs a problem as one message, an error with this code.
void ag_problem_log(const ag_host *host, const ag_problem *problem, ag_status code);

// Stands before the driver's own log.
#define AG_DRIVERS_LOG "the driver's log:\n"

// Rewrites a driver's log: every line that names a line of the expanded text becomes
// "file:line:column: message", the source line and a caret. The raw log follows.
// `first` receives file, line and column of the first one. The text must be freed.
void ag_source_explain(const ag_source *source, const char *log, ag_text *out, ag_message *first);

#endif
