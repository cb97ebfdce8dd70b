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
    int steps;                // that it has to take; 0: at most two, and coverage's; -1: any
    int way;
    double high; // of values; 0: 100
    bool bad;    // one texel of six is not finite
} chain;

// Level 0 is read by a texture unit, texels exchanged through shared memory, or by shuffles, the
// driver's if it has any; or an image unit reads it, of a texture of glTexStorage or glTexImage.
enum { SHARED, SUBGROUPS, IMAGE_UNIT, MUTABLE, WAYS };

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
// Runs a case on noise, and checks it. Level 0 must stay as it was. Bad texels are 0 in means, and
// counted once each; min, max and minmax skip NaN and keep Inf.
bool chain_check(fixture *f, ag_pass *pass, rng *r, const chain *c);
// A chain as glTexImage makes it.
texture chain_mutable(fixture *f, const char *format, int width, int height);

void test_coverage(void **state); // mipchain_values.c
void test_stages(void **state);   // mipchain_ways.c
void test_units(void **state);
void test_not_alike(void **state);
void test_refusals(void **state);

#endif
