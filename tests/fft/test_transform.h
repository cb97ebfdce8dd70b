// test_transform.h - what the files of test_transform share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_TRANSFORM_H
#define AG_TEST_TRANSFORM_H

#include "transforming.h"

// transform_laws.c
void test_fft_round_trip(void **state);
void test_fft_hermitian(void **state);
void test_fft_not_finite(void **state);
void test_fft_refused(void **state);
void test_fft_slot_size(void **state);

#endif
