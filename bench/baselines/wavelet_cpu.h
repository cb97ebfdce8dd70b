// wavelet_cpu.h - wavelets of images on one core of the CPU, to check the bench's own with
// SPDX-License-Identifier: MIT
#ifndef BENCH_WAVELET_CPU_H
#define BENCH_WAVELET_CPU_H

enum { WAVELET_TAPS = 10, WAVELET_LEVELS = 3 };

typedef struct
    wavelet_filters { // in the order of samples: sample 2 o + m - taps / 2 + 1 is tap m's
    int taps;
    float low[WAVELET_TAPS], high[WAVELET_TAPS];           // forward
    float low_back[WAVELET_TAPS], high_back[WAVELET_TAPS]; // back
} wavelet_filters;

extern const wavelet_filters wavelet_haar, wavelet_cdf97;

// WAVELET_LEVELS levels of an image of four channels, in place: coefficients as a pyramid, low ones
// first; periodic border. `back`: the inverse. `line` has room for one of its lines.
void wavelet_on_cpu(const wavelet_filters *filters, float *texels, int width, int height, int back,
                    float *line);

#endif
