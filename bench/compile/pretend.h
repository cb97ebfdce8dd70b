// pretend.h - GL functions of a driver that compiles and runs nothing, to list the shader texts
// SPDX-License-Identifier: MIT
//
// The programs of a plan depend on the driver. These functions answer the queries that decide about
// programs, so every machine lists the same ones, also those for drivers with subgroups.
#ifndef BENCH_PRETEND_H
#define BENCH_PRETEND_H

#include <stdbool.h>

typedef struct pretence {
    void *(*proc)(void *user, const char *name); // the real loader
    void *user;
    bool full; // with subgroups, as NVIDIA's driver; else without
} pretence;

// Makes it the active one: there is one at a time.
void pretend_begin(const pretence *target);
// The replacement of a GL function; NULL: it is not replaced.
void *pretend_proc(const char *name);

#endif
