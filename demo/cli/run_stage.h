// cli/run_stage.h - what `afterglow run` says of one effect of a chain, and whether it fits
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_STAGE_H
#define CLI_RUN_STAGE_H

#include "run.h"

// Options of an effect, whose meaning depends on it.
typedef struct raw_stage {
    const char *effect;
    const char **words, **sets, **slots, **writes, **formats; // words: NAME=VALUE alone
    int word_count, set_count, slot_count, write_count, format_count;
} raw_stage;

// All return a STATUS_*; errors are printed.
// run_stage.c: files and links of the slots, --write, settings, then formats. Effects in order: each
// looks at those before it.
int stage_apply(const raw_stage *raw, run_request *out);
int stage_apply_formats(const raw_stage *raw, run_request *out);
// run_check.c: options that exclude or need each other: of an effect, of the chain, its inputs and
// output, and what only one set of inputs goes with.
int stage_check(const run_request *request);
int run_check_options(const run_request *chain, bool has_psnr);
int run_check_inputs(const run_request *chain);
int run_check_output(run_request *chain);
int run_check_single(const run_request *chain);

#endif
