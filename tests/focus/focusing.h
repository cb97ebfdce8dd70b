// focusing.h - one run of "depth_of_field" on the GPU, and by the definition
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FOCUSING_H
#define AG_TEST_FOCUSING_H

#include "core/tuning.h"
#include "fixture.h"
#include "focus_ref.h"
#include "random.h"
#include "texture.h"

typedef struct focusing { // what to run; NULL formats: rgba32f
    const char *name;
    int width, height, layers; // layers 0: a 2D texture
    const char *src_format, *dst_format;
    const double *src, *depth; // depth: r32f, or as `depth_format` holds it
    uint32_t depth_format;     // 0: r32f, else a depth format of GL
    ag_depth_of_field_settings settings;
    int tables;     // AG_TABLES_*: of the device while it runs
    int x, y, w, h; // the rectangle; w 0: the whole
} focusing;

// Linear depth in metres, else the effect's defaults.
focusing focusing_of(fixture *f, const char *name, int width, int height, const double *src,
                     const double *depth);
// Prepares and executes; returns the values of dst (malloc). `held` (or NULL) gets the depth as the
// texture holds it (malloc).
double *focusing_run(fixture *f, ag_pass *pass, const focusing *b, double **held);
// The same, then compares the rectangle of every layer with the definition, and prints the error.
// False if an error is above `limit` plus half a unit of dst's format.
bool focusing_check(fixture *f, ag_pass *pass, const focusing *b, double limit);

// A scene in metres: a wall far behind, a slope, an object in focus at 4, a bar in front. malloc.
double *focusing_scene(rng *r, int width, int height);
double *focusing_noise(rng *r, int width, int height, double low, double high); // 4 channels

#endif
