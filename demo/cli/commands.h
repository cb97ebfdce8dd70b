// cli/commands.h - the commands of `afterglow`
// SPDX-License-Identifier: MIT
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const command command_list, command_info, command_scene, command_ocean, command_run,
    command_kernel, command_tune, command_new, command_completion;
extern const command *const command_table[]; // ends with NULL

// Runs a command line of `afterglow`; returns a STATUS_*, the exit status.
int command_dispatch(int argc, char **argv);

int list_command(int argc, char **argv);
int info_command(int argc, char **argv);
int scene_command(int argc, char **argv);
int ocean_command(int argc, char **argv);
int run_command(int argc, char **argv);
int kernel_command(int argc, char **argv);
int tune_command(int argc, char **argv);
int new_command(int argc, char **argv);
int completion_command(int argc, char **argv);

// manual.c: all commands with their options, as the source of a manual page.
void manual_print(void);

#endif
