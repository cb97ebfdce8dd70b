// exposure/interface.h - bindings, locations and memory that the exposure's C and GLSL share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the locations of the source are those of common/interface.h.
#pragma once

#define AG_IMAGE_STATE 1 // the host's state, read and written by the last group

#define AG_EXPOSURE_BINS 256
#define AG_EXPOSURE_TILE 32      // texels a side of what 256 threads count at a time
#define AG_EXPOSURE_THREADS 1024 // of a group: teams of 256
#define AG_EXPOSURE_TEAMS (AG_EXPOSURE_THREADS / 256)
#define AG_EXPOSURE_MAX_GROUPS 264 // of a layer; each then goes on to further tiles

// ---- the one buffer, persistent. A count is 64 bits wide, in two words, low first
//
//      | 256 bins: weights | 1: texels used | groups | 257 edges of bins | 256 sRGB values |
//      |<--- 0 between executes --------------------->|<--- floats, written once in prepare >|
//
// Groups: those that have arrived, and a word that is not used.
#define AG_SSBO_EXPOSURE 0
#define AG_EXPOSURE_COUNTS (AG_EXPOSURE_BINS + 1)
#define AG_EXPOSURE_EDGES (AG_EXPOSURE_BINS + 1)
#define AG_EXPOSURE_CODES 256
#define AG_EXPOSURE_WORDS (2 * AG_EXPOSURE_COUNTS + 2 + AG_EXPOSURE_EDGES + AG_EXPOSURE_CODES)

// ---- luminance. That of unsigned normalised formats is an integer, 2126 times the code of red,
// plus 7152 times green, plus 722 times blue. It is exact in a float, because 10000 x 1023 < 2^24
#define AG_EXPOSURE_VALUES 0 // LUMINANCE: of floats, as they are
#define AG_EXPOSURE_CODED 1  // of codes
#define AG_EXPOSURE_SRGB 2   // of codes that the buffer's table decodes
#define AG_EXPOSURE_CODE_UNITS 10000

// ---- uniforms of histogram.comp
// vec4: bins an EV; the bin's edge at luminance 1; the largest that is left out
#define AG_LOC_EXPOSURE_SCALE 2
#define AG_LOC_EXPOSURE_TILES 3  // ivec4: tiles in x; tiles
#define AG_LOC_EXPOSURE_CENTRE 4 // vec4: center; 1 / (width^2 + height^2)

// ---- uniforms of adapt.glsl. A pair is a number as two floats (common/pair.glsl)
// ivec4: x, y of the state's texel; 1 = reset; groups of all layers
#define AG_LOC_EXPOSURE_STATE 5
#define AG_LOC_EXPOSURE_RANGE 6  // vec4: min_ev, max_ev, low, high
#define AG_LOC_EXPOSURE_TARGET 7 // vec4: pairs: log2(key) + compensation; texels, of all layers
// vec4: pairs: 1 - exp(-dt speed) as the scene becomes brighter, darker
#define AG_LOC_EXPOSURE_RATES 8
