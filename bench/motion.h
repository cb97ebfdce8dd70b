// motion.h - `afterglow-bench motion`
// SPDX-License-Identifier: MIT
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

int motion_main(int argc, char **argv);

#endif
