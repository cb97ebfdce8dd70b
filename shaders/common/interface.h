// common/interface.h - every binding, uniform location and enum that C and GLSL share
// SPDX-License-Identifier: MIT
//
// Included by the plugin's C and by the shaders, so each number is written once. Bindings are
// relative: the plugin adds the bases that the host chose (ag_device_desc).
#ifndef AG_COMMON_INTERFACE_H
#define AG_COMMON_INTERFACE_H

// ---- image units
#define AG_IMAGE_SRC 0    // what a pass reads: the scene, or the kernel while its spectrum is made
#define AG_IMAGE_DST 1    // what it writes
#define AG_IMAGE_KERNEL 2 // the kernel, beside the scene
#define AG_IMAGE_COUNT 3  // of most effects; chains of levels use up to AG_IMAGE_MOST
#define AG_IMAGE_MOST 8
#define AG_IMAGE_LOW 2         // sat: what the table's own format does not hold
#define AG_IMAGE_SQUARES 3     // sat: the table of squares
#define AG_IMAGE_SQUARES_LOW 4
#define AG_IMAGE_TOOK_OFF 5    // sat: the mean, if that is the offset
#define AG_IMAGE_TABLE 2       // box_blur, local_stats: what is asked
#define AG_IMAGE_TABLE_LOW 3
#define AG_IMAGE_TABLE_MEAN 4
#define AG_IMAGE_RADIUS 5
#define AG_IMAGE_TABLE_SQUARES 5
#define AG_IMAGE_TABLE_SQUARES_LOW 6
#define AG_IMAGE_TABLES 7      // units of sat, box_blur, local_stats

#define AG_TEXTURE_MOST 8 // texture units of an effect, at most

// ---- shader storage. MAX_COMBINED_SHADER_OUTPUT_RESOURCES may be 8, images included
#define AG_SSBO_SPECTRUM 0 // transient: half spectra, one binding a channel: 0 .. 3
#define AG_SSBO_KERNEL 1   // persistent: the kernel's spectrum (columns.comp only)
#define AG_SSBO_KERNEL_REAL 2 // the same bytes, for spectra of real values
#define AG_SSBO_ALPHA 3    // transient: src's alpha, from rows forward to rows back; of three channels only
#define AG_SSBO_TAP_SUMS 1    // transient: sums of a kernel's lines (kernel_shape.comp only)
#define AG_SSBO_COLUMN_SUMS 0  // transient: of each column in each tile (sat/reduce.comp)
#define AG_SSBO_LEFT 0         // persistent: blocks that sat/blur.comp has left texels of; 0 between executes
#define AG_SSBO_ROW_SUMS 1     // transient: of each row in each tile
#define AG_SSBO_COLUMN_CARRY 2 // transient: of what lies above each tile (sat/carry.comp)
#define AG_SSBO_ROW_CARRY 3    // transient: of what lies left of it
#define AG_SSBO_LINES 2        // transient: scanned rows, transposed (sat/scan_lines.comp)
#define AG_SSBO_TWIDDLE 4  // persistent: one table a line length
#define AG_SSBO_TABLE 4    // persistent: a layer of the table that boxes ask (AG_ASK_BUFFER)
#define AG_SSBO_INFO 5     // persistent: common/info.glsl
#define AG_SSBO_COUNT 6
#define AG_SSBO_HANDOVER 0 // chains: transient, fp32 texels that one stage leaves for the next
#define AG_SSBO_COUNTERS 1 // chains: persistent, groups that have arrived; 0 between executes

#define AG_SSBO_LEVELS 2   // chains: persistent, handles of a texture's levels, written once

// ---- common/info.glsl in bytes
#define AG_INFO_CENTRE 16
#define AG_INFO_SUMS 32
#define AG_INFO_SCRUBBED 64
#define AG_INFO_SHAPE 68
#define AG_INFO_BYTES 80

// ---- uniform locations
#define AG_LOC_SRC_RECT 0   // ivec4: x, y, width, height of the source rectangle
#define AG_LOC_SRC_MODE 1   // ivec4: channels; 1 = Hann window; 1 = scrub; 1 = correlate (direct), or the layer
#define AG_LOC_DST_RECT 2   // ivec4: x, y of the output rectangle; unused; 1 = the kernel is sRGB.
                            // Where no kernel is read: x, y, width, height
#define AG_LOC_LINE_X 3     // ivec4: how a padded row is filled, see common/border.glsl
#define AG_LOC_LINE_X2 4    // ivec4
#define AG_LOC_LINE_Y 5     // ivec4: how a padded column is filled
#define AG_LOC_LINE_Y2 6    // ivec4
#define AG_LOC_SPECTRUM 7   // ivec4: row pairs; columns in use (BANDED); 1 = alpha goes by b_alpha; cells a channel.
                            // spectrum_view: points a row, a column; columns a group; 1 = centred
#define AG_LOC_CHANNELS 8   // ivec4: channel (while its kernel is made), channel count, kernel channels, 1 = luminance
#define AG_LOC_FILTER 9     // vec4: threshold, knee, clamp, 1 = on (bloom's T)
#define AG_LOC_GAIN 10      // vec4: factor of the convolution, or of luminance, per channel
#define AG_LOC_DIRECT 11    // vec4: factor of T times the kernel's centre weight, per channel
#define AG_LOC_SELF 12      // vec4: factor of T, per channel
#define AG_LOC_KEEP 13      // vec4: factor of src, per channel (alpha: 1 = copy)
#define AG_LOC_KERNEL 14    // ivec4: centre x, y; AG_KERNEL_* (columns), 0 sums or 1 compares (kernel_shape);
                            // complex values of a spectrum channel
#define AG_LOC_KERNEL_RECT 18 // ivec4: x, y, width, height of the kernel's rectangle
#define AG_LOC_SHAPE 15     // vec4: sigma, rotation (radians), half extent of a generated kernel
#define AG_LOC_SHAPE_MODE 16 // ivec4: AG_SHAPE_*, blades
#define AG_LOC_SCALE 17     // vec4: x = factor of a stored spectrum; kernel_sum: 1 = normalize; the centre's share.
                            // spectrum_view: factor; range in dB, 0 = linear
#define AG_LOC_TEXTURE 19   // ivec4: width, height of the texture's base level. Chains only, as below
#define AG_LOC_STAGE 20     // ivec4: source level, levels by tiles, levels by last arrivers, 1 = scrub
#define AG_LOC_HANDOVER 21  // ivec4: texel offsets of the source, of both stages' last levels; a layer's texels
#define AG_LOC_SECOND 22    // ivec4: tiles of the second stage, x and y
#define AG_LOC_COVERAGE 23  // vec4: reference; the format's alphas at and before it
#define AG_LOC_LEVELS 24    // ivec4: number of the chain's first level in the texture written; levels of
                            // the third stage. Chains only
#define AG_COVERAGE_WORDS 15364 // mip/coverage.glsl

// ---- REDUCE and WEIGHT of the chains, as AG_MIP_* in mipchain.h
#define AG_REDUCE_MEAN 0
#define AG_REDUCE_MIN 1
#define AG_REDUCE_MAX 2
#define AG_REDUCE_MINMAX 3
#define AG_REDUCE_FIRST 4
#define AG_WEIGHT_NONE 0
#define AG_WEIGHT_KARIS 1
#define AG_WEIGHT_ALPHA 2
#define AG_WEIGHT_COVERAGE 3

#define AG_LOC_SAT_GRID 20  // ivec4: tiles in x, in y; pitch of the sums of columns, of rows
#define AG_LOC_SAT_VALUE 21 // vec4: fixed-point units of 1, of 1 squared; max_value; offset (half)
#define AG_LOC_SAT_SPAN 22  // ivec4: of the lines that scan_lines walks, see there
#define AG_LOC_BOX 23        // vec4: radius
#define AG_LOC_BOX_RADIUS 24 // ivec4: x, y of the radius texture's rectangle
#define AG_LOC_BOX_TABLE 25  // ivec4: x, y of the table; row of its mean; layer, for a texture unit
#define AG_LOC_BOX_SIZE 26   // ivec4: width, height of the image; the layer's first place in b_left
#define AG_LOC_BOX_UNITS 27  // vec4: fixed-point units of 1, of 1 squared
#define AG_LOC_BOX_INSIDE 28 // ivec4: blocks whose boxes all lie inside: the first's x, y, what follows the last

// ---- borders, as AG_BORDER_* in afterglow.h
#define AG_OUTSIDE_ZERO 0
#define AG_OUTSIDE_CLAMP 1
#define AG_OUTSIDE_MIRROR 2
#define AG_OUTSIDE_WRAP 3
#define AG_OUTSIDE_NORMALIZE 4

// ---- MODE of columns.comp
#define AG_COLUMNS_CONVOLVE 0 // forward, times the kernel's spectrum, back
#define AG_COLUMNS_KERNEL 1   // forward only, into the kernel's spectrum (or the view's)

// ---- how rows_forward.comp counts non-finite texels
#define AG_COUNT_SUM 0   // as they are read
#define AG_COUNT_BITS 1  // a bit for each of a thread's texels; up to 16 elements
#define AG_COUNT_AGAIN 2 // by reading them again, if there are any
// ---- what a kernel's spectrum is stored as (columns.comp), from what its taps are (kernel_shape.comp)
#define AG_KERNEL_COMPLEX 0  // any taps
#define AG_KERNEL_REAL 1     // even about the centre: one float a frequency
#define AG_KERNEL_MIRRORED 2 // even in x and in y: half of each column
#define AG_KERNEL_LINES 3    // a product of two even lines: these two

// ---- what a kernel is not: bits of b_info.shape
#define AG_TAPS_NOT_EVEN 1
#define AG_TAPS_NOT_MIRRORED 2
#define AG_TAPS_NOT_LINES 4

// ---- kernels of bloom, as AG_BLOOM_* shapes in bloom.h
#define AG_SHAPE_GAUSSIAN 0
#define AG_SHAPE_APERTURE 1
#define AG_SHAPE_TEXTURE 2

// ---- how a texel waits in registers, without loss (common/load.glsl)
#define AG_HOLD_FLOAT1 0
#define AG_HOLD_FLOAT2 1
#define AG_HOLD_FLOAT4 2
#define AG_HOLD_HALF2 3
#define AG_HOLD_HALF4 4
#define AG_HOLD_UNORM8 5
#define AG_HOLD_UNORM10 6

// ---- what a texture unit reads of a texel (common/quad.glsl)
#define AG_WORDS_NONE 0   // nothing: an image unit reads it
#define AG_WORDS_FLOATS 1 // its channels
#define AG_WORDS_8888 2
#define AG_WORDS_10_10_10_2 3
#define AG_WORDS_11_11_10 4
#define AG_WORDS_16_16 5 // two halves a word, one word or two

// ---- RUNS of chain.comp: how tiles of odd sizes come by the texels of level 0
#define AG_RUNS_NONE 0   // every output loads all of its own
#define AG_RUNS_TEXELS 1 // gathered once in runs of outputs, but for third columns, which are loaded
#define AG_RUNS_SUMS 2   // third columns are handed over as sums, too

// ---- how a colour is stored (common/store.glsl)
#define AG_STORE_32F 0
#define AG_STORE_16F 1
#define AG_STORE_11_11_10F 2
#define AG_STORE_UNORM8 3
#define AG_STORE_SRGB8 4
#define AG_STORE_10_10_10_2 5
#define AG_STORE_32UI 6 // tables only

// ---- WARPS of a tile's shaders (common/warps.glsl)
#define AG_WARPS_NONE 0
#define AG_WARPS_OF_DRIVER 1
#define AG_WARPS_EMULATED 2

// ---- storages and offsets of tables, as AG_SAT_* in sat.h
#define AG_TABLE_FLOAT32 0
#define AG_TABLE_RESIDUAL 1
#define AG_TABLE_DOUBLE 2
#define AG_TABLE_UINT32 3
#define AG_TABLE_SPLIT 4
#define AG_TABLE_PLAIN 0
#define AG_TABLE_HALF 1
#define AG_TABLE_MEAN 2

// ---- ASKED: how boxes ask a table, and so where its sheets lie: sums, what they leave over (double_float),
// squares, what those leave over
#define AG_ASK_IMAGE 0   // each in an image of its own
#define AG_ASK_TEXTURE 1 // below each other in one, which a texture unit reads
#define AG_ASK_BUFFER 2  // one after the other in b_table, without gaps

// ---- which boxes a program of blur.comp takes, in the order in which they run: of a radius from AG_BOX_DIRECT on
#define AG_BLUR_WHOLE 0  // inside, that is a texel within the image, with whole edges
#define AG_BLUR_CUT 1    // inside, with any edges
#define AG_BLUR_BEYOND 2 // not inside
#define AG_BLUR_SMALL 3  // and of a smaller one
#define AG_BLUR_PARTS 4
#define AG_BLUR_BLOCKS 32 // that a group of the last two looks at, at most 32
#define AG_BLUR_ROW 1024  // groups in a row of a dispatch of BEYOND
#define AG_BOX_DIRECT 2.0     // radius below which a box is added up without a table
#define AG_BOX_LARGEST 16384.0

#endif
