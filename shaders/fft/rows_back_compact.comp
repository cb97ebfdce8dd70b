// fft/rows_back_compact.comp - rows_back.comp where spectra have two bytes a component
//
//   in, out   as rows_back.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_back.comp
//   dispatch  as rows_back.comp
//   cost      as rows_back.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_compact.glsl"
#include "fft/rows_back.glsl"
