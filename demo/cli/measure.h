// cli/measure.h - runs passes many times, as an engine would, and collects their times
// SPDX-License-Identifier: MIT
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "session.h"

// Executes the jobs in turn until one-time work is over and the clocks are high.
int measure_warm_up(const session_pass *passes, int count);
// Executes them `frames` times; the owner's spans then hold the times.
int measure_frames(const session_pass *passes, int count, int frames);

#endif
