// test_downsample.h - what the files of test_downsample share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_DOWNSAMPLE_TESTS_H
#define AG_TEST_DOWNSAMPLE_TESTS_H

#include <afterglow/downsample.h>

#include "fixture.h"
#include "random.h"
#include "texture.h"

enum { SCALE_TARGETS = 4 };

typedef struct scale {       // a case
    const char *format, *to; // of the source, and of the targets; NULL: the same
    int width, height;
    int count; // targets; 0: one
    int sizes[SCALE_TARGETS][2];
    ag_downsample_settings settings;
    const double *values; // of the source
} scale;

ag_downsample_settings scale_defaults(fixture *f);
double scale_worse(double worst, double e); // the larger; NaN once either is
const char *scale_method(int method);       // its name
const char *scale_filter(int filter);
ag_job scale_job(const ag_texture *slots, int targets, const ag_downsample_settings *settings);
// Seeded texels of a format: codes, or floats whose sizes vary; `positive`: weights are for light.
// malloc.
double *scale_noise(rng *r, const char *format, size_t texels, bool positive);
// The largest error of `got` over its limit, and the first texel that is beyond it is printed.
// Values are the source's, as it holds them, with what is scrubbed made 0 already.
double scale_error(const scale *c, int target, const double *got);
// Runs a case on textures of its own, into poison, and holds every target to its limit. `worst`
// grows.
bool scale_right(fixture *f, ag_pass *pass, const scale *c, double *worst);
// The same with fresh noise, and a line of the result.
bool scale_check_noise(fixture *f, ag_pass *pass, rng *r, scale c);

// downsample_values.c: what becomes of values
void test_identity(void **state);
void test_worked_example(void **state);
void test_impulses(void **state);
void test_lattice(void **state);
void test_half_of_the_sampler(void **state);
void test_constants(void **state);
void test_checker(void **state);
void test_scrub(void **state);

// downsample_contract.c: which texels are written, by which ways, and what is refused
void test_targets(void **state);
void test_rectangles_and_layers(void **state);
void test_image_units(void **state);
void test_refusals(void **state);

#endif
