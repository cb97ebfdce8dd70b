// viewer/frame_build.h - which passes and textures a frame has: from the effects' own descriptions
// SPDX-License-Identifier: MIT
#ifndef VIEWER_FRAME_BUILD_H
#define VIEWER_FRAME_BUILD_H

#include "frame.h"

// Makes the graph of the nodes that are on. Nodes that cannot work are left out, and say why.
// False: there is no picture at all.
bool frame_build(frame *f);
// Takes over settings that have changed; those that an effect refuses go back to what they were.
void frame_refresh(frame *f);

#endif
