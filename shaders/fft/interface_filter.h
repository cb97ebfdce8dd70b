// fft/interface_filter.h - what C and GLSL of filter_spectrum and of deconvolution share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_kernel.h"

// ---- uniform locations
// ivec4: points a row, a column; columns of a group of the column pass; unused
#define AG_LOC_POINTS 30
#define AG_LOC_FILTER_KIND 31 // ivec4: AG_FILTER_*; AG_PROFILE_*; order; unused
#define AG_LOC_CUTOFFS 32     // vec4: the cut-off or the lower one; the upper one; factor of H

#define AG_LOC_WIENER 33 // vec4: factor of what is stored; noise; unused
#define AG_LOC_VALUES 34 // ivec4: values of a channel; lines of a group; unused

#define AG_WIENER_FLOOR 0.0009765625 // of what noise is multiplied by: docs/convolve.md 8

// ---- fft/wiener_taps.comp: parts in their order, and bindings
#define AG_TAPS_ROWS 0
#define AG_TAPS_COLUMNS 1
#define AG_TAPS_COLUMNS_BACK 2
#define AG_TAPS_ROWS_BACK 3
#define AG_SSBO_LINES_IN 0
#define AG_SSBO_LINES_OUT 1
#define AG_SSBO_TURNS 2 // persistent

// ---- as AG_FILTER_SPECTRUM_* and AG_PROFILE_* in filter_spectrum.h
#define AG_SHAPE_LOWPASS 0
#define AG_SHAPE_HIGHPASS 1
#define AG_SHAPE_BANDPASS 2
#define AG_ROLL_OFF_IDEAL 0
#define AG_ROLL_OFF_GAUSSIAN 1
