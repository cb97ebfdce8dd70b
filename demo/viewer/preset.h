// viewer/preset.h - all settings as a JSON file, and one setting from text
// SPDX-License-Identifier: MIT
//
//   {"viewer": {"scene": {"speed": 1, ...}, "particles": {...}, "view": {...}},
//    "effects": [{"id": "bloom", "on": true, "picture": true, "settings": {"shape": "aperture",
//    "tint": [1, 1, 1]}}]}
//
// The effects are the chain, in its order; one of a kind may come several times. Of the view,
// exposure and tone curve are saved; split, scopes and loupe are taken, too, where a file has them.
// Settings that a preset does not name stay as they are, and so does what it names but the module
// does not take: a remark says so. A file of another form is refused, and changes nothing.
#ifndef VIEWER_PRESET_H
#define VIEWER_PRESET_H

#include "frame.h"

#define PRESET_INITIAL "initial.json" // its name
enum { PRESET_EFFECTS = 256 }; // of a preset at most: later modules may have more than this one

bool preset_save(const frame *f, const char *path); // false: printed why
bool preset_load(frame *f, const char *path);
void preset_initial(frame *f); // what the viewer starts with

// "bloom.intensity=0.3", "scene.speed=0", "box_blur=on", "bloom-2=on". An effect that is named and
// not in the chain is added at its end, off until it is turned on. Returns a STATUS_*, having
// printed what is wrong.
int preset_set(frame *f, const char *assignment);

// The settings of the viewer's own that an OWN_* stands for.
void *preset_own(frame *f, int which);

#endif
