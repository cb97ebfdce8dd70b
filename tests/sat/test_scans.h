// test_scans.h - the tests of the documents' scans, in files by what they hold
// SPDX-License-Identifier: MIT
#ifndef AG_SCANS_TESTS_H
#define AG_SCANS_TESTS_H

#include "summing.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SCAN_LAST = AG_SAT_LOOKBACK };

// test_scans.c: entries of a table of integers that are wrong; prints how many.
size_t scan_wrong(fixture *f, ag_pass *pass, const summing *c);
// Whether the entries of a table of floats are within the bound that the plan states.
bool scan_check_floats(fixture *f, ag_pass *pass, const summing *c);

void test_golden(void **state); // scans_trees.c
void test_segments(void **state);
void test_silent_tiles(void **state); // scans_lookback.c
void test_narrow(void **state);
void test_expired(void **state);
void test_indirect_binding(void **state);
void test_many_runs(void **state);

#endif
