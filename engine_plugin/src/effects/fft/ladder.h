// ladder.h - the documents' methods of the effect "fft", as they describe them (shaders/fft/ladder)
// SPDX-License-Identifier: MIT
//
// They take powers of two, whole spectra, planes and RGBA32F textures of one layer, and refuse
// everything else by name. Between the axes they store into textures of their own.
#ifndef AG_LADDER_H
#define AG_LADDER_H

#include "core/frame.h"

enum { AG_LADDER_PASSES = 28 };

typedef struct ag_ladder_pass {
    const char *path, *name;
    int32_t axis;        // 0: lines along x, 1: along y
    int32_t points, log; // of the transform, and their binary logarithm
    int32_t rows, lines; // lines a group; of the dispatch
    int32_t stage;       // of texture_radix2
    int32_t from, to;    // pair of textures 0 or 1; -1: the host's
    bool transposed;     // what it stores
    uint32_t groups[2];
} ag_ladder_pass;

typedef struct ag_ladder {
    int32_t method; // AG_FFT_SHARED_RADIX2 .. AG_FFT_HALF_LENGTH; 0: none of them
    int32_t width, height, weights, changes;
    bool reads_imag; // of the host
    ag_ladder_pass pass[AG_LADDER_PASSES];
    int32_t passes, pairs;
} ag_ladder;

// Whether the settings choose one of these methods.
bool ag_ladder_chosen(const ag_request *request);
// Refuses what the method does not take. errors  AG_E_ARG, AG_E_FORMAT, AG_E_SIZE
ag_status ag_ladder_check(const ag_host *host, const ag_request *request);
void ag_ladder_plan(const ag_request *request, ag_ladder *plan);
// `scale`: of what the last pass stores.
void ag_ladder_frame(ag_frame *f, const ag_ladder *p, float scale);

// Bytes that the documents' formulas give for a transform along x and then along y (their Figs 5
// and 7), read and written: what a method must move.
typedef struct ag_ladder_bytes {
    uint64_t read, written;
} ag_ladder_bytes;
// One axis of `length` points of an image. `real`: the imaginary part is not read.
ag_ladder_bytes ag_ladder_texture_bytes(int32_t width, int32_t height, int32_t length);
ag_ladder_bytes ag_ladder_shared_bytes(int32_t width, int32_t height, bool real);
// What a lookup texture adds to reading (Fig 9).
uint64_t ag_ladder_lookup_bytes(int32_t width, int32_t height);
// The share of the cost that transforming N real numbers as N / 2 complex ones saves; x and y: what
// taking apart and putting together cost a point, in operations (the paper's (10), x = 2, y = 4).
double ag_ladder_half_length_gain(int32_t length, int32_t x, int32_t y);
// exp(-2 pi i part / whole), the floats nearest to it.
void ag_ladder_weight(int32_t part, int32_t whole, float weight[2]);
// Indices and weights of Fig 12, of `length` points: 4 floats for each output of each pass.
void ag_ladder_lookup(int32_t length, float *table);

#endif
