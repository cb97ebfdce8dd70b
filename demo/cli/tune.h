// cli/tune.h - what `afterglow tune` measures, chooses and writes
// SPDX-License-Identifier: MIT
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include "copy_speed.h"
#include "core/tuning.h"
#include "cost.h"
#include "gpu.h"

#include <afterglow/afterglow.h>

enum { TUNE_ROWS = 256, TUNE_SETTINGS = 3 };

typedef struct tune {
    const ag_api *api;
    gpu gpu;
    ag_device *device;
    gpu_timer timer;
    copy_speed speed;
    bool software;   // times say nothing: sizes are an eighth, and the text says so
    double deadline; // of the CPU's clock, in seconds
    int skipped;     // choices left alone because the time was up
    cost_row rows[TUNE_ROWS];
    int count;
    ag_tuning chosen;
} tune;

typedef struct tune_case { // a job as a host would have it
    const char *effect;
    const char *settings[TUNE_SETTINGS]; // "border=wrap"; NULL: no more
    const char *format;                  // of src, or of a chain's texture
    const char *target;                  // of dst; NULL: as `format`
    int width, height;
    int kernel_width, kernel_height; // 0: no slot `kernel`
    bool levels;                     // the slot holds a whole chain
} tune_case;

// tune_time.c: microseconds of the GPU, the median, and the plan's key; a row is kept for the
// rates. STATUS_*, having printed why.
int tune_time(tune *self, const tune_case *desc, const ag_tuning *tuning, double *us,
              uint64_t *key);
bool tune_has_time(const tune *self);
double tune_now(void); // seconds

// tune_choose.c: goes through all choices. STATUS_*
int tune_choose(tune *self);

#endif
