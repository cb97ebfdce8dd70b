// shadow/interface.h - bindings and locations that the C and GLSL of soft_shadow share
// SPDX-License-Identifier: MIT
//
// The table's units and uniforms are those of sat/interface.h, the depth's those of
// focus/interface.h.
#pragma once
#include "focus/interface.h"

#define AG_IMAGE_SHADOW_MOMENTS 1 // quantise.comp: z, and the high and low half of z^2
#define AG_IMAGE_SHADOW_TABLE 5   // table.comp: the host's

// ---- encodings of depths, as AG_SHADOW_* in soft_shadow.h
#define AG_SHADOW_AS_FORWARD 0
#define AG_SHADOW_AS_REVERSED 1
#define AG_SHADOW_AS_LINEAR 2

// ---- uniform locations
#define AG_LOC_SHADOW_X 40 // vec4 each: the columns of the matrix to the map
#define AG_LOC_SHADOW_Y 41
#define AG_LOC_SHADOW_D 42
#define AG_LOC_SHADOW_1 43
#define AG_LOC_SHADOW_LIGHT 44 // vec4: ag_shadow_penumbra's
#define AG_LOC_SHADOW_BOX 45   // vec4: least and largest side, bleed, bias
#define AG_LOC_SHADOW_MODE 46  // ivec4: encoding of the light's depth; 1 = view depth in metres
#define AG_LOC_SHADOW_MAP 47   // ivec4: width and height of the map; 1 = count bad texels
