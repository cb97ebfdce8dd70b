// blurring.h - one blur on the GPU and by the definition, texel by texel
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLURRING_H
#define AG_TEST_BLURRING_H

#include <afterglow/box_blur.h>

#include "core/tuning.h"
#include "fixture.h"
#include "random.h"
#include "texture.h"

// Ways to query a table. Comprehensive cases run with each way; the others take turns.
enum { BLURRING_WAYS = 3 };
int blurring_way(int turn); // AG_TABLES_*

typedef struct blurring { // what to run; NULL formats: rgba32f
    const char *name;
    int width, height, layers;
    const char *src_format, *dst_format;
    const double *src, *radius; // radius: r32f, a layer; NULL: the setting
    texture *table;             // an existing table, or NULL
    ag_box_blur_settings settings;
    int tables; // AG_TABLES_*: of the device while it runs
} blurring;

// The effect's defaults.
blurring blurring_of(fixture *f, const char *name, int width, int height, const double *src);
// Prepares and executes; returns the values of dst (malloc).
double *blurring_run(fixture *f, ag_pass *pass, const blurring *b);
// The same, then compares every texel of every layer with the definition, and prints the error.
// False if an error is above `limit` plus half a unit of dst's format.
bool blurring_check(fixture *f, ag_pass *pass, const blurring *b, double limit);

#endif
