// mipchain/stored.glsl - from the numbers of a reduction (mipchain/source.glsl) to what a level holds
//
//   host sets STORE   AG_STORE_*; EXACT 1 = values are of the format already
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_STORED_GLSL
#define AG_MIPCHAIN_STORED_GLSL
#include "common/round.glsl"

vec4 stored(vec4 c)
{
#if EXACT
    return c; // a value of the format already
#elif STORE == AG_STORE_UNORM8
    return floor(clamp(c, 0.0, 255.0) + 0.5) / 255.0;
#elif STORE == AG_STORE_10_10_10_2
    vec4 most = vec4(1023.0, 1023.0, 1023.0, 3.0);
    return floor(clamp(c, vec4(0.0), most) + 0.5) / most;
#else
    return round_for_store(c);
#endif
}

#endif
