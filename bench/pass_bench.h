// pass_bench.h - measures one pass of the plugin on as many sets of textures as needed
// SPDX-License-Identifier: MIT
#ifndef BENCH_PASS_BENCH_H
#define BENCH_PASS_BENCH_H

#include "bench.h"
#include "core/tuning.h"
#include "picture.h"

// Lists the values of an enum setting as "name=value". Returns how many; 0: the module has no such
// setting, and the bench then measures it once.
enum { PASS_MAX_VALUES = 8 };
int pass_values(const bench *owner, const char *effect, const char *setting,
                char out[PASS_MAX_VALUES][64]);

enum { PASS_MAX_SETTINGS = 6 };

typedef struct pass_case {
    const char *effect;
    const char *settings[PASS_MAX_SETTINGS]; // "border=wrap"; NULL or "": left out
    ag_tuning tuning;                        // of the device, during the measurement
    const picture *source;
    GLenum source_format, target_format;
    GLenum exact_format; // of a target that adds no rounding to the error of the pass; 0: RGBA32F
    int target_width, target_height;
    // Further slots of a set: one with the source's format and size, one with the target's. NULL:
    // none.
    const char *source_plane, *target_plane;
    GLenum target_plane_format; // 0: the target's
    const char *kernel_slot;    // a slot whose texture all sets share; NULL: none
    GLuint kernel;
    GLenum kernel_format;
    int kernel_width, kernel_height;
} pass_case;

// The expected result, as from reference_convolve; NULL: not checked.
typedef struct pass_expected {
    const double *expected;
    double scale; // errors are relative to it
} pass_expected;

// Measures the pass and checks its result, and checks it again in `exact_format`. Completes the
// row, of which the caller sets effect, variant and size, and adds it. Returns a STATUS_*; errors
// are printed.
int pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row);

#endif
