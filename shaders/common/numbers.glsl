// common/numbers.glsl - from codes to values
//
//   host sets SRC_PACKING    AG_PACKING_*: what the codes are; AG_PACKING_NONE: there are none
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"
#include "common/scrub.glsl"

// c / d of whole numbers, correctly rounded on every driver: fma gives the error of the product,
vec4 quotient(vec4 c, vec4 d)
{
    vec4 r = 1.0 / d, q = c * r;
    return q + fma(-q, d, c) * r;
}

// From codes as common/packed_source.glsl returns them to values as an image load returns them.
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
