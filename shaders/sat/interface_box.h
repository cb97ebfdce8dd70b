// sat/interface_box.h - what the C and GLSL of effects that ask tables for boxes share
// SPDX-License-Identifier: MIT
#pragma once
#include "sat/interface.h"

// ---- image units
#define AG_IMAGE_TABLE 2 // the table that is read
#define AG_IMAGE_TABLE_LOW 3
#define AG_IMAGE_TABLE_MEAN 4
#define AG_IMAGE_RADIUS 5
#define AG_IMAGE_TABLE_SQUARES 5
#define AG_IMAGE_TABLE_SQUARES_LOW 6
#define AG_IMAGE_TABLES 7 // image units that these effects use

// ---- shader storage
#define AG_SSBO_LEFT 0 // persistent: marks of sat/blur_blocks.glsl; 0 between executes

// ---- uniform locations
#define AG_LOC_BOX 23        // vec4: radius
#define AG_LOC_BOX_RADIUS 24 // ivec4: x, y of the radius texture's rectangle
#define AG_LOC_BOX_TABLE 25  // ivec4: x, y of the table; row of its mean; layer, for a texture unit
#define AG_LOC_BOX_SIZE 26   // ivec4: width, height of the image; the layer's first place in b_left
#define AG_LOC_BOX_UNITS 27  // vec4: fixed-point units of 1, of 1 squared
// ivec4: blocks whose boxes all lie inside: first x, y; one past the last
#define AG_LOC_BOX_INSIDE 28

// ---- the boxes that a program of box_blur takes, in the order in which the programs run
#define AG_BLUR_WHOLE 0  // at least one texel within the image, edges whole: blur_inside.comp
#define AG_BLUR_CUT 1    // the same, any edges: blur_inside.comp
#define AG_BLUR_BEYOND 2 // other boxes: blur_edges.comp, blur_mirror.comp
#define AG_BLUR_SMALL 3  // a radius below AG_BOX_DIRECT: blur_small.comp
#define AG_BLUR_PARTS 4
#define AG_BLUR_BLOCKS 32 // marks that a group of the last two tests, at most 32
#define AG_BLUR_ROW 1024  // groups in a row of a dispatch of BEYOND
#define AG_BOX_DIRECT 2.0 // boxes of a smaller radius are added up without a table
#define AG_BOX_LARGEST 16384.0
