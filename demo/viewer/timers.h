// viewer/timers.h - how long the viewer's own passes take on the GPU, and the frames of the last
// seconds
// SPDX-License-Identifier: MIT
#ifndef VIEWER_TIMERS_H
#define VIEWER_TIMERS_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

enum { TIMERS_MOST = 12, TIMERS_RING = 6, TIMERS_HISTORY = 240 };

typedef struct timer_row {
    const char *name;
    float ms[TIMERS_HISTORY]; // a ring
    int count;
} timer_row;

typedef struct timers {
    const GladGLContext *gl;
    struct {
        GLuint query[TIMERS_MOST][2];
        bool used[TIMERS_MOST];
    } ring[TIMERS_RING];
    timer_row rows[TIMERS_MOST]; // row 0 is the whole frame
    int row_count;
    uint64_t frame, harvested;
    unsigned dropped; // frames whose times were not there in time
    float cpu_ms[TIMERS_HISTORY];
    int cpu_count;
} timers;

void timers_open(timers *t, const GladGLContext *gl);
void timers_close(timers *t); // a zeroed one is fine
// Between these two lies a frame. Nothing waits: times come some frames later.
void timers_begin(timers *t);
void timers_end(timers *t, float cpu_ms);
void timers_finish(timers *t);                 // waits for the GPU, and takes what is left
int timers_start(timers *t, const char *name); // one section at a time; the name stays
void timers_stop(timers *t, int section);

// Of the last samples of a ring: the smallest that so many of a hundred do not exceed; 0 without
// any.
float timers_percentile(const float *ring, int count, int percent);
// The upper end of a chart of the frames, in ms: at least twice their median, so that what a start
// or a stall took is cut and does not flatten the rest.
float timers_chart_top(const timers *t);
const timer_row *timers_find(const timers *t, const char *name);

#endif
