// common/interface.h - what C and GLSL share in every family: bindings, uniform locations, choices
// SPDX-License-Identifier: MIT
// Each number is written once. Bindings are relative to the bases of ag_device_desc. What only one
// family uses is in its own interface.h, what only C uses in engine_plugin/src/gl/bindings.h, and
// choices that few shaders know in interface_border.h, interface_store.h and interface_subgroups.h.
#pragma once

// ---- image units
#define AG_IMAGE_SRC 0 // what a pass reads: the scene, or the kernel while its spectrum is made
#define AG_IMAGE_DST 1 // what it writes
// ---- shader storage
#define AG_SSBO_INFO 5 // persistent: common/info.glsl

// ---- uniform locations
#define AG_LOC_SRC_RECT 0 // ivec4: x, y, width, height of the source rectangle
#define AG_LOC_SRC_MODE 1 // ivec4: channels; bits of a float, or 0; 1 = scrub; the layer
#define AG_LOC_DST_RECT 2 // ivec4: x, y, width, height of the output rectangle

// ---- how a packed texel is kept in registers, without loss (common/load.glsl)
#define AG_TEXEL_FLOAT1 0
#define AG_TEXEL_FLOAT2 1
#define AG_TEXEL_FLOAT4 2
#define AG_TEXEL_HALF2 3
#define AG_TEXEL_HALF4 4
#define AG_TEXEL_UNORM8 5
#define AG_TEXEL_UNORM10 6

// ---- what a texture unit reads of a texel (common/gather.glsl)
#define AG_PACKING_NONE 0   // nothing: an image unit reads it
#define AG_PACKING_FLOATS 1 // its channels
#define AG_PACKING_8888 2
#define AG_PACKING_10_10_10_2 3
#define AG_PACKING_11_11_10 4
#define AG_PACKING_16_16 5 // two halves a word, one word or two
