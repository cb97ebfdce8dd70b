// common/source.glsl - the rectangle that a pass reads, and how
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_SOURCE_GLSL
#define AG_COMMON_SOURCE_GLSL
#include "common/interface.h"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode; // channels, 0, 1 = scrub, with words the layer

#endif
