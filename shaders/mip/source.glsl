// mip/source.glsl - reads a texel of the first level, in the numbers of the reduction
//
//   includer  load_raw, before this: mip/source_packed.glsl or mip/source_any.glsl
//   out       b_info       with COUNTS the number of non-finite texels
//   host sets SRC_PACKING  as common/source.glsl; STORE, EXACT as mip/stored.glsl
//             COUNTS       1 = the format has NaN and Inf: count them
//   numbers   unorm formats: codes, 0 .. 255 or 1023. Sums of integers below 2^24 and halves of
//             them are exact in fp32, so levels of even sizes are the same on every GPU. sRGB:
//             linear values, or with EXACT encoded values, whose order is the same
//   SPDX-License-Identifier: MIT
#if COUNTS
#include "common/info.glsl"
#endif
#include "common/texel.glsl"

// load_raw returns codes
#ifdef SRC_PACKING
const bool RAW_CODES = SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2;
#else // depth
const bool RAW_CODES = false;
#endif
// the reduction works on codes
const bool OF_CODES = STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2;
const vec4 CODES = STORE == AG_STORE_10_10_10_2 ? vec4(1023.0, 1023.0, 1023.0, 3.0) : vec4(255.0);

// Sums from this on have a bad texel: infinity, because means never exceed the largest texel;
// without scrub no sum has.
uint bad_size()
{
    return bad_from(NOT_FINITE, u_stage.w);
}

// Where texels are weighed by texels, those that are too large are bad, too.
#if defined(WEIGHT) && WEIGHT != AG_WEIGHT_NONE
#define BAD_TEXEL TOO_LARGE
#else
#define BAD_TEXEL NOT_FINITE
#endif

// A texel of load_raw in the numbers of the reduction. With scrub `bad` says that it was
// bad, and became 0; with EXACT, that it has a NaN, which the reduction skips.
vec4 clean(vec4 c, out bool bad)
{
    bad = false;
    if (OF_CODES) {
        if (EXACT != 0 && RAW_CODES)
            c /= CODES;
        else if (EXACT == 0 && !RAW_CODES)
            c = roundEven(c * CODES);
    } else if (STORE == AG_STORE_SRGB8) {
        if (RAW_CODES)
            c /= 255.0;
        if (EXACT == 0)
            c.rgb = srgb_decode(c.rgb);
    } else if (EXACT != 0) {
        bad = scrubs() && any(greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(NOT_FINITE)));
    } else {
        bad = scrubs() && size_bits(c) >= BAD_TEXEL;
        c = mix(c, vec4(0.0), bvec4(bad));
    }
    return c;
}

// The texel at p, which lies inside the rectangle.
vec4 load_first(ivec2 p, out bool bad)
{
    return clean(load_raw(p), bad);
}
