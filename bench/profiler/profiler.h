// profiler.h - `afterglow-bench profiler`
// SPDX-License-Identifier: MIT
#ifndef BENCH_PROFILER_H
#define BENCH_PROFILER_H

int profiler_main(int argc, char **argv);

#endif
