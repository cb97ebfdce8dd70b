// common/interface.h - what C and GLSL share in every family: bindings, uniform locations, choices
// SPDX-License-Identifier: MIT
// Each number is written once. Bindings are relative to the bases of ag_device_desc. What only one
// family uses is in its own interface.h, what only C uses in engine_plugin/src/gl/bindings.h.
#pragma once

// ---- image units
#define AG_IMAGE_SRC 0 // what a pass reads: the scene, or the kernel while its spectrum is made
#define AG_IMAGE_DST 1 // what it writes
// ---- shader storage
#define AG_SSBO_INFO 5 // persistent: common/info.glsl

// ---- uniform locations
#define AG_LOC_SRC_RECT 0 // ivec4: x, y, width, height of the source rectangle
// ivec4: channels; 0 that no compiler knows, of bloom's highlights the bits of a float
// (fft/source.glsl); 1 = scrub; the layer, of units that read a texture with layers
#define AG_LOC_SRC_MODE 1
#define AG_LOC_DST_RECT 2 // ivec4: x, y, width, height of the output rectangle

// ---- SRC_UNIT: what reads the source (common/source.glsl)
#define AG_BY_IMAGE 0          // an image unit, one layer
#define AG_BY_IMAGE_LAYERS 1   // an image unit, all layers: each of the dispatch's z reads one
#define AG_BY_TEXTURE 2        // a texture unit; the others, too
#define AG_BY_TEXTURE_ARRAY 3  // all layers, of which a dispatch reads one
#define AG_BY_TEXTURE_LAYERS 4 // all layers: each of the dispatch's z reads one

// ---- SRC_PACKING: what one read of a texel returns
#define AG_PACKING_NONE 0   // no texture unit reads it so: depth, tables
#define AG_PACKING_FLOATS 1 // its channels
#define AG_PACKING_8888 2   // the others: unsigned words
#define AG_PACKING_10_10_10_2 3
#define AG_PACKING_11_11_10 4
#define AG_PACKING_16_16 5 // two halves a word, one word or two

// ---- SRC_TEXEL: how a texel is kept in registers, without loss (common/packed_texel.glsl)
#define AG_TEXEL_FLOAT1 0
#define AG_TEXEL_FLOAT2 1
#define AG_TEXEL_FLOAT4 2
#define AG_TEXEL_HALF2 3
#define AG_TEXEL_HALF4 4
#define AG_TEXEL_UNORM8 5
#define AG_TEXEL_UNORM10 6

// ---- STORE: how a colour is rounded to a format (common/texel.glsl)
#define AG_STORE_32F 0
#define AG_STORE_16F 1
#define AG_STORE_11_11_10F 2
#define AG_STORE_UNORM8 3
#define AG_STORE_SRGB8 4
#define AG_STORE_10_10_10_2 5
#define AG_STORE_32UI 6 // tables only
#define AG_STORE_SRGB_10_10_10_2 7
#define AG_STORE_UNORM16 8
#define AG_STORE_SRGB16 9

// ---- BORDER: as AG_BORDER_* in afterglow.h
#define AG_OUTSIDE_ZERO 0
#define AG_OUTSIDE_CLAMP 1
#define AG_OUTSIDE_MIRROR 2
#define AG_OUTSIDE_WRAP 3
#define AG_OUTSIDE_NORMALIZE 4
#define AG_OUTSIDE_RAMP 5 // of deconvolution: a smooth way from the last texel to the first

// ---- SUBGROUPS (common/subgroups.glsl)
#define AG_SUBGROUPS_NONE 0
#define AG_SUBGROUPS_OF_DRIVER 1
#define AG_SUBGROUPS_EMULATED 2
