// transforming.h - runs the effect "fft" and compares it with the reference
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_TRANSFORMING_H
#define AG_TEST_TRANSFORMING_H

#include "fft_ref.h"
#include "fixture.h"
#include "random.h"
#include "trial.h"

typedef struct fft_case { // what to transform; NULL formats: rgba32f, no imaginary part: none
    const char *name;
    int width, height; // of the image
    ag_fft_settings settings;
    bool complex_in, complex_out; // src_imag, dst_imag are set
    const char *src_format, *dst_format, *imag_format;
    int layers; // 0: no array
    int margin; // texels around the rectangles
} fft_case;

typedef struct fft_planes { // values of a side, all channels of its texture interleaved; malloc
    double *real, *imag;    // imag NULL: none
    int width, height, channels, imag_channels, layers;
} fft_planes;

// The case with all settings at their defaults.
fft_case fft_case_of(fixture *f, const char *name, int width, int height);
// Random values of the input, as its textures hold them.
fft_planes fft_noise(rng *r, const fft_case *c);
// Prepares and executes, without a margin.
fft_planes fft_run(fixture *f, ag_pass *pass, const fft_case *c, const fft_planes *in);
void fft_free(fft_planes *p);
// The exact output, of the channels and the textures that the case has.
fft_planes fft_exact(const fft_case *c, const fft_planes *in);
// Signal to noise of all that is stored, in dB.
double fft_snr(const fft_planes *got, const fft_planes *want);
// Random input, transformed and compared with the limit that afterglow/fft.h promises.
bool fft_check(fixture *f, ag_pass *pass, rng *r, const fft_case *c);

bool fft_smooth(int n);              // 2^a 3^b 5^c 7^d
double fft_limit(const fft_case *c); // dB

#endif
