// denoise/interface.h - bindings, locations and memory that the denoiser's C and GLSL share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the locations of the source are those of common/interface.h.
#pragma once

#define AG_DENOISE_COMPONENTS 3 // luma and two of chroma; fewer for formats of one or two channels
#define AG_DENOISE_MAX_LEVELS 6
#define AG_DENOISE_BANDS 3 // of a level: HL, LH, HH
#define AG_DENOISE_ALL_BANDS (AG_DENOISE_COMPONENTS * AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS)

// ---- the histogram of |HH1|: 256 bins, 8 an octave, from 2^-20 to 2^12. A bin is the exponent and
// the three highest bits of the mantissa, so bins of an octave have the same width
#define AG_DENOISE_BINS 256
#define AG_DENOISE_BIN_SHIFT 20
#define AG_DENOISE_BIN_FIRST ((127 - 20) << 3)

// ---- energies: sums of min(d^2 / sigma^2, CAP) in units of 1 / STEPS, 64 bits in two words
#define AG_DENOISE_CAP 64
#define AG_DENOISE_STEPS 4096
#define AG_DENOISE_FLOOR 0.04 // of (variance / sigma^2 - 1): thresholds are at most 5 sigma

// ---- the one buffer, persistent (denoise/memory.glsl)
#define AG_SSBO_DENOISE 0
#define AG_DENOISE_HEAD 12  // words: arrived groups, 3 unused; sigma of both sets, 1 unused each
#define AG_DENOISE_BLOCKS 8 // words: blocks that were counted, of each level
#define AG_DENOISE_WORDS                                              \
    (AG_DENOISE_HEAD + 4 * AG_DENOISE_ALL_BANDS + AG_DENOISE_BLOCKS + \
     AG_DENOISE_COMPONENTS * AG_DENOISE_BINS)

// ---- THRESHOLD
#define AG_DENOISE_SHRINK_SOFT 0
#define AG_DENOISE_SHRINK_HARD 1
#define AG_DENOISE_SHRINK_GARROTE 2
#define AG_DENOISE_SHRINK_FIRM 3
#define AG_DENOISE_SHRINK_GROUP 4

// ---- SPACE
#define AG_DENOISE_IN_LINEAR 0
#define AG_DENOISE_IN_LOG 1
#define AG_DENOISE_IN_ANSCOMBE 2

// ---- tiles of haar and of statistics: 256 threads
#define AG_DENOISE_TILE 32       // up to 5 levels
#define AG_DENOISE_TILE_LARGE 64 // with 6
#define AG_DENOISE_THREADS 256
// ---- uniforms
// vec4: T / sigma, or 0: bayes; strength; strength of chroma; sigma, or 0: b_denoise has it
#define AG_LOC_DENOISE_RULE 3
#define AG_LOC_DENOISE_SPACE 4 // vec4: amount; gain; 3/8 gain^2 + offset; 1 / gain
#define AG_LOC_DENOISE_SETS 8  // ivec4: the set of results that is read; that is written
#define AG_LOC_DENOISE_TILE 10 // ivec4: columns and rows of a tile of denoise/ti_haar.comp
