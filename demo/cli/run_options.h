// cli/run_options.h - the options of `afterglow run`
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "run.h"

// Reads the options, and checks what needs neither files nor GL. `*out` is the chain, an array, or
// NULL. Returns a STATUS_*; errors are printed. The caller frees the chain in any case.
int run_options_read(int argc, char **argv, run_request **out);
void run_options_free(run_request *chain);

// The same command, once the folder of this effect has a pass of other slots or settings. Words for
// what it has no more are said and left out. If the rest does not do, an error is printed and
// nothing changes.
int run_options_follow(run_request *chain, int stage, const ag_effect_info *effect);

// Whether each input is a source of its own: a batch.
bool run_is_batch(const run_request *chain);

#endif
