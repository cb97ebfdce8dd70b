// mip/source.glsl - a texel of the first level, in the numbers that the reduction works with
//
//   includer  load_raw, before this: mip/source_packed.glsl or mip/source_any.glsl
//   out       b_info       with COUNTS the number of non-finite texels
//   host sets SRC_PACKING    as common/gather.glsl; STORE, EXACT as mip/stored.glsl
//             COUNTS       1 = the format has NaN and Inf: count them
//   numbers   unorm formats: codes, 0 .. 255 or 1023. Sums of integers are exact in fp32 while they
//             stay below 2^24, and halving is: the levels of even sizes come out the same on every GPU.
//             sRGB: linear, or the encoded value where EXACT, whose order is the same
//   SPDX-License-Identifier: MIT
#include "common/srgb.glsl"

const bool RAW_CODES = SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2; // texels come as codes
const bool OF_CODES = STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2;        // and are reduced as codes
const vec4 CODES = STORE == AG_STORE_10_10_10_2 ? vec4(1023.0, 1023.0, 1023.0, 3.0) : vec4(255.0);

// The greatest channel's size, in bits: 0x7f800000 is infinity, NaNs are greater. Not isnan(): compilers may assume
// that there are none.
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}

// From which on a size is scrubbed: infinity's, or without scrub none.
uint bad_size()
{
    return 0x7f800000u | uint(u_stage.w - 1);
}

// What load_raw gives, in the numbers of the reduction. `bad` becomes true for a non-finite texel, which
// is 0 then (scrub); with EXACT for one with a NaN, which is skipped later.
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
        bad = scrubs() && any(greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(0x7f800000u)));
    } else {
        bad = scrubs() && size_bits(c) >= 0x7f800000u;
        c = mix(c, vec4(0.0), bvec4(bad));
    }
    return c;
}

// p lies inside the rectangle.
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
