// handles.h - a driver that has handles of images, made of one that has enough image units
// SPDX-License-Identifier: MIT
//
// Shaders are rewritten to index an array of images; handles are indices of it, and are bound to
// units around each dispatch. What GL_ARB_bindless_texture forbids is counted. Mesa's software
// renderer does not have the extension, and the H200 is not at everyone's desk.
#ifndef AG_TEST_HANDLES_H
#define AG_TEST_HANDLES_H

#include "fixture.h"

// Puts such a driver under f->device. False: this one has too few image units. One fixture at a
// time.
bool handles_open(fixture *f);
void handles_close(fixture *f);
int handles_resident(void);   // now
int handles_mistakes(void);   // since handles_open; each has written a line to stderr
int handles_dispatches(void); // by handles

#endif
