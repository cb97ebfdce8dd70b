// test_fft_ladder.h - what the files of test_fft_ladder share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FFT_LADDER_H
#define AG_TEST_FFT_LADDER_H

#include "check.h"
#include "ladder/fft_documents.h"

// fft_ladder_documents.c
void test_lookup(void **state);
void test_bytes(void **state);
void test_gain(void **state);

#endif
