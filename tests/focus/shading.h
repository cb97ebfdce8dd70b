// shading.h - one run of "soft_shadow" on the GPU, and by the definition
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SHADING_H
#define AG_TEST_SHADING_H

#include "core/tuning.h"
#include "fixture.h"
#include "random.h"
#include "shadow_ref.h"
#include "texture.h"

enum { SHADING_SRC, SHADING_DEPTH, SHADING_DST, SHADING_TABLE, SHADING_SLOTS };

typedef struct shading { // a job; do not copy
    fixture *f;
    ag_pass *pass;
    texture t[SHADING_SLOTS]; // SHADING_TABLE: name 0 unless asked for
    ag_soft_shadow_settings settings;
    ag_texture slots[SHADING_SLOTS];
    double *z; // the map's codes, once run
} shading;

shading shading_open(fixture *f); // the defaults, but no bias and no bleed
// A map and a frame of stored depths. Takes neither.
void shading_scene(shading *s, int map_w, int map_h, const double *map, int w, int h,
                   const double *depth, bool table);
double *shading_run(shading *s, int tables); // dst (malloc); by a way to query, AG_TABLES_*
void shading_drop(shading *s);               // the scene
// Runs, compares with the definition and prints the error. False if it is above `limit`.
bool shading_check(shading *s, const char *name, int tables, double limit);
// As the encoding stores the depth of a 16-bit code: rounding does not decide between codes.
double shading_stored(const ag_soft_shadow_settings *s, double z);

#endif
