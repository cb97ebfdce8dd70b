// viewer/frames_mode.h - frames without a window: for scripts, videos and machines without a screen
// SPDX-License-Identifier: MIT
#ifndef VIEWER_FRAMES_MODE_H
#define VIEWER_FRAMES_MODE_H

#include "command.h"

int frames_mode(const viewer_command *wanted); // STATUS_*, having printed why

#endif
