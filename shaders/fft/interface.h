// fft/interface.h - bindings and locations that C and GLSL of convolve, bloom and the spectra share
// SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

// ---- shader storage
#define AG_SSBO_SPECTRUM 0 // transient: half spectra, one binding a channel: 0 .. 3
// transient: src's alpha, from the R2C to the C2R row pass; with three channels only
#define AG_SSBO_ALPHA 3
#define AG_SSBO_TWIDDLE 4 // persistent: one table for each line length

// ---- uniform locations
#define AG_LOC_LINE_X 3  // ivec4: how a padded row is filled, see common/border.glsl
#define AG_LOC_LINE_X2 4 // ivec4
#define AG_LOC_LINE_Y 5  // ivec4: how a padded column is filled
#define AG_LOC_LINE_Y2 6 // ivec4
// ivec4: row pairs; columns kept; 1 = alpha passes through b_alpha; cells a channel
#define AG_LOC_SPECTRUM 7
// vec4: threshold, knee, clamp (infinity = off), 1 or 2 = on (bloom/filter.glsl)
#define AG_LOC_FILTER 9
