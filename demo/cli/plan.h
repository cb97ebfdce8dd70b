// cli/plan.h - the plan of a pass, with predicted and measured times
// SPDX-License-Identifier: MIT
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "copy_speed.h"
#include "session.h"
#include "stats.h"

// Prints steps, memory, and the predicted time of each step: the time to copy its bytes on this
// device, plus the time of as many empty launches. `speed` NULL: the copy speed is measured now.
// `times`: measured medians for a further column; NULL: none. Returns a STATUS_*.
int plan_print(session *work, const ag_plan *plan, const copy_speed *speed, const stats *times);

#endif
