// cli/plan.h - the plan of a pass, with predicted and measured times
// SPDX-License-Identifier: MIT
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "copy_speed.h"
#include "cost.h"
#include "session.h"
#include "stats.h"

typedef struct plan_total { // of the passes of a chain
    uint32_t dispatches;
    uint64_t bytes;
    double predicted_us;
} plan_total;

// Prints steps, memory, and the time predicted for each step: its bytes at the speed of the best
// texture copy measured here, and its launches at what launches of nothing take. `rates` (NULL:
// none) are those of --tuning, and predict instead. `rows` (NULL: none were measured) puts medians
// beside: a row a step, then one of the whole pass. Adds to the total.
void plan_print(const session_pass *pass, const copy_speed *speed, const cost_rates *rates,
                const stats_row *rows, plan_total *total);
void plan_print_total(const plan_total *total, const stats_row *row);

#endif
