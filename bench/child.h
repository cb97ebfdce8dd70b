// child.h - work in a process of its own, which starts as a host does
// SPDX-License-Identifier: MIT
//
// A new context would not be enough: a driver may keep state for the whole process that speeds up
// later programs (NVIDIA's keeps its compiler loaded, LLVM its passes), and nothing clears it. The
// parent never opens GL, so its children have none.
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stddef.h>

// Zeroed memory that parent and children share; never freed. NULL: none, which is printed.
// Untouched pages take none.
void *child_memory(size_t bytes);
// Runs `work` in a child, and returns its STATUS_*.
int child_run(int (*work)(void *user), void *user);

#endif
