// prices.h - what single calls cost the CPU that timing a pass is made of
// SPDX-License-Identifier: MIT
#ifndef AFTERGLOW_PRICES_H
#define AFTERGLOW_PRICES_H

#include <glad/gl.h>
#include <stdbool.h>

double now_us(void);
double median(double *values, int count); // sorts them

typedef struct prices { // us of CPU a call, medians
    double clock;       // CLOCK_MONOTONIC
    double stamp;       // glQueryCounter, in a row
    double result;      // glGetQueryObjectui64v of a stamp that is there: GL_QUERY_RESULT
    double no_wait;     // GL_QUERY_RESULT_NO_WAIT; below 0: the context has none
    double available;   // GL_QUERY_RESULT_AVAILABLE
    // AVAILABLE of a stamp that the GPU has not reached: the first question, and the following ones
    double first_early;
    double early;
    double buffered; // GL_QUERY_RESULT into a GL_QUERY_BUFFER; below 0: there is none
    double binding;  // glGetIntegerv(GL_QUERY_BUFFER_BINDING); below 0: there is none
} prices;

// `work` puts some milliseconds of work into the GPU's queue.
prices prices_measure(const GladGLContext *gl, void (*work)(void *user), void *user);
void prices_print(const prices *p);

#endif
