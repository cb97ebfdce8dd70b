// fft/interface_kernel.h - what C and GLSL of kernels and of the spectrum's view share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_composite.h"

#define AG_IMAGE_KERNEL 2 // the kernel

// ---- shader storage
#define AG_SSBO_KERNEL 1      // persistent: the kernel's spectrum, as complex values
#define AG_SSBO_KERNEL_REAL 2 // the same bytes, as real values
// transient: sums of a kernel's rows and columns (kernel_shape.comp only)
#define AG_SSBO_TAP_SUMS 1
#define AG_SSBO_GOAL_INFO 3 // persistent: the info of the spectrum that is faded to
#define AG_SSBO_FIT 1 // transient: the background and centre of a kernel image (kernel_fit.comp)

// ---- uniform locations
// ivec4: centre x, y; AG_KERNEL_* of the spectrum; its complex values a channel
#define AG_LOC_KERNEL 14
// vec4, bloom_kernel.comp: sigma; samples of the power a texel; half extent; dispersion
#define AG_LOC_SHAPE 15
#define AG_LOC_SHAPE_MODE 16  // ivec4: AG_SHAPE_*; pairs of samples a texel; first row; 1 = fit
#define AG_LOC_SCALE 17       // vec4: factor of a stored spectrum
#define AG_LOC_KERNEL_RECT 18 // ivec4: x, y, width, height of the kernel's rectangle
#define AG_LOC_DIRECT_MODE 19 // ivec4, direct.comp: 1 = correlate; 1 = the kernel is sRGB
#define AG_LOC_SUM 20  // vec4, kernel_sum.comp: 1 = divide by the sums; the share BYPASS_SHARE
#define AG_LOC_PART 21 // ivec4, kernel_shape.comp: 0 = sum rows and columns, 1 = compare taps

// ---- uniform locations of spectrum
// ivec4, spectrum_view.comp: points a row, a column; columns a group; 1 = centred
#define AG_LOC_VIEW 22
// vec4, spectrum_view.comp: factor; range in dB, 0 = linear; 1 = luminance
#define AG_LOC_VIEW_SCALE 23
#define AG_LOC_WINDOW 24 // ivec4, spectrum_rows.comp: 1 = Hann

// ---- uniform locations of bloom's kernels
#define AG_LOC_PUPIL 25      // vec4, pupil.comp: rotation (radians), roundness, radius in texels
#define AG_LOC_PUPIL_MODE 26 // ivec4: blades; particles of dust, scratches, eyelashes
#define AG_LOC_PUPIL_SEED 27 // ivec4: the seed
#define AG_LOC_STREAK 28     // vec4, bloom_kernel.comp: stretch; streak; scale of the pupil's power

// ---- the pupil and its transform (pupil.comp, pupil_power.comp, bloom_kernel.comp)
#define AG_PUPIL_SIDE 288   // texels of the pupil's image
#define AG_PUPIL_RADIUS 128 // of the circle through its corners
#define AG_PUPIL_LINE 1024  // points of its transform
#define AG_POWER_REACH 448  // frequencies of its power that are kept on each side of 0
#define AG_POWER_EDGE 242.0 // frequency at the kernel's edge: its core's radius is 1/50 of that
#define AG_POWER_SIDE (2 * AG_POWER_REACH + 1)

// ---- forms of a kernel's spectrum (kernel_store.glsl), by the symmetry of its taps
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

// ---- kernels of bloom, as AG_BLOOM_* shapes in bloom.h
#define AG_SHAPE_GAUSSIAN 0
#define AG_SHAPE_APERTURE 1
#define AG_SHAPE_TEXTURE 2
#define AG_SHAPE_STAR 3
#define AG_SHAPE_ANAMORPHIC 4
