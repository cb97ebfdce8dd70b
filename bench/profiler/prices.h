// prices.h - the CPU times of the single GL calls by which a pass is timed
// SPDX-License-Identifier: MIT
#ifndef BENCH_PRICES_H
#define BENCH_PRICES_H

#include <glad/gl.h>

// Measures and prints them, as medians; "-" of what the context lacks. `work` queues some
// milliseconds of GPU work.
void prices_print(const GladGLContext *gl, void (*work)(void *user), void *user);

#endif
