// baselines.h - what effects are compared with: each measures and adds rows of its own
// SPDX-License-Identifier: MIT
#ifndef BENCH_BASELINES_H
#define BENCH_BASELINES_H

#include "../pass.h"

// A copy of a scene between two formats: "rgba16f to rgba32f".
void copy_bench(bench *owner, int width, int height, const char *effect, GLenum from, GLenum to);

// The pyramid bloom of today's games, RGBA16F, with chains of two kinds. Downward, each level has
// half the size and takes 13 bilinear taps a texel. Upward, a 3 x 3 tent of the smaller level is
// added to each level. The composite comes last. J. Jimenez, "Next Generation Post Processing in
// Call of Duty: Advanced Warfare", SIGGRAPH 2014. The result is not exact and differs from the
// plugin's picture, so only the cost can be compared.
void pyramid_bench(bench *owner, int width, int height);

// Wavelets of RGBA16F images by the schedule of plain wavelet libraries, as PDWT has it: two
// kernels a level, periodic border. Small results are compared with the CPU's.
// Three levels, of sizes that are multiples of 8; and Haar in one dispatch.
void wave_ways_bench(bench *owner, int width, int height);
// Three levels of cdf97, a soft threshold of 0.05 and three levels back.
void plain_library_bench(bench *owner, int width, int height);

// Five levels of an a-trous filter without guides, sigma 0.05, with texels permuted between levels.
// Sizes are multiples of 32. Dolp, Hanika, Dachsbacher 2024. The effect leaves texels where they
// are (docs/denoise.md).
void atrous_permuted_bench(bench *owner, int width, int height);

// The forward transform of a scene + i scene by passes through textures, which the plugin has not:
// a square whose side is a power of two.
typedef enum texture_fft {
    TEXTURE_FFT_FRAGMENTS, // the article's predecessor: a triangle a butterfly pass
    TEXTURE_FFT_LOOKUP // its lookup texture, Fig 4: dispatches that read indices and weights there
} texture_fft;
void texture_fft_bench(bench *owner, const char *effect, int size, texture_fft by,
                       const pass_expected *right);

// What the ways cost by which a transform reads and writes lines: a plane of RGBA32F, `size` texels
// a side, read and written by rows or columns, a line a group; and into a buffer, by whole and by
// partial texels.
void line_copies_bench(bench *owner, int size);

#endif
