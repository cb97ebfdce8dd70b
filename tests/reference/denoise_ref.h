// denoise_ref.h - the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
//
// Every block of every shift is transformed, shrunk and transformed back by itself: no recursion
// over levels, and no coefficient is shared between shifts. Statistics are of the blocks of
// shift 0, of images of at most 512 tiles of 32 x 32 texels, which all count. dwt: by
// wavelet_ref.h; its variances are those of its own bands.
#ifndef AG_TEST_DENOISE_REF_H
#define AG_TEST_DENOISE_REF_H

#include <afterglow/denoise.h>

enum { DENOISE_REF_LEVELS = 6, DENOISE_REF_PARTS = 3 };

typedef struct denoise_ref_image { // row by row, channels interleaved; finite values
    const double *values;
    int width, height, channels;
    double slope; // of the curve; denoise_ref sets it
} denoise_ref_image;

typedef struct denoise_ref_statistics { // by component, level less 1, band HL, LH, HH
    double slope;                       // of variance over brightness, over the variance at black
    double sigma[DENOISE_REF_PARTS][DENOISE_REF_LEVELS][3];
    double total[DENOISE_REF_PARTS]; // sigma of texels
    // mean of min(d^2, 64 sigma^2)
    double variance[DENOISE_REF_PARTS][DENOISE_REF_LEVELS][3];
} denoise_ref_statistics;

// Of the whole image. sigma: settings->sigma, or the estimate of denoise.h, with exact quantiles.
void denoise_ref_count(const denoise_ref_image *image, const ag_denoise_settings *settings,
                       denoise_ref_statistics *statistics);

// `out`: as image->values. `slack`, if not NULL: how far a result may be off at a texel because a
// hard threshold decides about a coefficient that is nearer to it than `near` times the
// largest |y|.
void denoise_ref(const denoise_ref_image *image, const ag_denoise_settings *settings,
                 const denoise_ref_statistics *statistics, double near, double *out, double *slack);

// The same of noise that is known: its image, added to a clean one, and the slope of its variance.
void denoise_ref_truth(const denoise_ref_image *noisy, const denoise_ref_image *clean, double slope,
                       const ag_denoise_settings *settings, denoise_ref_statistics *statistics);

double denoise_ref_to_space(const ag_denoise_settings *settings, double x);
double denoise_ref_from_space(const ag_denoise_settings *settings, double y);

#endif
