// cli/copy.h - how fast this device copies
// SPDX-License-Identifier: MIT
#ifndef CLI_COPY_H
#define CLI_COPY_H

#include "copy_speed.h"
#include "gpu.h"

// Measured now, with 1 GiB of textures; far less on a renderer that runs on the CPU, where it means
// nothing. STATUS_*, having printed why.
int copy_measure(gpu *device, copy_speed *out);

#endif
