// mip/stored.glsl - from the numbers of a reduction (mip/source.glsl) to what a level holds
//
//   in        u_stage, whose w is 1 with scrub
//   host sets STORE   AG_STORE_*; EXACT 1 = values are of the format already
//   numbers   means lie between their texels: in the format's range, unless these are Inf or NaN, which
//             only come here without scrub
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_STORED_GLSL
#define AG_MIPCHAIN_STORED_GLSL
#include "common/round.glsl"

// As round_float of common/round.glsl, but asks for NaN only without scrub: there is none else.
vec4 round_mean(vec4 v, uint bits, float largest)
{
    vec4 rounded = round_number(v, bits, largest);
    if (u_stage.w == 0)
        rounded = mix(rounded, v, greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
    return rounded;
}

vec4 stored(vec4 c)
{
#if EXACT
    return c; // a value of the format already
#elif STORE == AG_STORE_UNORM8
    return floor(c + 0.5) * (1.0 / 255.0); // the image unit takes the nearest code
#elif STORE == AG_STORE_10_10_10_2
    vec4 most = vec4(1023.0, 1023.0, 1023.0, 3.0);
    return floor(c + 0.5) * (1.0 / most);
#elif STORE == AG_STORE_16F
    return round_mean(c, 13u, 65504.0);
#elif STORE == AG_STORE_11_11_10F
    c = max(c, 0.0);
    return vec4(round_mean(c, 17u, 65024.0).rg, round_mean(c, 18u, 64512.0).b, 1.0);
#else
    return round_for_store(c);
#endif
}

#endif
