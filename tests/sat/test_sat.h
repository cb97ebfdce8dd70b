// test_sat.h - the tests of the effect "sat", in files by what they hold
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_TESTS_H
#define AG_SAT_TESTS_H

#include "summing.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// test_sat.c: every entry within what the storage and the method allow; prints the worst. Without
// squares.
bool check_table(const char *what, const summing *c, const summed *s);

void test_precision(void **state); // sat_precision.c
void test_error_bounds(void **state);
void test_queries(void **state); // sat_query.c
void test_query_moments(void **state);
void test_query_refuses(void **state);
void test_refusals(void **state); // sat_contract.c
void test_auto(void **state);
void test_bad_texels(void **state);
void test_repeats(void **state);
void test_rectangles(void **state);
void test_in_place(void **state);

#endif
