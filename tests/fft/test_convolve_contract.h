// test_convolve_contract.h - what the files of test_convolve_contract share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_CONVOLVE_TESTS_H
#define AG_TEST_CONVOLVE_TESTS_H

#include "convolving.h"

// One size for most tests: each new line length is two or three programs to compile.
enum { CONVOLVE_WIDTH = 90, CONVOLVE_HEIGHT = 54, CONVOLVE_TAPS = 19 };

typedef struct contract { // three textures and a job over them; do not copy: the job points into it
    texture src, kernel, dst;
    ag_texture slots[3];
    ag_convolve_settings settings;
    ag_job job;
} contract;

// src, dst: CONVOLVE_WIDTH x CONVOLVE_HEIGHT; kernel: r32f. Values NULL: poison.
void contract_open(fixture *f, contract *c, const char *src_format, const double *src,
                   const char *dst_format, int kernel_width, int kernel_height,
                   const double *kernel);
// The same with the caller's own textures, which contract_close destroys.
void contract_adopt(contract *c, texture src, texture kernel, texture dst);
void contract_close(fixture *f, contract *c);
// Prepares and executes; all values of dst's level 0 (malloc).
double *contract_run(fixture *f, ag_pass *pass, contract *c);
// Uniform values of an image in -1 .. 1, rounded to float32; `channels` a texel (malloc).
double *contract_noise(rng *r, int width, int height, int channels);
// glDispatchCompute since the last call of this.
uint32_t contract_dispatches(fixture *f);

void test_layers(void **state);
void test_levels(void **state);
void test_rects(void **state);
void test_bad_texels(void **state);
void test_no_scrub(void **state);
void test_counter_goes_on(void **state);
void test_bad_kernel(void **state);
void test_halves(void **state);
void test_alpha_apart(void **state);
void test_halves_ways(void **state);
void test_halves_scrub(void **state);
void test_halves_targets(void **state);
void test_halves_storages(void **state);
void test_shared_scratch(void **state);
void test_scratch_limits(void **state);
void test_texture_state(void **state);
void test_channel_at_a_time(void **state);
void test_kernel_versions(void **state);
void test_zero_sum(void **state);
void test_resize(void **state);
void test_barriers(void **state);
void test_hidden_levels(void **state);
void test_lies(void **state);
void test_mutable(void **state);
void test_flat(void **state);
void test_copied_alpha(void **state);
void test_kernel_packed(void **state);
void test_auto_falls_back(void **state);

#endif
