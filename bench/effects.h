// effects.h - the benches of effects: the list of them, and those that are tables of cases
// SPDX-License-Identifier: MIT
#ifndef BENCH_EFFECTS_H
#define BENCH_EFFECTS_H

#include "pass.h"

// In the order in which they run; bench_*.c define them.
#define BENCH_EFFECTS(X)     \
    X(bench_convolve)        \
    X(bench_bloom)           \
    X(bench_filter_spectrum) \
    X(bench_ocean)           \
    X(bench_mipchain)        \
    X(bench_sat)             \
    X(bench_sat_variants)    \
    X(bench_sat_methods)     \
    X(bench_sat_scans)       \
    X(bench_box_blur)        \
    X(bench_exposure)        \
    X(bench_downsample)      \
    X(bench_wavelet)         \
    X(bench_fft)             \
    X(bench_fft_ladder)      \
    X(bench_depth_of_field)  \
    X(bench_soft_shadow)     \
    X(bench_denoise)

typedef double *(*expect_fn)(const picture *source, double *scale); // RGB row by row, malloc

typedef struct effect_case { // a row of each size
    const char *variant, *settings;
    const char *effect;                   // NULL: that of the table
    bool ladder;                          // of libafterglow_ladder
    ag_tuning tuning;                     // of its module's device
    GLenum from, to;                      // formats of src and dst; 0: RGBA16F
    picture (*source)(int, int);          // what src holds; NULL: as the table says
    pass_slot extra[2];                   // further slots
    expect_fn expect;                     // what dst should hold; NULL: tests check results
    bool (*takes)(int width, int height); // NULL: all sizes
    report_claim claim;                   // what a document says of the row; text NULL: nothing
} effect_case;

typedef struct bench_effect {
    const char *name;
    int (*run)(bench *self); // what is no table, or comes after it; NULL: nothing
    bool only_named;         // runs only when it is named
    // The table: each case at each size.
    const effect_case *cases;
    int case_count;
    const bench_size *sizes;
    int size_count, quick_count;
    const char *dst;             // a slot's name; NULL: "dst", of src's size
    int dst_size;                // of both sides of dst; 0: src's
    int multiple;                // sizes are cut to multiples of it; 0: they are not
    picture (*source)(int, int); // NULL: picture_scene
    bool frame;                  // a copy from RGBA16F to RGBA16F comes first
    int (*after)(bench *self, int width, int height); // baselines of a size; NULL: none
} bench_effect;

#define BENCH_DECLARE(bench) extern const bench_effect bench;
BENCH_EFFECTS(BENCH_DECLARE)
#undef BENCH_DECLARE
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// Selects the sizes of `all` that this run measures: the first `quick_count` with --quick, the
// first one with --smallest, reduced ones on a software renderer. Returns how many are in `out`.
enum { BENCH_MAX_SIZES = 16 };
int bench_sizes(const bench *self, const bench_size *all, int count, int quick_count,
                bench_size out[BENCH_MAX_SIZES]);

// Measures a case of a table at a size, and judges its claim. `time`: its hot median, in
// microseconds; may be NULL. Returns a STATUS_*; errors are printed.
int effect_measure(bench *self, const bench_effect *of, const effect_case *which, int width,
                   int height, double *time);

// `afterglow-bench`, and `afterglow-bench EFFECT`.
int effects_main(int argc, char **argv);

#endif
