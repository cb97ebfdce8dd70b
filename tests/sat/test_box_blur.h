// test_box_blur.h - what test_box_blur.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_BLUR_TESTS_H
#define AG_BOX_BLUR_TESTS_H

#include "blurring.h"
#include "summing.h"

void test_inside(void **state);
void test_frames(void **state);
void test_marks(void **state);
void test_small_radii_move(void **state);

#endif
