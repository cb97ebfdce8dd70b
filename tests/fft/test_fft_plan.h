// test_fft_plan.h - what the files of test_fft_plan share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FFT_TESTS_H
#define AG_TEST_FFT_TESTS_H

#include "check.h"
#include "effects/fft/fft_plan.h"

enum { INVOCATIONS = 1024 }; // what GL 4.3 promises

static inline int div_up(int a, int b)
{
    return (a + b - 1) / b;
}

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

bool smooth(int n); // no prime factor above 7
// Every rule of fft_plan.h that a line of `length` points must keep. Ends the test on failure.
void check_line(const ag_fft_line *line, int length, bool row, int max_invocations);

// fft_plan_lines.c
void test_every_smooth_length(void **state);
void test_few_invocations(void **state);
void test_good_length(void **state);
void test_few_lengths(void **state);
void test_narrow_rows(void **state);
// fft_plan_banks.c
void test_banks(void **state);

#endif
