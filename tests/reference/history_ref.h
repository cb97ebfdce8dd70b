// history_ref.h - how the effect "denoise" accumulates frames, by definition, in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_HISTORY_REF_H
#define AG_TEST_HISTORY_REF_H

#include <afterglow/denoise.h>

typedef struct history_ref_frame { // finite values, four channels a texel
    const double *src;
    const double *motion; // two a texel; NULL: nothing moves
    const double *normal; // four a texel, or NULL
    const double *depth;  // one a texel, or NULL
} history_ref_frame;

typedef struct history_ref { // of width x height texels
    double *mean;            // four a texel: rgb, frames
    double *sigma;           // of one frame's luma, rounded to a half; 0: not known
    double *open;            // how far the mean may be off, by how sigma is rounded
} history_ref;

// The next history from the former one and its frame (NULL: there is none).
void history_ref_next(int width, int height, const ag_denoise_settings *settings,
                      const history_ref_frame *frame, const history_ref_frame *former,
                      const history_ref *old, history_ref *next);

#endif
