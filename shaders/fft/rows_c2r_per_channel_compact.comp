// fft/rows_c2r_per_channel_compact.comp - rows_c2r_per_channel.comp for compact storage
//
//   in, out   as rows_c2r_per_channel.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_c2r_per_channel.comp, and the defines of fft/compact.glsl
//   dispatch  as rows_c2r_per_channel.comp
//   cost      as rows_c2r_per_channel.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_compact.glsl"
#include "fft/rows_c2r_per_channel.glsl"
