// test_denoise.h - what the tests of "denoise" share: a pass with an image and its result
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_DENOISE_H
#define AG_TEST_DENOISE_H

#include <stdio.h>

#include "denoise_ref.h"
#include "trial.h"
#include "values.h"

typedef struct denoising { // do not copy: `t` points into it
    trial t;
    double *values; // of src, as it holds them
    ag_denoise_settings settings;
} denoising;

void denoising_open(fixture *f, denoising *d); // no image yet; the default settings
void denoising_close(denoising *d);
// Another image and result. Takes `values` (malloc). `to`: the format of dst; NULL: that of src.
void denoising_image(denoising *d, const char *format, const char *to, int width, int height,
                     int layers, double *values);
// Other values in the same texture. Takes `values`.
void denoising_upload(denoising *d, double *values);
double *denoising_run(denoising *d); // dst (malloc)
denoise_ref_image denoising_ref(const denoising *d);
// One execute, held to the reference. `limit`: of the error in units of max|y| and of the slope of
// the inverse of y.
bool denoising_check(denoising *d, const char *name, double limit);

// Images of four channels, or one: edges, gradients, texture and stars, in 0..1; and noise added.
double *denoising_scene(int width, int height, int channels, int offset_x, int offset_y);
void denoising_add_noise(rng *r, double *values, size_t count, double sigma);

// denoise_values.c
void test_shrinks(void **state);
void test_levels(void **state);
void test_coarse_levels(void **state);
void test_tall_tiles(void **state);
void test_rules(void **state);
void test_spaces(void **state);
void test_formats(void **state);
void test_sizes(void **state);
void test_rectangles(void **state);
void test_arrays(void **state);
// denoise_noise.c
void test_sigma(void **state);
void test_true_sigma(void **state);
void test_frames(void **state);
void test_large_frames(void **state);
void test_shifts(void **state);
void test_quality(void **state);
void test_group_quality(void **state);
// denoise_history.c
void test_history_mean(void **state);
void test_history_gain(void **state);
void test_history_ghost(void **state);
void test_history_states(void **state);
void test_history_array(void **state);
// denoise_atrous.c
void test_atrous(void **state);
void test_atrous_more(void **state);
void test_atrous_firefly(void **state);
void test_atrous_quality(void **state);
void test_atrous_refusals(void **state);
void test_dwt(void **state);
void test_dwt_more(void **state);
void test_dwt_quality(void **state);
void test_dwt_contract(void **state);
// denoise_contract.c
void test_identity(void **state);
void test_firefly(void **state);
void test_not_finite(void **state);
void test_unscrubbed(void **state);
void test_repeats(void **state);
void test_refusals(void **state);

#endif
