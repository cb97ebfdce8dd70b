// pass_bench.h - one pass of the plugin on as many sets of textures as measuring takes
// SPDX-License-Identifier: MIT
#ifndef BENCH_PASS_BENCH_H
#define BENCH_PASS_BENCH_H

#include "bench.h"
#include "core/tuning.h"
#include "picture.h"

// The values of an enum setting as "name=value", as far as the module has that setting: a bench
// names what it varies, and a module without it is measured once. Returns how many; 0: no such
// setting.
enum { PASS_MAX_VALUES = 8 };
int pass_values(const bench *owner, const char *effect, const char *setting,
                char out[PASS_MAX_VALUES][64]);

enum { PASS_MAX_SETTINGS = 6 };

typedef struct pass_case {
    const char *effect;
    const char *settings[PASS_MAX_SETTINGS]; // "border=wrap"; NULL or "": left out
    ag_tuning tuning;                        // of the device, as long as it is measured
    const picture *source;
    GLenum source_format, target_format;
    GLenum exact_format; // of a target in which only the pass itself errs; 0: RGBA32F
    int target_width, target_height;
    const char *kernel_slot; // a slot with a texture that all sets share; NULL: none
    GLuint kernel;
    GLenum kernel_format;
    int kernel_width, kernel_height;
} pass_case;

// What the result should be; `expected` as reference_convolve makes it, NULL: not checked.
typedef struct pass_expected {
    const double *expected;
    double scale; // errors are relative to it
} pass_expected;

// Measures the pass, compares what it wrote, and once more into RGBA32F where only the pass itself
// errs; completes the row (effect, variant, size are the caller's) and adds it. A STATUS_*, having
// printed why.
int pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row);

#endif
