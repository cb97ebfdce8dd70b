// mip/source.glsl - a texel of the first level, in the numbers that the reduction works with
//
//   in        t_src        the first level of the chain, by a texture unit (common/quad.glsl); or
//             i_src        by an image unit, where GL makes no view of it
//   host sets SRC_WORDS, SRC_CHANNELS   as common/quad.glsl; AG_WORDS_NONE: i_src
//             SRC_FORMAT   its GLSL image format
//             SRC_CODES    1 = R11F_G11F_B10F, which comes as r32ui: decode
//             STORE        AG_STORE_*, tells unsigned normalised and sRGB formats from floats
//             EXACT        1 = min, max, first: values are compared and copied, never computed with
//             ARRAY        1 = all layers, the work group's z
//             DEPTH        1, 2 = one channel, for min, max or both; 2 = through a sampler
//             SAMPLES      1 = multisampled (DEPTH 2): the reduction of a texel's samples
//   numbers   unorm formats: codes, 0 .. 255 or 1023. Sums of integers are exact in fp32 while they
//             stay below 2^24, and halving is: the levels of even sizes come out the same on every GPU.
//             sRGB: linear, or the encoded value where EXACT, whose order is the same
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_SOURCE_GLSL
#define AG_MIPCHAIN_SOURCE_GLSL
#if !defined(SRC_WORDS) || !defined(SRC_FORMAT) || !defined(SRC_CODES) || !defined(STORE) || !defined(EXACT) || !defined(ARRAY) || !defined(DEPTH)
#error "SRC_WORDS, SRC_FORMAT, SRC_CODES, STORE, EXACT, ARRAY and DEPTH must be set by the host"
#endif
#include "common/codes.glsl"
#include "mip/interface.h"
#include "common/srgb.glsl"
#include "mip/texel.glsl"

#if SRC_WORDS
#define SRC_LAYER (gl_WorkGroupID.z + uint(u_texture.z))
#include "common/quad.glsl"
#elif DEPTH == 2 && SAMPLES && ARRAY
layout(binding = 0) uniform sampler2DMSArray t_src;
#elif DEPTH == 2 && SAMPLES
layout(binding = 0) uniform sampler2DMS t_src;
#elif DEPTH == 2 && ARRAY
layout(binding = 0) uniform sampler2DArray t_src;
#elif DEPTH == 2
layout(binding = 0) uniform sampler2D t_src;
#elif ARRAY && SRC_CODES
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2DArray i_src;
#elif SRC_CODES
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#elif ARRAY
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2DArray i_src;
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#endif

#if STORE == AG_STORE_UNORM8
const vec4 CODES = vec4(255.0);
#elif STORE == AG_STORE_10_10_10_2
const vec4 CODES = vec4(1023.0, 1023.0, 1023.0, 3.0);
#endif

// Bits, not isnan(): compilers may assume that there are no NaNs.
bool is_finite(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w)) < 0x7f800000u;
}

// Whether texels come as codes.
#define RAW_CODES (SRC_WORDS == AG_WORDS_8888 || SRC_WORDS == AG_WORDS_10_10_10_2)

// p counts from the rectangle's corner. The texel as the format has it, or its codes.
vec4 load_raw(ivec2 p)
{
    p += u_rect.xy;
#if SRC_WORDS && DEPTH
    return fetch(p).rrrr;
#elif SRC_WORDS
    return fetch(p);
#elif DEPTH == 2 && SAMPLES
    SUM samples = sum_begin();
    for (int i = 0; i < u_texture.x; ++i)
        sum_add(samples, texelFetch(t_src, PLACE(p), i).rrrr, 1.0, true);
    return sum_finish(samples);
#elif DEPTH == 2
    return texelFetch(t_src, PLACE(p), u_texture.y).rrrr;
#elif DEPTH
    return imageLoad(i_src, PLACE(p)).rrrr;
#elif SRC_CODES
    return decode_11_11_10(imageLoad(i_src, PLACE(p)).r);
#else
    return imageLoad(i_src, PLACE(p));
#endif
}

// What load_raw gives, in the numbers of the reduction. `bad` becomes true for a non-finite texel, which
// is 0 then (scrub); with EXACT for one with a NaN, which is skipped later.
vec4 clean(vec4 c, out bool bad)
{
    bad = false;
#if STORE == AG_STORE_UNORM8 || STORE == AG_STORE_10_10_10_2
#if EXACT && RAW_CODES
    c /= CODES;
#elif !EXACT && !RAW_CODES
    c = roundEven(c * CODES);
#endif
#elif STORE == AG_STORE_SRGB8
#if RAW_CODES
    c /= 255.0;
#endif
#if !EXACT
    c.rgb = srgb_decode(c.rgb);
#endif
#else
#if EXACT
    bad = u_stage.w != 0 && any(greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(0x7f800000u)));
#else
    bad = u_stage.w != 0 && !is_finite(c);
    c = mix(c, vec4(0.0), bvec4(bad));
#endif
#endif
    return c;
}

// p lies inside the rectangle.
vec4 load_first(ivec2 p, out bool bad)
{
    return clean(load_raw(p), bad);
}

#endif
