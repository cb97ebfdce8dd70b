// viewer/scopes.h - what an artist grades by: histogram, waveform, and a loupe with values
// SPDX-License-Identifier: MIT
//
// All of them look at the canvas before the panel is drawn onto it: at what is shown.
#ifndef VIEWER_SCOPES_H
#define VIEWER_SCOPES_H

#include "frame.h"

enum { LOUPE_TEXELS = 15, SCOPES_COLUMNS = 256 };

typedef struct scopes {
    const GladGLContext *gl;
    GLuint count, draw, counts;        // programs; a buffer
    GLuint shown, loupe, target, read; // textures; framebuffers
    GLuint pixels;                     // values on their way
    int size[2];                       // of `shown`
    int at[2], asked[2];               // on the canvas from the top: under the loupe; -1: nowhere
    float linear[4];                   // before the view, of the texel that was asked for
    unsigned char code[4];             // on the canvas
} scopes;

bool scopes_open(scopes *s, const GladGLContext *gl);
void scopes_close(scopes *s); // a zeroed one is fine
// Before the frame is drawn: lays them out over the picture. mouse -1, -1: elsewhere.
void scopes_show(scopes *s, const frame *f, const float mouse[2]);
void scopes_draw(scopes *s, const frame *f); // after it, and before the panel

#endif
