// fft/rows_c2r_plain.comp - rows_c2r.comp where dst is the convolution and src's alpha only
//
//   in        b_spectrum  see fft/rows_load.glsl: three channels
//             b_alpha     src's alpha, from rows_r2c.comp
//   out       i_dst       RGBA16F, bound as RG32UI
//   host sets the defines of fft/line.glsl (radices from last to first), fft/spectrum.glsl and
//             fft/rows_load.glsl
//   dispatch  ceil(row pairs / LINES); a group transforms LINES row pairs
//   cost      reads the KEPT columns once and two bytes of alpha a texel; writes each texel once.
//             Finished channels are kept as 16-bit floats, in half the registers
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS 3
#include "fft/rows_load_full.glsl"
#include "fft/rows_c2r_plain.glsl"
