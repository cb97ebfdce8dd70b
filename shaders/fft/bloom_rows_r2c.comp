// fft/bloom_rows_r2c.comp - rows_r2c.comp for bloom: the half spectra of T, what blooms
//
//   in, out   as rows_r2c.comp
//             u_filter  while its w, FILTERS, is on, bloom/filter.glsl filters texels
//   host sets as for rows_r2c.comp, without BORDERED: beyond the image lies nothing. Dispatched
//             alike
//   cost      as rows_r2c.comp; while FILTERS is on and texels are packed, reads each texel once a
//             channel, mostly from a cache
//   limits    registers on RDNA 2: 112 VGPRs, 4 waves a SIMD; shared memory on GCN 5: 20.5 KiB, 3
//             waves (docs/gpus.md)
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store_full.glsl"
#include "fft/bloom_rows_r2c.glsl"
