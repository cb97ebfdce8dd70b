// cli/measure.h - runs a pass many times, as an engine would, and collects its times
// SPDX-License-Identifier: MIT
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "session.h"

// Executes the job until one-time work is over and the clocks are high.
int measure_warm_up(session *work, ag_job *job);
// Executes the job `frames` times; work->spans then holds the times.
int measure_frames(session *work, ag_job *job, int frames);

#endif
