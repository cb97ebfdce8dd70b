// denoise/energy.glsl - the energy of a coefficient, as a whole number
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/interface.h"

// d^2 in steps of sigma^2 / AG_DENOISE_STEPS, to nearest. `scale` is 1 / sigma, or 0 while sigma is
// unknown. The sum with 2^23 has a step of 1, so its bits are a whole number.
uint energy_of(float d, float scale)
{
    float size = d * scale;
    float sum = min(float(AG_DENOISE_CAP), size * size) * float(AG_DENOISE_STEPS) + 8388608.0;
    return floatBitsToUint(sum) - 0x4b000000u;
}
