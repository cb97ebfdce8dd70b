// copy_speed.h - how fast this GPU can move memory: the lower limit of every pass
// SPDX-License-Identifier: MIT
//
// A pass that reads and writes B bytes in N launches, each after a barrier, cannot take less than
// B / copy speed. copy_speed_floor_us also adds the time of N empty launches.
#ifndef AFTERGLOW_COPY_SPEED_H
#define AFTERGLOW_COPY_SPEED_H

#include "gpu_time.h"

#include <stdint.h>

enum { COPY_LAUNCH_COUNTS = 5 };
extern const int copy_launch_counts[COPY_LAUNCH_COUNTS]; // 1, 2, 4, 8, 16

typedef struct copy_speed {
    int texture_size;                     // texels a side of the RGBA16F textures copied
    double fetch_gb_s;                    // by texelFetch, read + written, 1e9 bytes a second
    double image_gb_s;                    // by imageLoad
    double buffer_gb_s;                   // one uvec4 for each thread
    uint64_t buffer_bytes;                // of the buffer copied
    double gb_s;                          // the best texture copy, which floors are computed from
    double launch_us[COPY_LAUNCH_COUNTS]; // of as many empty dispatches, a barrier after each
} copy_speed;

// Measures with textures of `size` x `size` texels, a multiple of 32. Figures that are quoted need
// 8192, which no cache holds. If GL has too little memory, a smaller size is used. False, with a
// line in `error`, on failure.
bool copy_speed_measure(gpu_timer *timer, int size, copy_speed *out, char *error,
                        size_t error_size);

double copy_speed_bytes_us(const copy_speed *speed, uint64_t bytes);
double copy_speed_launch_us(const copy_speed *speed, int launches);
double copy_speed_floor_us(const copy_speed *speed, uint64_t bytes,
                           int launches); // the sum of both

#endif
