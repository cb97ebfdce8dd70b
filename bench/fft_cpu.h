// fft_cpu.h - transforms of squares on one core of the CPU, beside those of the GPU
// SPDX-License-Identifier: MIT
#ifndef BENCH_FFT_CPU_H
#define BENCH_FFT_CPU_H

// Microseconds of a complex transform of n x n points for each channel, the best of three runs, or
// the first if it takes a second; 0 where there is none. Plain C: radix 2, in place, in double, n a
// power of two.
double fft_cpu_plain(int n, int channels);
double fft_cpu_fftw(int n, int channels); // in double, planned by FFTW_ESTIMATE

#endif
