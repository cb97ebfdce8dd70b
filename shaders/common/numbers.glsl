// common/numbers.glsl - from codes to numbers, and which are none
//
//   host sets SRC_PACKING    AG_PACKING_*: what the codes are; AG_PACKING_NONE: there are none
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_NUMBERS_GLSL
#define AG_COMMON_NUMBERS_GLSL
#include "common/interface.h"

const uint NOT_FINITE = 0x7f800000u; // bits of infinity; those of NaNs are greater

// Greater than or equal to NOT_FINITE if a channel is. Bits, not isnan(): compilers may assume that
// there are no NaNs.
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}

// c / d of whole numbers, whatever the driver's division is: the product's error is known and taken off.
vec4 quotient(vec4 c, vec4 d)
{
    vec4 r = 1.0 / d, q = c * r;
    return q + fma(-q, d, c) * r;
}

// Codes as common/words.glsl brings them, as an image load would.
vec4 from_codes(vec4 c)
{
#if SRC_PACKING == AG_PACKING_8888
    return quotient(c, vec4(255.0));
#elif SRC_PACKING == AG_PACKING_10_10_10_2
    return quotient(c, vec4(1023.0, 1023.0, 1023.0, 3.0));
#else
    return c;
#endif
}

#endif
