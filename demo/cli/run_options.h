// cli/run_options.h - the options of `afterglow run`
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "run.h"

// Reads and checks all that can be checked without files and GL. Returns a STATUS_*, having printed
// what was expected; `out` is to be freed in any case.
int run_options_read(int argc, char **argv, run_request *out);
void run_options_free(run_request *target);

// Whether each input is a source of its own.
bool run_is_batch(const run_request *request);

#endif
