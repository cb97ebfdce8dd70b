// mip/source.glsl - reads a texel of the first level, in the numbers of the reduction
//
//   includer  load_raw, before this: mip/source_packed.glsl or mip/source_any.glsl
//   out       b_info       with COUNTS the number of non-finite texels
//   host sets SRC_PACKING  as common/packed_source.glsl; STORE, EXACT as mip/stored.glsl
//             COUNTS       1 = the format has NaN and Inf: count them
//   numbers   unorm formats: codes, 0 .. 255 or 1023. Sums of integers below 2^24 and halves of
//             them are exact in fp32, so levels of even sizes are the same on every GPU. sRGB:
//             linear values, or with EXACT encoded values, whose order is the same
//   SPDX-License-Identifier: MIT
#include "common/interface_store.h"
#include "common/scrub.glsl"
#include "common/srgb.glsl"

// load_raw returns codes
const bool RAW_CODES = SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2;
// Sums from this on have a bad texel: infinity, because means never exceed the largest texel;
// without scrub no sum has.
uint bad_size()
{
    return NOT_FINITE | uint(u_stage.w - 1);
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
        if (EXACT && RAW_CODES)
            c /= CODES;
        else if (!EXACT && !RAW_CODES)
            c = roundEven(c * CODES);
    } else if (STORE == AG_STORE_SRGB8) {
        if (RAW_CODES)
            c /= 255.0;
        if (!EXACT)
            c.rgb = srgb_decode(c.rgb);
    } else if (EXACT) {
        bad = scrubs() && any(is_nan(c));
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

#if COUNTS
#include "common/info.glsl"
#endif
void count_bad(uint texels)
{
#if COUNTS
    if (texels != 0u)
        atomicAdd(b_info.scrubbed, texels);
#endif
}
