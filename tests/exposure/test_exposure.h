// test_exposure.h - what the tests of "exposure" share: a pass with an image and a state
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_EXPOSURE_H
#define AG_TEST_EXPOSURE_H

#include <stdio.h>

#include "exposure_ref.h"
#include "fixture.h"
#include "random.h"
#include "texture.h"

#define EXPOSURE_ERROR 2e-5 // EV, as exposure.h promises

typedef struct exposing { // do not copy: `job` points into it
    fixture *f;
    ag_pass *pass;
    texture src, state;
    double *values; // of src, as it holds them
    ag_exposure_settings settings;
    ag_texture slots[2];
    ag_job job;
} exposing;

void exposing_open(fixture *f, exposing *e); // no image yet; a state of zeros; the default settings
void exposing_close(exposing *e);
// Another image. Takes `values` (malloc), and keeps what the format holds of them.
void exposing_image(exposing *e, const char *format, int width, int height, int layers,
                    double *values);
double *exposing_noise(rng *r, const char *format, int width, int height, double low, double high);
double *exposing_grey(int width, int height, double value); // of one channel
void exposing_set_state(exposing *e, double r, double g, double b, double a);
void exposing_read(exposing *e, double state[4]);
exposure_ref_image exposing_ref(const exposing *e);
// One execute, held to what the reference makes of the image and of the state before it; prints
// both.
bool exposing_check(exposing *e, const char *name);

// exposure_values.c
void test_edges(void **state);
void test_left_out(void **state);
void test_black(void **state);
void test_one_value(void **state);
void test_percentiles(void **state);
void test_centre(void **state);
// exposure_frames.c
void test_adaptation(void **state);
void test_times(void **state);
void test_states(void **state);
void test_repeats(void **state);
void test_reload(void **state);

#endif
