// viewer/window_mode.h - the viewer in a window of its own
// SPDX-License-Identifier: MIT
#ifndef VIEWER_WINDOW_MODE_H
#define VIEWER_WINDOW_MODE_H

#include "command.h"

int window_mode(const viewer_command *wanted); // STATUS_*, having printed why

#endif
