// fft/rows_back_spread_compact.comp - rows_back_spread.comp where spectra have two bytes a component
//
//   in, out   as rows_back_spread.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_back_spread.comp
//   dispatch  as rows_back_spread.comp
//   cost      as rows_back_spread.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_compact.glsl"
#include "fft/rows_back_spread.glsl"
