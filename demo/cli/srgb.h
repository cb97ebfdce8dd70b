// cli/srgb.h - the exact piecewise sRGB curve (IEC 61966-2-1), and its nearest 8-bit codes
// SPDX-License-Identifier: MIT
#ifndef CLI_SRGB_H
#define CLI_SRGB_H

#include <stdint.h>

double srgb_decode(double encoded); // 0..1 to linear light
double srgb_encoded(double linear); // and back

// The values at which the nearest code changes. A comparison with them is exact and faster than
// pow.
typedef struct srgb_coder {
    double edge[255];
} srgb_coder;

void srgb_coder_init(srgb_coder *coder);
uint8_t srgb_encode(const srgb_coder *coder, double linear); // NaN and negative: 0

#endif
