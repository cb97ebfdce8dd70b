// gpu_time.h - measures the GPU time of recorded work
// SPDX-License-Identifier: MIT
//
// gpu_time_run avoids two errors of timestamps:
//
//   An idle GPU   starts work as it is submitted, so two timestamps around it measure the CPU.
//                 Before the first timestamp of each sample, 2 ms of integer arithmetic in one work
//                 group are queued, so all later commands are queued when the GPU reaches them.
//   A cold GPU    runs at a fraction of its clock. Every run begins with at least 120 ms of the
//                 very work that is measured.
#ifndef AFTERGLOW_GPU_TIME_H
#define AFTERGLOW_GPU_TIME_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stddef.h>

enum { GPU_TIME_MAX_SAMPLES = 200 };

typedef struct gpu_timer {
    const GladGLContext *gl;
    GLuint spin, sink;  // the program that keeps the GPU busy, and where its result could go
    GLuint spin_rounds; // that take about 2 ms
    double warm_up_us;  // of work before each measurement; 120000, until it is changed
    GLuint queries[2 * GPU_TIME_MAX_SAMPLES];
} gpu_timer;

typedef struct gpu_work {
    // Records the commands of one execution, with its barrier. `turn` counts executions, also those
    // of the warm-up. Returns false to stop.
    bool (*record)(void *user, unsigned turn);
    void (*between)(void *user); // between two executions, not timed; NULL: nothing
    void *user;
} gpu_work;

typedef struct gpu_times { // in microseconds
    double min, median, p95;
    double cpu_median; // of `record` on the CPU
    int samples;
} gpu_times;

// Compiles the spin program and measures its time; `gl` must outlive the timer. False, with one
// line in `error`, on failure.
bool gpu_timer_create(const GladGLContext *gl, gpu_timer *out, char *error, size_t error_size);
void gpu_timer_destroy(gpu_timer *target); // a zeroed timer is fine

// Queues about 2 ms of work: what is queued next is waiting when the GPU gets there, and stamps
// around it time it alone.
void gpu_timer_busy(const gpu_timer *timer);

// Warms up with the work, then takes samples of it. False when `record` stopped it.
bool gpu_time_run(gpu_timer *timer, const gpu_work *work, int samples, gpu_times *out);

#endif
