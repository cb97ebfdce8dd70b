// effects.h - the list of all benches, in the order in which they run; bench_*.c define them
// SPDX-License-Identifier: MIT
#ifndef BENCH_EFFECTS_H
#define BENCH_EFFECTS_H

#define BENCH_EFFECTS(X)     \
    X(bench_convolve)        \
    X(bench_bloom)           \
    X(bench_filter_spectrum) \
    X(bench_ocean)           \
    X(bench_mipchain)        \
    X(bench_sat)             \
    X(bench_sat_variants)    \
    X(bench_sat_methods)     \
    X(bench_sat_scans)       \
    X(bench_box_blur)        \
    X(bench_exposure)        \
    X(bench_downsample)      \
    X(bench_wavelet)         \
    X(bench_fft)             \
    X(bench_fft_ladder)      \
    X(bench_depth_of_field)  \
    X(bench_soft_shadow)     \
    X(bench_denoise)

#endif
