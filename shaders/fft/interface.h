// fft/interface.h - bindings, locations and choices that the C and GLSL of convolve, bloom and spectrum share
// SPDX-License-Identifier: MIT
//
// The source's and the output's units, b_info and the rectangles are those of common/interface.h.
#ifndef AG_FFT_INTERFACE_H
#define AG_FFT_INTERFACE_H
#include "common/interface.h"

#define AG_IMAGE_KERNEL 2 // the kernel, beside the scene

// ---- shader storage
#define AG_SSBO_SPECTRUM 0 // transient: half spectra, one binding a channel: 0 .. 3
#define AG_SSBO_KERNEL 1   // persistent: the kernel's spectrum (columns.comp only)
#define AG_SSBO_KERNEL_REAL 2 // the same bytes, for spectra of real values
#define AG_SSBO_ALPHA 3    // transient: src's alpha, from rows forward to rows back; of three channels only
#define AG_SSBO_TAP_SUMS 1    // transient: sums of a kernel's lines (kernel_shape.comp only)
#define AG_SSBO_TWIDDLE 4  // persistent: one table a line length

// ---- uniform locations
#define AG_LOC_LINE_X 3     // ivec4: how a padded row is filled, see common/border.glsl
#define AG_LOC_LINE_X2 4    // ivec4
#define AG_LOC_LINE_Y 5     // ivec4: how a padded column is filled
#define AG_LOC_LINE_Y2 6    // ivec4
#define AG_LOC_SPECTRUM 7   // ivec4: pairs of rows; columns kept; 1 = alpha goes by b_alpha; cells a channel
#define AG_LOC_CHANNELS 8   // ivec4: channels convolved; kernel channels; channel whose kernel is made; unused
#define AG_LOC_FILTER 9     // vec4: threshold, knee, clamp (infinity = off), 1 = on (bloom's T)
#define AG_LOC_GAIN 10      // vec4: factor of the convolution, per channel
#define AG_LOC_DIRECT 11    // vec4: factor of T times the kernel's centre weight, per channel
#define AG_LOC_SELF 12      // vec4: factor of T, per channel
#define AG_LOC_KEEP 13      // vec4: factor of src, per channel (alpha: 1 = copy)
#define AG_LOC_KERNEL 14    // ivec4: centre x, y; AG_KERNEL_* of the spectrum; its complex values a channel
#define AG_LOC_SHAPE 15     // vec4: sigma, rotation (radians), half extent of a generated kernel; unused
#define AG_LOC_SHAPE_MODE 16 // ivec4: AG_SHAPE_*, blades
#define AG_LOC_SCALE 17     // vec4: factor of a stored spectrum
#define AG_LOC_KERNEL_RECT 18 // ivec4: x, y, width, height of the kernel's rectangle
#define AG_LOC_DIRECT_MODE 19 // ivec4, direct.comp: 1 = correlate; 1 = the kernel is sRGB
#define AG_LOC_SUM 20       // vec4, kernel_sum.comp: 1 = divide by the sums; a centre's share that bypasses the FFT
#define AG_LOC_PART 21      // ivec4, kernel_shape.comp: 0 = sum lines, 1 = compare taps
#define AG_LOC_VIEW 22      // ivec4, spectrum_view.comp: points a row, a column; columns a group; 1 = centred
#define AG_LOC_VIEW_SCALE 23 // vec4, spectrum_view.comp: factor; range in dB, 0 = linear; 1 = luminance
#define AG_LOC_WINDOW 24    // ivec4, spectrum_rows.comp: 1 = Hann

// ---- what a kernel's spectrum is stored as (kernel_store.glsl), from what its taps are (kernel_shape.comp)
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

#endif
