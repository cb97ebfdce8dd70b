// prices.h - the CPU times of the single GL calls by which a pass is timed
// SPDX-License-Identifier: MIT
#ifndef BENCH_PRICES_H
#define BENCH_PRICES_H

#include <glad/gl.h>

typedef struct prices { // microseconds of CPU time for each call, medians
    double clock;       // CLOCK_MONOTONIC
    double stamp;       // glQueryCounter, many in a row
    double result;      // GL_QUERY_RESULT of a timestamp that the GPU has passed
    double no_wait;     // GL_QUERY_RESULT_NO_WAIT; below 0: the context has none
    double available;   // GL_QUERY_RESULT_AVAILABLE
    // AVAILABLE of a timestamp that the GPU has not reached: the first query, and later ones
    double first_early;
    double early;
    double buffered; // GL_QUERY_RESULT into a GL_QUERY_BUFFER; below 0: there is none
    double binding;  // glGetIntegerv(GL_QUERY_BUFFER_BINDING); below 0: there is none
} prices;

// `work` queues some milliseconds of GPU work.
prices prices_measure(const GladGLContext *gl, void (*work)(void *user), void *user);
void prices_print(const prices *p);

#endif
