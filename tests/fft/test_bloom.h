// test_bloom.h - what the files of test_bloom share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLOOM_TESTS_H
#define AG_TEST_BLOOM_TESTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blooming.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// One size for most tests: each new length of a line is two or three programs to compile.
enum { W = 90, H = 54, EXTENT = 19, TEXELS = W * H };
enum { SRC = AG_BLOOM_SRC, IMAGE = AG_BLOOM_KERNEL_IMAGE, DST = AG_BLOOM_DST };

// A size of BLOOMING_SIZE and an intensity of 1, at a resolution.
ag_bloom_settings bloom_settings(fixture *f, int resolution, int output);
// What a run of these settings gives, from and into a format (malloc).
double *bloom_run(fixture *f, ag_pass *pass, const char *format, int width, int height,
                  const double *src, const ag_bloom_settings *s);
// Checks it with this pass (NULL: its own), and frees it.
bool bloom_check(trial *t, ag_pass *pass);

void test_bloom_scrub(void **state);
void test_bloom_places(void **state);
void test_bloom_image(void **state);
void test_bloom_image_units(void **state);
void test_shapes(void **state);
void test_aperture_is_diffraction(void **state);
void test_pupil_settings(void **state);
void test_kernel_image_is_fitted(void **state);
void test_lens_dirt_and_add(void **state);
void test_lens_ghosts(void **state);
void test_lens_ghosts_defocus(void **state);
void test_lens_ghosts_letters(void **state);
void test_lens_exposure(void **state);
void test_lens_refusals(void **state);
void test_light(void **state);
void test_light_refusals(void **state);
void test_motion_fades(void **state);
void test_motion_every_frame(void **state);
void test_motion_interrupted(void **state);
void test_bloom_band_error(void **state);
void test_bloom_band_lengths(void **state);
void test_bloom_small_gaussian(void **state);
void test_bloom_small_lamp(void **state);
void test_bloom_small_fixed(void **state);
void test_bloom_small_firefly(void **state);
void test_bloom_small_auto(void **state);
void test_bloom_small_bytes(void **state);
void test_bloom_octaves_texels(void **state);
void test_bloom_octaves_noise(void **state);
void test_bloom_octaves_even(void **state);
void test_bloom_lamp_ring(void **state);
void test_bloom_lamp_steps(void **state);
void test_bloom_lamp_turns(void **state);
void test_bloom_lamp_sizes(void **state);
void test_bloom_steady_texels(void **state);
void test_bloom_steady_flicker(void **state);
void test_bloom_steady_trail(void **state);
void test_bloom_steady_stars(void **state);
void test_bloom_steady_moving(void **state);
void test_bloom_steady_states(void **state);
void test_bloom_fits_plans(void **state);
void test_bloom_fits_scratch(void **state);
void test_bloom_fits_rays(void **state);
void test_bloom_fits_executes(void **state);

#endif
