// cli/srgb.c - the exact piecewise sRGB curve, and its nearest 8-bit codes
// SPDX-License-Identifier: MIT
#include "srgb.h"

#include <math.h>

double srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

double srgb_encoded(double linear)
{
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

void srgb_coder_init(srgb_coder *coder)
{
    for (int i = 0; i < 255; i++)
        coder->edge[i] = srgb_decode((i + 0.5) / 255);
}

uint8_t srgb_encode(const srgb_coder *coder, double linear)
{
    // The code is the number of edges at or below the value; a NaN is above none of them.
    int low = 0, high = 255;
    while (low < high) {
        int middle = (low + high) / 2;
        if (coder->edge[middle] <= linear)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)low;
}
