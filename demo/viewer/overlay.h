// viewer/overlay.h - what lies over the picture: the split, messages, the banner of a broken
// shader, the keys
// SPDX-License-Identifier: MIT
#ifndef VIEWER_OVERLAY_H
#define VIEWER_OVERLAY_H

#include "frame.h"

void overlay_split(const frame *f, bool hot); // hot: the mouse has it
void overlay_banner(const frame *f);          // nothing while all shaders work
void overlay_help(float width, float height);
void overlay_message(const frame *f, const char *text, float age); // fades
void overlay_camera(const frame *f); // while a path is recorded or followed

#endif
