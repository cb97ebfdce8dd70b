// fft/rows_c2r_plain.comp - rows_c2r.comp where the output is the convolution and src's alpha, nothing else
//
//   in        b_spectrum  see fft/rows_load.glsl: three channels
//             b_alpha     alpha, from rows_r2c.comp
//   out       i_dst       RGBA16F, as RG32UI
//   host sets the defines of fft/line.glsl (its radices from last to first), fft/spectrum.glsl and fft/rows_load.glsl
//   dispatch  ceil(pairs / LINES); a group transforms LINES pairs of rows
//   cost      reads the spectrum once, and two bytes of alpha a texel; writes each texel once. Channels that are
//             done wait as they will be stored, in half the registers
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS 3
#include "fft/rows_load_full.glsl"
#include "fft/rows_c2r_plain.glsl"
