// atrous_ref.h - the filter "atrous" of the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_ATROUS_REF_H
#define AG_TEST_ATROUS_REF_H

#include "denoise_ref.h"

typedef struct atrous_ref_guides { // of the image's size; NULL: not given
    const double *albedo;          // four channels
    const double *normal;          // four channels, of any length
    const double *depth;           // one channel
} atrous_ref_guides;

// With settings->sigma > 0. `out`: as image->values.
void atrous_ref(const denoise_ref_image *image, const atrous_ref_guides *guides,
                const ag_denoise_settings *settings, double *out);

#endif
