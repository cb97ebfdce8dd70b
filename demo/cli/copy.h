// cli/copy.h - measures how fast this device copies
// SPDX-License-Identifier: MIT
#ifndef CLI_COPY_H
#define CLI_COPY_H

#include "copy_speed.h"
#include "gpu.h"

// Measures with 1 GiB of textures, and with far less on a software renderer, whose result means
// nothing for a GPU. Returns a STATUS_*; errors are printed.
int copy_measure(gpu *device, copy_speed *out);

#endif
