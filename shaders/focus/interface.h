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
#define AG_IMAGE_FOCUS_STATE 1   // the host's state, read and written by autofocus.comp

// ---- tiles: two vec4 each, the colour and weight of the fill, and the near radius
#define AG_SSBO_FOCUS_TILES 0  // transient: written by split.comp, read by the others
#define AG_SSBO_FOCUS_SPREAD 1 // transient: written by spread.comp
#define AG_FOCUS_TILE 16

// ---- focus = autofocus
#define AG_SSBO_FOCUS_DISTANCE 1 // transient: of autofocus.comp, for focus/lens.glsl
#define AG_FOCUS_SAMPLES 16      // of depths along a side of the area, at most

// ---- method = gather: image units, beside the source's and the output's
#define AG_IMAGE_GATHER_LAYERS 2  // gather_layers.comp: layers and their levels (gather.glsl)
#define AG_IMAGE_GATHER_RADII 3   // the same: weight times radius
#define AG_IMAGE_GATHER_BLURRED 4 // gather_blur.comp

// ---- texture units, beside that of a depth: 1
#define AG_TEXTURE_GATHER_LAYERS 0
#define AG_TEXTURE_GATHER_RADII 2
#define AG_TEXTURE_GATHER_BLURRED 3
#define AG_TEXTURE_GATHER_COUNT 4

// ---- shader storage
#define AG_SSBO_GATHER_LAMPS 2   // transient: AG_GATHER_LAMPS a tile, two vec4 each
#define AG_SSBO_GATHER_OPENING 3 // persistent: what the lens's opening decides, written by the CPU
#define AG_SSBO_GATHER_WORK 4    // transient: which tiles are blurred and composed (gather.glsl)
#define AG_GATHER_WORK_HEAD 2    // words in front of the lists of a layer
#define AG_GATHER_GROUPS 4096    // at most, which share a list

// ---- what b_opening has
#define AG_GATHER_REACH 3   // texels around one that small radii may reach, in x and in y
#define AG_GATHER_WINDOW 45 // of them, those at most 3.7 texels away
#define AG_GATHER_FEW 13    // samples: a middle, and rings of 4, 8; and one of 12 more
#define AG_GATHER_MANY 25
#define AG_GATHER_STEPS 49                // radii 0, 1/8 ... 6
#define AG_GATHER_AT_FEW AG_GATHER_WINDOW // places
#define AG_GATHER_AT_MANY (AG_GATHER_AT_FEW + AG_GATHER_FEW)
#define AG_GATHER_AT_RADII (AG_GATHER_AT_MANY + AG_GATHER_MANY)
#define AG_GATHER_AT_AREA (AG_GATHER_AT_RADII + AG_GATHER_STEPS)
#define AG_GATHER_VALUES (AG_GATHER_AT_AREA + 1)

#define AG_GATHER_LAMPS 8 // of a tile, at most
#define AG_GATHER_APRON (AG_FOCUS_TILE + 2 * AG_GATHER_REACH)

// ---- layers (LAYER of focus/blur.comp), those of method = gather
#define AG_FOCUS_NEAR 0
#define AG_FOCUS_FAR 1

// ---- shapes, as AG_SHAPE_* in depth_of_field.h
#define AG_FOCUS_BOX 0
#define AG_FOCUS_SMOOTH 1
#define AG_FOCUS_DISC 2

// ---- uniform locations
// vec4: 1/z = x + y d, or with z = 1 it is 1/d; w: K of the lens
#define AG_LOC_FOCUS_LENS 30
// vec4: s; 0: that of the point; -s: that of autofocus.comp, at first s. F; largest s; largest r
#define AG_LOC_FOCUS_DISTANCE 31
#define AG_LOC_FOCUS_DEPTH 32    // ivec4: x, y of depth's rectangle; layer; row of i_near, i_far
#define AG_LOC_FOCUS_POINT 33    // ivec4: x, y of the focus point in the rectangle
#define AG_LOC_FOCUS_TILES 34    // ivec4: tiles in x, in y; the layer's first tile; reach
#define AG_LOC_FOCUS_AXIS 35     // ivec4: 1, 0: spread along rows; 0, 1: along columns
#define AG_LOC_FOCUS_AREA 38     // ivec4: x, y, width, height of autofocus in depth's rectangle
#define AG_LOC_FOCUS_STATE 39    // ivec4: x, y of the state; 1 = reset; share of the way, bits
#define AG_LOC_GATHER_LAYER 36   // ivec4: near layer of t_layers; max_radius, bits
#define AG_LOC_GATHER_OPENING 37 // vec4: a blade's angle, 0: round; roundness; rotation; squeeze

// ---- soft_shadow (shaders/shadow): image units
#define AG_IMAGE_SHADOW_TABLE 5 // table.comp: the host's

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
