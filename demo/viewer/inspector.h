// viewer/inspector.h - any texture of the frame: levels, tables, spectra, value by value
// SPDX-License-Identifier: MIT
#ifndef VIEWER_INSPECTOR_H
#define VIEWER_INSPECTOR_H

#include "frame.h"

typedef struct inspector {
    const GladGLContext *gl;
    GLuint program, shown, target, pixels; // shown: what the panel draws
    int shown_width, shown_height;
    int level, channel;    // channel 0: colour, 1..4
    float exposure;        // EV
    bool signed_, curve;   // 0 is grey; sRGB curve
    float zoom, middle[2]; // pixels a texel, 0: all of it; the texel in the middle
    float view[4];         // of the texture, in texels
    bool find_range;       // the exposure that shows the largest value but few is to be found
    int cursor[2];         // texel under the cursor; -1: none
    int asked[2];          // of which a value is on its way
    float value[4];
    bool has_value;
    int area[2];        // pixels of the panel's picture
    char of[NODE_NAME]; // what it looked at last
    int of_slot;
} inspector;

bool inspector_open(inspector *s, const GladGLContext *gl);
void inspector_close(inspector *s); // a zeroed one is fine
void inspector_show(inspector *s, frame *f, float x, float y, float w, float h);
void inspector_draw(inspector *s, const frame *f); // after the frame: what the panel shows

#endif
