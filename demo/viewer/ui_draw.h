// viewer/ui_draw.h - what ui.h laid out, onto the canvas
// SPDX-License-Identifier: MIT
#ifndef VIEWER_UI_DRAW_H
#define VIEWER_UI_DRAW_H

#include <glad/gl.h>
#include <stdbool.h>

typedef struct ui_draw {
    const GladGLContext *gl;
    GLuint program, vertices, vertex_buffer, index_buffer, atlas, target;
    int width, height; // of the canvas
} ui_draw;

bool ui_draw_open(ui_draw *d, const GladGLContext *gl); // after ui_open
void ui_draw_close(ui_draw *d);                         // a zeroed one is fine
void ui_draw_all(ui_draw *d, GLuint canvas, int width, int height);

#endif
