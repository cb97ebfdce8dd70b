// fft/rows_c2r_compact.comp - rows_c2r.comp for compact storage: spectra of two bytes a component
//
//   in, out   as rows_c2r.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_c2r.comp, and the defines of fft/compact.glsl
//   dispatch  as rows_c2r.comp
//   cost      as rows_c2r.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_compact.glsl"
#include "fft/rows_c2r.glsl"
