// fft/bloom_rows_r2c_compact.comp - bloom_rows_r2c.comp for compact storage
//
//   in, out   as bloom_rows_r2c.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for bloom_rows_r2c.comp, and the defines of fft/compact.glsl; dispatched alike
//   cost      about half of the spectrum's bytes, and three barriers more a channel
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#define READS_EACH_TIME // the exposure: read once, this pass takes 60 instead of 50 us on NVIDIA
#include "fft/rows_store_compact.glsl"
#include "fft/bloom_rows_r2c.glsl"
