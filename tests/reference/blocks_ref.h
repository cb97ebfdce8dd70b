// blocks_ref.h - the filter "blocks" of the effect "denoise" by definition, in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLOCKS_REF_H
#define AG_TEST_BLOCKS_REF_H

#include "denoise_ref.h"

#include <stdbool.h>

// With settings->sigma > 0. `estimate` NULL: the first step. Else the second one, whose first
// estimate these values are. `out`: as image->values. `bound`: how far floats and rounded sums may
// be off at a texel, in units of y; INFINITY where a brightness is so near to a tie that floats may
// round it otherwise and choose other blocks.
void blocks_ref(const denoise_ref_image *image, const double *estimate,
                const ag_denoise_settings *settings, double *out, double *bound);

// Whether the brightness of texel `i` of an image is near to a tie.
bool blocks_ref_ties(const denoise_ref_image *image, const ag_denoise_settings *settings, int i,
                     double near);

#endif
