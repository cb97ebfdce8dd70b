// fft/rows_c2r_per_channel.comp - rows_c2r.comp for small images: a group has all channels at once
//
//   in, out   as rows_c2r.comp
//   host sets as for rows_c2r.comp; LINES is the number of channels, PER_CHANNEL is 1
//   dispatch  row pairs; a group transforms the channels of one row pair, side by side
//   cost      as rows_c2r.comp; the channels of a texel meet in shared memory
//   source    docs/convolve.md 3 and 5; docs/decisions.md, D15
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_full.glsl"
#include "fft/rows_c2r_per_channel.glsl"
