// bloom_ref.h - the effect "bloom" in double precision, for a kernel given as numbers
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLOOM_REF_H
#define AG_TEST_BLOOM_REF_H

#include "afterglow/bloom.h"

typedef struct bloom_ref {
    const double *src; // row by row, interleaved; the fourth channel is alpha, copied
    int width, height, channels;
    const double *kernel; // K: used as it is (make each channel sum to 1)
    int kernel_width, kernel_height, kernel_channels; // 1 or 3
    const ag_bloom_settings *settings; // intensity, threshold, knee, clamp, exposure, tint, output
} bloom_ref;

// T of every texel; alpha 0. out: width * height * channels.
void bloom_ref_threshold(const bloom_ref *b, double *out);
// The whole effect. dst: width * height * channels.
void bloom_ref_run(const bloom_ref *b, double *dst);
// T of one texel of `channels` (at most 3) colours.
void bloom_ref_texel(const ag_bloom_settings *s, const double *in, int channels, double *out);

#endif
