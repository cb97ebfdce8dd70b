// test_downsample.h - a trial of "downsample", and what test_downsample.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_DOWNSAMPLE_TESTS_H
#define AG_TEST_DOWNSAMPLE_TESTS_H

#include <afterglow/downsample.h>

#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, DST, SCALE_TARGETS = 4 };

typedef struct scale {       // a case; what is 0 is the effect's default
    const char *format, *to; // of the source, and of the targets; NULL: the same
    int width, height;
    int sizes[SCALE_TARGETS][2]; // of targets
    int method, filter, weight, radius;
} scale;

// A trial of a case into textures of its own, held to the bound of downsample.h. `s` gets the
// settings.
trial scale_of(fixture *f, ag_pass *pass, const scale *c, const double *values,
               ag_downsample_settings *s);
// Every target against double precision. What is not finite counts as 0.
bool scaled(trial *t, const trial_part *p, double *want, double *bound);
// Runs a case on noise: codes, or floats of varying size and, without a weight, sign.
bool scale_check(fixture *f, ag_pass *pass, rng *r, const scale *c);
// tile takes ratios up to 64; beyond them it becomes auto.
int scale_method(int method, int width, int height, int w, int h);

// downsample_values.c: what becomes of values
void test_identity(void **state);
void test_worked_example(void **state);
void test_lattice(void **state);
void test_half_of_the_sampler(void **state);
void test_constants(void **state);
void test_scrub(void **state);

// downsample_contract.c: which texels are written, by which ways, and what is refused
void test_targets(void **state);
void test_rectangles_and_layers(void **state);
void test_image_units(void **state);
void test_refusals(void **state);

#endif
