// cli/run_stage.h - what `afterglow run` says of one effect of a chain, and whether it fits
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_STAGE_H
#define CLI_RUN_STAGE_H

#include "run.h"

// All return a STATUS_*; errors are printed.
// run_stage.c: files and links of slots, --write, settings, then formats. Effects in order: each
// looks at those before it. `had` (else NULL) is what a folder had before an edit: what
// is said of its slots and settings that are no more is told and left out.
int stage_apply(run_request *out, const ag_effect_info *had);
int stage_apply_formats(run_request *out, const ag_effect_info *had);
// run_check.c: options that exclude or need each other: of an effect, of the chain, its inputs and
// output, and what only one set of inputs goes with.
int stage_check(const run_request *request);
int run_check_options(const run_request *chain, bool has_psnr);
int run_check_inputs(const run_request *chain);
int run_check_output(run_request *chain);
int run_check_single(const run_request *chain);

#endif
