// fft/rows_forward_compact.comp - rows_forward.comp where spectra have two bytes a component
//
//   in, out   as rows_forward.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for rows_forward.comp
//   dispatch  as rows_forward.comp
//   cost      as rows_forward.comp with about half of the spectrum's bytes; sizes and scales take three barriers a channel
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store_compact.glsl"
#include "fft/rows_forward.glsl"
