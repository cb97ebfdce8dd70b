// cli/plan.h - the plan of a pass, with predicted and measured times
// SPDX-License-Identifier: MIT
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "copy_speed.h"
#include "cost.h"
#include "session.h"
#include "stats.h"

// Prints steps, memory, and the time predicted for each step: its bytes at the speed of the best
// texture copy measured here, and its launches at what launches of nothing take. `speed` NULL:
// measured now. `times` (NULL: none were measured) puts medians beside. STATUS_*.
// `rates` (NULL: none) are those of --tuning, and predict instead.
int plan_print(session *work, const ag_plan *plan, const copy_speed *speed, const cost_rates *rates,
               const stats *times);

#endif
