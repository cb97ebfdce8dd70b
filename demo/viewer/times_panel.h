// viewer/times_panel.h - where the frame's time goes: bars of every step, and the last 240 frames
// SPDX-License-Identifier: MIT
#ifndef VIEWER_TIMES_PANEL_H
#define VIEWER_TIMES_PANEL_H

#include "frame.h"

void times_panel_show(const frame *f, float x, float y, float w, float h);

#endif
