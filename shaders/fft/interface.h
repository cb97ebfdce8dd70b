// fft/interface.h - bindings and locations that C and GLSL of convolve, filter_spectrum, spectrum
// and fft share
// SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

#define AG_FFT_TILE 4 // columns of a half spectrum side by side: runs of 64 bytes

// ---- half spectra: shader storage
#define AG_SSBO_SPECTRUM 0 // transient: half spectra, one binding a channel: 0 .. 3
// transient: src's alpha, from the R2C to the C2R row pass; with three channels only
#define AG_SSBO_ALPHA 3
#define AG_SSBO_TWIDDLE 4 // persistent: one table for each line length

// ---- half spectra: uniform locations
#define AG_LOC_LINE_X 3  // ivec4: how a padded row is filled, see common/border.glsl
#define AG_LOC_LINE_X2 4 // ivec4
#define AG_LOC_LINE_Y 5  // ivec4: how a padded column is filled
#define AG_LOC_LINE_Y2 6 // ivec4
// ivec4: row pairs; columns kept; 1 = alpha passes through b_alpha; cells a channel
#define AG_LOC_SPECTRUM 7
// ivec4: channels convolved; kernel channels; the kernel channel that is made; unused
#define AG_LOC_CHANNELS 8

// ---- the last step of a convolution: uniform locations
// vec4: threshold, knee, clamp (infinity = off), 1 or 2 = on (bloom/filter.glsl)
#define AG_LOC_FILTER 9
#define AG_LOC_GAIN 10   // vec4: factor of the convolution, per channel
#define AG_LOC_DIRECT 11 // vec4: factor of T times the kernel's centre weight, per channel
#define AG_LOC_SELF 12   // vec4: factor of T, per channel
#define AG_LOC_KEEP 13   // vec4: factor of src, per channel (alpha: 1 = copy)

// ---- kernels: image unit, shader storage
#define AG_IMAGE_KERNEL 2     // the kernel
#define AG_SSBO_KERNEL 1      // persistent: the kernel's spectrum, as complex values
#define AG_SSBO_KERNEL_REAL 2 // the same bytes, as real values
// transient: sums of a kernel's rows (kernel_sum.comp) or of all of its lines (kernel_shape.comp)
#define AG_SSBO_TAP_SUMS 1

// ---- kernels: uniform locations
// ivec4: centre x, y; AG_KERNEL_* of the spectrum; its complex values a channel
#define AG_LOC_KERNEL 14
#define AG_LOC_SCALE 17       // vec4: factor of a stored spectrum
#define AG_LOC_KERNEL_RECT 18 // ivec4: x, y, width, height of the kernel's rectangle
#define AG_LOC_DIRECT_MODE 19 // ivec4, direct.comp: 1 = correlate; 1 = the kernel is sRGB
#define AG_LOC_SUM 20 // vec4, kernel_sum.comp: 1 = divide by the sums; the share BYPASS_SHARE
// ivec4: the part of an entry that is several dispatches: kernel_shape.comp, kernel_sum.comp,
// wiener.comp; of bloom/fade.comp, vectors of a channel; 1 = centre weights, too
#define AG_LOC_PART 21

// ---- forms of a kernel's spectrum (fft/kernel_spectrum.glsl), by the symmetry of its taps
// (kernel_shape.comp)
#define AG_KERNEL_COMPLEX 0  // any taps
#define AG_KERNEL_REAL 1     // even about the centre: one float a frequency
#define AG_KERNEL_MIRRORED 2 // even in x and in y: half of each column
#define AG_KERNEL_LINES 3    // a product of an even row and an even column: these two lines

// ---- what a kernel is not, and in which channels it is not zero: bits of b_info.shape
#define AG_TAPS_NOT_EVEN 1
#define AG_TAPS_NOT_MIRRORED 2
#define AG_TAPS_NOT_LINES 4
#define AG_TAPS_IN_CHANNEL_0 16 // 32, 64, 128: of channels 1, 2, 3

// ---- spectrum: uniform locations
// ivec4, spectrum_view.comp: points a row, a column; columns a group; 1 = centred
#define AG_LOC_VIEW 22
// vec4, spectrum_view.comp: factor; range in dB, 0 = linear; 1 = luminance
#define AG_LOC_VIEW_SCALE 23
#define AG_LOC_WINDOW 24 // ivec4, spectrum_rows.comp: 1 = Hann

// ---- filter_spectrum and deconvolution: uniform locations
// ivec4: points a row, a column; columns of a group of the column pass; unused
#define AG_LOC_POINTS 30
#define AG_LOC_FILTER_KIND 31 // ivec4: AG_PASS_*; AG_ROLL_OFF_*; order; unused
#define AG_LOC_CUTOFFS 32     // vec4: the cut-off or the lower one; the upper one; factor of H
#define AG_LOC_WIENER 33      // vec4: factor of what is stored; noise; unused
#define AG_LOC_VALUES 34      // ivec4: values of a channel; lines of a group; unused

#define AG_WIENER_FLOOR 0.0009765625 // least factor of noise: docs/convolve.md 8

// ---- taps of fft/wiener.comp: parts in their order, and bindings
#define AG_TAPS_ROWS 0
#define AG_TAPS_COLUMNS 1
#define AG_TAPS_COLUMNS_BACK 2
#define AG_TAPS_ROWS_BACK 3
#define AG_SSBO_LINES_IN 0
#define AG_SSBO_LINES_OUT 1
#define AG_SSBO_TURNS 2 // persistent

// ---- as AG_FILTER_SPECTRUM_* and AG_PROFILE_* in filter_spectrum.h
#define AG_PASS_LOW 0
#define AG_PASS_HIGH 1
#define AG_PASS_BAND 2
#define AG_ROLL_OFF_IDEAL 0
#define AG_ROLL_OFF_GAUSSIAN 1

// ---- fft: image units, beside AG_IMAGE_SRC and AG_IMAGE_DST, and shader storage
#define AG_IMAGE_SRC_IMAG 2
#define AG_IMAGE_DST_IMAG 3
#define AG_SSBO_CELLS_IN 0  // transient: cells that a dispatch reads (fft/lines.glsl)
#define AG_SSBO_CELLS_OUT 1 // transient: cells that it writes
// persistent: chirp, its spectrum, twiddle factors between two parts of a line
#define AG_SSBO_FACTORS 2

// ---- fft: uniform locations
// ivec4: lines of the dispatch; length of the axis; lines that are parts of one; unused
#define AG_LOC_LINES 25
// ivec4: cells in a column of tiles; positions of a line that cells keep; alpha of a real output
#define AG_LOC_CELLS 26
#define AG_LOC_EXTENT 27 // ivec4: width, height of what is transformed; shift of the origin x, y
// ivec4: width, height of the output; 1 = x is mirrored, 1 = y is mirrored, of real input
#define AG_LOC_OUTPUT 28
#define AG_LOC_IMAG_RECTS 29      // ivec4: origins of the rectangles of src_imag and dst_imag
#define AG_LOC_TRANSFORM_SCALE 30 // vec4: factor of the output
// ivec4: where the chirp begins in b_factors; its spectrum; the twiddle factors; unused
#define AG_LOC_FACTORS 31

// ---- LINE_KIND of fft/lines.comp
#define AG_LINES_WHOLE 0
#define AG_LINES_CHIRP 1
#define AG_LINES_PART 2

// ---- what a part of lines does beside its transform, as bits
#define AG_PART_CHIRP_IN 1  // first: times the chirp; positions behind the line are 0
#define AG_PART_TWIDDLE 2   // afterwards: times the twiddle factors between the parts
#define AG_PART_PRODUCT 4   // times the spectrum of the chirp, then swap real and imaginary parts
#define AG_PART_CHIRP_OUT 8 // swap them, then times the chirp
