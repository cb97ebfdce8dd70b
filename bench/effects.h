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
    X(bench_denoise)         \
    X(bench_folder)

typedef double *(*expect_fn)(const picture *source, double *scale); // RGB row by row, malloc

typedef struct effect_case { // a row of each size
    const char *variant, *settings;
    const char *effect;          // NULL: that of the table
    bool ladder;                 // of libafterglow_ladder
    ag_tuning tuning;            // of its module's device
    GLenum from, to;             // formats of src and dst; 0: RGBA16F
    bool copy;                   // a copy from src to dst comes first, named as the variant
    picture (*source)(int, int); // what src holds; NULL: as the table says
    pass_slot extra[2];          // further slots
    expect_fn expect;            // what dst should hold; NULL: tests check results
    bool (*takes)(int width, int height); // NULL: all sizes
    // Last changes of the case at a size, of its sizes or settings; NULL: none.
    void (*fit)(pass_case *timed, report_row *row);
    bool (*record)(void *user, int set); // as in pass_case
    report_claim claim;                  // what a document says of the row; text NULL: nothing
} effect_case;

typedef struct bench_effect {
    const char *name;
    bool only_named; // runs only when it is named
    // The table: each case at each size.
    const effect_case *cases;
    int case_count;
    const bench_size *sizes;
    int size_count, quick_count;
    const char *src, *dst; // slots' names; NULL: "src", and "dst" of its size; "": no such slot
    int dst_size;          // of both sides of dst; 0: src's
    int multiple;          // sizes are cut to multiples of it; 0: they are not
    picture (*source)(int, int); // NULL: picture_scene
    GLenum frame;                // a copy of RGBA16F to this format comes first; 0: none
    void (*after)(bench *self, int width, int height); // baselines of a size; NULL: none
    void (*run)(bench *self);                          // what is no table; NULL: nothing
} bench_effect;

#define CASES(table, sizes_of_all, quick)                              \
    .cases = table, .case_count = COUNT(table), .sizes = sizes_of_all, \
    .size_count = COUNT(sizes_of_all), .quick_count = quick

#define BENCH_DECLARE(bench) extern const bench_effect bench;
BENCH_EFFECTS(BENCH_DECLARE)
#undef BENCH_DECLARE
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// Selects the sizes of `all` that this run measures: the first `quick_count` with --quick, the
// first one with --smallest, reduced ones on a software renderer. Returns how many are in `out`.
enum { BENCH_MAX_SIZES = 16 };
int bench_sizes(const bench *self, const bench_size *all, int count, int quick_count,
                bench_size out[BENCH_MAX_SIZES]);

// What a case should give for a picture; the last two are kept. `expect` NULL: not checked.
const pass_expected *effect_expected(bench *self, expect_fn expect, picture (*make)(int, int),
                                     int width, int height);
// Measures a case of a table at a size, and judges its claim.
void effect_measure(bench *self, const bench_effect *of, const effect_case *which, int width,
                    int height);

#endif
