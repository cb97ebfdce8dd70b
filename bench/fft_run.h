// fft_run.h - one measurement of the effect "fft", which both of its benches make
// SPDX-License-Identifier: MIT
#ifndef BENCH_FFT_RUN_H
#define BENCH_FFT_RUN_H

#include "pass.h"

typedef struct fft_run {  // what to measure
    const char *effect;   // of the row
    bool ladder;          // of fft_ladder of libafterglow_ladder
    const char *settings; // further ones; NULL: none
    const char *method, *direction, *variant;
    bool packed; // packing rgba_rg: three channels
    bool complex_in;
    GLenum source_format; // 0: RGBA32F
    GLenum picture; // format of the output, whose imaginary part is not stored; 0: RGBA32F, both
    ag_tuning tuning;
    const pass_expected *right; // NULL: not checked
} fft_run;

// Adds the row "METHOD DIRECTION[ complex][, VARIANT]"; its hot median in microseconds goes to
// `time`. The case must be one that the method takes.
int fft_measure(bench *owner, int width, int height, const fft_run *run, double *time);

// The forward transform's real parts, and the largest of them. Free `values`.
pass_expected fft_expected(const picture *source, bool complex_in);

#endif
