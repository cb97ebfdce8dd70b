// viewer/preset.h - all settings as a JSON file, and one setting from text
// SPDX-License-Identifier: MIT
//
//   {"viewer": {"scene": {"speed": 1, ...}, "particles": {...}, "view": {...}},
//    "effects": [{"id": "bloom", "on": true, "picture": true, "settings": {"shape": "aperture",
//    "tint": [1, 1, 1]}}]}
//
// Effects come in their order in the frame, each once. What a preset does not name stays as it is,
// and so does what it names but the module does not take: a remark says so. A file of another form
// is refused, and changes nothing.
#ifndef VIEWER_PRESET_H
#define VIEWER_PRESET_H

#include "frame.h"

enum { PRESET_EFFECTS = 256 }; // of a preset at most: later modules may have more than this one

bool preset_save(const frame *f, const char *path); // false: printed why
bool preset_load(frame *f, const char *path);
void preset_initial(frame *f); // what the viewer starts with

// "bloom.intensity=0.3", "scene.speed=0", "box_blur=on". Returns a STATUS_*, having printed what is
// wrong.
int preset_set(frame *f, const char *assignment);

// The settings of the viewer's own that an OWN_* stands for.
void *preset_own(frame *f, int which);

#endif
