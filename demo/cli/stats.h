// cli/stats.h - times of the steps of passes: as a table, CSV, JSON, or a Chrome trace
// SPDX-License-Identifier: MIT
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "session.h"

typedef struct stats_times { // in ns
    double last, min, mean, median, p95, p99;
    double first; // of the first use, which is not a sample; 0: unknown
} stats_times;

typedef struct stats_row {
    char name[64]; // the step of the plan, or "whole pass"; of a chain "bloom.step" and "bloom"
    uint32_t dispatches;
    size_t samples;
    stats_times gpu, cpu;
    uint64_t bytes;    // that must move according to the plan
    double gb_per_s;   // those bytes over the GPU's median time
    double copy_ratio; // gb_per_s over the copy speed; 0: not measured
} stats_row;

typedef struct stats {
    char effect[256]; // of a chain "denoise + bloom"
    const char *renderer;
    int width, height, frames;
    stats_row *rows; // the steps, then the whole pass; of a chain so for each, then "whole chain"
    size_t row_count;
    uint64_t dropped;      // samples without a timestamp
    double cpu_prepare_ns; // of prepare, a sum
    double copy_gb_s;      // this device's copy speed; 0: not measured
} stats;

const ag_step *stats_plan_step(const ag_plan *plan, uint32_t index);

// All return a STATUS_*; errors are printed.
// `copy_gb_s` 0: not measured.
int stats_create(const session_pass *passes, int count, int frames, double copy_gb_s, stats *out);
void stats_destroy(stats *target); // zeroed stats are fine

void stats_print(const stats *source);
// .csv or .json, by the path's extension.
int stats_save(const char *path, const stats *source);
int stats_check_path(const char *path);

// For chrome://tracing and ui.perfetto.dev.
int trace_save(const char *path, const session_pass *passes, int count);

#endif
