// bloom_sizes.h - the sizes of bloom's kernel K, and of the frame that it belongs to
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_SIZES_H
#define AG_BLOOM_SIZES_H

#include "core/effect.h"

#include <afterglow/bloom.h>

// The size that the smaller image and K belong to: the frame's, or the largest planned.
void ag_bloom_grid(const ag_request *request, const ag_bloom_settings *s, int32_t grid[2]);
// Whether a plan serves frames of several sizes by several kernels.
bool ag_bloom_several(const ag_request *request, const ag_bloom_settings *s);
// K for a frame so many texels high.
void ag_bloom_kernel_size(const ag_request *request, const ag_bloom_settings *s, int32_t height,
                          int32_t *kernel_width, int32_t *kernel_height);
// Of a Gaussian, in texels.
double ag_bloom_sigma(const ag_bloom_settings *s, int32_t height);

#endif
