// cli/stats.h - times of the steps of a pass: as a table, CSV, JSON, or a Chrome trace
// SPDX-License-Identifier: MIT
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "session.h"

typedef struct stats_times { // in ns
    double min, median, p95;
} stats_times;

typedef struct stats_row {
    const char *name; // of the plan, or "whole pass"
    uint32_t dispatches;
    size_t samples;
    stats_times gpu, cpu;
    uint64_t bytes;  // that must move, by the plan
    double gb_per_s; // those bytes in the GPU's median time
} stats_row;

typedef struct stats {
    const char *effect, *renderer;
    int width, height, frames;
    stats_row *rows; // the steps, then the whole pass
    size_t row_count;
} stats;

const ag_step *stats_plan_step(const ag_plan *plan, uint32_t index);

// All return a STATUS_*, having printed why.
int stats_create(const session *source, const char *effect, const ag_plan *plan, int frames,
                 stats *out);
void stats_destroy(stats *target); // zeroed stats are fine

void stats_print(const stats *source);
// .csv or .json, by the path's extension.
int stats_save(const char *path, const stats *source);
int stats_check_path(const char *path);

// For chrome://tracing and ui.perfetto.dev.
int trace_save(const char *path, const session *source, const char *effect, const ag_plan *plan,
               int64_t gpu_to_cpu);

#endif
