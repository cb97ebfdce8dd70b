// texture_fft.h - transforms by passes through textures, which the plugin has not
// SPDX-License-Identifier: MIT
#ifndef BENCH_TEXTURE_FFT_H
#define BENCH_TEXTURE_FFT_H

#include "../pass.h"

typedef enum texture_fft {
    TEXTURE_FFT_FRAGMENTS, // the article's predecessor: a triangle a butterfly pass
    TEXTURE_FFT_LOOKUP // its lookup texture, Fig 4: dispatches that read indices and weights there
} texture_fft;

// Measures the forward transform of a scene + i scene, a square whose side is a power of two, and
// adds a row. `effect`: of the row. Returns a STATUS_*; errors are printed.
int texture_fft_bench(bench *owner, const char *effect, int size, texture_fft by,
                      const pass_expected *right);

#endif
