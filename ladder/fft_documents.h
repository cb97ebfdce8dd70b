// fft_documents.h - what the documents of fft_ladder compute: weights, and bytes that methods move
// SPDX-License-Identifier: MIT
//
// The article and the paper: afterglow/ladder_fft.h names both. Pure C, which the bench has, too.
#ifndef AG_LADDER_FFT_DOCUMENTS_H
#define AG_LADDER_FFT_DOCUMENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ag_ladder_bytes {
    uint64_t read, written;
} ag_ladder_bytes;

// The article's Fig 5: one axis of `length` points of an image, a dispatch a butterfly pass.
ag_ladder_bytes ag_ladder_texture_bytes(int32_t width, int32_t height, int32_t length);
// Its Fig 7: one axis in shared memory. `real`: the imaginary part is not read.
ag_ladder_bytes ag_ladder_shared_bytes(int32_t width, int32_t height, bool real);
// Its Fig 9: what a lookup texture adds to reading.
uint64_t ag_ladder_lookup_bytes(int32_t width, int32_t height);
// Its Fig 12: indices and weights of `length` points, 4 floats for each output of each pass.
void ag_ladder_lookup(int32_t length, float *table);

// The paper's (10): the share of the cost that transforming N real numbers as N / 2 complex ones
// saves. x and y: what taking apart and putting together cost a point, in operations; its x = 2,
// y = 4.
double ag_ladder_half_length_gain(int32_t length, int32_t x, int32_t y);

// exp(-2 pi i part / whole), the floats nearest to it.
void ag_ladder_weight(int32_t part, int32_t whole, float weight[2]);
// log2 n, rounded up.
int32_t ag_ladder_log(int32_t n);

#endif
