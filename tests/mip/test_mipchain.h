// test_mipchain.h - a trial of "mipchain", and what test_mipchain.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_MIPCHAIN_TESTS_H
#define AG_TEST_MIPCHAIN_TESTS_H

#include <afterglow/mipchain.h>

#include "core/tuning.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct chain { // a case; what is 0 is the effect's default
    const char *format;
    int width, height; // of level 0
    int reduce, weight, levels, exactness;
    int layers, first, count; // of the texture, and those worked on
    int base, x, y, w, h;     // level and rectangle of what is chained
    int steps;                // that it has to take; 0: at most two, and coverage's
} chain;

typedef struct chain_level { // exact, of one layer
    double *exact, *magnitude;
    int level, layer;
} chain_level;

// A trial of a case, every level of which is held to the exact chain and those that are not asked
// for to poison. `s` gets the settings; `l` is the reference's, and chain_free frees it.
trial chain_of(fixture *f, ag_pass *pass, const chain *c, const double *values,
               ag_mipchain_settings *s, chain_level *l);
void chain_free(trial *t);
// Random values of a format: codes, or floats of varying magnitude and, where no weights are made
// of them, sign. malloc.
double *chain_noise(rng *r, const chain *c);
// Runs and checks it. Level 0 must stay as it was.
bool chain_try(trial *t, const chain *c);
// The same on noise, by this tuning; NULL: the device's.
bool chain_check(fixture *f, ag_pass *pass, rng *r, const chain *c, const ag_tuning *tuning);

// mipchain_values.c: what becomes of values
void test_coverage(void **state);
void test_constants(void **state);
void test_checker(void **state);
void test_scrub(void **state);

// mipchain_ways.c: the ways to read level 0, to exchange texels, and to divide chains
void test_stages(void **state);
void test_ways(void **state);
void test_not_alike(void **state);

// mipchain_contract.c: which texels are written, by whichever units, and what is refused
void test_rectangles_and_layers(void **state);
void test_units_and_levels(void **state);
void test_refusals(void **state);

#endif
