// fft/rows_c2r_per_channel.comp - rows_c2r.comp of small images: the channels of a pair of rows side by side in a group
//
//   in, out   as rows_c2r.comp
//   host sets as for rows_c2r.comp; LINES is CHANNELS, PER_CHANNEL is 1
//   dispatch  pairs; a group transforms all channels of one pair of rows
//   cost      as rows_c2r.comp; the channels meet in shared memory
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_full.glsl"
#include "fft/rows_c2r_per_channel.glsl"
