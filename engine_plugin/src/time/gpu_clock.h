// gpu_clock.h - where moments of the GPU's clock lie on the host's
// SPDX-License-Identifier: MIT
//
// Both clocks are read in one go every second while times arrive, for a host that wants spans. Between two readings they drift
// apart by some parts in a million; the second reading tells how fast, and the error below what is
// left. Reading may be dear where a driver has a thread of its own or waits for the GPU (a few us on
// NVIDIA's, which does not): then it is done less and less often.
#ifndef AG_GPU_CLOCK_H
#define AG_GPU_CLOCK_H

#include "gl/gpu.h"

typedef struct ag_gpu_clock {
    bool known;
    uint64_t gpu, host;      // one moment on both clocks, in ns
    double error;            // of that reading, in ns
    double rate, rate_error; // the host's ns per ns of the GPU, less 1
    uint64_t interval, next; // on the host's clock: between readings, and of the next one
} ag_gpu_clock;

// Reads both clocks. Drops what was known when the GPU's clock turns out to have been set anew.
void ag_gpu_clock_read(ag_gpu_clock *clock, const ag_gpu *gpu);
// The same, when it is due.
void ag_gpu_clock_refresh(ag_gpu_clock *clock, const ag_gpu *gpu);
// A moment of the GPU's clock on the host's, and how far off that may be; false: not known.
bool ag_gpu_clock_place(const ag_gpu_clock *clock, uint64_t gpu, uint64_t *host, uint64_t *error);

#endif
