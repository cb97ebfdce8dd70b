// cli/copy.c - measures how fast this device copies
// SPDX-License-Identifier: MIT
#include "copy.h"

#include "report.h"

enum { COPY_SIZE = 8192, SOFTWARE_COPY_SIZE = 512 }; // texels a side

int copy_measure(gpu *device, copy_speed *out)
{
    char error[512];
    gpu_timer timer = {0};
    int size = gpu_is_software(device) ? SOFTWARE_COPY_SIZE : COPY_SIZE;
    bool done = gpu_timer_create(&device->gl, &timer, error, sizeof error) &&
                copy_speed_measure(&timer, size, out, error, sizeof error);
    gpu_timer_destroy(&timer);
    return done ? STATUS_OK : fail(STATUS_FAILED, "copy speed: %s", error);
}
