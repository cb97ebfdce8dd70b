// denoise/interface.h - bindings, locations and memory that the denoiser's C and GLSL share
// SPDX-License-Identifier: MIT
//
// Image units, b_info and the locations of the source are those of common/interface.h.
#pragma once

#define AG_DENOISE_COMPONENTS 3 // luma and two of chroma; fewer for formats of one or two channels
#define AG_DENOISE_MAX_LEVELS 6
#define AG_DENOISE_BANDS 3 // of a level: HL, LH, HH
#define AG_DENOISE_ALL_BANDS (AG_DENOISE_COMPONENTS * AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS)

// ---- histograms of what tiles of 16 x 16 texels have: rms of a band, 256 bins, 8 an octave, from
// 2^-20 to 2^12. A bin is the exponent and the three highest bits of the mantissa, so bins of an
// octave have the same width
#define AG_DENOISE_BINS 256
#define AG_DENOISE_BIN_SHIFT 20
#define AG_DENOISE_BIN_FIRST ((127 - 20) << 3)
#define AG_DENOISE_NOISE_TILE 16
#define AG_DENOISE_NOISE_LEVELS 3 // that are measured; coarser ones follow from them
#define AG_DENOISE_NOISE_BANDS (AG_DENOISE_COMPONENTS * AG_DENOISE_NOISE_LEVELS * AG_DENOISE_BANDS)
#define AG_DENOISE_TONES 16              // octaves of brightness, for the curve
#define AG_DENOISE_FIRST_TONE (127 - 12) // exponent of the darkest one: 2^-12, and all below
#define AG_DENOISE_HISTOGRAMS (AG_DENOISE_NOISE_BANDS + AG_DENOISE_TONES)
#define AG_DENOISE_LOW 10      // percent of tiles, the smoothest ones: they are noise alone
#define AG_DENOISE_SAMPLED 512 // tiles of 32 x 32 texels that are counted, at most

// ---- energies: sums of min(d^2 / sigma^2, CAP) in units of 1 / STEPS, 64 bits in two words
#define AG_DENOISE_CAP 64
#define AG_DENOISE_STEPS 4096
#define AG_DENOISE_FLOOR 0.04 // of (variance / sigma^2 - 1): thresholds are at most 5 sigma

// ---- the one buffer, persistent (denoise/memory.glsl)
#define AG_SSBO_DENOISE 0
#define AG_DENOISE_HEAD 12   // words: arrived groups, 3 unused; of both sets: 3 sigmas, the slope
#define AG_DENOISE_COUNTED 8 // words: blocks that were counted, of each level
#define AG_DENOISE_WORDS                                               \
    (AG_DENOISE_HEAD + 6 * AG_DENOISE_ALL_BANDS + AG_DENOISE_COUNTED + \
     AG_DENOISE_HISTOGRAMS * AG_DENOISE_BINS)

// ---- scratch of dwt: planes of the bands of a level (denoise/dwt_forward.comp). Of ti_haar with
// more than three levels: cells and R_3 (denoise/ti_haar_coarse.comp). Of blocks: planes, sums and
// matches (denoise/blocks_filter.comp)
#define AG_SSBO_DENOISE_FROM 1
#define AG_SSBO_DENOISE_TO 2
#define AG_SSBO_DENOISE_DETAILS 3

// ---- image units beyond src and dst: of accumulate.comp
#define AG_IMAGE_HISTORY 2 // the host's history; with KEEP the mean that becomes it
#define AG_IMAGE_MOTION 3
#define AG_IMAGE_STATE 4 // of how many frames the mean is, and more
#define AG_IMAGE_OLD 5   // the same of the last frame
#define AG_IMAGE_HISTORY_DEPTH 6
#define AG_IMAGE_HISTORY_NORMAL 7
#define AG_DENOISE_IMAGES 6 // without guides
#define AG_DENOISE_GUIDED_IMAGES 8
// of a-trous
#define AG_IMAGE_GUIDE 2 // packed normals and depths
#define AG_IMAGE_ALBEDO 3
#define AG_IMAGE_NORMAL 4 // begin.comp
#define AG_IMAGE_DEPTH 5
#define AG_IMAGE_FIRST 4 // atrous.comp: what begin.comp stored
#define AG_DENOISE_ATROUS_IMAGES 6

// ---- THRESHOLD
#define AG_DENOISE_SHRINK_SOFT 0
#define AG_DENOISE_SHRINK_HARD 1
#define AG_DENOISE_SHRINK_GARROTE 2
#define AG_DENOISE_SHRINK_FIRM 3

// ---- SPACE
#define AG_DENOISE_IN_LINEAR 0
#define AG_DENOISE_IN_LOG 1
#define AG_DENOISE_IN_ANSCOMBE 2

// ---- STATISTICS, as bits
#define AG_DENOISE_SIGMAS 1
#define AG_DENOISE_ENERGIES 2

// ---- tiles of haar and of statistics: 256 threads
#define AG_DENOISE_TILE 32       // up to 5 levels, and statistics
#define AG_DENOISE_TILE_LARGE 64 // haar with 6

// ---- tiles of denoise/ti_haar.comp: a thread for each column and component, STEP rows at a time
#define AG_DENOISE_TI_STRIP_COLUMNS 80 // HALO on each side makes no texels
#define AG_DENOISE_TI_STRIP_STEP 8
#define AG_DENOISE_TI_STRIP_ROWS 128   // of the tallest tiles
#define AG_DENOISE_TI_STRIP_LEAST 32   // of the lowest ones, for small images
#define AG_DENOISE_TI_STRIP_GROUPS 256 // that an image has at least, where tiles are taller

// ---- tiles of denoise/ti_haar_coarse.comp: a thread for each of COLUMNS columns in each of
// SEGMENTS runs of rows
#define AG_DENOISE_TI_SEGMENTS 8
#define AG_DENOISE_TI_COLUMNS 32
#define AG_DENOISE_TI_ROWS 37    // of a tile
#define AG_DENOISE_TI_FINE 3     // levels of the one dispatch; coarser ones take two more
#define AG_DENOISE_TI_CELLS_X 16 // cells of a group that adds them up
#define AG_DENOISE_TI_CELLS_Y 4
#define AG_DENOISE_TI_CELL 4 // texels of a cell in x and y: the step of coarse levels' shifts
// Texels of a tile in x: columns, but for those left of it in which its blocks begin.
#define AG_DENOISE_TI_WIDTH(columns, levels) ((columns) + 1 - (1 << (levels)))

// ---- tile of a group of denoise/atrous.comp; runs of neighbours have up to 2^MAX_RUN texels
#define AG_ATROUS_TILE_X 64
#define AG_ATROUS_TILE_Y 16
#define AG_ATROUS_MAX_RUN 2

// ---- blocks (denoise/blocks.glsl). Reference blocks lie in quincunx: each row begins half a step
// beside the one above
#define AG_BLOCKS_STEP_X 8
#define AG_BLOCKS_STEP_Y 4
#define AG_BLOCKS_REACH 15    // texels that a block like it may be away, in x and y
#define AG_BLOCKS_STACK 16    // blocks of a stack
#define AG_BLOCKS_LISTS 4     // rows of the window are searched by turns, into so many lists
#define AG_BLOCKS_MATCHING 8  // reference blocks of a group that searches, in x and y
#define AG_BLOCKS_FILTERING 4 // and of one that filters

// ---- uniforms
// vec4: T / sigma, 0: bayes, -1: noise; strength; strength of chroma; sigma, or 0: b_denoise has it
#define AG_LOC_DENOISE_RULE 3
#define AG_LOC_DENOISE_SPACE 4 // vec4: amount; gain; 3/8 gain^2 + offset; 1 / gain
// vec4: share of new counts in statistics, 0..1; groups that arrive (below 2^24); the steps from a
// tile that is counted to the next one, in x and y
#define AG_LOC_DENOISE_STATISTICS 5
// ivec4: the set of results that is read; written; quantile, %; most frames
#define AG_LOC_DENOISE_SETS 8
#define AG_LOC_DENOISE_GRID 9  // ivec4: cells of ti_haar's coarse levels in x, y; before the image
#define AG_LOC_DENOISE_TILE 10 // ivec4: columns and rows of a tile of denoise/ti_haar.comp
// dwt, besides AG_LOC_WAVELET_SIZE. vec4: noise gain of HL and LH, of HH; level; 1 = the last one
#define AG_LOC_DENOISE_DWT_BAND 7
// accumulate.comp. ivec4: x, y of the rectangles of history, motion
// vec4: most frames, clamp, 1 = reset, edge of depth. ivec4: x, y of depth's rectangle, normal's
#define AG_LOC_DENOISE_HISTORY 3
#define AG_LOC_DENOISE_FRAMES 4
#define AG_LOC_DENOISE_SURFACES 5
// begin.comp. ivec4: x, y of normal's rectangle, of depth's
#define AG_LOC_DENOISE_PLACES 3
#define AG_LOC_DENOISE_ALBEDO 5  // ivec4: x, y of albedo's rectangle; also atrous.comp
#define AG_LOC_DENOISE_FIREFLY 6 // vec4: of the neighbours' mean, or 0
// atrous.comp. ivec4: log2 of: stride; texels of a run. vec4: 2^level / strength; sigma, or 0;
// exponent of normals; 1 / edge of depth
#define AG_LOC_DENOISE_STRIDE 3
#define AG_LOC_DENOISE_EDGES 6
