// fft/rows_c2r.comp - C2R row pass: half spectra to rows of texels, two rows at a time, composited
//
//   in        b_spectrum      see fft/rows_load.glsl
//             t_src or i_src  the source again: for alpha, the composite and the centre weight
//   out       i_dst           see fft/composite.glsl
//   host sets the defines of fft/line.glsl (radices from last to first), fft/spectrum.glsl,
//             fft/rows_load.glsl, fft/source.glsl and fft/composite.glsl
//             CHANNELS    1 .. 4 are transformed, one after the other
//             FILTERABLE  1 = bloom, 0 = T is src
//   dispatch  ceil(row pairs / LINES); a group transforms LINES row pairs
//   cost      reads the KEPT columns once and each texel of src once; writes each texel of dst once
//   limits    registers: 112 VGPRs, 4 waves a SIMD on RDNA 2; 128, 2 on GCN 5 (docs/gpus.md)
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/rows_load_full.glsl"
#include "fft/rows_c2r.glsl"
