// common/source.glsl - the uniforms of a pass's input
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
// channels, bits of a float (fft/source.glsl) or 0, 1 = scrub, layer (texture unit)
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode;
