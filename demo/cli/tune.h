// cli/tune.h - what `afterglow tune` measures, chooses and writes
// SPDX-License-Identifier: MIT
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "copy_speed.h"
#include "cost.h"
#include "gpu.h"
#include "ways.h"

enum { TUNE_ROWS = 512, TUNE_PLANS = 256 };

typedef struct tune {
    const ag_api *api;
    gpu gpu;
    ag_device *device;
    gpu_timer timer;
    copy_speed speed;
    ways_bench bench;
    bool software;   // times say nothing: sizes are an eighth, and the text says so
    double deadline; // of the CPU's clock, in seconds
    int skipped;     // choices left alone because the time was up
    cost_row rows[TUNE_ROWS];
    int count;
    cost_plan plans[TUNE_PLANS]; // of bloom
    int plan_count;
    ag_tuning chosen;
} tune;

double tune_now(void); // seconds

// Goes through all choices. STATUS_*
int tune_choose(tune *self);

#endif
