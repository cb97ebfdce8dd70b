// history.h - the last times of a pass or a step, and their statistics
// SPDX-License-Identifier: MIT
#ifndef AG_HISTORY_H
#define AG_HISTORY_H

#include <afterglow/afterglow.h>

#include <stdbool.h>

enum { AG_HISTORY = 512 };

typedef struct ag_history { // of a pass or a step: the last AG_HISTORY samples, in ns
    float gpu[AG_HISTORY], cpu[AG_HISTORY];
    uint64_t count;
    double gpu_first, cpu_first; // of the last first use, which is not a sample; 0: none
} ag_history;

// Adds a span; `first`: some program was dispatched for the first time.
void ag_history_add(ag_history *history, const ag_span *span, bool first);
// Percentiles, means and the first use of a history.
void ag_history_stats(const ag_history *history, ag_stats *stats);

// Makes empty histories for a plan's steps; NULL for one step, whose times are those of the pass.
//   errors  AG_E_MEMORY
ag_status ag_histories_make(const ag_host *host, uint32_t steps, ag_history **histories);
void ag_histories_reset(ag_history *histories, uint32_t steps);
void ag_histories_free(const ag_host *host, ag_history *histories, uint32_t steps);

#endif
