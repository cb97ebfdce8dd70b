// test_mipchain.h - what the files of test_mipchain share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_MIPCHAIN_TESTS_H
#define AG_TEST_MIPCHAIN_TESTS_H

#include <afterglow/mipchain.h>

#include "fixture.h"
#include "random.h"
#include "texture.h"

typedef struct chain { // a case
    const char *format;
    int width, height;
    ag_mipchain_settings settings;
    const double *values; // of level 0
} chain;

ag_mipchain_settings chain_defaults(fixture *f);
const char *chain_reduction(int reduce); // its name
ag_job chain_job(const ag_texture *slot, const ag_mipchain_settings *settings);
// Random values of a format: codes, or floats of varying magnitude and, where it has it, sign.
// malloc.
double *chain_noise(rng *r, const char *format, size_t texels);
// The values in level 0, and poison in all below, down to 1 x 1.
texture chain_texture(fixture *f, const chain *c);
// Compares every requested level with the exact chain; prints the first texel that is off.
// `worst` grows to the largest error over its limit.
bool chain_levels_right(fixture *f, const chain *c, const texture *t, double *worst);

// mipchain_values.c: what becomes of values
void test_coverage(void **state);
void test_impulses(void **state);
void test_constants(void **state);
void test_checker(void **state);
void test_scrub(void **state);

// mipchain_contract.c: which texels are written, by whichever units, and what is refused
void test_rectangles_and_layers(void **state);
void test_units_and_levels(void **state);
void test_refusals(void **state);

#endif
