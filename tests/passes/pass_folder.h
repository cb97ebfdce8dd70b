// pass_folder.h - a device, and a pass on it from a folder that a test writes
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_PASS_FOLDER_H
#define AG_TEST_PASS_FOLDER_H

#include "fixture.h"
#include "folder.h"
#include "trial.h"

enum { SRC, DST };            // the slots of most of them
enum { PASS_SETTINGS = 512 }; // bytes

#define SLOTS                           \
    "//! slot src read colour \"in\"\n" \
    "//! slot dst write colour \"out\"\n"

typedef struct pass_folder { // do not copy
    fixture *f;
    folder d;
    const ag_effect_info *info;
    _Alignas(16) uint8_t settings[PASS_SETTINGS];
} pass_folder;

// Writes pass.comp, creates f->device and loads the folder. Ends the test on failure.
void pass_open(fixture *f, const char *text, pass_folder *p);
// The same of a folder that is there already.
void pass_open_at(fixture *f, const char *path, pass_folder *p);
void pass_close(pass_folder *p);

// A trial of it, with the default settings.
trial pass_trial(pass_folder *p, const char *name);
// The same, with an image of these values in src, and dst of its format and size.
trial pass_image(pass_folder *p, const char *name, const char *format, int width, int height,
                 const double *values);
void pass_set(pass_folder *p, const char *setting, int at, double value);

#endif
