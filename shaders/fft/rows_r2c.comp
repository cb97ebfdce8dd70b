// fft/rows_r2c.comp - rows of the scene to half spectra, two rows at a time (R2C)
//
//   in        t_src or i_src  the source, see fft/source.glsl
//             u_filter        while its w, FILTERS, is on, texels pass bloom_filter (fft/bloom_filter.glsl)
//   out       b_spectrum      see fft/rows_store.glsl
//             b_alpha         with ALPHA, while u_spectrum.z is on: what rows_c2r_plain.comp copies, so that it need
//                             not read the source again: a word, two halves, for each column of a pair of rows
//             b_info          the number of bad texels is added while u_src_mode.z, scrub, is on
//   host sets the defines of fft/line.glsl (from the first radix to the last), fft/spectrum.glsl, fft/rows_store.glsl
//             and fft/source.glsl
//             CHANNELS   1 .. 4 are transformed, one after the other
//             BORDERED   1 = places map to texels by common/border.glsl, 0 = in order, then zeros
//             PADDED     0 = the image fills the line: there are no zeros
//             PER_CHANNEL     1 = a group takes one channel, gl_WorkGroupID.y, and CHANNELS is 1: small images, where
//                        the time is that of one group after another, not of bytes
//             ALPHA      1 = b_alpha may be wanted; three channels, and texels of four halves
//             FILTERABLE 1 = FILTERS may be on: bloom's; 0 = convolve's, whose loads come before the channels' loop
//   dispatch  ceil(pairs / LINES), channels if PER_CHANNEL; a group transforms LINES pairs of rows
//   cost      reads each texel once (while FILTERS is on and texels wait in words: once a channel, mostly from a
//             cache), writes 8 bytes for each of a row's frequencies 0 .. N / 2, up to KEPT, of every channel
//   source    docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#version 430 core
#define CHANNEL_BUFFERS (4 - ALPHA)
#include "fft/rows_store_full.glsl"
#include "fft/rows_r2c.glsl"
