// test_sat.h - the tests of the effect "sat": a trial of a table, and files by what they hold
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_TESTS_H
#define AG_SAT_TESTS_H

#include <afterglow/sat.h>

#include "core/tuning.h"
#include "effects/sat/sat_plan.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, DST, LOW, SQUARES, SQUARES_LOW, MEAN, SLOTS };

// The defaults, but the storage float32. Its reference adds up all texels, integers modulo 2^32.
trial table_of(fixture *f, const char *name, const char *format, int width, int height,
               const double *src, ag_sat_settings *s);
// Adds the outputs that the settings and the source need. `limit` counts units of the last place of
// the largest entry; 0: what the storage allows.
void table_outputs(trial *t, ag_pass *pass, const ag_tuning *tuning);
bool table_check(trial *t, ag_pass *pass, const ag_tuning *tuning); // and frees it
// S of a float table at a texel, from all stored parts: dst, low, the sums of `split`.
double table_at(const trial *t, int slot, int layer, int x, int y, int channel);

// Tiles of 32 x 32 and this many threads compile quickly: few texels a thread.
extern const ag_tuning quick_tiles;
const ag_tuning *few_texels(void); // these, but on a GPU those that are chosen
// Sums exchanged by subgroups (emulated if the driver has none) or through shared memory. In the
// quick tier with the fewest texels a thread that subgroups take.
ag_tuning exchange_by(bool subgroups);

void test_precision(void **state); // sat_precision.c
void test_error_bounds(void **state);
void test_queries(void **state); // sat_query.c
void test_query_refuses(void **state);
void test_declared(void **state); // sat_contract.c
void test_unscrubbed(void **state);
void test_shifted(void **state);

#endif
