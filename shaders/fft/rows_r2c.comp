// fft/rows_r2c.comp - R2C row pass: rows of the source to half spectra, two rows in one transform
//
//   in        t_src or i_src  the source, see fft/source.glsl
//   out       b_spectrum      see fft/rows_store.glsl
//             b_alpha         with ALPHA, while u_spectrum.z is on: src's alpha, which
//                             rows_c2r_plain.comp copies. One 32-bit word holds the alphas of a
//                             column of two rows, as 16-bit floats
//             b_info          while u_src_mode.z, scrub, is on: adds the number of non-finite
//                             texels
//   host sets the defines of fft/line.glsl (radices from first to last), fft/spectrum.glsl,
//             fft/rows_store.glsl and fft/source.glsl
//             CHANNELS     1 .. 4 are transformed, one after the other
//             BORDERED     1 = common/border.glsl maps positions to texels, 0 = in order, then
//                          zeros, 2 = in order, then a ramp (fft/ramp.glsl)
//             PADDED       0 = the image fills the line, so there are no zeros
//             PER_CHANNEL  1 = a group transforms one channel, gl_WorkGroupID.y, and CHANNELS is 1:
//                          for small images (docs/decisions.md, D15)
//             ALPHA        1 = b_alpha may be written; three channels, RGBA16F texels only
//   dispatch  ceil(row pairs / LINES), channels if PER_CHANNEL; a group transforms LINES row pairs
//   cost      reads each texel once; writes 8 bytes a row and channel for each of the first KEPT
//             frequencies
//   source    docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store_full.glsl"
#include "fft/rows_r2c.glsl"
#include "fft/rows_ramp.glsl"
