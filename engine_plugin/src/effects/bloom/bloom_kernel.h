// bloom_kernel.h - draws bloom's kernels, of every shape, into a texture
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_KERNEL_H
#define AG_BLOOM_KERNEL_H

#include "effects/bloom/pupil.h"

enum { AG_BLOOM_KERNEL_WORDS = 26 };

typedef struct ag_bloom_drawer { // shaders and memory of a frame
    ag_bloom_settings settings;
    double sigma;          // of a Gaussian, in texels
    int32_t width, height; // of K
    ag_shader *draw, *fit;
    ag_pupil pupil;
    ag_handle sums;    // of kernel_fit.comp
    ag_texture shape;  // K, one corner of it at texel 0, 0
    ag_picture kernel; // in a texture of RGBA32F
} ag_bloom_drawer;

// All settings and textures that decide about K's texels, except its size.
void ag_bloom_kernel_words(const ag_request *request, const ag_bloom_settings *settings,
                           int32_t words[AG_BLOOM_KERNEL_WORDS]);
// Whether K's taps are even about the centre in every bit.
bool ag_bloom_kernel_is_even(const ag_bloom_settings *settings);

// For a K of drawer->width x height, sigma and settings: names its shaders, then its memory.
// `max_width`, `max_height`: of all kernels that may come (0: none is planned for).
void ag_bloom_drawer_begin(ag_frame *f, ag_bloom_drawer *drawer);
void ag_bloom_drawer_memory(ag_frame *f, int32_t max_width, int32_t max_height,
                            ag_bloom_drawer *drawer);

// Draws K, in two parts: what it is drawn from, and `rows` rows of it from `first` on.
void ag_bloom_kernel_begin(ag_frame *f, const ag_bloom_drawer *drawer, ag_handle info);
void ag_bloom_kernel_rows(ag_frame *f, const ag_bloom_drawer *drawer, int32_t first, int32_t rows,
                          ag_handle info);
// Loads that the GPU makes for a texel of K, about: what to divide by to share the work out.
int32_t ag_bloom_kernel_loads(const ag_bloom_settings *settings, int32_t height);

// Logs what the texels of kernel_image came to, after `info` was summed. Waits for the GPU.
void ag_bloom_kernel_report(ag_frame *f, const ag_bloom_drawer *drawer, ag_handle info);

#endif
