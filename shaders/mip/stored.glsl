// mip/stored.glsl - from the numbers of a reduction (mip/source.glsl) to values of the format
//
//   host sets STORE   AG_STORE_*; EXACT 1 = the values are of the format already
//   numbers   means lie in the format's range, unless a texel is Inf or NaN (without scrub)
//   why       drivers truncate in imageStore to 16- and 11/10-bit floats (docs/decisions.md, D6)
//   SPDX-License-Identifier: MIT
#include "common/interface.h"
#include "common/texel.glsl"

// As round_float of common/texel.glsl, but tests for NaN only without scrub: else there is none.
vec4 round_mean(vec4 v, uint bits, float largest)
{
    vec4 rounded = round_number(v, bits, largest, uint(zero()));
    if (!scrubs())
        rounded = mix(rounded, v,
                      greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
    return rounded;
}

vec4 stored(vec4 c)
{
    const vec4 limit = STORE == AG_STORE_10_10_10_2 ?
        vec4(1023.0, 1023.0, 1023.0, 3.0) : vec4(255.0);
    if (EXACT != 0 || STORE == AG_STORE_32F) {
    } else if (STORE == AG_STORE_16F) {
        c = round_mean(c, 13u, 65504.0);
    } else if (STORE == AG_STORE_11_11_10F) {
        c = max(c, 0.0);
        c = vec4(round_mean(c, 17u, 65024.0).rg, round_mean(c, 18u, 64512.0).b, 1.0);
    } else if (STORE == AG_STORE_SRGB8) {
        c = vec4(srgb_encode(clamp(c.rgb, 0.0, 1.0)), c.a);
        c = floor(clamp(c, 0.0, 1.0) * limit + 0.5) / limit;
    } else { // codes: the image unit rounds to the nearest one
        c = floor(c + 0.5) * (1.0 / limit);
    }
    return c;
}
