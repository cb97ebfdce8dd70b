// denoise/interface.h - bindings, locations and memory that the denoiser's C and GLSL share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the locations of the source are those of common/interface.h.
#ifndef AG_DENOISE_INTERFACE_H
#define AG_DENOISE_INTERFACE_H

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

// ---- the one buffer, persistent (denoise/statistics.glsl)
#define AG_SSBO_DENOISE 0
#define AG_DENOISE_HEAD 8 // words: arrived groups, 3 unused; sigma of the components, 1 unused
#define AG_DENOISE_BLOCKS 8 // words: blocks that were counted, of each level
#define AG_DENOISE_WORDS                                                 \
    (AG_DENOISE_HEAD + 3 * AG_DENOISE_ALL_BANDS + AG_DENOISE_BLOCKS +    \
     AG_DENOISE_COMPONENTS * AG_DENOISE_BINS)

// ---- scratch of dwt: approximations, row by row, and details (denoise/dwt_forward.comp). Of
// ti_haar with more than three levels: M_3 and R_3 (denoise/ti_haar_coarse.comp)
#define AG_SSBO_DENOISE_FROM 1
#define AG_SSBO_DENOISE_TO 2
#define AG_SSBO_DENOISE_DETAILS 3

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

// ---- STATISTICS, as bits
#define AG_DENOISE_HISTOGRAM 1
#define AG_DENOISE_ENERGIES 2

// ---- tiles of haar and of statistics: 256 threads
#define AG_DENOISE_TILE 32       // up to 5 levels
#define AG_DENOISE_TILE_LARGE 64 // with 6
#define AG_DENOISE_THREADS 256
// ---- tiles of ti_haar: a thread for each of COLUMNS columns in each of SEGMENTS runs of rows
#define AG_DENOISE_TI_SEGMENTS 8
#define AG_DENOISE_TI_COLUMNS 32
#define AG_DENOISE_TI_ROWS 37 // of a tile
#define AG_DENOISE_TI_GROUP_COLUMNS 16 // with a joint threshold: three components at once
#define AG_DENOISE_TI_GROUP_ROWS 13
#define AG_DENOISE_TI_FINE 3   // levels of the one dispatch; coarser ones take two more
#define AG_DENOISE_TI_BEFORE 7 // places before the first texel at which blocks of 8 begin
// Texels of a tile in x: columns, but for those left of it in which its blocks begin.
#define AG_DENOISE_TI_WIDTH(columns, levels) ((columns) + 1 - (1 << (levels)))
// ---- images of so many texels, in all layers: one tile in four counts while they are filtered
#define AG_DENOISE_LARGE_IMAGE 1048576

// ---- uniforms
// vec4: T / sigma, or 0: bayes; strength; strength of chroma; sigma, or 0: b_denoise has it
#define AG_LOC_DENOISE_RULE 3
#define AG_LOC_DENOISE_SPACE 4 // vec4: amount; gain; 3/8 gain^2 + offset; 1 / gain
// vec4: share of new counts in statistics, 0..1; groups that arrive (below 2^24); layers; 1: of
// the groups those count whose place is even in x and y; 0: all
#define AG_LOC_DENOISE_STATISTICS 5
#define AG_LOC_DENOISE_DWT_SIZE 6 // ivec4: samples in x, y; coefficients of a band in x, y
#define AG_LOC_DENOISE_DWT_BAND 7 // vec4: noise gain of HL and LH, of HH; level; 1 = the last one

#endif
