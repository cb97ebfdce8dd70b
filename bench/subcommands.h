// subcommands.h - the entries of the program's subcommands
// SPDX-License-Identifier: MIT
#ifndef BENCH_SUBCOMMANDS_H
#define BENCH_SUBCOMMANDS_H

void effects_main(int argc, char **argv); // `afterglow-bench`, and `afterglow-bench EFFECT`
void compile_main(int argc, char **argv);
void memory_main(int argc, char **argv);
void reload_main(int argc, char **argv);
void motion_main(int argc, char **argv);
void profiler_main(int argc, char **argv);
void choices_main(int argc, char **argv);

#endif
