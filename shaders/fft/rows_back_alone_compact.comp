// fft/rows_back_alone_compact.comp - rows_back_alone.comp where spectra have two bytes a component
//
//   in, out   as rows_back_alone.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_back_alone.comp
//   dispatch  as rows_back_alone.comp
//   cost      as rows_back_alone.comp with about half of the spectrum's bytes
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS 3
#include "fft/rows_load_compact.glsl"
#include "fft/rows_back_alone.glsl"
