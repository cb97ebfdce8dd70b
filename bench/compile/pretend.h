// pretend.h - GL functions of a driver that compiles and runs nothing, to list the shader texts
// SPDX-License-Identifier: MIT
//
// What a plan needs depends on the driver. These answer for it where that decides which programs
// there are, so that every machine lists the same ones, and what a driver with subgroups gets is
// listed where there is none.
#ifndef BENCH_PRETEND_H
#define BENCH_PRETEND_H

#include <stdbool.h>

typedef struct pretence {
    void *(*proc)(void *user, const char *name); // the real loader
    void *user;
    bool full; // has subgroups and image handles, as NVIDIA's has; else neither
} pretence;

// Makes it the one that the functions serve: there is one at a time.
void pretend_begin(const pretence *target);
// The function to be called instead of a real one; NULL: that one.
void *pretend_proc(const char *name);

#endif
