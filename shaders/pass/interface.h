// pass/interface.h - locations of uniforms of passes from folders
// SPDX-License-Identifier: MIT
//
// Images, textures and buffers of a step are at 0, 1, ... of their kind; b_info is that of
// common/interface.h.
#pragma once

#define AG_LOC_PASS_RUN 0     // ivec4: layer, round, scrub
#define AG_LOC_PASS_FRAME 1   // ivec4: the frame's number; 1 = reset; 0 that no compiler knows
#define AG_LOC_PASS_TIME 2    // vec4: seconds since the last frame
#define AG_LOC_PASS_USES 3    // ivec4 of each slot and texture: x, y, width, height
#define AG_LOC_PASS_FLOATS 10 // 8 vec4: settings
#define AG_LOC_PASS_INTS 18   // 4 ivec4: settings
#define AG_PASS_UNIFORMS 22
