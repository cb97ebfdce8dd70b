// denoise/interface_atrous.h - what C and GLSL share of frames that add up, and of a-trous
// SPDX-License-Identifier: MIT
#pragma once

// ---- image units
#define AG_IMAGE_HISTORY 2 // the host's history; in keep.comp the mean that becomes it
#define AG_IMAGE_MOTION 3
#define AG_IMAGE_FRAMES 4 // of how many frames the mean is
#define AG_DENOISE_IMAGES 5
// a-trous
#define AG_IMAGE_GUIDE 2 // packed normals and depths
#define AG_IMAGE_ALBEDO 3
#define AG_IMAGE_NORMAL 4 // begin.comp
#define AG_IMAGE_DEPTH 5
#define AG_IMAGE_FIRST 4 // atrous.comp: what begin.comp stored
#define AG_DENOISE_ATROUS_IMAGES 6

// ---- tile of a work group; runs of neighbours have up to 2^MAX_RUN texels
#define AG_ATROUS_TILE_X 64
#define AG_ATROUS_TILE_Y 16
#define AG_ATROUS_MAX_RUN 2

// ---- uniforms
// accumulate.comp. ivec4: x, y of the rectangles of history, motion
// vec4: most frames, clamp, 1 = reset
#define AG_LOC_DENOISE_HISTORY 3
#define AG_LOC_DENOISE_FRAMES 4
// begin.comp. ivec4: x, y of normal's rectangle, of depth's
#define AG_LOC_DENOISE_PLACES 3
#define AG_LOC_DENOISE_ALBEDO 5  // ivec4: x, y of albedo's rectangle; also atrous.comp
#define AG_LOC_DENOISE_FIREFLY 6 // vec4: of the neighbours' mean, or 0
// atrous.comp. ivec4: log2 of: stride; texels of a run. vec4: 2^level / strength; sigma, or 0;
// exponent of normals; 1 / edge of depth
#define AG_LOC_DENOISE_STRIDE 3
#define AG_LOC_DENOISE_EDGES 6
