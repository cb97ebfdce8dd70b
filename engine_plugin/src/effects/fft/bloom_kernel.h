// bloom_kernel.h - draws bloom's kernels, of every shape, into a texture
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_KERNEL_H
#define AG_BLOOM_KERNEL_H

#include "effects/fft/pupil.h"

enum { AG_BLOOM_KERNEL_WORDS = 26 }; // of ag_kernel_source.words: those that are settings

typedef struct ag_bloom_drawer {
    const ag_program *draw, *fit;
    ag_pupil pupil;
    ag_memory sums;    // of kernel_fit.comp
    ag_memory texture; // K, RGBA32F, one corner of it at texel 0, 0
    int32_t width, height;
} ag_bloom_drawer;

// All settings and textures that decide about K's texels, except its size.
void ag_bloom_kernel_words(const ag_request *request, const ag_bloom_settings *settings,
                           int32_t words[AG_BLOOM_KERNEL_WORDS]);
// Whether K's taps are even about the centre in every bit.
bool ag_bloom_kernel_is_even(const ag_bloom_settings *settings);

// Programs; `made` NULL: names them. errors  AG_E_SHADER, AG_E_MEMORY
ag_status ag_bloom_drawer_programs(const ag_preparation *prep, const ag_request *request,
                                   ag_bloom_drawer *made);
// Adds the drawer's programs to what a spectrum was made by.
void ag_bloom_drawer_key(const ag_bloom_drawer *drawer, int32_t *words);
// Live reload counts the programs of `old` as used by `made` too: `made` keeps what they drew.
void ag_bloom_drawer_keep(const ag_bloom_drawer *old, ag_bloom_drawer *made);

// Memory for kernels of width x height, taken over from `old` where that serves. `max_width`,
// `max_height`: of all kernels that may come (0: none is planned for). errors  AG_E_MEMORY
ag_status ag_bloom_drawer_allocate(ag_gpu *gpu, const ag_request *request, int32_t width,
                                   int32_t height, int32_t max_width, int32_t max_height,
                                   const ag_bloom_drawer *old, ag_bloom_drawer *made);
// Hands the memory of `old` over.
void ag_bloom_drawer_take(ag_bloom_drawer *old, ag_bloom_drawer *made);
// Frees what `other` (NULL: none) does not share.
void ag_bloom_drawer_free(ag_gpu *gpu, ag_bloom_drawer *drawer, const ag_bloom_drawer *other,
                          bool with_gl);

// K as it lies in that texture.
ag_texture ag_bloom_drawer_view(const ag_bloom_drawer *drawer, int32_t width, int32_t height);
// Draws K. `half_height`: half of K's height in texels; `sigma` of a Gaussian in texels.
void ag_bloom_kernel_draw(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *settings, double sigma, int32_t width,
                          int32_t height, const ag_bloom_drawer *drawer, const ag_memory *info);
// The two halves of that: what K is drawn from, and `rows` rows of it from `first` on.
void ag_bloom_kernel_begin(const ag_preparation *prep, const ag_request *request,
                           const ag_bloom_settings *settings, const ag_bloom_drawer *drawer,
                           const ag_memory *info);
void ag_bloom_kernel_rows(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *settings, double sigma, int32_t width,
                          int32_t height, int32_t first, int32_t rows,
                          const ag_bloom_drawer *drawer, const ag_memory *info);
// Loads that the GPU makes for a texel of K, about: what to divide by to share the work out.
int32_t ag_bloom_kernel_loads(const ag_bloom_settings *settings, int32_t height);

// Logs what the texels of kernel_image came to, after `info` was summed. Waits for the GPU.
ag_status ag_bloom_kernel_report(const ag_preparation *prep, const ag_request *request,
                                 const ag_bloom_settings *settings, int32_t width, int32_t height,
                                 const ag_bloom_drawer *drawer, const ag_memory *info);

#endif
