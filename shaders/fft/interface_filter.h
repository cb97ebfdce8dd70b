// fft/interface_filter.h - what C and GLSL of filter_spectrum and of deconvolution share
// SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface_kernel.h"

// ---- uniform locations
// ivec4: points a row, a column; columns of a group of the column pass; unused
#define AG_LOC_POINTS 30
#define AG_LOC_FILTER_KIND 31 // ivec4: AG_FILTER_*; AG_PROFILE_*; order; unused
#define AG_LOC_CUTOFFS 32     // vec4: the cut-off or the lower one; the upper one; factor of H

#define AG_LOC_WIENER 33 // vec4: factor of the stored spectrum; noise; unused
#define AG_LOC_VALUES 34 // ivec4: values of a channel; unused

// ---- as AG_FILTER_SPECTRUM_* and AG_PROFILE_* in filter_spectrum.h
#define AG_SHAPE_LOWPASS 0
#define AG_SHAPE_HIGHPASS 1
#define AG_SHAPE_BANDPASS 2
#define AG_ROLL_OFF_IDEAL 0
#define AG_ROLL_OFF_GAUSSIAN 1
