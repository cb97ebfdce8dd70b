// test_denoise.h - a trial of "denoise", and what test_denoise.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_DENOISE_H
#define AG_TEST_DENOISE_H

#include "denoise_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    SRC = AG_DENOISE_SRC,
    DST = AG_DENOISE_DST,
    MOTION = AG_DENOISE_MOTION,
    HISTORY = AG_DENOISE_HISTORY,
    ALBEDO = AG_DENOISE_ALBEDO
};

// The defaults, but three levels, and soft thresholds of the sigma 0.1, which is given.
trial denoise_of(fixture *f, const char *name, const char *format, int width, int height,
                 const double *values, ag_denoise_settings *s);
// The next frame: other values for src, which are freed. Returns dst, which the trial keeps.
const double *denoise_next(trial *t, double *values);

// Edges, gradients, texture and stars, in 0..1, of an image that begins at (x, y); with noise in
// its colours. malloc.
double *denoise_scene(int width, int height, int channels, int x, int y);
double *denoise_noisy(rng *r, int width, int height, int channels, int x, int y, double sigma);
// Guide `k` (0: albedo) of two planes with an edge between them. malloc.
double *denoise_guide(rng *r, int k, int width, int height);
extern const char *const denoise_guide_formats[3];

// denoise_noise.c
void test_sigma(void **state);
void test_frames(void **state);
void test_large_frames(void **state);
void test_firefly(void **state);
void test_quality(void **state);
// denoise_estimate.c
void test_estimate(void **state);
void test_clean(void **state);
void test_mottle(void **state);
// denoise_history.c
void test_history_mean(void **state);
void test_history_states(void **state);
// denoise_motion.c
void test_history_gain(void **state);
void test_history_sharpness(void **state);
void test_history_rounding(void **state);
void test_history_sparse(void **state);
void test_history_uncovered(void **state);
void test_history_ghost(void **state);
// denoise_blocks.c
void test_blocks(void **state);
void test_blocks_bits(void **state);
void test_blocks_quality(void **state);
// denoise_atrous.c
void test_atrous_quality(void **state);

#endif
