// test_convolve.h - what the files of test_convolve share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_CONVOLVE_H
#define AG_TEST_CONVOLVE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convolve_ref.h"
#include "convolving.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// One size for most tests: each new length of a line is two or three programs to compile.
enum { W = 90, H = 54, TAPS = 19, TEXELS = W * H };
enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST };

// A pass and random numbers for a table of rows, of which a sweep takes some.
typedef struct table {
    fixture *f;
    ag_pass *pass;
    rng r;
    sweep *share; // NULL: all rows
    bool good;
} table;

table table_of(fixture *f, const char *name, uint64_t seed);
void table_row(table *t, const convolving *c);
void table_end(table *t); // ends the test if a row was wrong

// W x H rgba32f texels and TAPS x TAPS r32f taps in -1..1, into rgba32f.
typedef struct scene {
    double *src, *kernel;
} scene;

scene scene_of(rng *r);
void scene_free(scene *s);
trial scene_trial(fixture *f, const char *name, const scene *s, ag_convolve_settings *settings);

uint32_t dispatches(fixture *f); // since the last call of this
// Four channels made by glTexImage, which has no views.
GLuint mutable_texture(fixture *f, GLint format, int width, int height, const double *values);

void test_compact_scenes(void **state);
void test_spots(void **state);
void test_forms(void **state);
void test_form_lengths(void **state);
void test_form_versions(void **state);
void test_identity(void **state);
void test_scipy(void **state);
void test_places(void **state);
void test_levels(void **state);
void test_bad_texels(void **state);
void test_no_scrub(void **state);
void test_shared_scratch(void **state);
void test_channel_at_a_time(void **state);
void test_kernel_versions(void **state);
void test_zero_sum(void **state);
void test_halves(void **state);
void test_halves_ways(void **state);
void test_tall(void **state);
void test_mutable(void **state);
void test_plan_text(void **state);

#endif
