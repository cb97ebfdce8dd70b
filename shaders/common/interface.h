// common/interface.h - bindings, locations and choices that C and GLSL of several families share
// SPDX-License-Identifier: MIT
//
// Bindings are relative: the plugin adds the bases that the host chose (ag_device_desc). Numbers of
// one family are in its own interface.h; numbers of C alone in engine_plugin/src/gl/bindings.h.
#ifndef AG_COMMON_INTERFACE_H
#define AG_COMMON_INTERFACE_H

// ---- image units
#define AG_IMAGE_SRC 0 // input: the scene, or the kernel while its spectrum is made
#define AG_IMAGE_DST 1 // output

// ---- shader storage
#define AG_SSBO_INFO 5 // persistent: common/info.glsl

// ---- uniform locations
#define AG_LOC_SRC_RECT 0 // ivec4: x, y, width, height of the source rectangle
// ivec4: channels; always 0; 1 = scrub; layer, where a texture unit reads
#define AG_LOC_SRC_MODE 1
#define AG_LOC_DST_RECT 2 // ivec4: x, y, width, height of the output rectangle

// ---- borders, as AG_BORDER_* in afterglow.h
#define AG_OUTSIDE_ZERO 0
#define AG_OUTSIDE_CLAMP 1
#define AG_OUTSIDE_MIRROR 2
#define AG_OUTSIDE_WRAP 3
#define AG_OUTSIDE_NORMALIZE 4

// ---- SRC_TEXEL: how a packed texel is held in registers, without loss (common/packed_texel.glsl)
#define AG_TEXEL_FLOAT1 0
#define AG_TEXEL_FLOAT2 1
#define AG_TEXEL_FLOAT4 2
#define AG_TEXEL_HALF2 3
#define AG_TEXEL_HALF4 4
#define AG_TEXEL_UNORM8 5
#define AG_TEXEL_UNORM10 6

// ---- SRC_PACKING: what a texture unit returns for a texel (common/packed_source.glsl)
#define AG_PACKING_NONE 0   // no texture unit: an image unit reads the texel
#define AG_PACKING_FLOATS 1 // channels as floats
#define AG_PACKING_8888 2
#define AG_PACKING_10_10_10_2 3
#define AG_PACKING_11_11_10 4
#define AG_PACKING_16_16 5 // two 16-bit floats in each of one or two integers

// ---- STORE: the format that a colour is rounded to (common/round.glsl)
#define AG_STORE_32F 0
#define AG_STORE_16F 1
#define AG_STORE_11_11_10F 2
#define AG_STORE_UNORM8 3
#define AG_STORE_SRGB8 4
#define AG_STORE_10_10_10_2 5
#define AG_STORE_32UI 6 // tables only
#endif
