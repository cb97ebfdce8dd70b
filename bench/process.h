// process.h - a process of the bench: what ends it, children, and folders that do not outlive it
// SPDX-License-Identifier: MIT
//
// What cannot be measured ends the program, with a line that says why: no function here returns a
// status. Rows that were written are kept.
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include "cli/report.h"

#include <stdbool.h>
#include <stddef.h>

// Prints a line, deletes the folders, and ends the process with a STATUS_*.
_Noreturn void stop(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Where it does not hold, stops with STATUS_FAILED.
void must(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *need_memory(size_t bytes); // zeroed

// ---- children ----------------------------------------------------------------------------------
//
// A new context would not be enough: a driver may keep state for the whole process that speeds up
// later programs (NVIDIA's keeps its compiler loaded, LLVM its passes), and nothing clears it. The
// parent never opens GL, so its children have none.

// Zeroed memory that parent and children share; never freed. Untouched pages take none.
void *child_memory(size_t bytes);
void child_run(void (*work)(void *user), void *user); // stops where the child did

// ---- folders -----------------------------------------------------------------------------------

enum { FOLDER_PATH = 64 };
void folder_make(char path[FOLDER_PATH]);
void folder_drop(char path[FOLDER_PATH]); // with all that is in it, and empties the path
// Writes a file, and the folders of its name.
void folder_put(const char *folder, const char *name, const char *text, size_t length);

// The driver's own cache of compiled programs. NVIDIA's keeps machine code in the user's home,
// which would make cold starts warm and know the edits of earlier runs. Call these before the first
// context; children inherit what they set.

// No cache of NVIDIA's driver; with `mesa` nor of Mesa, which then has no program binaries either.
void driver_cache_off(bool mesa);
// A new, empty folder for Mesa's cache, which its binaries need; with `all` for NVIDIA's, too. The
// one of before is deleted.
void driver_cache_new(bool all);
// Deletes that folder. Call it when no context is left.
void driver_cache_drop(void);

#endif
