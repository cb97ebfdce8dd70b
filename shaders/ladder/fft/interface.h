// ladder/fft/interface.h - bindings, locations and numbers that C and GLSL of fft_ladder share
// SPDX-License-Identifier: MIT
//
// The units of the imaginary parts, AG_LOC_EXTENT and AG_LOC_TRANSFORM_SCALE are those of fft.
#pragma once
#include "fft/interface.h"

#define AG_SSBO_WEIGHTS 3 // persistent: weights of butterflies, in the form that WEIGHTS says

// ivec4: butterfly pass, of texture_radix2; 1 = inverse; lines of the dispatch; 1 = scrub
#define AG_LOC_LADDER 32
#define AG_LOC_LADDER_IN 33  // ivec4: origins of the real and the imaginary input
#define AG_LOC_LADDER_OUT 34 // ivec4: and of the output

// ---- WEIGHTS, as AG_FFT_LADDER_* in afterglow/ladder_fft.h
#define AG_WEIGHTS_POLYNOMIAL 1 // computed, from an exact reduction of the angle
#define AG_WEIGHTS_DRIVER 2     // by the driver's sin and cos
#define AG_WEIGHTS_TABLE 3      // N of them
#define AG_WEIGHTS_TABLE_2D 4   // N of each pass
#define AG_WEIGHTS_LOOKUP 5     // indices and weights, N of each pass
