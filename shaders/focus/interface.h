// focus/interface.h - what the C and GLSL of depth_of_field and soft_shadow share
// SPDX-License-Identifier: MIT
//
// The table's units and uniforms are those of sat/interface.h, the source's and the output's those
// of common/interface.h.
#pragma once
#include "sat/interface.h"

// ---- image units, beside those of a table: 0 to 4
#define AG_IMAGE_FOCUS_FAR 1     // by split.comp: (f c, f); by blur.comp: (mean / m, m area)
#define AG_IMAGE_FOCUS_BLURRED 2 // the same, read by compose.comp
#define AG_IMAGE_FOCUS_NEAR 5    // by split.comp: (n c, n); by blur.comp: (C, a)
#define AG_IMAGE_FOCUS_DEPTH 6   // R32F depth; depth formats are read by texture unit 1

// ---- tiles: two vec4 each, the colour and weight of the fill, and the near radius
#define AG_SSBO_FOCUS_TILES 0  // transient: written by split.comp, read by the others
#define AG_SSBO_FOCUS_SPREAD 1 // transient: written by spread.comp
#define AG_FOCUS_TILE 16

// ---- layers (LAYER of focus/blur.comp)
#define AG_FOCUS_NEAR 0
#define AG_FOCUS_FAR 1

// ---- shapes, as AG_SHAPE_* in depth_of_field.h
#define AG_FOCUS_BOX 0
#define AG_FOCUS_SMOOTH 1
#define AG_FOCUS_DISC 2

// ---- uniform locations
// vec4: 1/z = x + y d, or with z = 1 it is 1/d; w: K of the lens
#define AG_LOC_FOCUS_LENS 30
#define AG_LOC_FOCUS_DISTANCE 31 // vec4: s, or 0: of the point; F; largest s; largest radius
#define AG_LOC_FOCUS_DEPTH 32    // ivec4: x, y of depth's rectangle; layer; row of i_near, i_far
#define AG_LOC_FOCUS_POINT 33    // ivec4: x, y of the focus point in the rectangle
#define AG_LOC_FOCUS_TILES 34    // ivec4: tiles in x, in y; the layer's first tile; reach
#define AG_LOC_FOCUS_AXIS 35     // ivec4: 1, 0: spread along rows; 0, 1: along columns

// ---- soft_shadow (shaders/shadow): image units
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
