// viewer/window_ui.h - the panel around the picture: where everything is, and what keys do
// SPDX-License-Identifier: MIT
#ifndef VIEWER_WINDOW_UI_H
#define VIEWER_WINDOW_UI_H

#include "frame.h"

typedef struct window_ui window_ui;

// `window`: a GLFWwindow; NULL: frames without one. NULL is returned: printed why.
window_ui *window_ui_open(const GladGLContext *gl, void *window, float scale);
void window_ui_close(window_ui *ui); // NULL is fine
// Before frame_draw: lays out the panel, takes what hands do, gives the picture its place.
void window_ui_frame(window_ui *ui, frame *f, int width, int height, float dt);
void window_ui_draw(window_ui *ui, frame *f);    // after it: the panel onto the canvas
void window_ui_drop(frame *f, const char *path); // a file that was dropped on the window
bool window_ui_ends(const window_ui *ui);        // Esc

#endif
