// fft/rows_r2c_compact.comp - rows_r2c.comp for compact storage: spectra of two bytes a component
//
//   in, out   as rows_r2c.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_r2c.comp, and the defines of fft/compact.glsl; dispatched alike
//   cost      about half of the spectrum's bytes, and three barriers more a channel
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store_compact.glsl"
#include "fft/rows_r2c.glsl"
