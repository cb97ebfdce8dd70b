// summing.h - one table of the effect "sat", with all textures that its settings need
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SUMMING_H
#define AG_TEST_SUMMING_H

#include <afterglow/sat.h>

#include "core/tuning.h"
#include "fixture.h"
#include "random.h"
#include "sat_ref.h"
#include "texture.h"

typedef struct summing { // what to run; settings.storage must not be auto
    const char *name;
    int width, height, layers; // layers 0: a 2D texture
    const char *src_format;    // NULL: r32f
    ag_sat_settings settings;
    ag_tuning tuning; // of the device while it runs
    bool in_place;
    const double *src;
} summing;

enum { SUMMED_DST, SUMMED_LOW, SUMMED_SQUARES, SUMMED_SQUARES_LOW, SUMMED_MEAN, SUMMED };

typedef struct summed { // textures and their values; values NULL: no such texture
    texture textures[SUMMED];
    double *values[SUMMED];
    texture src;
    int width, height, channels; // of the table
} summed;

ag_sat_settings summing_defaults(fixture *f);
// Selects subgroups (emulated if the driver has none) or shared memory.
ag_tuning summing_by(bool subgroups);
// Prepares and executes; outputs are poison before. Keeps the textures, for shaders of the test.
summed summing_run(fixture *f, ag_pass *pass, const summing *c);
void summed_free(fixture *f, summed *s);

// S of a float table at a texel, from all stored parts: dst, low, the sums of `split`.
double summed_at(const summing *c, const summed *s, bool squares, int layer, int x, int y,
                 int channel);

// Random texels in low..high, rounded to the format. malloc.
double *summing_noise(rng *r, const char *format, int width, int height, double low, double high);

#endif
