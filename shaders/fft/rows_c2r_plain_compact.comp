// fft/rows_c2r_plain_compact.comp - rows_c2r_plain.comp for compact storage
//
//   in, out   as rows_c2r_plain.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_c2r_plain.comp, and the defines of fft/compact.glsl
//   dispatch  as rows_c2r_plain.comp
//   cost      as rows_c2r_plain.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS 3
#include "fft/rows_load_compact.glsl"
#include "fft/rows_c2r_plain.glsl"
