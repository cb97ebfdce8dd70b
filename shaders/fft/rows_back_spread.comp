// fft/rows_back_spread.comp - rows_back.comp of small images: the channels of a pair of rows side by side in a group
//
//   in, out   as rows_back.comp
//   host sets as for rows_back.comp; LINES is CHANNELS, SPREAD is 1
//   dispatch  pairs; a group transforms all channels of one pair of rows
//   cost      as rows_back.comp; the channels meet in shared memory
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_full.glsl"
#include "fft/rows_back_spread.glsl"
