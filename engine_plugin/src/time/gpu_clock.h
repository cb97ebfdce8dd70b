// gpu_clock.h - converts times of the GPU's clock to the host's clock
// SPDX-License-Identifier: MIT
//
// If the host wants spans, both clocks are read together every second while times arrive. Between
// two readings the clocks drift apart by some parts in a million. The second reading tells how
// fast, and `error` bounds the rest. A reading takes a few us on NVIDIA's driver. It takes longer
// if a driver has a thread of its own or waits for the GPU; then readings become less frequent.
#ifndef AG_GPU_CLOCK_H
#define AG_GPU_CLOCK_H

#include "gl/gpu.h"

typedef struct ag_gpu_clock {
    bool known;
    uint64_t gpu, host;      // the same moment on both clocks, in ns
    double error;            // of that reading, in ns
    double rate, rate_error; // the host's ns per ns of the GPU, less 1
    uint64_t interval, next; // on the host's clock: between readings, and of the next one
} ag_gpu_clock;

// Reads both clocks. Discards the known rate if one of the clocks was set.
void ag_gpu_clock_read(ag_gpu_clock *clock, const ag_gpu *gpu);
// The same, if a reading is due.
void ag_gpu_clock_refresh(ag_gpu_clock *clock, const ag_gpu *gpu);
// Converts a time of the GPU's clock to the host's clock, with an error bound. False: not known.
bool ag_gpu_clock_place(const ag_gpu_clock *clock, uint64_t gpu, uint64_t *host, uint64_t *error);

#endif
