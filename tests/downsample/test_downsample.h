// test_downsample.h - a trial of "downsample", and what test_downsample.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_DOWNSAMPLE_TESTS_H
#define AG_TEST_DOWNSAMPLE_TESTS_H

#include <afterglow/downsample.h>

#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SRC, DST, SCALE_TARGETS = 4 };

typedef struct scale {       // a case; what is 0 is the effect's default
    const char *format, *to; // of the source, and of the targets; NULL: the same
    int width, height;
    int sizes[SCALE_TARGETS][2]; // of targets
    int method, filter, weight, radius;
    int layers;
    int from[4], into[4]; // rectangles x, y, w, h of the source and of the first target
    bool bad;             // some texels are not finite: they count as 0, and each once
    bool gap;             // the second target comes in the last slot
    bool again;           // once more, of a texture of glTexImage, which has no view
    double high;          // of values; 0: 100
} scale;

// A trial of a case into textures of its own, held to the bound of downsample.h. `s` gets the
// settings.
trial scale_of(fixture *f, ag_pass *pass, const scale *c, const double *values,
               ag_downsample_settings *s);

// downsample_values.c: what becomes of values
void test_half_of_the_sampler(void **state);
void test_unscrubbed(void **state);
void test_refusals(void **state);

#endif
