// wavelet/interface.h - bindings, locations and sizes that the C and GLSL of wavelets share
// SPDX-License-Identifier: MIT
//
// The source's unit, the output's, b_info and the rectangles are those of common/interface.h.
#pragma once

// ---- filters, as AG_WAVELET_* in afterglow/wavelet.h
#define AG_FILTER_HAAR 0
#define AG_FILTER_DB2 1
#define AG_FILTER_DB4 2
#define AG_FILTER_SYM4 3
#define AG_FILTER_COIF1 4
#define AG_FILTER_CDF53 5
#define AG_FILTER_CDF97 6
#define AG_FILTER_CUSTOM 7
#define AG_WAVELET_MAX_TAPS 16 // of custom

// ---- what lies outside of the image, as AG_WAVELET_* in afterglow/wavelet.h
#define AG_EXTEND_PERIODIZATION 0
#define AG_EXTEND_SYMMETRIC 1
#define AG_EXTEND_REFLECT 2
#define AG_EXTEND_ZERO 3

// ---- a work group of a fused tile: 64 threads in x, and in y SEGMENTS, each with four
// coefficients, or pairs of texels, of a column. It loads 64 samples or coefficients of a row, of
// which the halo takes TAPS - 2, and makes this many coefficients, or pairs of texels, a row
#define AG_WAVELET_COLUMNS 64
#define AG_WAVELET_TILE_WIDTH(taps) (((AG_WAVELET_COLUMNS + 2 - (taps)) / 2) & ~3)
#define AG_WAVELET_SEGMENTS 2
#define AG_WAVELET_TILE_HEIGHT (4 * AG_WAVELET_SEGMENTS)
#define AG_WAVELET_GROUP_Y 4 // of programs without tiles: 64 x 4 threads

// ---- image units of the bands, after those of src and dst
#define AG_IMAGE_LL 2
#define AG_IMAGE_HL 3 // high in x, low in y
#define AG_IMAGE_LH 4
#define AG_IMAGE_HH 5
#define AG_WAVELET_IMAGES 6

// ---- shader storage
#define AG_SSBO_WAVELET_FROM 0 // an approximation between two levels, row by row
#define AG_SSBO_WAVELET_TO 1   // the next one
#define AG_SSBO_WAVELET_TAPS 2 // of custom: the four filters (wavelet/filters.glsl)

// ---- uniforms
// of wavelet/samples.glsl, which denoise includes, too: beyond the locations of denoise
#define AG_LOC_WAVELET_SIZE 11 // ivec4: samples in x, y; coefficients of a band in x, y
// ivec4: AG_EXTEND_*; 1 = the approximation, or the inverse's image, goes to dst, 0 = to b_to; x, y
// of the details in dst, or in the inverse's src
#define AG_LOC_WAVELET_MODE 12
// forward, ivec4: texels in x, y that are written for a band, those beyond it as 0
#define AG_LOC_WAVELET_FILL_LL_HH 3 // of LL; of HH
#define AG_LOC_WAVELET_FILL_HL_LH 4 // of HL; of LH
// inverse, ivec4: the layer of LL; that of LH; layers from LH to HL, and from HL to HH
#define AG_LOC_WAVELET_LAYERS 5
#define AG_LOC_WAVELET_GAP 6 // stationary, ivec4: from tap to tap, in samples
