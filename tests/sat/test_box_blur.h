// test_box_blur.h - a trial of "box_blur", and what test_box_blur.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_BOX_BLUR_TESTS_H
#define AG_BOX_BLUR_TESTS_H

#include <afterglow/box_blur.h>

#include "core/tuning.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, RADIUS, TABLE, DST };

// Ways to query a table. Comprehensive cases run with each way; the others take turns. In the quick
// tier a buffer, because each way compiles all programs again; test_too_large goes through all.
enum { BLUR_WAYS = 3 };
int blur_way(int turn); // AG_TABLES_*

// Into rgba32f, with the effect's defaults, which `s` gets; every texel is added up in double.
trial blur_of(fixture *f, const char *name, const char *format, int width, int height,
              const double *src, ag_box_blur_settings *s);

// Runs and checks it by `way` (AG_TABLES_*), then frees it.
bool blur_check(trial *t, ag_pass *pass, int way, double limit);

void test_inside(void **state);
void test_frames(void **state);
void test_marks(void **state);
void test_small_radii_move(void **state);

#endif
