// passes_ref.h - the passes of passes/, in double: each gives the texel at x, y of an image
// SPDX-License-Identifier: MIT
#ifndef AG_PASSES_REF_H
#define AG_PASSES_REF_H

#include <stdint.h>

typedef struct ref_image { // four channels, row by row
    const double *texels;
    int width, height;
} ref_image;

void tone_map_ref(const ref_image *src, int curve, double ev, int encode, int x, int y,
                  double out[4]);
void film_grain_ref(const ref_image *src, double strength, double size, double colour,
                    uint32_t seed, uint32_t frame, int codes, int x, int y, double out[4]);
void sharpen_ref(const ref_image *src, double amount, int codes, int x, int y, double out[4]);
void lens_ref(const ref_image *src, double aberration, double vignette, double view, int x, int y,
              double out[4]);
void edges_ref(const ref_image *src, double threshold, int reach, int x, int y, double out[4]);
// The whole image; malloc.
double *kawase_ref(const ref_image *src, int levels, double spread);

#endif
