// handles.h - simulates a driver with image handles on one with enough image units
// SPDX-License-Identifier: MIT
//
// Mesa's software renderer does not have GL_ARB_bindless_texture. Therefore shaders are rewritten
// to index an array of images. Handles are indices of that array, and their images are bound to
// units around each dispatch. Calls that the extension forbids are counted.
#ifndef AG_TEST_HANDLES_H
#define AG_TEST_HANDLES_H

#include "fixture.h"

// Gives f->device such a driver. False: the real driver has too few image units. Only one fixture
// at a time.
bool handles_open(fixture *f);
void handles_close(fixture *f);
int handles_resident(void);   // now
int handles_mistakes(void);   // since handles_open; each has written a line to stderr
int handles_dispatches(void); // by handles

#endif
